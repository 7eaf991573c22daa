/// The tokens of JSON text (RFC 8259), for readers that know what they are after. Bytes are read through a
/// pointer, each behind a test against `end`.
struct JSONScanner {
  /// The bytes of a string between its quotes, as they stand in the text.
  struct RawString {
    var bytes: UnsafeBufferPointer<UInt8>
    var hasEscapes: Bool
  }

  private let start: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private var cursor: UnsafePointer<UInt8>

  private init(_ bytes: UnsafeBufferPointer<UInt8>, _ base: UnsafePointer<UInt8>) {
    start = base
    end = base + bytes.count
    cursor = base
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { cursor += 3 }
  }

  /// Reads the one value that a text holds.
  static func read<T>(_ bytes: [UInt8], _ body: (inout JSONScanner) throws(JSONError) -> T) throws(JSONError)
    -> T
  {
    try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
      guard let base = bytes.baseAddress else {
        throw JSONError(message: "unexpected end of JSON", offset: 0)
      }
      var scanner = JSONScanner(bytes, base)
      let result = try body(&scanner)
      if scanner.peek() != 0 || scanner.cursor < scanner.end {
        throw scanner.error("unexpected text after the JSON value")
      }
      return result
    }
  }

  // Places

  var offset: Int { cursor - start }

  func error(_ message: String) -> JSONError { JSONError(message: message, offset: offset) }

  /// Goes back to a place where the scanner was.
  mutating func rewind(to offset: Int) { cursor = start + offset }

  // Tokens

  /// The first byte of the next token, which is not consumed; 0 at the end.
  @inline(__always) mutating func peek() -> UInt8 {
    while cursor < end {
      let byte = cursor.pointee
      guard byte == 32 || byte == 10 || byte == 13 || byte == 9 else { return byte }
      cursor += 1
    }
    return 0
  }

  /// Consumes a byte that `peek` gave.
  @inline(__always) mutating func advance() { cursor += 1 }

  /// Whether the next token is `byte`; consumes it if so.
  @inline(__always) mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte, cursor < end else { return false }
    cursor += 1
    return true
  }

  /// Consumes a comma, or the bracket that ends a list: whether more follows.
  @inline(__always) mutating func more(until close: UInt8) throws(JSONError) -> Bool {
    if take(UInt8(ascii: ",")) { return true }
    guard take(close) else { throw error("expected ',' or '\(Character(UnicodeScalar(close)))'") }
    return false
  }

  mutating func word(_ text: StaticString) throws(JSONError) {
    guard end - cursor >= text.utf8CodeUnitCount,
      equals(UnsafeBufferPointer(start: cursor, count: text.utf8CodeUnitCount), text)
    else {
      throw error("expected \(text)")
    }
    cursor += text.utf8CodeUnitCount
  }

  /// The name of a member and the colon behind it.
  mutating func key() throws(JSONError) -> RawString {
    guard peek() == UInt8(ascii: "\"") else { throw error("expected a member name in double quotes") }
    let name = try rawString()
    guard take(UInt8(ascii: ":")) else { throw error("expected ':' after the member name") }
    return name
  }

  // Strings

  /// The string on whose quote the cursor stands.
  mutating func rawString() throws(JSONError) -> RawString {
    cursor += 1
    let first = cursor
    var hasEscapes = false
    while cursor < end {
      let byte = cursor.pointee
      if byte == UInt8(ascii: "\"") {
        cursor += 1
        return RawString(
          bytes: UnsafeBufferPointer(start: first, count: cursor - first - 1), hasEscapes: hasEscapes)
      }
      guard byte >= 32 else { throw error("control character in a string") }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        cursor += 1
        if cursor == end { break }
      }
      cursor += 1
    }
    throw error("unterminated string")
  }

  mutating func string() throws(JSONError) -> String { try text(of: try rawString()) }

  func text(of raw: RawString) throws(JSONError) -> String {
    raw.hasEscapes ? try unescaped(raw.bytes) : String(decoding: raw.bytes, as: UTF8.self)
  }

  /// Whether a string is `text`.
  func matches(_ raw: RawString, _ text: StaticString) -> Bool {
    raw.hasEscapes ? (try? unescaped(raw.bytes)) == "\(text)" : equals(raw.bytes, text)
  }

  private func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\\") { try escape(bytes, &index, into: &result) } else { result.append(byte) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func escape(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, into result: inout [UInt8])
    throws(JSONError)
  {
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "b"): result.append(8)
    case UInt8(ascii: "f"): result.append(12)
    case UInt8(ascii: "n"): result.append(10)
    case UInt8(ascii: "r"): result.append(13)
    case UInt8(ascii: "t"): result.append(9)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(byte)
    case UInt8(ascii: "u"):
      var code = try hex4(bytes, &index)
      if code & 0xFC00 == 0xD800, bytes[index...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
        let mark = index
        index += 2
        let low = try hex4(bytes, &index)
        if low & 0xFC00 == 0xDC00 {
          code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
        } else {
          index = mark
        }
      }
      result += String(Character(UnicodeScalar(code) ?? "\u{FFFD}")).utf8
    default: throw fault("bad escape in a string", bytes, index - 1)
    }
  }

  private func hex4(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) throws(JSONError) -> UInt32 {
    var code: UInt32 = 0
    for place in index..<index + 4 {
      guard place < bytes.count, let digit = Character(UnicodeScalar(bytes[place])).hexDigitValue,
        bytes[place] < 128
      else {
        throw fault("bad \\u escape in a string", bytes, index)
      }
      code = code << 4 | UInt32(digit)
    }
    index += 4
    return code
  }

  private func fault(_ message: String, _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> JSONError {
    JSONError(message: message, offset: (bytes.baseAddress ?? start) - start + index)
  }

  @inline(__always) func equals(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count where bytes[index] != text.utf8Start[index] { return false }
    return true
  }

  func equals(_ bytes: UnsafeBufferPointer<UInt8>, _ text: String) -> Bool {
    var text = text
    return text.withUTF8 { text in
      guard bytes.count == text.count else { return false }
      for index in 0..<bytes.count where bytes[index] != text[index] { return false }
      return true
    }
  }

  // Numbers

  /// A number, whole ones exact where 64 bits hold them.
  mutating func number() throws(JSONError) -> JSONNumber {
    let first = cursor
    let decimal = try decimal()
    guard decimal.isWhole, decimal.isExact else { return .double(double(decimal, from: first)) }
    if !decimal.isNegative { return .uint(decimal.mantissa) }
    if decimal.mantissa == 0 { return .double(-0.0) }
    guard decimal.mantissa <= 1 << 63 else { return .double(double(decimal, from: first)) }
    return .int(Int64(truncatingIfNeeded: 0 &- decimal.mantissa))
  }

  /// A number as a Double; infinite where it is out of range.
  mutating func double() throws(JSONError) -> Double {
    let first = cursor
    let decimal = try decimal()
    return double(decimal, from: first)
  }

  private mutating func decimal() throws(JSONError) -> JSONDecimal {
    let first = cursor
    var result = JSONDecimal()
    if cursor < end, cursor.pointee == UInt8(ascii: "-") {
      result.isNegative = true
      cursor += 1
    }
    let leading = cursor
    while let digit { result.append(digit); cursor += 1 }
    var isMalformed = cursor == leading || cursor - leading > 1 && leading.pointee == UInt8(ascii: "0")
    if !isMalformed, cursor < end, cursor.pointee == UInt8(ascii: ".") {
      result.isWhole = false
      cursor += 1
      let point = cursor
      while let digit { result.append(digit); cursor += 1 }
      result.exponent = point - cursor
      isMalformed = point == cursor
    }
    if !isMalformed, cursor < end, cursor.pointee | 32 == UInt8(ascii: "e") {
      result.isWhole = false
      cursor += 1
      result.exponent += exponent()
    }
    guard !isMalformed, cursor[-1] &- 48 < 10 else {
      cursor = first
      throw error("expected a JSON value")
    }
    return result
  }

  private var digit: UInt8? {
    guard cursor < end else { return nil }
    let digit = cursor.pointee &- 48
    return digit < 10 ? digit : nil
  }

  private mutating func exponent() -> Int {
    let isNegative = cursor < end && cursor.pointee == UInt8(ascii: "-")
    if cursor < end, isNegative || cursor.pointee == UInt8(ascii: "+") { cursor += 1 }
    var value = 0
    while let digit {
      if value < 100_000 { value = value * 10 + Int(digit) }
      cursor += 1
    }
    return isNegative ? -value : value
  }

  private func double(_ decimal: JSONDecimal, from first: UnsafePointer<UInt8>) -> Double {
    decimal.double ?? Double(
      String(decoding: UnsafeBufferPointer(start: first, count: cursor - first), as: UTF8.self)) ?? .nan
  }

  // Values that nobody wants

  /// Goes behind a value without reading it; what is wrong inside may go unnoticed.
  mutating func skipValue() throws(JSONError) {
    var depth = 0
    while true {
      switch peek() {
      case UInt8(ascii: "\""): _ = try rawString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        cursor += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { throw error("expected a JSON value") }
        depth -= 1
        cursor += 1
      case 0: throw error("unexpected end of JSON")
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        if depth == 0 { throw error("expected a JSON value") }
        cursor += 1
        continue
      default: skipWord()
      }
      if depth == 0 { return }
    }
  }

  private mutating func skipWord() {
    while cursor < end {
      switch cursor.pointee {
      case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"),
        UInt8(ascii: "["),
        UInt8(ascii: "]"), 0...32:
        return
      default: cursor += 1
      }
    }
  }
}

/// A number of JSON text.
enum JSONNumber {
  case uint(UInt64)
  /// Negative.
  case int(Int64)
  case double(Double)

  var double: Double {
    switch self {
    case .uint(let value): Double(value)
    case .int(let value): Double(value)
    case .double(let value): value
    }
  }
}
