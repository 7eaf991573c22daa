import Glibc
import Neatline

/// A value of the plain reading of expressions.
public enum OracleValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  /// Red, green, blue, alpha in 0...1, not premultiplied.
  case color(SIMD4<Double>)
  case array([OracleValue])
  case object([String: OracleValue])

  public init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let value): self = .number(value)
    case .string(let value): self = .string(value)
    case .array(let items): self = .array(items.map { OracleValue($0) })
    case .object(let members):
      self = .object(Dictionary(members.map { ($0.key, OracleValue($0.value)) }) { $1 })
    }
  }

  public var number: Double? { if case .number(let value) = self { value } else { nil } }
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  var type: OracleType {
    switch self {
    case .null: return .null
    case .bool: return .boolean
    case .number: return .number
    case .string: return .string
    case .color: return .color
    case .object: return .object
    case .array(let items):
      var item: OracleType?
      for value in items {
        let type = value.type
        if item == nil { item = type } else if item != type { item = .value }
      }
      return .array(item ?? .value, items.count)
    }
  }

  /// JavaScript's `===` between values that are not objects.
  func isSame(_ other: OracleValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    // Strings are equal by their code units, not canonically.
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    default: false
    }
  }

  var isTruthy: Bool {
    switch self {
    case .null: false
    case .bool(let value): value
    case .number(let value): value != 0 && !value.isNaN
    case .string(let value): !value.isEmpty
    default: true
    }
  }

  /// What `to-string` gives.
  var text: String {
    switch self {
    case .null: return ""
    case .bool(let value): return value ? "true" : "false"
    case .number(let value): return OracleText.number(value)
    case .string(let value): return value
    case .color(let color):
      let parts = (0..<3).map { OracleText.number((color[$0] * 255 + 0.5).rounded(.down)) }
      return "rgba(\(parts.joined(separator: ",")),\(OracleText.number(color.w)))"
    default: return json.text
    }
  }

  private var json: JSONValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let value): value.isFinite ? .number(value) : .null
    case .string(let value): .string(value)
    case .color: .string(text)
    case .array(let items): .array(items.map(\.json))
    case .object(let members):
      .object(members.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) })
    }
  }
}

/// Text and numbers, as JavaScript turns one into the other.
enum OracleText {
  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    if value == 0 { return "0" }
    // The shortest digits that read back as the same number, and where the point goes.
    var digits: [Character] = []
    var exponent = 0
    var sawPoint = false
    var mantissa = "\(value.magnitude)"[...]
    if let e = mantissa.firstIndex(of: "e") {
      exponent = Int(mantissa[mantissa.index(after: e)...].replacing(/\+/, with: ""))!
      mantissa = mantissa[..<e]
    }
    for character in mantissa {
      if character == "." {
        sawPoint = true
      } else {
        digits.append(character)
        if sawPoint { exponent -= 1 }
      }
    }
    while digits.last == "0" {
      digits.removeLast()
      exponent += 1
    }
    while digits.first == "0" { digits.removeFirst() }
    let point = digits.count + exponent
    let sign = value < 0 ? "-" : ""
    if point > 21 || point < -5 {
      let rest = digits.dropFirst()
      return
        "\(sign)\(digits[0])\(rest.isEmpty ? "" : "." + String(rest))e\(point > 0 ? "+" : "-")\(abs(point - 1))"
    }
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + String(digits) }
    if exponent >= 0 { return sign + String(digits) + String(repeating: "0", count: exponent) }
    return sign + String(digits[..<point]) + "." + String(digits[point...])
  }

  /// JavaScript's `Number(text)`, of decimal numbers.
  static func number(_ text: String) -> Double {
    let trimmed = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    if trimmed.isEmpty { return 0 }
    guard trimmed.allSatisfy({ "0123456789+-.eE".contains($0) }) else { return .nan }
    return Double(trimmed) ?? .nan
  }
}
