import NeatBase

/// A convex polygon, with what asking for squares that it overlaps needs.
struct ConvexArea {
  /// A line that may separate the polygon from a square.
  private struct Edge {
    var start: SIMD2<Double>
    var normal: SIMD2<Double>
    /// Where the polygon lies along the normal.
    var low: Double
    var high: Double
  }

  private(set) var corners: [SIMD2<Double>]
  let low: SIMD2<Double>
  let high: SIMD2<Double>
  private var edges: [Edge] = []

  /// Nil for fewer than three corners.
  init?(_ corners: [SIMD2<Double>]) {
    guard corners.count >= 3 else { return nil }
    self.corners = corners
    low = corners.reduce(corners[0]) { pointwiseMin($0, $1) }
    high = corners.reduce(corners[0]) { pointwiseMax($0, $1) }
    for (index, a) in corners.enumerated() {
      let b = corners[(index + 1) % corners.count]
      // Cutting may leave two corners in one place.
      guard a != b else { continue }
      let normal = SIMD2(b.y - a.y, a.x - b.x)
      let sides = corners.map { (($0 - a) * normal).sum() }
      edges.append(Edge(start: a, normal: normal, low: sides.min() ?? 0, high: sides.max() ?? 0))
    }
  }

  /// Whether it and the unit square at `corner` overlap: no edge of either separates them.
  func overlaps(square corner: SIMD2<Double>) -> Bool {
    guard low.x < corner.x + 1, high.x > corner.x, low.y < corner.y + 1, high.y > corner.y else {
      return false
    }
    for edge in edges {
      let a = ((corner - edge.start) * edge.normal).sum()
      let b = ((corner + SIMD2(1, 0) - edge.start) * edge.normal).sum()
      let c = ((corner + SIMD2(1, 1) - edge.start) * edge.normal).sum()
      let d = ((corner + SIMD2(0, 1) - edge.start) * edge.normal).sum()
      if min(min(a, b), min(c, d)) >= edge.high || max(max(a, b), max(c, d)) <= edge.low { return false }
    }
    return true
  }

  /// What of it lies within `reach` of a point, by the larger of the two distances; nil where nothing does.
  func cut(around middle: SIMD2<Double>, reach: Double) -> ConvexArea? {
    var result = corners
    for side in [SIMD2(1.0, 0), SIMD2(-1, 0), SIMD2(0, 1), SIMD2(0, -1)] {
      result = ConvexArea.cut(result, side, reach - (middle * side).sum())
    }
    return ConvexArea(result)
  }

  /// The part of a convex polygon where `normal · p + offset` is not negative (Sutherland and Hodgman, 1974).
  private static func cut(_ polygon: [SIMD2<Double>], _ normal: SIMD2<Double>, _ offset: Double)
    -> [SIMD2<Double>]
  {
    var result: [SIMD2<Double>] = []
    for (index, b) in polygon.enumerated() {
      let a = polygon[index == 0 ? polygon.count - 1 : index - 1]
      let (sideA, sideB) = ((a * normal).sum() + offset, (b * normal).sum() + offset)
      if (sideA < 0) != (sideB < 0) { result.append(a + (b - a) * (sideA / (sideA - sideB))) }
      if sideB >= 0 { result.append(b) }
    }
    return result
  }

  /// How far the ground of a tilted view is looked at, in distances of the camera to its centre.
  private static let groundReach = 10.0
  /// Corners of the polygon that stands for the circle of that radius.
  private static let circleCorners = 32

  /// The ground that a tilted view shows, in world coordinates: what lies between the planes of the screen's
  /// four edges, as far as the ground is looked at. Nil where the view shows no ground.
  static func ground(of transform: Transform) -> [SIMD2<Double>]? {
    // Places are taken from the centre: the world is large.
    let matrix = transform.toScreen.translated(transform.center.x, transform.center.y, 0)
    let (x, y, one) = (matrix.columns.0, matrix.columns.1, matrix.columns.3)
    let (width, height) = (Double(transform.size.deviceWidth), Double(transform.size.deviceHeight))
    // 0 <= x <= width and 0 <= y <= height on the screen, times w.
    let planes = [
      (SIMD2(x.x, y.x), one.x), (SIMD2(width * x.w - x.x, width * y.w - y.x), width * one.w - one.x),
      (SIMD2(x.y, y.y), one.y), (SIMD2(height * x.w - x.y, height * y.w - y.y), height * one.w - one.y),
    ]
    let radius =
      groundReach * transform.cameraToCenterDistance / cos(.pi / Double(ConvexArea.circleCorners))
    var polygon = (0..<ConvexArea.circleCorners).map { corner in
      let angle = 2 * .pi * Double(corner) / Double(ConvexArea.circleCorners)
      return SIMD2(cos(angle), sin(angle)) * radius
    }
    for (normal, offset) in planes { polygon = cut(polygon, normal, offset) }
    return polygon.count < 3 ? nil : polygon.map { $0 + transform.center }
  }
}
