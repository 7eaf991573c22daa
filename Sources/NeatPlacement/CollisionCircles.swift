// A label along a line collides as a chain of circles over its projected path. After MapLibre's
// placeCollisionCircles.
import NeatBase

/// The outcome of a test of circles: x, y and radius in grid pixels. No circles where the label does not fit
/// or lies outside.
package struct PlacedCircles: Sendable {
  package var circles: [SIMD3<Float>] = []
  package var isCollided = false
  package var isOffscreen = true
}

/// A label along a line, as its circles need it.
package struct LineLabel {
  package var symbol: PlacedSymbol
  /// The line, tile units.
  package var vertices: UnsafeBufferPointer<SIMD2<Float>>
  /// Of the label's first and last glyph along the line, 24ths of an em.
  package var firstOffset, lastOffset: Float
  /// Pixels.
  package var fontSize: Double
  /// Of the circles, pixels before perspective.
  package var diameter: Double
  /// Pixels around each circle.
  package var padding: Double
}

extension CollisionIndex {
  /// Tests whether a label along a line has room.
  /// - Parameters:
  ///   - translation: of the line, tile units.
  ///   - group: below 0 to collide with all groups.
  package func placeCircles(
    _ label: LineLabel, plane: LabelPlane, translation: SIMD2<Double>, mode: OverlapMode, group: Int32
  ) -> PlacedCircles {
    let w = plane.matrix.clip(widen(label.symbol.anchor)).w
    guard w > 0,
      let walk = LineWalk(
        plane: plane, vertices: label.vertices, symbol: label.symbol, translation: translation)
    else {
      return PlacedCircles()
    }
    let ratio = view.perspectiveRatio(w)
    guard ratio >= CollisionIndex.perspectiveCutoff else { return PlacedCircles() }
    let scale = (plane.pitchWithMap ? label.fontSize / ratio : label.fontSize * ratio) / oneEm
    let path = walk.path(
      firstOffset: Double(label.firstOffset) * scale, lastOffset: Double(label.lastOffset) * scale,
      lineOffset: widen(label.symbol.lineOffset) * scale)
    let radius = label.diameter * 0.5 * ratio + label.padding
    return place(visibleParts(path, plane), radius: radius, mode: mode, group: group)
  }

  /// Tests the circles of a path's parts, up to the first that meets something.
  private func place(_ parts: [[SIMD2<Double>]], radius: Double, mode: OverlapMode, group: Int32)
    -> PlacedCircles
  {
    assert(!(radius < 0), "a circle of less than no size")
    var result = PlacedCircles()
    var isInside = false
    for part in parts {
      for centre in CollisionIndex.centres(part, radius: radius) {
        let circle = SIMD3(
          Float(centre.x) + CollisionIndex.padding, Float(centre.y) + CollisionIndex.padding, Float(radius))
        let rect = CollisionRect(
          circle.x - circle.z, circle.y - circle.z, circle.x + circle.z, circle.y + circle.z)
        result.circles.append(circle)
        if !isOffscreen(rect) { result.isOffscreen = false }
        if isInsideGrid(rect) { isInside = true }
        if hitTestCircle(circle, mode: mode, group: group) {
          return PlacedCircles(circles: [], isCollided: true, isOffscreen: false)
        }
      }
    }
    if !isInside { result.circles = [] }
    return result
  }

  /// The path on the screen, cut to the padded viewport.
  private func visibleParts(_ path: [SIMD2<Double>], _ plane: LabelPlane) -> [[SIMD2<Double>]] {
    var points = path
    if plane.pitchWithMap {
      for index in points.indices {
        guard let point = plane.screen(points[index]) else { return [] }
        points[index] = point
      }
    }
    guard var low = points.first else { return [] }
    var high = low
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    let p = Double(CollisionIndex.padding)
    let from = SIMD2(-p, -p), to = SIMD2(view.width + p, view.height + p)
    if low.x >= from.x, low.y >= from.y, high.x <= to.x, high.y <= to.y { return [points] }
    if high.x < from.x || high.y < from.y || low.x > to.x || low.y > to.y { return [] }
    return clipLine(points, min: from, max: to)
  }

  /// Circle centres spread evenly over a path, a little in from its ends.
  static func centres(_ path: [SIMD2<Double>], radius: Double) -> [SIMD2<Double>] {
    guard var previous = path.first else { return [] }
    var distances = [0.0]
    distances.reserveCapacity(path.count)
    for point in path.dropFirst() {
      distances.append(distances[distances.count - 1] + length(point - previous))
      previous = point
    }
    let total = distances[distances.count - 1]
    assert(distances.count == path.count, "a distance for each corner")
    let inset = min(radius * 0.25, total * 0.5)
    let padded = total - 2 * inset
    // Most circles of one label: far more than a label on a screen has.
    let wanted = total <= 0.5 * radius || radius <= 0 ? 1 : (padded / (radius * 2.5)).rounded(.up) + 1
    let count = Int(bounded: min(wanted, 4096))
    var centres: [SIMD2<Double>] = []
    centres.reserveCapacity(count)
    var index = 1
    for i in 0..<count {
      let target = Double(i) / Double(max(count - 1, 1)) * padded + inset
      while index < path.count - 1, distances[index] < target { index += 1 }
      guard path.count > 1 else { return [path[0]] }
      assert(index >= 1 && index < path.count, "a segment of the path")
      let from = distances[index - 1], segment = distances[index] - from
      let t = segment > 0 ? min(max((target - from) / segment, 0), 1) : 0
      centres.append(path[index - 1] + (path[index] - path[index - 1]) * t)
    }
    return centres
  }
}
