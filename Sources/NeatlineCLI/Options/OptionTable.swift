/// An option of a command: what is read, what `help` says, and what is not refused are all of this.
struct OptionEntry: Sendable {
  /// With its dashes.
  let name: String
  /// What stands for the value in the help; nil: a flag.
  let value: String?
  let help: String
  /// What counts where the option is not given, as text.
  let standard: String?
  let repeats: Bool

  /// A flag.
  init(_ name: String, _ help: String) {
    (self.name, value, self.help, standard, repeats) = (name, nil, help, nil, false)
  }

  /// An option with a value.
  init(_ name: String, _ value: String, _ help: String, standard: String? = nil, repeats: Bool = false) {
    self.name = name
    self.value = value
    self.help = help
    self.standard = standard
    self.repeats = repeats
  }
}

/// A command: its options, its help, and what it does.
struct CommandEntry: Sendable {
  let name: String
  /// One line.
  let summary: String
  /// The command's own words after its name, one line for each way to use it, without the options.
  let forms: [String]
  let options: [OptionEntry]
  let example: String
  /// What else there is to know.
  var notes = ""
  let run: @Sendable (Arguments) throws -> Void

  func option(_ name: String) -> OptionEntry? { options.first { $0.name == name } }

  var help: String {
    var lines = ["neatline \(name): \(summary)", ""]
    for form in forms { lines.append("  neatline \(name) \(form)") }
    if !options.isEmpty { lines += ["", "Options:"] + optionLines }
    if !notes.isEmpty { lines += ["", notes] }
    lines += ["", "Example:", "  \(example)"]
    return lines.joined(separator: "\n")
  }

  private var optionLines: [String] {
    let heads = options.map { option in
      (option.name == "--output" ? "-o, " : "") + option.name + (option.value.map { " " + $0 } ?? "")
        + (option.repeats ? " ..." : "")
    }
    let width = min(28, heads.map(\.count).max() ?? 0)
    return zip(heads, options).map { head, option in
      let gap =
        head.count <= width
        ? String(repeating: " ", count: width - head.count) : "\n" + String(repeating: " ", count: width + 2)
      return "  \(head)\(gap)  \(option.help)\(option.standard.map { " [\($0)]" } ?? "")"
    }
  }
}

/// The name that was probably meant: the nearest of those known, where few letters differ.
func nearestName(_ name: String, among known: [String]) -> String? {
  let word = Array(name.lowercased().utf8)
  let limit = max(1, min(3, word.count / 3))
  var best: (name: String, distance: Int)?
  for candidate in known {
    let distance = editDistance(word, Array(candidate.lowercased().utf8))
    if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return best?.name
}

/// Letters that must be added, left out, changed or swapped with their neighbour to make one word of the
/// other.
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
  for i in 0...a.count {
    for j in 0...b.count {
      guard i > 0, j > 0 else {
        rows[i][j] = i + j
        continue
      }
      var cost = min(
        rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { cost = min(cost, rows[i - 2][j - 2] + 1) }
      rows[i][j] = cost
    }
  }
  return rows[a.count][b.count]
}
