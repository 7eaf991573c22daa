import NeatBase

/// The colours of a picture that has at most 256, in the order in which they were found, and an open hash table
/// from colour to index.
struct Palette {
  private(set) var colors: [UInt32] = []
  private(set) var keys = [UInt32](repeating: 0, count: 1024)
  private(set) var indices = [UInt16](repeating: 0xFFFF, count: 1024)

  static func slot(_ color: UInt32) -> Int { Int((color &* 0x9E37_79B1) >> 22) }

  init?(_ rows: PixelRows) {
    // Rows far apart first: a picture of many colours shows that soon.
    for first in 0..<min(Palette.spread, rows.height) {
      for y in stride(from: first, to: rows.height, by: Palette.spread) {
        guard add(rows.row(y), rows.width) else { return nil }
      }
    }
  }

  private static let spread = 16

  /// False where there are too many.
  private mutating func add(_ row: UnsafePointer<UInt32>, _ width: Int) -> Bool {
    var last = ~row[0]
    for x in 0..<width where row[x] != last {
      last = row[x]
      var slot = Palette.slot(last)
      while indices[slot] != 0xFFFF && keys[slot] != last { slot = (slot + 1) & 1023 }
      if indices[slot] == 0xFFFF {
        if colors.count == 256 { return false }
        assert(colors.count < 256, "an index is a byte")
        keys[slot] = last
        indices[slot] = UInt16(colors.count)
        colors.append(last)
      }
    }
    return true
  }

  /// Whether rows that are looked at have so many colours or more, 256 at most.
  static func reaches(_ count: Int, _ rows: PixelRows, at places: StrideTo<Int>) -> Bool {
    assert(count <= 256, "more colours than a palette has")
    var palette = Palette()
    return places.contains { !palette.add(rows.row($0), rows.width) || palette.colors.count >= count }
  }

  private init() {}

  func index(_ color: UInt32) -> UInt8 {
    var slot = Palette.slot(color)
    while keys[slot] != color || indices[slot] == 0xFFFF { slot = (slot + 1) & 1023 }
    return UInt8(truncatingIfNeeded: indices[slot])
  }
}
