import NeatBase

/// What a strip's block is made of: a pixel as it is, a filter byte, or a match.
///
/// All are written by the same three steps, so that no jump depends on what comes: three rows of a table of
/// symbols, whose codes stand one after the other, and bits that are added to the third one's.
struct CellToken {
  private let bits: UInt64

  /// - Parameter symbols: rows of the table.
  /// - Parameter value: added to the last one's code.
  @inline(__always) private init(_ a: UInt64, _ b: UInt64, _ c: UInt64, value: UInt64) {
    bits = a | b &<< 16 | c &<< 32 | value &<< 48
  }

  @inline(__always) var first: Int { Int(truncatingIfNeeded: bits & 0xFFFF) }
  @inline(__always) var second: Int { Int(truncatingIfNeeded: bits &>> 16 & 0xFFFF) }
  @inline(__always) var third: Int { Int(truncatingIfNeeded: bits &>> 32 & 0xFFFF) }
  @inline(__always) var value: UInt64 { bits &>> 48 }

  /// - Parameters:
  ///   - length: 3...258 bytes.
  ///   - distance: 3...32768 bytes.
  @inline(__always) init(length: Int, distance: Int) {
    assert(length >= 3 && length <= 258 && distance >= 3 && distance <= window, "no match of DEFLATE")
    let back = UInt64(truncatingIfNeeded: distance &- 1)
    // From 2 on: the leading bit and the next one make the symbol (RFC 1951, 3.2.5).
    let extra = UInt64(truncatingIfNeeded: 62 &- back.leadingZeroBitCount)
    let lead = back &>> extra
    self.init(
      UInt64(truncatingIfNeeded: CellSymbols.lengths &+ length),
      UInt64(CellSymbols.distances) &+ 2 &* extra &+ lead, UInt64(CellSymbols.extras) &+ extra,
      value: back ^ lead &<< extra)
  }

  /// Writes down four cells.
  @inline(__always)
  static func put(_ cells: UnsafePointer<UInt32>, _ target: UnsafeMutablePointer<CellToken>) {
    let four = UnsafeRawPointer(cells).loadUnaligned(as: SIMD4<UInt32>.self)
    // After a filter byte come two symbols of no bits.
    let isFilter = SIMD4<UInt32>.zero.replacing(with: .max, where: four .== 0)
    let none = UInt32(CellSymbols.none)
    let low = four & 0xFF | (four & 0xFF00) &<< 8 | isFilter & (none &<< 16)
    let high = four &>> 16 & 0xFF | isFilter & none
    #if _endian(big)
      let (even, odd) = (high, low)
    #else
      let (even, odd) = (low, high)
    #endif
    var tokens = SIMD8<UInt32>()
    tokens.evenHalf = even
    tokens.oddHalf = odd
    UnsafeMutableRawPointer(target).storeBytes(of: tokens, as: SIMD8<UInt32>.self)
  }
}

/// The table of symbols that tokens are made of: bytes, then what is said here.
enum CellSymbols {
  /// No code.
  static let none = 256
  /// Where a match's length is added, which with its extra bits is one symbol.
  static let lengths = 256
  static let distances = 256 + 259
  /// So many extra bits.
  static let extras = distances + 30
  static let count = extras + 14
}

/// How often the symbols of a strip occur.
struct CellCounts {
  let literals: [UInt32]
  let distances: [UInt32]

  init(_ tokens: UnsafeBufferPointer<CellToken>) {
    var literals = [UInt32](repeating: 0, count: 286)
    var distances = [UInt32](repeating: 0, count: 30)
    // Each place of a token has a table, so that equal bytes of a pixel do not wait for each other's store.
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 3 * CellSymbols.count) { counts in
      counts.initialize(repeating: 0)
      let first = counts.baseAddress!
      let (second, third) = (first + CellSymbols.count, first + 2 * CellSymbols.count)
      for token in tokens {
        first[token.first] &+= 1
        second[token.second] &+= 1
        third[token.third] &+= 1
      }
      for byte in 0..<256 { literals[byte] = first[byte] &+ second[byte] &+ third[byte] }
      literals[256] = 1
      DeflateTables.shared.lengths.withUnsafeBufferPointer { lengths in
        for length in 3..<259 {
          literals[257 + Int(lengths[length] & 0xFF)] &+= first[CellSymbols.lengths + length]
        }
      }
      for symbol in 0..<30 { distances[symbol] = second[CellSymbols.distances + symbol] }
    }
    (self.literals, self.distances) = (literals, distances)
  }
}

extension BitWriter {
  /// Bytes that the tokens need at most with the block's head and end: three literals are 36 bits, a match
  /// 42.
  static func capacity(tokens: Int) -> Int { 6 * tokens + 1024 }

  /// Writes a block.
  mutating func put(_ tokens: UnsafeBufferPointer<CellToken>, isLast: Bool) {
    let counts = CellCounts(tokens)
    let literals = HuffmanCode(frequencies: counts.literals, limit: codeLimit)
    let distances = HuffmanCode(frequencies: counts.distances, limit: codeLimit)
    writeHeader(literals, distances, isLast: isLast, &self)
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: CellSymbols.count) { table in
      fillTable(table, literals, distances)
      put(tokens, table.baseAddress!)
    }
    put(literals.entries[256])
    flush()
  }

  private mutating func put(
    _ tokens: UnsafeBufferPointer<CellToken>, _ table: UnsafePointer<UInt32>
  ) {
    var cursor = UnsafeMutableRawPointer(cursor)
    var (bits, filled) = (bits, filled)
    for token in tokens {
      let (a, b, c) = (table[token.first], table[token.second], table[token.third])
      let second = UInt64(a &>> 24)
      let third = second &+ UInt64(b &>> 24)
      let two = UInt64(a & 0xFF_FFFF) | UInt64(b & 0xFF_FFFF) &<< second
      let all = two | (UInt64(c & 0xFF_FFFF) | token.value) &<< third
      bits |= all &<< filled
      filled &+= third &+ UInt64(c &>> 24)
      assert(filled <= 63, "more bits than are held")
      cursor.storeBytes(of: bits.littleEndian, as: UInt64.self)
      cursor += Int(truncatingIfNeeded: filled &>> 3)
      bits &>>= filled & ~7
      filled &= 7
    }
    self.cursor = cursor.assumingMemoryBound(to: UInt8.self)
    (self.bits, self.filled) = (bits, filled)
  }
}

/// Codes of the symbols, each below its count of bits in the uppermost byte.
private func fillTable(
  _ table: UnsafeMutableBufferPointer<UInt32>, _ literals: HuffmanCode, _ distances: HuffmanCode
) {
  func code(_ entry: UInt32, _ value: UInt32 = 0, _ bits: UInt32 = 0) -> UInt32 {
    let count = entry >> 16
    return entry & 0xFFFF | value << count | (count + bits) << 24
  }
  table.initialize(repeating: 0)
  literals.entries.withUnsafeBufferPointer { entries in
    for byte in 0..<256 { table[byte] = code(entries[byte]) }
    DeflateTables.shared.lengths.withUnsafeBufferPointer { lengths in
      for length in 3..<259 {
        let symbol = lengths[length]
        table[CellSymbols.lengths + length] = code(
          entries[257 + Int(symbol & 0xFF)], symbol >> 16, symbol >> 8 & 0xFF)
      }
    }
  }
  for symbol in 0..<30 { table[CellSymbols.distances + symbol] = code(distances.entries[symbol]) }
  for extra in 0..<14 { table[CellSymbols.extras + extra] = code(0, 0, UInt32(extra)) }
}
