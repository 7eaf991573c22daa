import NeatBase

/// Writes compact JSON text; commas are its own business.
///
/// A writer with a limit writes nothing more once its text is past the limit, so that a short input whose text
/// repeats a long value cannot take all memory. The text is then longer than the limit by one value at most.
package struct JSONWriter {
  /// The bytes that a text of JSON which a function returns as a whole may have.
  package static let textLimit = 256 << 20

  package private(set) var bytes: [UInt8] = []
  private var needsComma = false
  private let limit: Int

  package init(limit: Int = .max) { self.limit = limit }

  /// Whether the text is past the limit, and so not whole. Loops over many features stop here.
  package var isPastLimit: Bool { bytes.count > limit }

  /// The whole text. Throws `limitExceeded` where it is past the limit; `what` names the text.
  package consuming func whole(_ what: @autoclosure () -> String) throws(NeatError) -> [UInt8] {
    guard !isPastLimit else {
      throw NeatError(.limitExceeded, "\(what()) has more than \(limit) bytes of JSON")
    }
    return bytes
  }

  /// Hands out what is written so far; the next piece of the text begins empty.
  package mutating func take() -> [UInt8] {
    let piece = bytes
    bytes = []
    bytes.reserveCapacity(min(piece.count, 128 << 10))
    return piece
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package mutating func beginObject() { open("{") }
  package mutating func endObject() { close("}") }
  package mutating func beginArray() { open("[") }
  package mutating func endArray() { close("]") }

  package mutating func key(_ name: String) {
    if isPastLimit { return }
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func string(_ value: String) {
    if isPastLimit { return }
    separate()
    quote(value)
  }

  /// NaN and the infinities have no JSON form and are written as null, as JavaScript does.
  package mutating func number(_ value: Double) { raw(value.isFinite ? formatNumber(value) : "null") }
  package mutating func int(_ value: some BinaryInteger) { raw(String(value)) }
  package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }
  package mutating func null() { raw("null") }

  /// Text that already is a JSON value.
  package mutating func raw(_ text: String) {
    if isPastLimit { return }
    separate()
    bytes.append(contentsOf: text.utf8)
  }

  package mutating func value(_ json: JSON) {
    switch json.kind {
    case .null: null()
    case .bool: bool(json.bool!)
    case .number: number(json.number!)
    case .string: string(json.string!)
    case .array:
      beginArray()
      for element in json.elements { value(element) }
      endArray()
    case .object:
      beginObject()
      for member in json.members {
        key(member.key)
        value(member.value)
      }
      endObject()
    }
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func open(_ bracket: Unicode.Scalar) {
    if isPastLimit { return }
    separate()
    bytes.append(UInt8(ascii: bracket))
    needsComma = false
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    if isPastLimit { return }
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
      case 8: bytes.append(contentsOf: "\\b".utf8)
      case 9: bytes.append(contentsOf: "\\t".utf8)
      case 10: bytes.append(contentsOf: "\\n".utf8)
      case 12: bytes.append(contentsOf: "\\f".utf8)
      case 13: bytes.append(contentsOf: "\\r".utf8)
      case 0..<32:
        bytes.append(contentsOf: "\\u00\(byte < 16 ? "0" : "1")\(String(byte & 15, radix: 16))".utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

/// A number as JavaScript's `Number.prototype.toString` prints it: shortest digits, plain from 1e-6 up to
/// below 1e21, else with an exponent.
package func formatNumber(_ value: Double) -> String {
  if value.isNaN { return "NaN" }
  if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
  if value == 0 { return "0" }
  if value.magnitude < 1e15, value == value.rounded(.towardZero) { return String(Int64(saturating: value)) }
  // Swift prints the shortest digits that read back the same; only the notation differs.
  let text = value.magnitude.description
  var digits: [UInt8] = []
  var point = 0
  var sawPoint = false
  var exponent = 0
  for (position, byte) in text.utf8.enumerated() {
    if byte == UInt8(ascii: ".") {
      sawPoint = true
    } else if byte == UInt8(ascii: "e") {
      exponent =
        Int(text.utf8.dropFirst(position + 1).reduce(into: "") { $0.append(Character(UnicodeScalar($1))) })
        ?? 0
      break
    } else {
      digits.append(byte)
      if !sawPoint { point += 1 }
    }
  }
  while digits.count > 1, digits.last == 48 { digits.removeLast() }
  while digits.count > 1, digits.first == 48 {
    digits.removeFirst()
    point -= 1
  }
  return (value < 0 ? "-" : "") + notation(digits: digits, point: point + exponent)
}

/// Digits with the decimal point after the first `point` of them, in JavaScript's notation.
private func notation(digits: [UInt8], point: Int) -> String {
  let text = String(decoding: digits, as: UTF8.self)
  if point > 21 || point < -5 {
    let exponent = point - 1
    let mantissa = digits.count == 1 ? text : "\(text.prefix(1)).\(text.dropFirst())"
    return "\(mantissa)e\(exponent < 0 ? "-" : "+")\(exponent.magnitude)"
  }
  if point <= 0 { return "0." + String(repeating: "0", count: -point) + text }
  if point >= digits.count { return text + String(repeating: "0", count: point - digits.count) }
  return "\(text.prefix(point)).\(text.dropFirst(point))"
}
