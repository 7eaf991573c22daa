// Inflate (RFC 1951) by canonical codes counted bit by bit, as in zlib's puff: small, and quick enough for
// pictures of tests.

struct SmallInflate {
  private let source: [UInt8]
  private var cursor: Int
  private var bits = 0
  private var bitCount = 0
  private var out: [UInt8] = []

  /// The content of a zlib stream.
  static func zlib(_ source: [UInt8], count: Int) throws -> [UInt8] {
    guard source.count > 2, source[0] & 15 == 8 else { throw Failure("not a zlib stream") }
    var inflate = SmallInflate(source: source, cursor: 2)
    inflate.out.reserveCapacity(count)
    try inflate.run(limit: count)
    return inflate.out
  }

  private init(source: [UInt8], cursor: Int) {
    self.source = source
    self.cursor = cursor
  }

  private mutating func take(_ count: Int) throws -> Int {
    while bitCount < count {
      guard cursor < source.count else { throw Failure("the zlib stream ends early") }
      bits |= Int(source[cursor]) << bitCount
      cursor += 1
      bitCount += 8
    }
    let value = bits & (1 << count - 1)
    bits >>= count
    bitCount -= count
    return value
  }

  private struct Code {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    init(_ lengths: ArraySlice<Int>) {
      for length in lengths { counts[length] += 1 }
      counts[0] = 0
      for length in 1..<16 {
        for (symbol, own) in lengths.enumerated() where own == length { symbols.append(symbol) }
      }
    }
  }

  private mutating func symbol(_ code: Code) throws -> Int {
    var value = 0, first = 0, index = 0
    for length in 1..<16 {
      value |= try take(1)
      let count = code.counts[length]
      if value - count < first { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw Failure("a code that is none")
  }

  private mutating func run(limit: Int) throws {
    var isLast = false
    while !isLast {
      isLast = try take(1) == 1
      switch try take(2) {
      case 0: try stored()
      case 1:
        var lengths = [Int](repeating: 8, count: 288)
        for index in 144..<256 { lengths[index] = 9 }
        for index in 256..<280 { lengths[index] = 7 }
        try block(Code(lengths[...]), Code([Int](repeating: 5, count: 30)[...]), limit)
      case 2:
        let (literals, distances) = try codes()
        try block(literals, distances, limit)
      default: throw Failure("a block of no type")
      }
    }
  }

  private mutating func stored() throws {
    bits = 0
    bitCount = 0
    guard cursor + 4 <= source.count else { throw Failure("the zlib stream ends early") }
    let count = Int(source[cursor]) | Int(source[cursor + 1]) << 8
    guard cursor + 4 + count <= source.count else { throw Failure("the zlib stream ends early") }
    out += source[(cursor + 4)..<(cursor + 4 + count)]
    cursor += 4 + count
  }

  private mutating func codes() throws -> (Code, Code) {
    let literalCount = try take(5) + 257, distanceCount = try take(5) + 1, lengthCount = try take(4) + 4
    var lengths = [Int](repeating: 0, count: 19)
    for place in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(lengthCount) {
      lengths[place] = try take(3)
    }
    let code = Code(lengths[...])
    var all: [Int] = []
    while all.count < literalCount + distanceCount {
      let found = try symbol(code)
      switch found {
      case 16:
        guard let last = all.last else { throw Failure("a repeat of nothing") }
        all += [Int](repeating: last, count: try take(2) + 3)
      case 17: all += [Int](repeating: 0, count: try take(3) + 3)
      case 18: all += [Int](repeating: 0, count: try take(7) + 11)
      default: all.append(found)
      }
    }
    return (
      Code(all[..<literalCount]), Code(all[literalCount..<min(all.count, literalCount + distanceCount)])
    )
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
    227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
    4097, 6145, 8193, 12289, 16385,
    24577,
  ]

  private mutating func block(_ literals: Code, _ distances: Code, _ limit: Int) throws {
    while true {
      let found = try symbol(literals)
      if found < 256 {
        out.append(UInt8(found))
      } else if found == 256 {
        return
      } else {
        guard found < 286 else { throw Failure("a length that is none") }
        let length = SmallInflate.lengthBases[found - 257] + (try take(SmallInflate.lengthBits[found - 257]))
        let code = try symbol(distances)
        guard code < 30 else { throw Failure("a distance that is none") }
        let distance = SmallInflate.distanceBases[code] + (try take(code < 4 ? 0 : code / 2 - 1))
        guard distance <= out.count, out.count + length <= limit else { throw Failure("a copy from outside") }
        for _ in 0..<length { out.append(out[out.count - distance]) }
      }
    }
  }
}
