// Glyphs along a line. A label's line is projected into the label plane; from the anchor's place on it a
// glyph walks its offset in pixels, forwards or backwards, and takes the direction of the segment it lands
// on. A label beside its line (text-offset across the line) walks on the parallel line, whose corners are the
// intersections of the shifted segments. Semantics of MapLibre's placeGlyphAlongLine.
import NeatBase

/// A glyph's place and direction (radians, y down) in the label plane.
package struct GlyphOnLine: Sendable {
  package var point: SIMD2<Double>
  package var angle: Double
}

@inline(__always) func length(_ v: SIMD2<Double>) -> Double { (v.x * v.x + v.y * v.y).squareRoot() }
@inline(__always) func perpendicular(_ v: SIMD2<Double>) -> SIMD2<Double> { SIMD2(-v.y, v.x) }
@inline(__always) func widen(_ v: SIMD2<Float>) -> SIMD2<Double> { SIMD2(Double(v.x), Double(v.y)) }

/// One label's line in a label plane.
package struct LineWalk {
  private let plane: LabelPlane
  private let vertices: UnsafeBufferPointer<SIMD2<Float>>
  private let symbol: PlacedSymbol
  private let first: Int
  private let end: Int
  private let translation: SIMD2<Double>
  private let tileAnchor: SIMD2<Double>
  /// The anchor in the plane.
  package let anchor: SIMD2<Double>

  /// - Returns: nil where the anchor lies behind the camera or the symbol has no line.
  package init?(
    plane: LabelPlane, vertices: UnsafeBufferPointer<SIMD2<Float>>, symbol: PlacedSymbol,
    translation: SIMD2<Double> = .zero
  ) {
    let start = Int(symbol.lineStart), end = start + Int(symbol.lineLength)
    guard start >= 0, end <= vertices.count, symbol.lineLength > 1 else { return nil }
    tileAnchor = widen(symbol.anchor) + translation
    guard let anchor = plane.project(tileAnchor) else { return nil }
    self.plane = plane
    self.vertices = vertices
    self.symbol = symbol
    self.first = start
    self.end = end
    self.translation = translation
    self.anchor = anchor
  }

  /// Whether a globe hides a vertex of a line that is walked on the screen: such a label is not placed.
  private func hides(_ index: Int) -> Bool {
    guard plane.matrix.globe != nil, !plane.pitchWithMap else { return false }
    return plane.matrix.isHidden(plane.matrix.clip(tileVertex(index)))
  }

  @inline(__always) private func tileVertex(_ index: Int) -> SIMD2<Double> {
    widen(vertices[index]) + translation
  }

  /// The projection of a vertex, or where that lies behind the camera, a point in its direction at least
  /// `reach` away.
  private func vertex(
    _ index: Int, from previousTile: SIMD2<Double>, _ previous: SIMD2<Double>, reach: Double
  ) -> SIMD2<Double> {
    let tilePoint = tileVertex(index)
    if let point = plane.project(tilePoint) { return point }
    let back = previousTile - tilePoint
    let distance = length(back)
    guard distance > 0, let behind = plane.project(previousTile + back / distance) else { return previous }
    let direction = previous - behind
    let size = length(direction)
    return size > 0 ? previous + direction * (reach / size) : previous
  }

  /// Walks `offset` plane pixels from the anchor.
  /// - Parameters:
  ///   - offset: along the line; negative goes towards its start.
  ///   - lineOffset: of the whole label, along and across the line.
  ///   - flip: reads the line backwards.
  ///   - path: receives the corners passed, from the anchor to the glyph.
  /// - Returns: nil where the line ends before.
  package func glyph(
    offset: Double, lineOffset: SIMD2<Double>, flip: Bool, path: UnsafeMutablePointer<[SIMD2<Double>]>? = nil
  ) -> GlyphOnLine? {
    let combined = flip ? offset - lineOffset.x : offset + lineOffset.x
    var step = combined > 0 ? 1 : -1
    var angle = 0.0
    if flip {
      step = -step
      angle = .pi
    }
    if step < 0 { angle += .pi }
    let target = abs(combined)
    let across = lineOffset.y * Double(step)
    var index = first + Int(symbol.segment) + (step > 0 ? 0 : 1)
    var tile = tileAnchor
    var current = anchor, previous = anchor
    var shiftedCurrent = anchor, shiftedPrevious = anchor
    var walked = 0.0, segment = 0.0
    var isFirst = true
    while walked + segment <= target {
      index += step
      if index < first || index >= end || hides(index) { return nil }
      if !isFirst || across == 0 { path?.pointee.append(shiftedCurrent) }
      previous = current
      walked += segment
      current = vertex(index, from: tile, previous, reach: target - walked + 1)
      if across == 0 {
        shiftedPrevious = previous
        shiftedCurrent = current
      } else {
        let start = isFirst ? nil : shiftedCurrent
        (shiftedPrevious, shiftedCurrent) = shiftedSegment(
          index, step, previous, current, start: start, across: across)
        if isFirst { path?.pointee.append(shiftedPrevious) }
      }
      isFirst = false
      tile = tileVertex(index)
      segment = length(shiftedCurrent - shiftedPrevious)
    }
    let point = shiftedPrevious + (shiftedCurrent - shiftedPrevious) * ((target - walked) / segment)
    path?.pointee.append(point)
    let direction = current - previous
    return GlyphOnLine(point: point, angle: angle + atan2(direction.y, direction.x))
  }

  /// The ends of a segment on the parallel line: its start is given by the segment before (if any), its end
  /// by the segment after.
  private func shiftedSegment(
    _ index: Int, _ step: Int, _ previous: SIMD2<Double>, _ current: SIMD2<Double>, start: SIMD2<Double>?,
    across: Double
  ) -> (SIMD2<Double>, SIMD2<Double>) {
    let along = current - previous
    let size = length(along)
    let normal = size > 0 ? perpendicular(along / size) * across : .zero
    let from = start ?? previous + normal
    let next = index + step
    guard next >= first, next < end, size > 0 else { return (from, current + normal) }
    let after = vertex(next, from: tileVertex(index), current, reach: size + 1) - current
    let afterSize = length(after)
    guard afterSize > 0 else { return (from, current + normal) }
    let afterNormal = perpendicular(after / afterSize) * across
    let cross = (along.x * after.y - along.y * after.x) / (size * afterSize)
    guard abs(cross) > 1e-6 else { return (from, current + normal) }
    // The corner of two lines at the same distance from `current`: along the bisector.
    let dot = (along.x * after.x + along.y * after.y) / (size * afterSize)
    let bisector = normal + afterNormal
    return (from, current + bisector / max(1 + dot, 1e-3))
  }
}

/// How a label along a line turns out in this view.
package enum LineLabelOutcome: Sendable, Equatable {
  case placed
  /// Runs from right to left, and should be read the other way.
  case needsFlipping
  /// Runs steeply: its vertical version should be drawn.
  case useVertical
  case notEnoughRoom
}

extension LineWalk {
  /// Whether the label would stand on its head from one point of the screen to another.
  static func orientation(_ mode: WritingMode, _ first: SIMD2<Double>, _ last: SIMD2<Double>)
    -> LineLabelOutcome
  {
    if mode == .horizontal, abs(last.y - first.y) > abs(last.x - first.x) { return .useVertical }
    // What runs straight up or down is left as it is, whatever the noise of its numbers.
    let noise = 1e-6
    return (mode == .vertical ? first.y > last.y + noise : first.x > last.x + noise)
      ? .needsFlipping : .placed
  }

  /// Places every glyph of the label.
  /// - Parameters:
  ///   - offsets: of the glyphs, 24ths of an em.
  ///   - fontScale: plane pixels a 24th of an em.
  ///   - letters: what the glyphs cover: they are moved apart where a bend lays them on each other. Nil: they stand
  ///     where their offsets say.
  ///   - glyphs: one is appended for each offset if the outcome is `placed`.
  package func place(
    offsets: UnsafeBufferPointer<Float>, fontScale: Double, keepUpright: Bool, flip: Bool,
    letters: Letters? = nil, into glyphs: inout [GlyphOnLine]
  ) -> LineLabelOutcome {
    guard let firstOffset = offsets.first, let lastOffset = offsets.last else { return .notEnoughRoom }
    let lineOffset = widen(symbol.lineOffset) * fontScale
    guard let first = glyph(offset: Double(firstOffset) * fontScale, lineOffset: lineOffset, flip: flip)
    else { return .notEnoughRoom }
    guard offsets.count > 1 else {
      if keepUpright, !flip {
        let outcome = singleGlyphOrientation()
        if outcome != .placed { return outcome }
      }
      glyphs.append(first)
      return .placed
    }
    guard let last = glyph(offset: Double(lastOffset) * fontScale, lineOffset: lineOffset, flip: flip) else {
      return .notEnoughRoom
    }
    if keepUpright, !flip, let a = plane.screen(first.point), let b = plane.screen(last.point) {
      let outcome = LineWalk.orientation(symbol.writingMode, a, b)
      if outcome != .placed { return outcome }
    }
    let count = glyphs.count
    glyphs.append(first)
    for offset in offsets.dropFirst().dropLast() {
      guard let middle = glyph(offset: Double(offset) * fontScale, lineOffset: lineOffset, flip: flip) else {
        glyphs.removeSubrange(count...)
        return .notEnoughRoom
      }
      glyphs.append(middle)
    }
    glyphs.append(last)
    if let letters {
      spread(
        &glyphs, from: count, offsets: offsets, fontScale: fontScale, lineOffset: lineOffset, flip: flip,
        letters)
    }
    return .placed
  }

  private func singleGlyphOrientation() -> LineLabelOutcome {
    let next = first + Int(symbol.segment) + 1
    guard next < end, let a = plane.screen(anchor) else { return .placed }
    let target = vertex(next, from: tileAnchor, anchor, reach: 1)
    guard let b = plane.screen(target) else { return .placed }
    return LineWalk.orientation(symbol.writingMode, a, b)
  }
}
