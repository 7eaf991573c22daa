// One property of all features, read from the tile itself: of each feature only the tags are looked at, and
// of these eight bytes at a time.
import NeatBase

struct MVTPropertyReader {
  /// A number that no value has.
  static let none = UInt32.max

  private let key: UInt32
  /// Tags with a value from this number on lead nowhere, and count as if they were not there.
  private let valueCount: UInt32
  /// The key in the even bytes; a byte that none can equal where the key has more than seven bits.
  private let pattern: UInt64
  /// Up to here, 8 bytes of the tile can be read at once.
  private let wide: UnsafePointer<UInt8>

  /// `tileEnd`: where the bytes end that may be read.
  init(key: Int, valueCount: Int, tileEnd: UnsafePointer<UInt8>) {
    self.key = UInt32(truncatingIfNeeded: key)
    self.valueCount = UInt32(truncatingIfNeeded: valueCount)
    pattern = UInt64(key < 0x80 ? key : 0x80) &* 0x0001_0001_0001_0001
    wide = tileEnd - 8
  }

  /// Writes the value of each feature of a layer, null where it has none or cannot be read; how many features
  /// that are. `lookUp` gives a value by its number.
  @inline(__always)
  func read(
    _ features: MVTLayerIndex.Run, _ layer: UnsafeBufferPointer<UInt8>,
    into target: UnsafeMutablePointer<TileValue>,
    _ lookUp: (Int) -> TileValue
  ) -> Int {
    guard var at = features.first, let base = layer.baseAddress else { return 0 }
    let layerEnd = base + layer.count
    var number = 0
    while number < features.count && at < layerEnd {
      guard at[0] == 0x12 else {
        guard MVTFields.skip(&at, layerEnd) else { break }
        continue
      }
      guard let length = MVTFields.length(&at, layerEnd) else { break }
      let value = valueNumber(at, at + length)
      target[number] = value < valueCount ? lookUp(Int(value)) : .null
      at += length
      number &+= 1
    }
    return number
  }

  /// The number of the feature's value, or `none`, also for a feature that cannot be read up to its tags;
  /// nothing behind them is looked at.
  ///
  /// One question after the other, each about the byte that is next then: fields come in the same order in
  /// all features of a layer, so that the answers are foreseen. A switch becomes a jump through a table,
  /// which took a third of the time.
  @inline(__always)
  private func valueNumber(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt32 {
    var at = start
    while at < end {
      let before = at
      if end - at >= 2 && at[0] == 0x18 && at[1] < 0x80 { at += 2 }
      if end - at >= 9 && at[0] == 0x08 {
        // The id ends with the first byte below 128.
        let ends =
          ~UInt64(littleEndian: UnsafeRawPointer(at + 1).loadUnaligned(as: UInt64.self))
          & 0x8080_8080_8080_8080
        if ends != 0 { at += 2 &+ ends.trailingZeroBitCount &>> 3 }
      }
      if at < end && at[0] == 0x12 {
        guard let length = MVTFields.length(&at, end) else { return MVTPropertyReader.none }
        // One tag: what most features of a line layer have.
        if length == 2 && at[0] | at[1] < 0x80 {
          return UInt32(at[0]) == key && UInt32(at[1]) < valueCount ? UInt32(at[1]) : MVTPropertyReader.none
        }
        if length > 0 { return shortList(at, length) }
      }
      if at == before {
        guard MVTFields.skip(&at, end) else { return MVTPropertyReader.none }
      }
    }
    return MVTPropertyReader.none
  }

  /// As `last`, for the lists that most features have: up to eight bytes, each of them a number.
  @inline(__always)
  private func shortList(_ start: UnsafePointer<UInt8>, _ length: Int) -> UInt32 {
    guard length <= 8 && start <= wide else { return last(start, start + length) }
    // Lanes of 16 bits, of which only whole ones within the list count.
    let bits = UInt64(length &* 8)
    let word =
      UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
      & (UInt64.max &>> (64 &- bits))
    guard word & 0x8080_8080_8080_8080 == 0 else { return last(start, start + length) }
    let found = hits(word) & (UInt64.max &>> ((64 &- (bits & ~15)) & 63))
    if found == 0 || bits < 16 { return MVTPropertyReader.none }
    return value(word, found) ?? MVTPropertyReader.none
  }

  /// Bit 8 of each lane of 16 bits whose low byte is the key; no byte of the word is above 127.
  @inline(__always)
  private func hits(_ word: UInt64) -> UInt64 {
    let lanes = (word ^ pattern) & 0x00ff_00ff_00ff_00ff
    return ~((lanes | 0x0100_0100_0100_0100) &- 0x0001_0001_0001_0001) & 0x0100_0100_0100_0100
  }

  /// The value behind the last tag with the key.
  ///
  /// Eight bytes at a time: bytes that begin a number and look like the key's lowest seven bits are
  /// candidates; only these are read, and only where an even count of numbers stands before them, which the
  /// ends of numbers tell.
  @inline(never)
  private func last(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt32 {
    // A list that ends within a number makes its feature unreadable.
    if end[-1] >= 0x80 { return MVTPropertyReader.none }
    let high: UInt64 = 0x8080_8080_8080_8080
    let low = UInt64(key & 0x7f) &* 0x0101_0101_0101_0101
    var at = start
    var found = MVTPropertyReader.none
    // Numbers that end before the word, and bit 7 where its first byte begins one.
    var numbers = 0
    var begins: UInt64 = 0x80
    while at < end {
      guard at <= wide else { return lastNearEnd(start, end) }
      let word = UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self))
      let left = end - at
      let ends = ~word & high & (left < 8 ? UInt64.max &>> UInt64(64 &- left &* 8) : .max)
      let isOther = (((word ^ low) & ~high) &+ ~high) & high
      var candidates = ~isOther & (ends &<< 8 | begins)
      while candidates != 0 {
        let place = candidates.trailingZeroBitCount
        candidates &= candidates &- 1
        let before = MVTPropertyReader.count(ends & ((1 &<< UInt64(place)) &- 1))
        if (numbers &+ before) & 1 != 0 { continue }
        var number = at + place &>> 3
        if number >= end || uncheckedVarint32(&number) != key || number >= end { continue }
        let value = uncheckedVarint32(&number)
        if value < valueCount { found = value }
      }
      numbers &+= MVTPropertyReader.count(ends)
      begins = ends &>> 56
      at += 8
    }
    return found
  }

  /// The value of the highest lane that hits and whose value exists.
  @inline(__always)
  private func value(_ word: UInt64, _ hits: UInt64) -> UInt32? {
    var left = hits
    while left != 0 {
      // A hit is bit 8 of its lane, where the value's byte begins.
      let place = UInt64(63 &- left.leadingZeroBitCount)
      let value = UInt32(truncatingIfNeeded: word &>> place) & 0x7f
      if value < valueCount { return value }
      left ^= 1 &<< place
    }
    return nil
  }

  /// How many bytes are marked in bit 7: their sum is the top byte of the product.
  @inline(__always)
  private static func count(_ marks: UInt64) -> Int {
    Int(truncatingIfNeeded: ((marks &>> 7) &* 0x0101_0101_0101_0101) &>> 56)
  }

  /// As `last`, for a list in the last bytes of the tile.
  @inline(never)
  private func lastNearEnd(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt32 {
    var at = start
    var found = MVTPropertyReader.none
    while at < end, let (key, value) = pair32(&at, end: end, wide: wide) {
      if key == self.key && value < valueCount { found = value }
    }
    return found
  }
}
