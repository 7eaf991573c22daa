import Neatline

/// Command-line options of the forms `--name VALUE`, `--name=VALUE` and `--flag`, and what is left over.
struct Arguments {
  private(set) var positional: [String] = []
  private var values: [String: [String]] = [:]
  private var flags: Set<String> = []
  /// Where options are from that were not given as arguments: what faults are named by.
  private var places: [String: String] = [:]

  /// Reads the arguments of a command; options that it does not have are errors that name them.
  init(_ arguments: [String], of command: CommandEntry) throws {
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      index += 1
      if argument == "--" {
        positional += arguments[index...]
        return
      }
      guard argument.hasPrefix("-"), argument.count > 1, Double(argument) == nil else {
        positional.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      let name = parts[0] == "-o" ? "--output" : parts[0]
      guard let option = command.option(name) else {
        let meant =
          nearestName(name, among: command.options.map(\.name)).map { "; did you mean \($0)?" } ?? ""
        throw UsageError(
          message: "unknown option \(parts[0])\(meant)\nneatline help \(command.name) lists all options")
      }
      if option.value == nil {
        guard parts.count == 1 else { throw UsageError(message: "\(name) takes no value") }
        flags.insert(name)
        continue
      }
      if values[name] != nil, !option.repeats { throw UsageError(message: "\(name) is given twice") }
      if parts.count == 2 {
        values[name, default: []].append(parts[1])
      } else {
        guard index < arguments.count else { throw UsageError(message: "\(argument) needs a value") }
        values[name, default: []].append(arguments[index])
        index += 1
      }
    }
  }

  /// Takes options out of a configuration, by their names without dashes, where they are not given already.
  mutating func fill(from settings: [String: JSONValue], of path: String, _ command: CommandEntry) throws {
    for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
      guard let option = command.option("--" + name) else { continue }
      let place = "\(path): server.\(name)"
      func wrong(_ what: String) -> UsageError { UsageError(message: "\(place) \(what)") }
      var read: [String] = []
      switch value {
      case .bool(let flag) where option.value == nil:
        if flag { flags.insert(option.name) }
        continue
      case _ where option.value == nil: throw wrong("is neither true nor false")
      case .string(let text): read = [text]
      case .number(let number): read = [Int(exactly: number).map { "\($0)" } ?? "\(number)"]
      case .array(let list) where option.repeats:
        read = try list.map {
          guard let text = $0.string else { throw wrong("is no list of texts") }
          return text
        }
      default: throw wrong(option.repeats ? "is no list of texts" : "is neither a number nor a text")
      }
      // Arguments go before the file.
      guard values[option.name] == nil else { continue }
      values[option.name] = read
      places[option.name] = place
    }
  }

  /// What a fault is named by.
  private func place(_ name: String) -> String { places[name] ?? name }

  /// One of several words.
  func choice(_ name: String, _ words: [String]) throws -> String? {
    guard let text = text(name) else { return nil }
    guard words.contains(text) else {
      throw UsageError(message: "\(place(name)): \"\(text)\" is none of \(words.joined(separator: ", "))")
    }
    return text
  }

  /// Whether an option or a flag is given.
  func has(_ name: String) -> Bool { flags.contains(name) || values[name] != nil }
  func text(_ name: String) -> String? { values[name]?.last }
  func texts(_ name: String) -> [String] { values[name] ?? [] }

  func number(_ name: String) throws -> Double? {
    guard let text = text(name) else { return nil }
    guard let number = Double(text), number.isFinite else {
      throw UsageError(message: "\(place(name)): \"\(text)\" is not a number")
    }
    return number
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        message:
          "\(place(name)): \"\(text)\" is not a whole number within \(range.lowerBound)...\(range.upperBound)"
      )
    }
    return number
  }

  /// Four numbers of degrees: west, south, east, north.
  func box(_ name: String) throws -> GeographicBounds? {
    guard let text = text(name) else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    guard parts.count == 4, numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[1] <= numbers[3]
    else {
      throw UsageError(message: "\(name): \"\(text)\" is not WEST,SOUTH,EAST,NORTH in degrees")
    }
    return GeographicBounds(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
  }

  /// Two numbers with a separator between them.
  func pair(_ name: String, _ separator: Character) throws -> (Double, Double)? {
    guard let text = text(name) else { return nil }
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    guard parts.count == 2, numbers.count == 2, numbers.allSatisfy(\.isFinite) else {
      throw UsageError(message: "\(name): \"\(text)\" is not two numbers with '\(separator)' between them")
    }
    return (numbers[0], numbers[1])
  }

  /// Width and height: two whole numbers with an `x` between them, within 1...16384.
  func size(_ name: String) throws -> (Int, Int)? {
    guard let text = text(name) else { return nil }
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard parts.count == 2, numbers.count == 2, numbers.allSatisfy({ (1...16384).contains($0) }) else {
      throw UsageError(message: "\(name): \"\(text)\" is not WxH, two whole numbers within 1...16384")
    }
    return (numbers[0], numbers[1])
  }

  /// The only positional argument.
  func only(_ what: String) throws -> String {
    guard positional.count == 1 else {
      throw UsageError(message: positional.isEmpty ? "\(what) is missing" : "one \(what) only, please")
    }
    return positional[0]
  }
}
