// A DEFLATE compressor for filtered PNG rows, for speed first.
//
// Map pictures are flat: most pixels repeat the one to the left, or the one above. At each position the match
// finder looks at just three places: one pixel back, one row back, and the last place where a hash of the
// next bytes was seen. What it finds becomes sequences (so many literals, then a match), which are written in
// blocks with Huffman codes of their own. Code lengths stop at 12 bits, so that four literals, or one match
// with all its extra bits, always fit a 64-bit accumulator without a test between them.
import CDeflate
import NeatBase

/// Longest code of the literal and distance alphabets.
let codeLimit = 12
private let hashBits = 15
private let maxMatch = 258
let window = 32768
/// A block ends after this many sequences or literals.
private let blockSequences = 16384
private let blockLiterals = 1 << 17

/// One step of the compressed stream: `literals` bytes as they are, then `length` bytes from `distance` back
/// (none where length is 0).
private struct Sequence {
  var literals: UInt32
  var length: UInt16
  var distance: UInt16
}

/// Compresses `count` bytes, which are rows, to a zlib stream appended to `output`: each strip of rows by itself.
/// `source` must be readable for 8 bytes past the end. Gives the checksum of what it appends.
/// - Parameters:
///   - pixelBytes: bytes of a pixel, the distance at which runs repeat.
///   - rowBytes: bytes of a row with its filter byte, the distance to the pixel above.
func fastZlib(
  _ source: UnsafePointer<UInt8>, _ count: Int, pixelBytes: Int, rowBytes: Int, _ strips: PNGStrips,
  _ executor: Executor, into output: inout FileBytes
) -> JoinableCRC {
  precondition(strips.height * rowBytes == count)
  nonisolated(unsafe) let bytes = source
  return writeZlib(strips, executor, into: &output) { strip in
    let rows = strips.rows(strip)
    return DeflatedStrip(
      bytes, rows.lowerBound * rowBytes..<rows.upperBound * rowBytes, pixelBytes: pixelBytes,
      rowBytes: rowBytes, isLast: strip == strips.count - 1)
  }
}

/// A zlib stream of strips that are compressed each by itself; gives its checksum.
func writeZlib(
  _ strips: PNGStrips, _ executor: Executor, into output: inout FileBytes,
  _ compress: @Sendable (Int) -> DeflatedStrip
) -> JoinableCRC {
  let parts = UnsafeMutablePointer<DeflatedStrip>.allocate(capacity: strips.count)
  defer { parts.deallocate() }
  nonisolated(unsafe) let written = parts
  executor.forEach(strips.count) { strip in (written + strip).initialize(to: compress(strip)) }
  defer { for strip in 0..<strips.count { parts[strip].free() } }
  output.reserve((0..<strips.count).reduce(64) { $0 + parts[$1].count })
  var stream = ZlibStrips(into: &output)
  for strip in 0..<strips.count { stream.append(parts[strip], into: &output) }
  stream.end(into: &output)
  return stream.checksum
}

/// A zlib stream of strips that are compressed each by itself, as they are appended.
struct ZlibStrips {
  /// Of what was appended.
  private(set) var checksum: JoinableCRC
  private var adler = UInt32(1)

  init(into output: inout FileBytes) {
    output.append([0x78, 0x01])
    checksum = JoinableCRC(output.base + output.count - 2, count: 2)
  }

  mutating func append(_ strip: DeflatedStrip, into output: inout FileBytes) {
    output.append(strip.bytes, count: strip.count)
    checksum = checksum.joined(strip.crc)
    adler = joinedAdler(adler, strip.adler, strip.sourceCount)
  }

  mutating func end(into output: inout FileBytes) {
    output.append(bigEndian: adler)
    checksum = checksum.joined(JoinableCRC(output.base + output.count - 4, count: 4))
  }
}

/// A strip of rows, compressed: whole bytes of a DEFLATE stream, which end with it where it is the last one.
struct DeflatedStrip {
  let bytes: UnsafeMutablePointer<UInt8>
  let count: Int
  let sourceCount: Int
  /// Of the bytes before they were compressed.
  let adler: UInt32
  /// Of the compressed ones.
  let crc: JoinableCRC

  /// Rows of opaque pixels, behind a 0 each; nil where they are not opaque.
  init?(_ source: PixelRows, _ rows: Range<Int>, isLast: Bool) {
    guard let strip = CellStrip(source, rows) else { return nil }
    sourceCount = strip.sourceCount
    adler = strip.adler
    let room = UnsafeMutablePointer<UInt8>.allocate(capacity: strip.capacity)
    var writer = BitWriter(room)
    strip.write(isLast: isLast, &writer)
    DeflatedStrip.end(&writer, isLast: isLast)
    bytes = room
    count = writer.cursor - room
    precondition(count <= strip.capacity)
    crc = JoinableCRC(room, count: count)
  }

  init(
    _ source: UnsafePointer<UInt8>, _ range: Range<Int>, pixelBytes: Int, rowBytes: Int, isLast: Bool
  ) {
    sourceCount = range.count
    let blocks = range.count / blockLiterals + range.count / (4 * blockSequences) + 2
    let capacity = range.count + range.count / 2 + blocks * 512 + 64
    let sequences = UnsafeMutablePointer<Sequence>.allocate(capacity: blockSequences + 1)
    defer { sequences.deallocate() }
    let room = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    var writer = BitWriter(room)
    var finder = MatchFinder(source, range, pixelBytes: pixelBytes, rowBytes: rowBytes)
    var position = range.lowerBound
    repeat {
      let found = finder.fill(sequences)
      writeBlock(source + position, sequences, found, isLast: finder.isDone && isLast, &writer)
      position = finder.position
    } while !finder.isDone
    finder.free()
    DeflatedStrip.end(&writer, isLast: isLast)
    bytes = room
    count = writer.cursor - room
    precondition(count <= capacity)
    crc = JoinableCRC(room, count: count)
    adler = UInt32(truncatingIfNeeded: libdeflate_adler32(1, source + range.lowerBound, range.count))
  }

  func free() { bytes.deallocate() }

  private static func end(_ writer: inout BitWriter, isLast: Bool) {
    if isLast { return writer.align() }
    // An empty stored block: the next strip begins with a whole byte.
    writer.put(0, 3)
    writer.align()
    writer.put(0xFFFF_0000, 32)
    writer.flush()
  }
}

/// Bits, lowest first, gathered in 64 and stored eight bytes at a time.
struct BitWriter {
  var cursor: UnsafeMutablePointer<UInt8>
  var bits: UInt64 = 0
  var filled: UInt64 = 0

  init(_ start: UnsafeMutablePointer<UInt8>) { cursor = start }

  /// Adds up to 57 - `filled` bits; after `flush` at most 7 are held.
  @inline(__always)
  mutating func put(_ value: UInt64, _ count: UInt64) {
    assert(filled + count <= 64 && (count == 64 || value >> count == 0), "more bits than are held")
    bits |= value &<< filled
    filled &+= count
  }

  /// Adds a code of `HuffmanCode.entries`.
  @inline(__always)
  mutating func put(_ entry: UInt32) { put(UInt64(entry & 0xFFFF), UInt64(entry >> 16)) }

  /// Adds a match and flushes.
  /// - Parameters:
  ///   - length: of `DeflateTables.lengths`.
  ///   - distance: less one.
  @inline(__always)
  mutating func put(
    length: UInt32, distance: UInt16, _ literals: UnsafeBufferPointer<UInt32>,
    _ distances: UnsafeBufferPointer<UInt32>
  ) {
    put(literals[257 &+ Int(length & 0xFF)])
    put(UInt64(length &>> 16), UInt64(length &>> 8 & 0xFF))
    let back = distanceSymbol(UInt32(distance))
    put(distances[back.symbol])
    put(back.value, back.bits)
    flush()
  }

  @inline(__always)
  mutating func flush() {
    UnsafeMutableRawPointer(cursor).storeBytes(of: bits.littleEndian, as: UInt64.self)
    let whole = filled &>> 3
    cursor += Int(whole)
    bits = whole == 8 ? 0 : bits &>> (whole &<< 3)
    filled &= 7
  }

  mutating func align() {
    filled = (filled + 7) & ~7
    flush()
  }
}

private struct MatchFinder {
  let source: UnsafePointer<UInt8>
  /// Where what is to be compressed begins and ends. The row before is known.
  let start: Int
  let end: Int
  let pixelBytes: Int
  let rowBytes: Int
  /// Last position of each hash, plus one; 0 is none.
  let table: UnsafeMutablePointer<UInt32>
  private(set) var position: Int
  private var rowStart: Int

  var isDone: Bool { position >= end }

  init(_ source: UnsafePointer<UInt8>, _ range: Range<Int>, pixelBytes: Int, rowBytes: Int) {
    self.source = source
    (start, end) = (range.lowerBound, range.upperBound)
    (position, rowStart) = (start, start)
    assert(start >= 0 && pixelBytes >= 1 && rowBytes >= pixelBytes, "a row has a pixel")
    self.pixelBytes = pixelBytes
    self.rowBytes = rowBytes
    table = .allocate(capacity: 1 << hashBits)
    table.initialize(repeating: 0, count: 1 << hashBits)
  }

  func free() { table.deallocate() }

  /// Finds the sequences of the next block, and returns how many.
  mutating func fill(_ sequences: UnsafeMutablePointer<Sequence>) -> Int {
    // The size of a pixel as a constant: three copies of the loop.
    switch pixelBytes {
    case 1: return run(sequences, pixel: 1, keyMask: 0xFFFF_FFFF)
    case 3: return run(sequences, pixel: 3, keyMask: 0xFFFF_FFFF_FFFF)
    default: return run(sequences, pixel: 4, keyMask: .max)
    }
  }

  /// Two pixels make a key (four of a palette's): what does not repeat that much is not worth a match.
  @inline(__always)
  private mutating func run(_ sequences: UnsafeMutablePointer<Sequence>, pixel: Int, keyMask: UInt64) -> Int {
    let row = rowBytes <= window ? rowBytes : pixel
    var here = position
    var anchor = here
    let blockEnd = min(end - 8, here + blockLiterals)
    var made = 0
    var misses = 0
    var nextRow = rowStart + rowBytes
    while here < blockEnd && made < blockSequences {
      if let match = match(here, pixel: pixel, row: row, keyMask: keyMask) {
        assert(match.length > 0 && match.distance > 0 && match.distance <= here, "a match with nothing")
        sequences[made] = Sequence(
          literals: UInt32(here &- anchor), length: UInt16(truncatingIfNeeded: match.length),
          distance: UInt16(truncatingIfNeeded: match.distance &- 1))
        made &+= 1
        let start = here
        here &+= match.length
        note(start &+ pixel, here, blockEnd, pixel: pixel, keyMask: keyMask)
        anchor = here
        misses = 0
      } else {
        // Go on at the next pixel, so that keys are taken in step with pixels; where nothing repeats
        // (photographs), look less often.
        while here >= nextRow { nextRow &+= rowBytes }
        // Rows hold whole pixels: this many bytes are left of the one that `here` is in.
        let rest = (nextRow &- here) % pixel
        here &+= (rest == 0 ? pixel : rest) &+ pixel &* (misses &>> 5)
        misses &+= 1
      }
    }
    rowStart = nextRow - rowBytes
    if here >= end - 8 { here = end }
    if here > anchor {
      sequences[made] = Sequence(literals: UInt32(here - anchor), length: 0, distance: 0)
      made += 1
    }
    assert(made <= blockSequences + 1 && here <= end, "more sequences than there is room for")
    position = here
    return made
  }

  /// The longest repetition at a place of what lies a pixel back, a row back, or at the key's last place; nil
  /// where none has the key. Notes the place as the key's last.
  @inline(__always)
  private func match(_ here: Int, pixel: Int, row: Int, keyMask: UInt64) -> (length: Int, distance: Int)? {
    let key = load(here) & keyMask
    let slot = slot(key)
    let last = Int(table[slot]) &- 1
    table[slot] = UInt32(truncatingIfNeeded: here &+ 1)
    let hasLeft = here >= pixel && load(here &- pixel) & keyMask == key
    let hasAbove = here >= row && load(here &- row) & keyMask == key
    let hasLast = last >= 0 && here &- last <= window && load(last) & keyMask == key
    guard hasLeft || hasAbove || hasLast else { return nil }
    assert(last < here, "a match with what is to come")
    let limit = min(maxMatch - maxMatch % pixel, end &- here)
    var best = 0
    var distance = 0
    if hasLeft {
      best = matchLength(source + here, source + (here &- pixel), limit)
      distance = pixel
    }
    if hasAbove && best < limit {
      let length = matchLength(source + here, source + (here &- row), limit)
      if length > best { (best, distance) = (length, row) }
    }
    if hasLast && best < 8 &* pixel {
      let length = matchLength(source + here, source + last, limit)
      // A new distance costs a few bits more than a usual one.
      if length > best &+ 1 { (best, distance) = (length, here &- last) }
    }
    return (best, distance)
  }

  /// Notes the pixels within a match as the last places of their keys: all of a short one, two of a long one, which
  /// mostly repeats itself.
  @inline(__always)
  private func note(_ first: Int, _ end: Int, _ blockEnd: Int, pixel: Int, keyMask: UInt64) {
    let end = min(end, blockEnd)
    var here = end &- first > 32 ? end &- 2 &* pixel : first
    while here < end {
      table[slot(load(here) & keyMask)] = UInt32(truncatingIfNeeded: here &+ 1)
      here &+= pixel
    }
  }

  @inline(__always)
  private func slot(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> UInt64(64 - hashBits))
  }

  @inline(__always)
  private func load(_ place: Int) -> UInt64 {
    UnsafeRawPointer(source + place).loadUnaligned(as: UInt64.self)
  }
}

/// How many bytes agree, up to the limit. Reads up to 7 bytes past it.
@inline(__always)
private func matchLength(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ limit: Int) -> Int {
  let left = UnsafeRawPointer(a)
  let right = UnsafeRawPointer(b)
  var length = 0
  while length < limit {
    let difference =
      (left + length).loadUnaligned(as: UInt64.self) ^ (right + length).loadUnaligned(as: UInt64.self)
    if difference != 0 { return min(limit, length &+ difference.trailingZeroBitCount &>> 3) }
    length &+= 8
  }
  return limit
}

/// Symbol and extra bits of match lengths and distances (RFC 1951, 3.2.5), looked up by length and by the
/// distance's leading bit.
struct DeflateTables {
  /// For length 3...258: symbol - 257 | extra bit count << 8 | extra value << 16.
  let lengths: [UInt32]

  init() {
    var table = [UInt32](repeating: 0, count: 259)
    var base = 3
    for symbol in 0..<28 {
      let extra = symbol < 8 ? 0 : (symbol - 4) / 4
      for value in 0..<(1 << extra) where base + value < 259 {
        table[base + value] = UInt32(symbol) | UInt32(extra) << 8 | UInt32(value) << 16
      }
      base += 1 << extra
    }
    table[258] = 28
    lengths = table
  }

  static let shared = DeflateTables()
}

/// Symbol, extra bit count and extra value of a distance less one (0...32767).
@inline(__always)
func distanceSymbol(_ d: UInt32) -> (symbol: Int, bits: UInt64, value: UInt64) {
  assert(d < window, "a distance beyond the window")
  if d < 4 { return (Int(d), 0, 0) }
  let top = UInt32(31 &- d.leadingZeroBitCount)
  let bits = top &- 1
  return (Int(2 &* top &+ (d &>> bits & 1)), UInt64(bits), UInt64(d & ((1 &<< bits) &- 1)))
}

private func writeBlock(
  _ source: UnsafePointer<UInt8>, _ sequences: UnsafePointer<Sequence>, _ count: Int, isLast: Bool,
  _ writer: inout BitWriter
) {
  DeflateTables.shared.lengths.withUnsafeBufferPointer { lengthTable in
    let (literalCounts, distanceCounts) = countSymbols(source, sequences, count, lengthTable.baseAddress!)
    let literals = HuffmanCode(frequencies: literalCounts, limit: codeLimit)
    let distances = HuffmanCode(frequencies: distanceCounts, limit: codeLimit)
    writeHeader(literals, distances, isLast: isLast, &writer)
    literals.entries.withUnsafeBufferPointer { literalCodes in
      distances.entries.withUnsafeBufferPointer { distanceCodes in
        writeSequences(
          source, sequences, count, literalCodes.baseAddress!, distanceCodes.baseAddress!,
          lengthTable.baseAddress!, &writer)
      }
    }
  }
}

private func countSymbols(
  _ source: UnsafePointer<UInt8>, _ sequences: UnsafePointer<Sequence>, _ count: Int,
  _ lengthTable: UnsafePointer<UInt32>
) -> ([UInt32], [UInt32]) {
  // Four tables, so that equal neighbours do not wait for each other's store.
  var literalCounts = [UInt32](repeating: 0, count: 286)
  var distanceCounts = [UInt32](repeating: 0, count: 30)
  withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1024) { scratch in
    let tables = scratch.baseAddress!
    tables.initialize(repeating: 0, count: 1024)
    var cursor = source
    for index in 0..<count {
      let sequence = sequences[index]
      let end = cursor + Int(sequence.literals)
      while cursor + 4 <= end {
        tables[Int(cursor[0])] &+= 1
        tables[256 &+ Int(cursor[1])] &+= 1
        tables[512 &+ Int(cursor[2])] &+= 1
        tables[768 &+ Int(cursor[3])] &+= 1
        cursor += 4
      }
      while cursor < end {
        tables[Int(cursor[0])] &+= 1
        cursor += 1
      }
      if sequence.length > 0 {
        literalCounts[257 + Int(lengthTable[Int(sequence.length)] & 0xFF)] += 1
        distanceCounts[distanceSymbol(UInt32(sequence.distance)).symbol] += 1
        cursor += Int(sequence.length)
      }
    }
    for value in 0..<256 {
      literalCounts[value] = tables[value] + tables[256 + value] + tables[512 + value] + tables[768 + value]
    }
  }
  literalCounts[256] = 1
  return (literalCounts, distanceCounts)
}

private func writeSequences(
  _ source: UnsafePointer<UInt8>, _ sequences: UnsafePointer<Sequence>, _ count: Int,
  _ literalCodes: UnsafePointer<UInt32>,
  _ distanceCodes: UnsafePointer<UInt32>, _ lengthTable: UnsafePointer<UInt32>, _ shared: inout BitWriter
) {
  var writer = shared
  var cursor = source
  for index in 0..<count {
    let sequence = sequences[index]
    let end = cursor + Int(sequence.literals)
    while cursor + 4 <= end {
      writer.put(literalCodes[Int(cursor[0])])
      writer.put(literalCodes[Int(cursor[1])])
      writer.put(literalCodes[Int(cursor[2])])
      writer.put(literalCodes[Int(cursor[3])])
      writer.flush()
      cursor += 4
    }
    while cursor < end {
      writer.put(literalCodes[Int(cursor[0])])
      cursor += 1
    }
    writer.flush()
    if sequence.length > 0 {
      writer.put(
        length: lengthTable[Int(sequence.length)], distance: sequence.distance,
        UnsafeBufferPointer(start: literalCodes, count: 286),
        UnsafeBufferPointer(start: distanceCodes, count: 30))
      cursor += Int(sequence.length)
    }
  }
  writer.put(literalCodes[256])
  writer.flush()
  shared = writer
}

/// The head of a dynamic block: both alphabets' code lengths, run-length coded (RFC 1951, 3.2.7).
func writeHeader(
  _ literals: HuffmanCode, _ distances: HuffmanCode, isLast: Bool, _ writer: inout BitWriter
) {
  var literalCount = 286
  while literalCount > 257 && literals.length(literalCount - 1) == 0 { literalCount -= 1 }
  var distanceCount = 30
  while distanceCount > 1 && distances.length(distanceCount - 1) == 0 { distanceCount -= 1 }
  var lengths: [Int] = []
  lengths.reserveCapacity(literalCount + distanceCount)
  for symbol in 0..<literalCount { lengths.append(literals.length(symbol)) }
  for symbol in 0..<distanceCount { lengths.append(distances.length(symbol)) }
  var symbols: [(symbol: Int, bits: UInt64, value: UInt64)] = []
  symbols.reserveCapacity(lengths.count)
  var index = 0
  while index < lengths.count {
    let length = lengths[index]
    var run = 1
    while index + run < lengths.count && lengths[index + run] == length { run += 1 }
    index += run
    if length != 0 {
      symbols.append((length, 0, 0))
      run -= 1
    }
    while run >= 3 {
      let take = length != 0 ? min(run, 6) : min(run, 138)
      if length != 0 {
        symbols.append((16, 2, UInt64(take - 3)))
      } else if take <= 10 {
        symbols.append((17, 3, UInt64(take - 3)))
      } else {
        symbols.append((18, 7, UInt64(take - 11)))
      }
      run -= take
    }
    for _ in 0..<run { symbols.append((length, 0, 0)) }
  }
  var counts = [UInt32](repeating: 0, count: 19)
  for symbol in symbols { counts[symbol.symbol] += 1 }
  let code = HuffmanCode(frequencies: counts, limit: 7)
  let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  var orderCount = 19
  while orderCount > 4 && code.length(order[orderCount - 1]) == 0 { orderCount -= 1 }
  writer.put(isLast ? 1 : 0, 1)
  writer.put(2, 2)
  writer.put(UInt64(literalCount - 257), 5)
  writer.put(UInt64(distanceCount - 1), 5)
  writer.put(UInt64(orderCount - 4), 4)
  writer.flush()
  for slot in 0..<orderCount {
    writer.put(UInt64(code.length(order[slot])), 3)
    writer.flush()
  }
  for symbol in symbols {
    writer.put(code.entries[symbol.symbol])
    writer.put(symbol.value, symbol.bits)
    writer.flush()
  }
}
