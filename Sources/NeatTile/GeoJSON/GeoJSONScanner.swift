import NeatBase
import NeatJSON

/// A cursor over GeoJSON text: white space, strings, numbers, and values that are skipped. Never reads past
/// the end. Unlike the parser of JSON, which writes down where everything stands, it reads coordinates as
/// they come, passes over what no map needs, and tells faults apart cheaply; the pieces of the text are the
/// same (`JSONText`, `DecimalText`).
struct GeoJSONScanner: ~Copyable {
  let start: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  var cursor: UnsafePointer<UInt8>
  let maxDepth: Int
  private let tables = DecimalTables.shared

  /// A number of a document, in the widest kind that keeps it exact.
  enum Number {
    case uint(UInt64), int(Int64), double(Double)
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>, maxDepth: Int) {
    let base = bytes.baseAddress ?? UnsafePointer(bitPattern: 16)!
    assert(maxDepth >= 0, "nesting of fewer than no levels")
    start = base
    end = base + bytes.count
    cursor = base
    self.maxDepth = maxDepth
    if bytes.count >= 3, base[0] == 0xef, base[1] == 0xbb, base[2] == 0xbf { cursor += 3 }
  }

  var offset: Int { cursor - start }

  @inline(never) func fault(_ kind: GeoJSONFault.Kind, detail: Int = 0) -> GeoJSONFault {
    GeoJSONFault(kind: kind, offset: offset, detail: detail)
  }

  @inline(never) func unexpected() -> GeoJSONFault {
    cursor < end ? fault(.unexpectedByte, detail: Int(cursor.pointee)) : fault(.unexpectedEnd)
  }

  /// The next byte after white space, or 0 at the end.
  @inline(__always) mutating func peek() -> UInt8 {
    while cursor < end {
      let byte = cursor.pointee
      if byte > 0x20 { return byte }
      if !JSONText.isSpace(byte) { return byte }
      cursor += 1
    }
    return 0
  }

  /// Passes over white space and record separators between documents; whether a line ended or a separator
  /// stood there.
  mutating func nextRecord() -> Bool {
    var found = false
    while cursor < end {
      switch cursor.pointee {
      case 0x0a, 0x1e: found = true
      case 0x20, 0x0d, 0x09: break
      default: return found
      }
      cursor += 1
    }
    return found
  }

  @inline(__always) mutating func expect(_ byte: UInt8) throws(GeoJSONFault) {
    guard peek() == byte else { throw unexpected() }
    cursor += 1
  }

  /// After a value in a container: true where another follows (the comma is consumed), false where the
  /// container was closed.
  @inline(__always) mutating func more(until close: UInt8) throws(GeoJSONFault) -> Bool {
    let byte = peek()
    guard byte == 0x2c || byte == close else { throw unexpected() }
    cursor += 1
    return byte == 0x2c
  }

  /// After an opening bracket: true where the container is empty (the closing bracket is consumed).
  @inline(__always) mutating func closes(_ close: UInt8) -> Bool {
    guard peek() == close else { return false }
    cursor += 1
    return true
  }

  // MARK: Strings

  /// The bytes between the quotes as written, and whether there are escapes among them. The cursor stands on
  /// the opening quote.
  @inline(__always) mutating func rawString() throws(GeoJSONFault) -> (
    bytes: UnsafeBufferPointer<UInt8>, escaped: Bool
  ) {
    guard peek() == 0x22 else { throw cursor < end ? fault(.badString) : fault(.unexpectedEnd) }
    let first = cursor + 1
    var at = first
    var escaped = false
    while true {
      at = JSONText.plainEnd(at, end)
      guard at < end else { throw GeoJSONFault(kind: .unexpectedEnd, offset: end - start) }
      let byte = at.pointee
      if byte == 0x22 { break }
      guard byte == 0x5c else { throw GeoJSONFault(kind: .controlCharacter, offset: at - start) }
      guard end - at > 1 else { throw GeoJSONFault(kind: .unexpectedEnd, offset: end - start) }
      escaped = true
      at += 2
    }
    assert(at < end && at.pointee == 0x22, "a string ends with its quote")
    cursor = at + 1
    return (UnsafeBufferPointer(start: first, count: at - first), escaped)
  }

  /// Writes the text of an escaped string; the result is never longer than the source.
  @inline(never) func unescape(_ source: UnsafeBufferPointer<UInt8>, into target: UnsafeMutablePointer<UInt8>)
    throws(GeoJSONFault) -> Int
  {
    do throws(JSONText.BadEscape) {
      return try JSONText.unescape(source, into: target)
    } catch {
      throw GeoJSONFault(kind: .badEscape, offset: source.baseAddress! + error.offset - start)
    }
  }

  // MARK: Numbers

  /// Reads a number at the cursor (white space is behind it).
  @inline(__always) private mutating func decimal() throws(GeoJSONFault) -> DecimalText {
    do throws(DecimalText.Fault) {
      return try DecimalText(&cursor, end)
    } catch { throw fault(.badNumber) }
  }

  /// A number of a position. The cursor stands on its first byte.
  @inline(__always) mutating func coordinate() throws(GeoJSONFault) -> Double {
    let first = cursor
    if let value = try decimal().double(tables) { return value }
    guard
      let value = DecimalText.slowDouble(UnsafeBufferPointer(start: first, count: cursor - first)),
      value.isFinite
    else {
      throw GeoJSONFault(kind: .numberOutOfRange, offset: first - start)
    }
    return value
  }

  /// A number of a property or an id.
  mutating func number() throws(GeoJSONFault) -> Number {
    let first = cursor
    let part = try decimal()
    if part.isInteger && part.isExact {
      if !part.isNegative { return .uint(part.mantissa) }
      if part.mantissa == 0 { return .double(-0.0) }
      if part.mantissa <= 1 << 63 { return .int(Int64(truncatingIfNeeded: 0 &- part.mantissa)) }
    }
    if let value = part.double(tables) { return .double(value) }
    let bytes = UnsafeBufferPointer(start: first, count: cursor - first)
    if part.isInteger, bytes.count <= 20, let value = UInt64(String(decoding: bytes, as: UTF8.self)) {
      return .uint(value)
    }
    guard let value = DecimalText.slowDouble(bytes) else {
      throw GeoJSONFault(kind: .badNumber, offset: first - start)
    }
    return .double(value)
  }

  // MARK: Skipping

  /// Passes over one value of any kind, checking its syntax.
  mutating func skipValue(depth: Int) throws(GeoJSONFault) {
    switch peek() {
    case 0x22: _ = try rawString()
    case 0x7b:
      guard depth < maxDepth else { throw fault(.tooDeep, detail: maxDepth) }
      cursor += 1
      if closes(0x7d) { return }
      repeat {
        _ = try rawString()
        try expect(0x3a)
        try skipValue(depth: depth + 1)
      } while try more(until: 0x7d)
    case 0x5b:
      guard depth < maxDepth else { throw fault(.tooDeep, detail: maxDepth) }
      cursor += 1
      if closes(0x5d) { return }
      repeat { try skipValue(depth: depth + 1) } while try more(until: 0x5d)
    case 0x74: try literal("true")
    case 0x66: try literal("false")
    case 0x6e: try literal("null")
    case 0x2d, 0x30...0x39: _ = try decimal()
    default: throw unexpected()
    }
  }

  /// Passes over `true`, `false` or `null` at the cursor.
  mutating func literal(_ word: StaticString) throws(GeoJSONFault) {
    guard end - cursor >= word.utf8CodeUnitCount, memcmp(cursor, word.utf8Start, word.utf8CodeUnitCount) == 0
    else { throw unexpected() }
    cursor += word.utf8CodeUnitCount
  }
}

/// Whether the bytes are those of a word.
@inline(__always) func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
  bytes.count == word.utf8CodeUnitCount
    && (bytes.isEmpty || memcmp(bytes.baseAddress!, word.utf8Start, bytes.count) == 0)
}
