// Roads come cut in pieces. Pieces with the same text that touch end to start become one line before anchors
// are looked for, so that labels find room and do not repeat. Only a feature's first line takes part.
// Semantics of MapLibre's mergeLines.

private struct LineEnd: Hashable {
  var text: Int32
  var x: Double
  var y: Double
}

/// - Parameters:
///   - lines: the lines of each feature; those merged into another feature become empty.
///   - texts: a number for each feature that is equal for equal texts; negative for features without text,
///     which are not merged.
package func mergeLines(_ lines: inout [[[SIMD2<Double>]]], texts: [Int32]) {
  assert(lines.count == texts.count, "a text for each feature")
  var byStart: [LineEnd: Int] = [:]
  var byEnd: [LineEnd: Int] = [:]
  for k in lines.indices where texts[k] >= 0 {
    guard let line = lines[k].first, let first = line.first, let last = line.last else { continue }
    let start = LineEnd(text: texts[k], x: first.x, y: first.y)
    let end = LineEnd(text: texts[k], x: last.x, y: last.y)
    let before = byEnd[start], after = byStart[end]
    if let before, let after, before != after {
      byEnd[start] = nil
      byStart[end] = nil
      lines[before][0].append(contentsOf: line.dropFirst())
      lines[before][0].append(contentsOf: lines[after][0].dropFirst())
      lines[after] = []
      if let tail = lines[before][0].last { byEnd[LineEnd(text: texts[k], x: tail.x, y: tail.y)] = before }
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
