// The same compressor for opaque pictures without row filters, whose pixels are three bytes each: most maps.
//
// It works on cells of four bytes, one a pixel, with a 0 before each row for its filter byte, which no opaque
// pixel is. Two cells are one load, and the key of a match; places become bytes when a match is written down.
import CDeflate
import NeatBase

/// Pixels that are written as they are, then a match (none where `cells` is 0).
private struct CellSequence {
  var literals: UInt16
  /// Bytes less one from the match back to what it repeats.
  var distance: UInt16
  var cells: UInt8
  /// Bytes of the match, less 3.
  var length: UInt8
}

/// What a strip's block is made of, by how often each occurs.
private struct CellCounts: ~Copyable {
  /// Bytes of pixels by colour, so that equal neighbours do not wait for each other's store; lengths from symbol
  /// 257 on; distances.
  private static let count = 3 * 256 + 29 + 30
  private let red: UnsafeMutablePointer<UInt32>
  private var green: UnsafeMutablePointer<UInt32> { red + 256 }
  private var blue: UnsafeMutablePointer<UInt32> { red + 512 }
  private var lengths: UnsafeMutablePointer<UInt32> { red + 768 }
  private var distances: UnsafeMutablePointer<UInt32> { red + 797 }

  init() {
    red = .allocate(capacity: CellCounts.count)
    red.initialize(repeating: 0, count: CellCounts.count)
  }

  deinit { red.deallocate() }

  @inline(__always) func add(_ cell: UInt32) {
    red[Int(cell & 0xFF)] &+= 1
    if cell == 0 { return }
    green[Int(cell &>> 8 & 0xFF)] &+= 1
    blue[Int(cell &>> 16 & 0xFF)] &+= 1
  }

  /// - Parameter length: symbol less 257.
  @inline(__always) func add(length: Int, distance: Int) {
    assert(length < 29 && distance < 30, "a symbol of no alphabet")
    lengths[length] &+= 1
    distances[distance] &+= 1
  }

  var literalFrequencies: [UInt32] {
    (0..<256).map { red[$0] &+ green[$0] &+ blue[$0] } + [1] + (0..<29).map { lengths[$0] }
  }

  var distanceFrequencies: [UInt32] { (0..<30).map { distances[$0] } }
}

/// Which cells of a strip are the same as those some places back: a bit each.
private struct EqualCells: ~Copyable {
  private let words: UnsafeMutablePointer<UInt64>

  /// - Parameter back: cells, which lie before the range. After it lie eight that may be read.
  init(_ cells: UnsafePointer<UInt32>, _ range: Range<Int>, back: Int) {
    let count = range.count / 64 + 1
    words = .allocate(capacity: count + 1)
    words[count] = 0
    for number in 0..<count {
      var word: UInt64 = 0
      let first = range.lowerBound &+ number &* 64
      for eighth in 0..<min(8, (range.upperBound &- first &+ 7) / 8) {
        let place = UnsafeRawPointer(cells + (first &+ 8 &* eighth))
        let here = place.loadUnaligned(as: SIMD8<UInt32>.self)
        let before = (place - 4 &* back).loadUnaligned(as: SIMD8<UInt32>.self)
        let isSame = here .== before
        let same = SIMD8<UInt8>(truncatingIfNeeded: SIMD8<UInt32>.zero.replacing(with: 1, where: isSame))
        // The lowest bits of eight bytes beside each other.
        let bits = (unsafeBitCast(same, to: UInt64.self).littleEndian &* 0x0102_0408_1020_4080) &>> 56
        word |= bits &<< UInt64(8 &* eighth)
      }
      words[number] = word
    }
  }

  deinit { words.deallocate() }

  /// How many cells from one on are the same, 128 at most.
  @inline(__always) func run(at place: Int) -> Int {
    let (word, shift) = (place &>> 6, UInt64(truncatingIfNeeded: place & 63))
    let count = (~(words[word] &>> shift)).trailingZeroBitCount
    // What was shifted in is none: the run ends within the word, or with it.
    return count &+ Int(shift) < 64 ? count : count &+ (~words[word &+ 1]).trailingZeroBitCount
  }
}

/// A strip of rows as cells, and what was found in them.
struct CellStrip: ~Copyable {
  /// Most cells of a strip with the row above it: their places have 16 bits.
  private static let maxCells = 1 << 16
  private static let hashBits = 14
  /// The longest match, in pixels: 258 bytes.
  private static let maxMatch = 86
  /// As far back as a distance reaches, in pixels.
  private static let reach = window / 3
  /// No opaque pixel and no filter byte: stands where there is nothing to match.
  private static let nothing: UInt32 = 1
  /// Cells before the row above, the first of which is what an empty place of the table stands for.
  private static let lead = 4
  /// Cells after the last one, which are read and count for nothing.
  private static let tail = 8

  private let cells: UnsafeMutablePointer<UInt32>
  private let sequences: UnsafeMutablePointer<CellSequence>
  private var sequenceCount = 0
  private let counts = CellCounts()
  /// Last place of each key.
  private let table: UnsafeMutablePointer<UInt16>
  /// Cells of a row.
  private let pitch: Int
  /// 2^32 divided by it: exact for places below 2^16.
  private let inversePitch: UInt64
  private let start, end: Int
  let sourceCount: Int
  /// Of the bytes before they were compressed.
  private(set) var adler: UInt32 = 1

  /// Whether strips of so many rows can be made.
  static func fits(width: Int, rows: Int) -> Bool { (width + 1) * (rows + 1) + lead + tail <= maxCells }

  init(_ source: PixelRows, _ rows: Range<Int>) {
    assert(CellStrip.fits(width: source.width, rows: rows.count), "a cell's place has 16 bits")
    pitch = source.width + 1
    inversePitch = (1 << 32) / UInt64(pitch) + 1
    start = CellStrip.lead + pitch
    end = start + pitch * rows.count
    sourceCount = rows.count * (3 * source.width + 1)
    cells = .allocate(capacity: end + CellStrip.tail)
    // A match has a cell and a byte at least; what comes after the last one is a sequence too.
    sequences = .allocate(capacity: end - start + 1)
    table = .allocate(capacity: 1 << CellStrip.hashBits)
    table.initialize(repeating: 0, count: 1 << CellStrip.hashBits)
    read(source, rows)
    find()
  }

  deinit {
    cells.deallocate()
    sequences.deallocate()
    table.deallocate()
  }

  /// Makes cells of the rows and of the one above them, and sums their bytes.
  private mutating func read(_ source: PixelRows, _ rows: Range<Int>) {
    cells.initialize(repeating: CellStrip.nothing, count: start)
    (cells + end).initialize(repeating: CellStrip.nothing, count: CellStrip.tail)
    if rows.lowerBound > 0 {
      cells[start - pitch] = 0
      (cells + start - pitch + 1).update(from: source.row(rows.lowerBound - 1), count: source.width)
    }
    // A row of the file, and a byte more: a store of four bytes writes one of the next pixel.
    let size = 3 * source.width + 1
    withUnsafeTemporaryAllocation(byteCount: size + 1, alignment: 1) { line in
      line[0] = 0
      for y in rows {
        let row = source.row(y)
        let target = cells + start + (y - rows.lowerBound) * pitch
        target[0] = 0
        for x in 0..<source.width {
          target[x &+ 1] = row[x]
          line.storeBytes(of: row[x].littleEndian, toByteOffset: 3 &* x &+ 1, as: UInt32.self)
        }
        adler = libdeflate_adler32(adler, line.baseAddress, size)
      }
    }
  }

  private mutating func find() {
    // Where rows are longer than the window, what lies above is out of reach.
    let above = 3 * pitch - 2 <= window ? pitch : 1
    let left = EqualCells(cells, start..<end, back: 1)
    let up = EqualCells(cells, start..<end, back: above)
    DeflateTables.shared.lengths.withUnsafeBufferPointer { lengths in
      var (here, anchor) = (start, start)
      var (made, misses) = (0, 0)
      while here &+ 1 < end {
        let match = match(here, above, left.run(at: here &- start), up.run(at: here &- start))
        guard match.cells > 0 else {
          // Where nothing repeats (photographs), look less often.
          let next = min(here &+ 1 &+ misses &>> 5, end)
          repeat {
            counts.add(cells[here])
            here &+= 1
          } while here < next
          misses &+= 1
          continue
        }
        let place = byte(here)
        let length = byte(here &+ match.cells) &- place
        let distance = place &- byte(match.from)
        assert(
          length >= 3 && length <= 258 && distance > 0 && distance <= window, "a match that cannot be written"
        )
        counts.add(
          length: Int(lengths[length] & 0xFF), distance: distanceSymbol(UInt32(distance &- 1)).symbol)
        sequences[made] = CellSequence(
          literals: UInt16(truncatingIfNeeded: here &- anchor),
          distance: UInt16(truncatingIfNeeded: distance &- 1), cells: UInt8(truncatingIfNeeded: match.cells),
          length: UInt8(truncatingIfNeeded: length &- 3))
        made &+= 1
        note(here, match.cells)
        here &+= match.cells
        anchor = here
        misses = 0
      }
      while here < end {
        counts.add(cells[here])
        here &+= 1
      }
      if anchor < end {
        sequences[made] = CellSequence(
          literals: UInt16(truncatingIfNeeded: end - anchor), distance: 0, cells: 0, length: 0)
        made += 1
      }
      assert(made <= end - start + 1, "more sequences than there is room for")
      sequenceCount = made
    }
  }

  /// The longest repetition of what lies a pixel back, a row back, or at the key's last place; of 0 cells where there
  /// is none. Notes the place as the key's last.
  /// - Parameters:
  ///   - left: cells that repeat the one before each.
  ///   - up: cells that repeat the one above each.
  @inline(__always)
  private func match(_ here: Int, _ above: Int, _ left: Int, _ up: Int) -> (from: Int, cells: Int) {
    let key = load(here)
    let slot = CellStrip.slot(key)
    let last = Int(table[slot])
    table[slot] = UInt16(truncatingIfNeeded: here)
    let limit = min(CellStrip.maxMatch, end &- here)
    // A filter byte alone is no match: three bytes are the least.
    let up = up == 1 && UInt32(truncatingIfNeeded: key) == 0 ? 0 : up
    var from = up > left ? here &- above : here &- 1
    var cells = min(max(left, up), limit)
    // A distance of its own costs more bits than those two, and a long match has nothing to win.
    if load(last) == key && cells < 8 && here &- last <= CellStrip.reach {
      let found = agreeing(here, last, limit)
      if found > cells { (from, cells) = (last, found) }
    }
    return (from, cells)
  }

  /// Notes the pixels within a match as the last places of their keys: all of a short one, two of a long one,
  /// which mostly repeats itself.
  @inline(__always)
  private func note(_ here: Int, _ count: Int) {
    var place = count > 30 ? here &+ count &- 2 : here &+ 1
    let last = min(here &+ count, end &- 1)
    while place < last {
      table[CellStrip.slot(load(place))] = UInt16(truncatingIfNeeded: place)
      place &+= 1
    }
  }

  /// The byte that a cell begins at: rows begin with a cell of one byte.
  @inline(__always) private func byte(_ cell: Int) -> Int {
    let place = cell &- CellStrip.lead
    let row = Int(truncatingIfNeeded: (UInt64(truncatingIfNeeded: place) &* inversePitch) &>> 32)
    assert(row == place / pitch, "a place of more than 16 bits")
    return 3 &* place &- 2 &* row &- (place == row &* pitch ? 0 : 2)
  }

  @inline(__always) private func load(_ place: Int) -> UInt64 {
    UnsafeRawPointer(cells + place).loadUnaligned(as: UInt64.self)
  }

  @inline(__always) private static func slot(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> UInt64(64 - hashBits))
  }

  /// Cells that agree from two places on, the first two of which do.
  @inline(__always) private func agreeing(_ a: Int, _ b: Int, _ limit: Int) -> Int {
    var length = 2
    while length < limit {
      let difference = load(a &+ length) ^ load(b &+ length)
      if difference != 0 {
        return min(limit, UInt32(truncatingIfNeeded: difference) == 0 ? length &+ 1 : length)
      }
      length &+= 2
    }
    return limit
  }

  /// Bytes that `write` needs at most.
  var capacity: Int { sourceCount + sourceCount / 2 + 1024 }

  /// Writes a block of the DEFLATE stream.
  func write(isLast: Bool, _ shared: inout BitWriter) {
    let literals = HuffmanCode(frequencies: counts.literalFrequencies, limit: codeLimit)
    let distances = HuffmanCode(frequencies: counts.distanceFrequencies, limit: codeLimit)
    writeHeader(literals, distances, isLast: isLast, &shared)
    var writer = shared
    DeflateTables.shared.lengths.withUnsafeBufferPointer { lengths in
      literals.entries.withUnsafeBufferPointer { literals in
        distances.entries.withUnsafeBufferPointer { distances in
          var cursor = start
          for index in 0..<sequenceCount {
            let sequence = sequences[index]
            let end = cursor &+ Int(sequence.literals)
            while cursor < end {
              let cell = cells[cursor]
              writer.put(literals[Int(cell & 0xFF)])
              if cell != 0 {
                writer.put(literals[Int(cell &>> 8 & 0xFF)])
                writer.put(literals[Int(cell &>> 16 & 0xFF)])
              }
              writer.flush()
              cursor &+= 1
            }
            if sequence.cells > 0 {
              writer.put(
                length: lengths[Int(sequence.length) &+ 3], distance: sequence.distance, literals, distances)
              cursor &+= Int(sequence.cells)
            }
          }
          writer.put(literals[256])
          writer.flush()
        }
      }
    }
    shared = writer
  }
}
