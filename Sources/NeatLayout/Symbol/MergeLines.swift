// Roads come cut in pieces. Pieces with the same text that touch end to start become one line before anchors
// are looked for, so that labels find room and do not repeat. Only a feature's first line takes part.
// Semantics of MapLibre's mergeLines.

import NeatBase

/// - Parameters:
///   - lines: the lines of each feature; those merged into another feature become empty.
///   - texts: a number for each feature that is equal for equal texts; negative for features without text,
///     which are not merged.
package func mergeLines(_ lines: inout [[[SIMD2<Double>]]], texts: [Int32]) {
  assert(lines.count == texts.count, "a text for each feature")
  let starts = LineEnds(.starts, capacity: lines.count)
  let ends = LineEnds(.ends, capacity: lines.count)
  for k in lines.indices where texts[k] >= 0 {
    guard let line = lines[k].first, let first = line.first, let last = line.last else { continue }
    let start = LineEnds.Place(text: texts[k], point: first)
    let end = LineEnds.Place(text: texts[k], point: last)
    let before = ends.find(start, lines, texts), after = starts.find(end, lines, texts)
    if let before, let after, before != after {
      ends.remove(start, lines, texts)
      starts.remove(end, lines, texts)
      // Before it is empty, and its end is not to be found any more.
      if let tail = lines[after][0].last {
        ends.set(LineEnds.Place(text: texts[k], point: tail), before, lines, texts)
      }
      lines[before][0].append(contentsOf: line.dropFirst())
      lines[before][0].append(contentsOf: lines[after][0].dropFirst())
      lines[after] = []
      lines[k] = []
    } else if let before {
      ends.remove(start, lines, texts)
      ends.set(end, before, lines, texts)
      lines[before][0].append(contentsOf: line.dropFirst())
      lines[k] = []
    } else if let after {
      starts.remove(end, lines, texts)
      starts.set(start, after, lines, texts)
      lines[after][0].insert(contentsOf: line.dropLast(), at: 0)
      lines[k] = []
    } else {
      starts.set(start, k, lines, texts)
      ends.set(end, k, lines, texts)
    }
  }
}

/// The lines that begin, or end, at a place: a table with open addresses, as large as it will ever be. It
/// holds numbers of lines alone, whose first or last points are the keys. Each line adds one entry at most,
/// and an entry that is taken out keeps its slot, so that a search always meets a free one.
private struct LineEnds: ~Copyable {
  enum Kind { case starts, ends }

  struct Place {
    var text: Int32
    var point: SIMD2<Double>

    /// Equal for equal places: a zero has one sign.
    var hash: UInt64 {
      let (x, y) = ((point.x + 0).bitPattern, (point.y + 0).bitPattern)
      var hash = x &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(UInt32(bitPattern: text)) &* 0xC2B2_AE3D_27D4_EB4F
      hash = (hash ^ hash >> 29 ^ y) &* 0xBF58_476D_1CE4_E5B9
      return hash ^ hash >> 32
    }
  }

  typealias Lines = [[[SIMD2<Double>]]]

  /// What stands in a slot that was never taken, and in one whose line was taken out.
  private static let free: Int32 = -1
  private static let left: Int32 = -2

  private let kind: Kind
  private let slots: UnsafeMutablePointer<Int32>
  private let mask: Int

  init(_ kind: Kind, capacity: Int) {
    self.kind = kind
    var count = 8
    while count < 2 * capacity { count *= 2 }
    mask = count - 1
    slots = .allocate(capacity: count)
    slots.initialize(repeating: LineEnds.free, count: count)
  }

  deinit { slots.deallocate() }

  func find(_ place: Place, _ lines: Lines, _ texts: [Int32]) -> Int? {
    let line = slots[slot(of: place, lines, texts)]
    return line >= 0 ? Int(line) : nil
  }

  /// The line is to have its end there from now on. A slot whose line was taken out serves again: lines that
  /// begin and end in one place would else leave one behind each, and every search would go past all of them.
  func set(_ place: Place, _ line: Int, _ lines: Lines, _ texts: [Int32]) {
    var slot = Int(truncatingIfNeeded: place.hash) & mask
    var vacated: Int?
    while slots[slot] != LineEnds.free, !isLine(slots[slot], at: place, lines, texts) {
      if slots[slot] == LineEnds.left, vacated == nil { vacated = slot }
      slot = (slot + 1) & mask
    }
    slots[slots[slot] == LineEnds.free ? vacated ?? slot : slot] = Int32(line)
  }

  func remove(_ place: Place, _ lines: Lines, _ texts: [Int32]) {
    let slot = slot(of: place, lines, texts)
    if slots[slot] >= 0 { slots[slot] = LineEnds.left }
  }

  /// The slot of a place, or the free one that ends the search for it.
  private func slot(of place: Place, _ lines: Lines, _ texts: [Int32]) -> Int {
    var slot = Int(truncatingIfNeeded: place.hash) & mask
    while slots[slot] != LineEnds.free, !isLine(slots[slot], at: place, lines, texts) {
      slot = (slot + 1) & mask
    }
    return slot
  }

  private func isLine(_ line: Int32, at place: Place, _ lines: Lines, _ texts: [Int32]) -> Bool {
    guard line >= 0, texts[Int(line)] == place.text, let points = lines[Int(line)].first else { return false }
    return (kind == .starts ? points.first : points.last) == place.point
  }
}
