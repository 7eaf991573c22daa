import NeatBase

/// Tests between what is asked for (a point, or a polygon whose last corner repeats the first) and geometry
/// in the same plane. The rules, edges and all, are those of MapLibre's queries.
enum PlaneHits {
  typealias Point = SIMD2<Double>

  /// Whether a ring (closed or not) holds a point, by the even-odd rule.
  static func contains(_ ring: [Point], _ p: Point) -> Bool {
    var inside = false
    cross(ring, p, &inside)
    return inside
  }

  /// The same for the rings of a feature together: holes are not inside.
  static func contains(_ rings: [[Point]], _ p: Point) -> Bool {
    var inside = false
    for ring in rings { cross(ring, p, &inside) }
    return inside
  }

  private static func cross(_ ring: [Point], _ p: Point, _ inside: inout Bool) {
    guard var b = ring.last else { return }
    for a in ring {
      if (a.y > p.y) != (b.y > p.y), p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x { inside.toggle() }
      b = a
    }
  }

  static func polygonMeets(_ polygon: [Point], _ ring: [Point]) -> Bool {
    polygon.contains { contains(ring, $0) } || ring.contains { contains(polygon, $0) }
      || linesMeet(polygon, ring)
  }

  /// A polygon or point against the rings of a feature.
  static func polygonMeets(_ polygon: [Point], rings: [[Point]]) -> Bool {
    if polygon.count == 1 { return contains(rings, polygon[0]) }
    for ring in rings where ring.contains(where: { contains(polygon, $0) }) { return true }
    if polygon.contains(where: { contains(rings, $0) }) { return true }
    return rings.contains { linesMeet(polygon, $0) }
  }

  /// A polygon or point against a disc.
  static func polygonMeets(_ polygon: [Point], disc center: Point, radius: Double) -> Bool {
    contains(polygon, center) || isNear(center, polygon, radius)
  }

  /// A polygon or point against lines that reach `radius` to both sides.
  static func polygonMeets(_ polygon: [Point], lines: [[Point]], radius: Double) -> Bool {
    for line in lines {
      if polygon.count >= 3, line.contains(where: { contains(polygon, $0) }) { return true }
      if polygon.count > 1, linesMeet(polygon, line) { return true }
      if polygon.count > 1, line.contains(where: { isNear($0, polygon, radius) }) { return true }
      if polygon.contains(where: { isNear($0, line, radius) }) { return true }
    }
    return false
  }

  private static func isNear(_ p: Point, _ line: [Point], _ radius: Double) -> Bool {
    // What just touches is not near, whatever the last digits of its place.
    let limit = radius * radius * (1 - 1e-6)
    if line.count == 1 { return squared(p - line[0]) < limit }
    for index in 1..<max(1, line.count) where toSegment(p, line[index - 1], line[index]) < limit {
      return true
    }
    return false
  }

  private static func squared(_ v: Point) -> Double { v.x * v.x + v.y * v.y }

  /// The square of the distance from a point to a segment.
  private static func toSegment(_ p: Point, _ v: Point, _ w: Point) -> Double {
    let along = w - v
    let length = squared(along)
    if length == 0 { return squared(p - v) }
    let t = ((p - v) * along).sum() / length
    return t < 0 ? squared(p - v) : t > 1 ? squared(p - w) : squared(p - (v + along * t))
  }

  private static func linesMeet(_ a: [Point], _ b: [Point]) -> Bool {
    for i in 1..<max(1, a.count) {
      for j in 1..<max(1, b.count) where segmentsMeet(a[i - 1], a[i], b[j - 1], b[j]) { return true }
    }
    return false
  }

  private static func isCounterclockwise(_ a: Point, _ b: Point, _ c: Point) -> Bool {
    (c.y - a.y) * (b.x - a.x) > (b.y - a.y) * (c.x - a.x)
  }

  private static func segmentsMeet(_ a0: Point, _ a1: Point, _ b0: Point, _ b1: Point) -> Bool {
    isCounterclockwise(a0, b0, b1) != isCounterclockwise(a1, b0, b1)
      && isCounterclockwise(a0, a1, b0) != isCounterclockwise(a0, a1, b1)
  }

  /// Lines moved sideways, to the right of where they run for positive offsets.
  static func offset(_ lines: [[Point]], by offset: Double) -> [[Point]] {
    func normal(_ v: Point) -> Point {
      let length = squared(v).squareRoot()
      return length > 0 ? Point(-v.y, v.x) / length : .zero
    }
    return lines.map { line in
      line.indices.map { index in
        let before = index == 0 ? Point.zero : normal(line[index] - line[index - 1])
        let after = index == line.count - 1 ? Point.zero : normal(line[index + 1] - line[index])
        let sum = before + after
        let length = squared(sum).squareRoot()
        guard length > 0 else { return line[index] }
        var extrude = sum / length
        let cosine = extrude.x * after.x + extrude.y * after.y
        if cosine != 0 { extrude /= cosine }
        return line[index] + extrude * offset
      }
    }
  }
}
