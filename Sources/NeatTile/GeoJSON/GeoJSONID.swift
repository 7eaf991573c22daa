import NeatBase
import NeatJSON

/// The identity of a feature: a number or a string. Whole numbers are told apart to the last digit; 1 and 1.0
/// are the same.
package enum GeoJSONID: Hashable, Sendable {
  case uint(UInt64)
  /// Below 0.
  case int(Int64)
  /// Not whole, or past the integers.
  case number(Double)
  case string(String)

  package init(_ number: Double) {
    if let whole = UInt64(exactly: number) {
      self = .uint(whole)
    } else if let whole = Int64(exactly: number) {
      self = .int(whole)
    } else {
      self = .number(number)
    }
  }

  /// Nil for a value that is neither.
  package init?(_ value: TileValue) {
    switch value.kind {
    case .uint: self = .uint(value.bits)
    case .int: self = value.intValue >= 0 ? .uint(UInt64(value.intValue)) : .int(value.intValue)
    case .string: self = .string(value.text)
    default:
      guard let number = value.number else { return nil }
      self.init(number)
    }
  }

  /// Nil for a value that is neither number nor text.
  init?(_ json: JSON) {
    if let text = json.string {
      self = .string(text)
      return
    }
    guard let number = json.number else { return nil }
    let digits = json.sourceText
    if let whole = UInt64(digits) {
      self = .uint(whole)
    } else if let whole = Int64(digits), whole < 0 {
      self = .int(whole)
    } else {
      self.init(number)
    }
  }

  var text: String {
    switch self {
    case .uint(let number): String(number)
    case .int(let number): String(number)
    case .number(let number): formatNumber(number)
    case .string(let text): "\"\(text)\""
    }
  }
}
