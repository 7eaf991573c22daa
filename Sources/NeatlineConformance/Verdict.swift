import Glibc

/// What is printed at the end, and the exit status.
enum Verdict {
  static func print(_ outcomes: [Outcome], _ setting: Setting) throws -> Int32 {
    let failed = outcomes.filter { $0.reason != nil }
    var isAsExpected = failed.isEmpty && !outcomes.isEmpty
    if outcomes.isEmpty { Swift.print("no case\(setting.filter.map { " holds \"\($0)\"" } ?? " there")") }
    for outcome in failed { Swift.print("FAIL \(outcome.name): \(outcome.reason ?? "")") }
    if let path = setting.known {
      if setting.updatesKnown {
        let causes = try causes(path)
        let text = failed.map { outcome in
          let cause = causes[outcome.name].map { "\t" + $0 } ?? ""
          return "\(outcome.name)\t\(withoutPlace(outcome.reason ?? "", setting))\(cause)\n"
        }.joined()
        try Files.write(path, Array(text.utf8))
        isAsExpected = true
      } else {
        isAsExpected = try compare(outcomes, known: try names(path), isWhole: setting.filter == nil)
      }
    }
    if setting.suite == "render" {
      let blank = outcomes.filter(\.blankPasses)
      let net = outcomes.filter { $0.reason == nil && !$0.blankPasses }.count
      Swift.print(
        "a blank picture would pass \(blank.count) of \(outcomes.count); \(net) passed that a blank picture would not"
      )
    }
    Swift.print("\(outcomes.count - failed.count) passed, \(failed.count) failed")
    return isAsExpected ? 0 : 1
  }

  /// A reason without the folders of this machine.
  private static func withoutPlace(_ reason: String, _ setting: Setting) -> String {
    [setting.assets, setting.directory].reduce(reason) {
      $0.replacing("file://" + $1 + "/", with: "").replacing($1 + "/", with: "")
    }
  }

  private static func names(_ path: String) throws -> Set<String> {
    Set(
      try Files.text(path).split(separator: "\n").filter { !$0.hasPrefix("# ") }.compactMap {
        $0.split(separator: "\t").first.map(String.init)
      })
  }

  /// What somebody found out about why a case fails: the third column, which stays when the others are made anew.
  private static func causes(_ path: String) throws -> [String: String] {
    var causes: [String: String] = [:]
    for line in try Files.text(path).split(separator: "\n") where !line.hasPrefix("# ") {
      let columns = line.split(separator: "\t")
      if columns.count > 2 { causes[String(columns[0])] = String(columns[2]) }
    }
    return causes
  }

  private static func compare(_ outcomes: [Outcome], known: Set<String>, isWhole: Bool) throws -> Bool {
    var isAsExpected = true
    for outcome in outcomes {
      if outcome.reason != nil, !known.contains(outcome.name) {
        Swift.print("UNEXPECTED FAILURE \(outcome.name)")
        isAsExpected = false
      } else if outcome.reason == nil, known.contains(outcome.name) {
        Swift.print("UNEXPECTED PASS \(outcome.name)")
        isAsExpected = false
      }
    }
    let present = Set(outcomes.map(\.name))
    if isWhole {
      for name in known.subtracting(present).sorted() {
        Swift.print("UNKNOWN CASE \(name)")
        isAsExpected = false
      }
    }
    return isAsExpected
  }
}

/// The page that shows failing cases.
enum Report {
  static func write(_ outcomes: [Outcome], _ suite: String, to folder: String) throws {
    func escape(_ text: String) -> String {
      var result = ""
      for character in text {
        switch character {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "\"": result += "&quot;"
        case "#": result += "&#35;"
        default: result.append(character)
        }
      }
      return result
    }
    let failed = outcomes.filter { $0.reason != nil }
    var page = """
      <!doctype html><meta charset="utf-8"><title>\(escape(suite))</title>
      <style>body{font:14px sans-serif;margin:2em}img{max-width:360px;border:1px solid #ccc;background:#fff;image-rendering:pixelated}
      figure{display:inline-block;margin:4px}h2{font-size:15px;margin:1.5em 0 0}</style>
      <h1>\(escape(suite)): \(outcomes.count - failed.count) passed, \(failed.count) failed</h1>\n
      """
    for outcome in failed {
      page += "<h2>\(escape(outcome.name))</h2><p>\(escape(outcome.reason ?? ""))</p>\n"
      for picture in outcome.pictures {
        let kind = picture.split(separator: "/").last.map(String.init) ?? ""
        let address = picture.split(separator: "#", omittingEmptySubsequences: false).joined(separator: "%23")
        page +=
          "<figure><img loading=\"lazy\" src=\"\(escapeAddress(address))\"><figcaption>\(escape(kind))</figcaption></figure>"
      }
    }
    try Files.write(folder + "/index.html", Array(page.utf8))
    Swift.print("report: \(folder)/index.html")
  }

  private static func escapeAddress(_ text: String) -> String {
    text.split(separator: "\"").joined(separator: "%22")
  }
}
