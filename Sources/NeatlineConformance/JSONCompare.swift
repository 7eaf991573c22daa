import Glibc
import Neatline

/// Comparison of JSON: members in any order, numbers to some digits.
enum JSONCompare {
  /// The first place where two values differ, or nil. `digits`: significant figures that count, cut and not
  /// rounded; nil: all.
  static func difference(
    _ expected: JSONValue, _ actual: JSONValue?, digits: Int? = nil, at path: String = ""
  ) -> String? {
    func differs() -> String {
      "\(path.isEmpty ? "" : path + ": ")expected \(short(expected)), got \(actual.map(short) ?? "nothing")"
    }
    guard let actual else { return differs() }
    switch (expected, actual) {
    case (.number(let a), .number(let b)):
      if a == b { return nil }
      if let digits, cut(a, digits) == cut(b, digits) || near(a, b, digits) { return nil }
      return differs()
    case (.array(let a), .array(let b)):
      for (index, pair) in zip(a, b).enumerated() {
        if let found = difference(pair.0, pair.1, digits: digits, at: "\(path)[\(index)]") { return found }
      }
      return a.count == b.count
        ? nil : "\(path.isEmpty ? "" : path + ": ")expected \(a.count) elements, got \(b.count)"
    case (.object(let a), .object(let b)):
      for member in a {
        if let found = difference(
          member.value, actual[member.key], digits: digits, at: "\(path).\(member.key)")
        {
          return found
        }
      }
      for member in b where expected[member.key] == nil {
        return "\(path).\(member.key): not expected, got \(short(member.value))"
      }
      return nil
    default: return expected == actual ? nil : differs()
    }
  }

  static func short(_ value: JSONValue) -> String {
    let text = value.text
    return text.count > 160 ? text.prefix(157) + "..." : text
  }

  static func cut(_ x: Double, _ digits: Int) -> Double {
    if x == 0 || !x.isFinite { return x }
    let factor = pow(10, max(0, Double(digits) - log10(abs(x)).rounded(.up)))
    let once = (x * factor).rounded(.down) / factor
    return (once * factor).rounded(.down) / factor
  }

  /// Whether two numbers differ by less than one unit of the last digit that counts, which cutting can turn
  /// into a difference.
  private static func near(_ a: Double, _ b: Double, _ digits: Int) -> Bool {
    abs(a - b) <= 1e-12 * max(abs(a), abs(b)) || digits >= 10 && abs(a - b) < 1e-9 * max(abs(a), abs(b))
  }
}

extension JSONValue {
  func without(_ key: String) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $0.key != key })
  }
}
