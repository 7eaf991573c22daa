// Roads come cut in pieces. Pieces with the same text that touch end to start become one line before anchors
// are looked for, so that labels find room and do not repeat. Only a feature's first line takes part.
// Semantics of MapLibre's mergeLines.

import NeatBase

/// The first lines of features, put together in chains.
package struct LineChains: Sendable {
  /// Of each line the one that goes on from it, or -1.
  package fileprivate(set) var next: [Int32]
  /// Of each line the first one of the chain that is its own, or -1 where it became part of another's.
  package fileprivate(set) var heads: [Int32]

  /// The lines of a line's chain, in their order.
  package func chain(of line: Int) -> [Int] {
    var result: [Int] = []
    var piece = heads[line]
    while piece >= 0 {
      result.append(Int(piece))
      piece = next[Int(piece)]
    }
    return result
  }
}

/// - Parameters:
///   - starts: where each line begins.
///   - ends: where each line ends.
///   - texts: a number for each line that is equal for equal texts; negative for lines without text, which are
///     not merged.
package func mergeLines(starts: [SIMD2<Int32>], ends: [SIMD2<Int32>], texts: [Int32]) -> LineChains {
  assert(starts.count == texts.count && ends.count == texts.count, "two ends and a text for each line")
  var chains = LineChains(
    next: [Int32](repeating: -1, count: texts.count), heads: (0..<Int32(texts.count)).map { $0 })
  var tails = chains.heads
  // Where the chain of a line begins and ends, by now.
  var firsts = LineEnds(starts, texts)
  var lasts = LineEnds(ends, texts)
  for k in texts.indices where texts[k] >= 0 {
    let start = LineEnds.Place(text: texts[k], point: starts[k])
    let end = LineEnds.Place(text: texts[k], point: ends[k])
    let before = lasts.find(start), after = firsts.find(end)
    if let before, let after, before != after {
      lasts.remove(start)
      firsts.remove(end)
      // Before it is gone, and its end is not to be found any more.
      lasts.set(LineEnds.Place(text: texts[k], point: lasts[after]), before)
      chains.next[Int(tails[before])] = Int32(k)
      chains.next[k] = chains.heads[after]
      tails[before] = tails[after]
      lasts[before] = lasts[after]
      for gone in [after, k] {
        chains.heads[gone] = -1
        firsts.forget(gone)
        lasts.forget(gone)
      }
    } else if let before {
      lasts.remove(start)
      lasts.set(end, before)
      chains.next[Int(tails[before])] = Int32(k)
      tails[before] = Int32(k)
      lasts[before] = end.point
      chains.heads[k] = -1
    } else if let after {
      firsts.remove(end)
      firsts.set(start, after)
      chains.next[k] = chains.heads[after]
      chains.heads[after] = Int32(k)
      firsts[after] = start.point
      chains.heads[k] = -1
    } else {
      firsts.set(start, k)
      lasts.set(end, k)
    }
  }
  return chains
}

/// The lines that begin, or end, at a place: a table with open addresses, as large as it will ever be. It
/// holds numbers of lines alone, whose first or last points are the keys. Each line adds one entry at most,
/// and an entry that is taken out keeps its slot, so that a search always meets a free one.
private struct LineEnds: ~Copyable {
  struct Place {
    var text: Int32
    var point: SIMD2<Int32>

    var hash: UInt64 {
      let place = UInt64(UInt32(bitPattern: point.x)) << 32 | UInt64(UInt32(bitPattern: point.y))
      var hash =
        place &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(UInt32(bitPattern: text)) &* 0xC2B2_AE3D_27D4_EB4F
      hash = (hash ^ hash >> 29) &* 0xBF58_476D_1CE4_E5B9
      return hash ^ hash >> 32
    }
  }

  /// What stands in a slot that was never taken, and in one whose line was taken out.
  private static let free: Int32 = -1
  private static let left: Int32 = -2

  /// Of each line.
  private var points: [SIMD2<Int32>]
  private var texts: [Int32]
  private let slots: UnsafeMutablePointer<Int32>
  private let mask: Int

  init(_ points: [SIMD2<Int32>], _ texts: [Int32]) {
    self.points = points
    self.texts = texts
    var count = 8
    while count < 2 * texts.count { count *= 2 }
    mask = count - 1
    slots = .allocate(capacity: count)
    slots.initialize(repeating: LineEnds.free, count: count)
  }

  deinit { slots.deallocate() }

  subscript(line: Int) -> SIMD2<Int32> {
    get { points[line] }
    set { points[line] = newValue }
  }

  /// The line is part of another one, and not to be found any more.
  mutating func forget(_ line: Int) { texts[line] = -1 }

  func find(_ place: Place) -> Int? {
    let line = slots[slot(of: place)]
    return line >= 0 ? Int(line) : nil
  }

  /// The line is to have its end there from now on. A slot whose line was taken out serves again: lines that
  /// begin and end in one place would else leave one behind each, and every search would go past all of them.
  func set(_ place: Place, _ line: Int) {
    var slot = Int(truncatingIfNeeded: place.hash) & mask
    var vacated: Int?
    while slots[slot] != LineEnds.free, !isLine(slots[slot], at: place) {
      if slots[slot] == LineEnds.left, vacated == nil { vacated = slot }
      slot = (slot + 1) & mask
    }
    slots[slots[slot] == LineEnds.free ? vacated ?? slot : slot] = Int32(line)
  }

  func remove(_ place: Place) {
    let slot = slot(of: place)
    if slots[slot] >= 0 { slots[slot] = LineEnds.left }
  }

  /// The slot of a place, or the free one that ends the search for it.
  private func slot(of place: Place) -> Int {
    var slot = Int(truncatingIfNeeded: place.hash) & mask
    while slots[slot] != LineEnds.free, !isLine(slots[slot], at: place) { slot = (slot + 1) & mask }
    return slot
  }

  private func isLine(_ line: Int32, at place: Place) -> Bool {
    line >= 0 && texts[Int(line)] == place.text && points[Int(line)] == place.point
  }
}
