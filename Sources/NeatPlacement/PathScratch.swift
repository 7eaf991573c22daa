/// What finding the circles of a label along a line reuses from label to label. One a collision index; not for
/// concurrent use.
final class PathScratch {
  /// From the anchor to the first glyph, and to the last.
  @exclusivity(unchecked) fileprivate var before: [SIMD2<Double>] = []
  @exclusivity(unchecked) fileprivate var after: [SIMD2<Double>] = []
  /// The label's path between its first and its last glyph.
  @exclusivity(unchecked) var path: [SIMD2<Double>] = []
  /// Of the path's corners from its start.
  @exclusivity(unchecked) var distances: [Double] = []
  @exclusivity(unchecked) var centres: [SIMD2<Double>] = []
}

extension LineWalk {
  /// Finds the label's path between its first and its last glyph, in plane pixels; empty where it does not fit.
  func findPath(
    firstOffset: Double, lastOffset: Double, lineOffset: SIMD2<Double>, in scratch: PathScratch
  ) {
    scratch.before.removeAll(keepingCapacity: true)
    scratch.after.removeAll(keepingCapacity: true)
    scratch.path.removeAll(keepingCapacity: true)
    guard glyph(offset: firstOffset, lineOffset: lineOffset, flip: false, path: &scratch.before) != nil,
      glyph(offset: lastOffset, lineOffset: lineOffset, flip: false, path: &scratch.after) != nil
    else { return }
    // The anchor itself is no corner.
    for point in scratch.before.dropFirst().reversed() { scratch.path.append(point) }
    scratch.path.append(contentsOf: scratch.after.dropFirst())
  }
}
