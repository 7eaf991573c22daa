import NeatBase

/// A cursor over JSON text: white space, strings, numbers, and values that are skipped. Never reads past the
/// end.
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
      if byte != 0x20 && byte != 0x0a && byte != 0x0d && byte != 0x09 { return byte }
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
      while end - at >= 8 {
        let word = UnsafeRawPointer(at).loadUnaligned(as: UInt64.self)
        let quote = word ^ 0x2222_2222_2222_2222
        let slash = word ^ 0x5c5c_5c5c_5c5c_5c5c
        let ones: UInt64 = 0x0101_0101_0101_0101
        // High bits mark bytes that are a quote, a backslash or below 0x20; the lowest mark is exact.
        let found =
          ((quote &- ones) & ~quote | (slash &- ones) & ~slash | (word &- 0x2020_2020_2020_2020) & ~word)
          & 0x8080_8080_8080_8080
        if found != 0 {
          at += found.trailingZeroBitCount >> 3
          break
        }
        at += 8
      }
      guard at < end else { throw GeoJSONFault(kind: .unexpectedEnd, offset: end - start) }
      let byte = at.pointee
      if byte == 0x22 { break }
      if byte == 0x5c {
        guard end - at > 1 else { throw GeoJSONFault(kind: .unexpectedEnd, offset: end - start) }
        escaped = true
        at += 2
      } else if byte < 0x20 {
        throw GeoJSONFault(kind: .controlCharacter, offset: at - start)
      } else {
        at += 1
      }
    }
    assert(at < end && at.pointee == 0x22, "a string ends with its quote")
    cursor = at + 1
    return (UnsafeBufferPointer(start: first, count: at - first), escaped)
  }

  /// Writes the text of an escaped string; the result is never longer than the source.
  @inline(never) func unescape(_ source: UnsafeBufferPointer<UInt8>, into target: UnsafeMutablePointer<UInt8>)
    throws(GeoJSONFault) -> Int
  {
    var at = 0
    var length = 0
    func put(_ byte: UInt8) {
      target[length] = byte
      length += 1
    }
    func hex(_ from: Int) -> UInt32? {
      guard from + 4 <= source.count else { return nil }
      var value: UInt32 = 0
      for index in from..<from + 4 {
        let byte = source[index]
        switch byte {
        case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
        case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
        case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
        default: return nil
        }
      }
      return value
    }
    while at < source.count {
      let byte = source[at]
      guard byte == 0x5c else {
        put(byte)
        at += 1
        continue
      }
      let fault = GeoJSONFault(kind: .badEscape, offset: source.baseAddress! + at - start)
      guard at + 1 < source.count else { throw fault }
      at += 2
      switch source[at - 1] {
      case 0x22, 0x5c, 0x2f: put(source[at - 1])
      case 0x62: put(0x08)
      case 0x66: put(0x0c)
      case 0x6e: put(0x0a)
      case 0x72: put(0x0d)
      case 0x74: put(0x09)
      case 0x75:
        guard var code = hex(at) else { throw fault }
        at += 4
        if code & 0xfc00 == 0xd800, at + 1 < source.count, source[at] == 0x5c, source[at + 1] == 0x75,
          let low = hex(at + 2),
          low & 0xfc00 == 0xdc00
        {
          code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
          at += 6
        }
        let scalar = UnicodeScalar(code) ?? "\u{fffd}"
        for unit in UTF8.encode(scalar)! { put(unit) }
      default: throw fault
      }
    }
    assert(length <= source.count, "an escape is never shorter than what it stands for")
    return length
  }

  // MARK: Numbers

  /// A number as it is written: sign, digits as one integer, and the power of ten that belongs to it.
  private struct Decimal {
    var isNegative = false
    var mantissa: UInt64 = 0
    var exponent = 0
    /// Whether it has neither a fraction nor an exponent.
    var isInteger = true
    /// Whether the mantissa holds all digits: up to 19 of them.
    var isExact = true
  }

  /// Reads a number at the cursor (white space is behind it).
  @inline(__always) private mutating func decimal() throws(GeoJSONFault) -> Decimal {
    var at = cursor
    var number = Decimal()
    if at < end, at.pointee == 0x2d {
      number.isNegative = true
      at += 1
    }
    let digits = at
    readDigits(&at, &number.mantissa)
    var count = at - digits
    guard count > 0, count == 1 || digits.pointee != 0x30 else { throw fault(.badNumber) }
    if at < end, at.pointee == 0x2e {
      at += 1
      let places = readFraction(&at, &number.mantissa)
      guard places > 0 else { throw fault(.badNumber) }
      number.isInteger = false
      number.exponent = -places
      count += places
    }
    if at < end, at.pointee | 0x20 == 0x65 {
      at += 1
      guard let power = readPower(&at) else { throw fault(.badNumber) }
      number.isInteger = false
      number.exponent += power
    }
    assert(at > cursor && at <= end, "a number has a digit")
    cursor = at
    number.isExact = count <= 19
    return number
  }

  /// Puts the digits from `at` on behind those of `value`, which wraps where they are too many.
  @inline(__always) private func readDigits(_ at: inout UnsafePointer<UInt8>, _ value: inout UInt64) {
    while at < end {
      let digit = at.pointee &- 0x30
      if digit > 9 { break }
      value = value &* 10 &+ UInt64(digit)
      at += 1
    }
  }

  /// The digits behind the point; returns how many.
  @inline(__always)
  private func readFraction(_ at: inout UnsafePointer<UInt8>, _ mantissa: inout UInt64) -> Int {
    let first = at
    if end - at >= 8, let eight = eightDigits(at) {
      mantissa = mantissa &* 100_000_000 &+ eight
      at += 8
    }
    readDigits(&at, &mantissa)
    return at - first
  }

  /// The power of ten behind an `e`, or nil where there are no digits. Beyond 100,000 it is only large.
  @inline(__always) private func readPower(_ at: inout UnsafePointer<UInt8>) -> Int? {
    var isDown = false
    if at < end, at.pointee == 0x2b || at.pointee == 0x2d {
      isDown = at.pointee == 0x2d
      at += 1
    }
    let first = at
    var power = 0
    while at < end {
      let digit = at.pointee &- 0x30
      if digit > 9 { break }
      if power < 100_000 { power = power * 10 + Int(digit) }
      at += 1
    }
    return at > first ? (isDown ? -power : power) : nil
  }

  /// The value of eight digits at once, or nil where a byte is not a digit (Lemire's parse_eight_digits).
  @inline(__always) private func eightDigits(_ at: UnsafePointer<UInt8>) -> UInt64? {
    assert(end - at >= 8, "eight bytes past the end")
    var word = UnsafeRawPointer(at).loadUnaligned(as: UInt64.self)
    let high: UInt64 = 0xf0f0_f0f0_f0f0_f0f0
    guard (word & high) | (((word &+ 0x0606_0606_0606_0606) & high) >> 4) == 0x3333_3333_3333_3333 else {
      return nil
    }
    word = word &- 0x3030_3030_3030_3030
    word = (word &* 10) &+ (word >> 8)
    let mask: UInt64 = 0x0000_00ff_0000_00ff
    let left = (word & mask) &* 0x000f_4240_0000_0064
    let right = ((word >> 16) & mask) &* 0x0000_2710_0000_0001
    return (left &+ right) >> 32
  }

  /// A number of a position. The cursor stands on its first byte.
  @inline(__always) mutating func coordinate() throws(GeoJSONFault) -> Double {
    let first = cursor
    let part = try decimal()
    if part.isExact, let value = tables.double(part.mantissa, exponent: part.exponent) {
      return part.isNegative ? -value : value
    }
    guard let value = slowDouble(UnsafeBufferPointer(start: first, count: cursor - first)), value.isFinite
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
    if part.isExact, let value = tables.double(part.mantissa, exponent: part.exponent) {
      return .double(part.isNegative ? -value : value)
    }
    let bytes = UnsafeBufferPointer(start: first, count: cursor - first)
    if part.isInteger, bytes.count <= 20, let value = UInt64(String(decoding: bytes, as: UTF8.self)) {
      return .uint(value)
    }
    guard let value = slowDouble(bytes) else { throw GeoJSONFault(kind: .badNumber, offset: first - start) }
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
