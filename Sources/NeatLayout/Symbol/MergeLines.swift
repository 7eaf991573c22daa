// Roads come cut in pieces. Pieces with the same text that touch end to start become one line before anchors
// are looked for, so that labels find room and do not repeat. Only a feature's first line takes part.
// Semantics of MapLibre's mergeLines.

/// - Parameters:
///   - lines: the lines of each feature; those merged into another feature become empty.
///   - texts: a number for each feature that is equal for equal texts; negative for features without text,
///     which are not merged.
package func mergeLines(_ lines: inout [[[SIMD2<Double>]]], texts: [Int32]) {
  assert(lines.count == texts.count, "a text for each feature")
  var byStart = LineEnds(capacity: lines.count)
  var byEnd = LineEnds(capacity: lines.count)
  for k in lines.indices where texts[k] >= 0 {
    guard let line = lines[k].first, let first = line.first, let last = line.last else { continue }
    let start = LineEnds.Key(text: texts[k], point: first)
    let end = LineEnds.Key(text: texts[k], point: last)
    let before = byEnd[start], after = byStart[end]
    if let before, let after, before != after {
      byEnd[start] = nil
      byStart[end] = nil
      lines[before][0].append(contentsOf: line.dropFirst())
      lines[before][0].append(contentsOf: lines[after][0].dropFirst())
      lines[after] = []
      if let tail = lines[before][0].last {
        byEnd[LineEnds.Key(text: texts[k], point: tail)] = before
      }
      lines[k] = []
    } else if let before {
      byEnd[start] = nil
      lines[before][0].append(contentsOf: line.dropFirst())
      byEnd[end] = before
      lines[k] = []
    } else if let after {
      byStart[end] = nil
      lines[after][0].insert(contentsOf: line.dropLast(), at: 0)
      byStart[start] = after
      lines[k] = []
    } else {
      byStart[start] = k
      byEnd[end] = k
    }
  }
}

/// The lines that begin, or end, at a place: a table with open addresses, as large as it will ever be. Each
/// line adds one entry at most, and an entry that is taken out keeps its slot, so that a search always meets a
/// free one.
private struct LineEnds: ~Copyable {
  struct Key: Equatable {
    var text: Int32
    var point: SIMD2<Double>

    /// Equal for equal keys: a zero has one sign.
    var hash: UInt64 {
      let (x, y) = ((point.x + 0).bitPattern, (point.y + 0).bitPattern)
      var hash = x &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(UInt32(bitPattern: text)) &* 0xC2B2_AE3D_27D4_EB4F
      hash = (hash ^ hash >> 29 ^ y) &* 0xBF58_476D_1CE4_E5B9
      return hash ^ hash >> 32
    }
  }

  private struct Slot {
    var key: Key
    var line: Int
  }

  /// What stands for the line in a slot that was never taken, and in one whose line was taken out.
  private static let free = -1
  private static let left = -2

  private let slots: UnsafeMutablePointer<Slot>
  private let mask: Int

  init(capacity: Int) {
    var count = 8
    while count < 2 * capacity { count *= 2 }
    mask = count - 1
    slots = .allocate(capacity: count)
    slots.initialize(repeating: Slot(key: Key(text: 0, point: .zero), line: LineEnds.free), count: count)
  }

  deinit { slots.deallocate() }

  /// The slot of a key, or the free one that ends the search for it.
  private func place(of key: Key) -> Int {
    var place = Int(truncatingIfNeeded: key.hash) & mask
    while slots[place].line != LineEnds.free, slots[place].key != key { place = (place + 1) & mask }
    return place
  }

  subscript(_ key: Key) -> Int? {
    get {
      let line = slots[place(of: key)].line
      return line >= 0 ? line : nil
    }
    set {
      let place = place(of: key)
      if let line = newValue {
        slots[place] = Slot(key: key, line: line)
      } else if slots[place].line >= 0 {
        slots[place].line = LineEnds.left
      }
    }
  }
}
