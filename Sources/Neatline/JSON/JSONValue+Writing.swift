extension JSONValue {
  /// Text for people: what fits on a line of `width` bytes stands on one, what does not has a line for each
  /// member or element, two spaces further in.
  public func text(width: Int) -> String {
    var bytes: [UInt8] = []
    write(into: &bytes, indent: 0, used: 0, width: width)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `used`: bytes that stand on the line beyond its indentation.
  private func write(into bytes: inout [UInt8], indent: Int, used: Int, width: Int) {
    var line: [UInt8] = []
    write(into: &line, spaced: true)
    let isLong = indent + used + line.count > width
    let inner = [UInt8](repeating: UInt8(ascii: " "), count: indent + 2)
    func close(_ bracket: Unicode.Scalar) {
      bytes.append(10)
      bytes += inner.dropLast(2)
      bytes.append(UInt8(ascii: bracket))
    }
    switch self {
    case .array(let elements) where isLong && !elements.isEmpty:
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        bytes += index > 0 ? [UInt8(ascii: ","), 10] : [10]
        bytes += inner
        element.write(into: &bytes, indent: indent + 2, used: 1, width: width)
      }
      close("]")
    case .object(let members) where isLong && !members.isEmpty:
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        bytes += index > 0 ? [UInt8(ascii: ","), 10] : [10]
        bytes += inner
        JSONValue.quote(member.key, into: &bytes)
        bytes += ": ".utf8
        member.value.write(into: &bytes, indent: indent + 2, used: member.key.utf8.count + 5, width: width)
      }
      close("}")
    default: bytes += line
    }
  }

  /// `spaced`: with a space behind commas and colons.
  func write(into bytes: inout [UInt8], spaced: Bool = false) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .number(let value): bytes += JSONValue.numberText(value).utf8
    case .string(let value): JSONValue.quote(value, into: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes += spaced ? ", ".utf8 : ",".utf8 }
        element.write(into: &bytes, spaced: spaced)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes += spaced ? ", ".utf8 : ",".utf8 }
        JSONValue.quote(member.key, into: &bytes)
        bytes += spaced ? ": ".utf8 : ":".utf8
        member.value.write(into: &bytes, spaced: spaced)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// NaN and the infinities have no JSON form and are written as null.
  static func numberText(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    if value.magnitude < 1e15, let whole = Int64(exactly: value) { return String(whole) }
    return value.description
  }

  static func quote(_ text: String, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 10: bytes += "\\n".utf8
      case 13: bytes += "\\r".utf8
      case 9: bytes += "\\t".utf8
      case 0..<32: bytes += "\\u00\(byte < 16 ? "0" : "1")\(String(byte & 15, radix: 16))".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
