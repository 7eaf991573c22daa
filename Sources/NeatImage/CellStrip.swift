// The cells of an opaque picture without row filters, whose pixels are three bytes each: most maps.
//
// A cell has four bytes and is a pixel, with a 0 before each row for its filter byte, which no opaque pixel
// is. Two cells are one load, and eight are compared at once; places become bytes when a match is written
// down.
import NeatBase

/// Cells of some rows and of the row above them.
struct Cells {
  /// Most cells of a strip with the row above it: their places have 16 bits.
  private static let most = 1 << 16
  /// No opaque pixel and no filter byte: stands where there is nothing to match.
  private static let nothing: UInt32 = 1
  /// Cells before the row above, the first of which is what an empty place of a table stands for.
  static let lead = 4
  /// Cells after the last one, which are read and count for nothing.
  private static let tail = 8

  let first: UnsafeMutablePointer<UInt32>
  /// Cells of a row.
  let pitch: Int
  /// 2^32 divided by it: exact for places below 2^16.
  private let inversePitch: UInt64
  /// Places of the rows, without the one above them.
  let start, end: Int

  var count: Int { end - start }

  /// How many rows can be made cells: below 1 where they are too long.
  static func mostRows(width: Int) -> Int { (most - lead - tail) / (width + 1) - 1 }

  /// Room for cells, which `free` gives back.
  init(width: Int, rows: Int) {
    assert(rows <= Cells.mostRows(width: width), "a cell's place has 16 bits")
    pitch = width + 1
    inversePitch = (1 << 32) / UInt64(pitch) + 1
    start = Cells.lead + pitch
    end = start + pitch * rows
    first = BlockPool.take(Cells.byteCount(end)).bindMemory(to: UInt32.self, capacity: end + Cells.tail)
  }

  func free() { BlockPool.give(first, Cells.byteCount(end)) }

  private static func byteCount(_ end: Int) -> Int { 4 * (end + tail) }

  /// Makes cells of the rows and of the one above them.
  /// - Returns: the checksum of the rows' bytes; nil where a pixel of theirs is not opaque.
  func read(_ source: PixelRows, _ rows: Range<Int>) -> UInt32? {
    first.initialize(repeating: Cells.nothing, count: start)
    (first + end).initialize(repeating: Cells.nothing, count: Cells.tail)
    if rows.lowerBound > 0 {
      first[start - pitch] = 0
      (first + start - pitch + 1).update(from: source.row(rows.lowerBound - 1), count: source.width)
    }
    var adler = PixelAdler()
    var all = UInt32.max
    for y in rows {
      let target = first + start + (y - rows.lowerBound) * pitch
      target[0] = 0
      adler.addFilterByte()
      all &= adler.add(source.row(y), count: source.width, copyingTo: target + 1)
    }
    return all >= 0xFF00_0000 ? adler.value : nil
  }

  /// A cell and the next one.
  @inline(__always) func pair(_ place: Int) -> UInt64 {
    UnsafeRawPointer(first + place).loadUnaligned(as: UInt64.self)
  }

  /// How many of the eight cells from one place on are those from another place on, up to the first that is
  /// not.
  @inline(__always) func agreeing(_ a: Int, _ b: Int) -> Int {
    assert(a <= end && b <= end, "cells past the tail")
    let here = UnsafeRawPointer(first + a).loadUnaligned(as: SIMD8<UInt32>.self)
    let there = UnsafeRawPointer(first + b).loadUnaligned(as: SIMD8<UInt32>.self)
    let differ = SIMD8<UInt32>.zero.replacing(with: 1, where: here .!= there)
    let bytes = unsafeBitCast(SIMD8<UInt8>(truncatingIfNeeded: differ), to: UInt64.self)
    return bytes.littleEndian.trailingZeroBitCount &>> 3
  }

  /// Bytes of the file from one cell back to another, which are both the first of a row or both not.
  @inline(__always) func bytes(from here: Int, backTo last: Int) -> Int {
    assert((first[here] == 0) == (first[last] == 0), "a filter byte is one byte")
    return 3 &* (here &- last) &- 2 &* (row(here) &- row(last))
  }

  @inline(__always) private func row(_ cell: Int) -> Int {
    let place = cell &- Cells.lead
    let row = Int(truncatingIfNeeded: (UInt64(truncatingIfNeeded: place) &* inversePitch) &>> 32)
    assert(row == place / pitch, "a place of more than 16 bits")
    return row
  }
}

/// A bit for each cell of a strip.
struct CellBits: ~Copyable {
  private let words: UnsafeMutablePointer<UInt64>
  private let count: Int

  /// No cell.
  init(_ cells: Cells) {
    count = cells.count / 64 + 1
    // A word more: bits are read from any byte on.
    words = .allocate(capacity: count + 1)
    words.initialize(repeating: 0, count: count + 1)
  }

  /// Cells that are the same as those some places back.
  init(_ cells: Cells, equalTo back: Int) {
    self.init(cells)
    for number in 0..<cells.count / 64 + 1 {
      var word: UInt64 = 0
      let first = cells.start &+ number &* 64
      for eighth in 0..<min(8, (cells.end &- first &+ 7) / 8) {
        let place = UnsafeRawPointer(cells.first + (first &+ 8 &* eighth))
        let here = place.loadUnaligned(as: SIMD8<UInt32>.self)
        let before = (place - 4 &* back).loadUnaligned(as: SIMD8<UInt32>.self)
        let isSame = here .== before
        let same = SIMD8<UInt8>(truncatingIfNeeded: SIMD8<UInt32>.zero.replacing(with: 1, where: isSame))
        // The lowest bits of eight bytes beside each other.
        let bits = (unsafeBitCast(same, to: UInt64.self).littleEndian &* 0x0102_0408_1020_4080) &>> 56
        word |= bits &<< UInt64(8 &* eighth)
      }
      words[number] = word.littleEndian
    }
    let past = cells.count & 63
    words[count - 1] &= ((1 << UInt64(past)) - 1).littleEndian
  }

  deinit { words.deallocate() }

  /// The cells of a word: 64 from 64 times its number on.
  subscript(_ word: Int) -> UInt64 {
    @inline(__always) get {
      assert(word >= 0 && word <= count, "no word of the strip")
      return UInt64(littleEndian: words[word])
    }
    nonmutating set {
      assert(word >= 0 && word < count, "no word of the strip")
      words[word] = newValue.littleEndian
    }
  }

  /// Those cells of a word whose next one has its bit too.
  @inline(__always) func pairs(_ word: Int) -> UInt64 {
    self[word] & (self[word] &>> 1 | self[word &+ 1] &<< 63)
  }

  /// The bits of at least 57 cells from one on.
  @inline(__always) func bits(at place: Int) -> UInt64 {
    assert(place >= 0 && place < 64 * count, "no cell of the strip")
    let bytes = (UnsafeRawPointer(words) + place &>> 3).loadUnaligned(as: UInt64.self)
    return UInt64(littleEndian: bytes) &>> UInt64(truncatingIfNeeded: place & 7)
  }

  /// How many cells from one on have their bit: of more than 57 some number from 57 on.
  @inline(__always) func run(at place: Int) -> Int { (~bits(at: place)).trailingZeroBitCount }
}
