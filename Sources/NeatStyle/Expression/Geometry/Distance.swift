import NeatBase
import NeatTile

// `distance`: the least distance in metres from a feature to a set of geometries, on a plane that fits the
// ellipsoid at the feature's latitude (the method of cheap-ruler). Segments are taken in runs; a run whose
// box is farther than the best distance so far is skipped.

/// Distances near one latitude.
struct CheapRuler {
  let kx: Double
  let ky: Double

  init(latitude: Double) {
    let flattening = 1 / 298.257223563
    let e2 = flattening * (2 - flattening)
    let metres = .pi / 180 * 6378.137 * 1000
    let cosine = cos(latitude * .pi / 180)
    let w2 = 1 / (1 - e2 * (1 - cosine * cosine))
    let w = w2.squareRoot()
    kx = metres * w * cosine
    ky = metres * w * w2 * (1 - e2)
  }

  @inline(__always)
  private func wrap(_ degrees: Double) -> Double {
    degrees.magnitude <= 180 ? degrees : degrees.remainder(dividingBy: 360)
  }

  func distance(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
    let dx = wrap(a.x - b.x) * kx
    let dy = (a.y - b.y) * ky
    return (dx * dx + dy * dy).squareRoot()
  }

  /// From a point to a segment.
  func distance(_ p: SIMD2<Double>, _ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
    var near = a
    let dx = wrap(b.x - a.x) * kx
    let dy = (b.y - a.y) * ky
    if dx != 0 || dy != 0 {
      let t = (wrap(p.x - a.x) * kx * dx + (p.y - a.y) * ky * dy) / (dx * dx + dy * dy)
      if t > 1 { near = b } else if t > 0 { near += SIMD2(dx / kx, dy / ky) * t }
    }
    return distance(p, near)
  }

  func distance(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>, _ d: SIMD2<Double>) -> Double {
    min(min(distance(a, c, d), distance(b, c, d)), min(distance(c, a, b), distance(d, a, b)))
  }

  /// A lower bound of the distance between what two boxes hold.
  func distance(_ a: GeoBox, _ b: GeoBox) -> Double {
    let dx = max(0, max(b.low.x - a.high.x, a.low.x - b.high.x))
    let dy = max(0, max(b.low.y - a.high.y, a.low.y - b.high.y))
    return distance(SIMD2(0, 0), SIMD2(dx, dy))
  }
}

/// Points or a path, cut into runs with their boxes.
private struct Runs {
  static let length = 32

  let points: [SIMD2<Double>]
  let isPath: Bool
  let runs: [(range: Range<Int>, box: GeoBox)]

  init(_ points: [SIMD2<Double>], isPath: Bool) {
    self.points = points
    // A path of one point is a point.
    self.isPath = isPath && points.count > 1
    var runs: [(Range<Int>, GeoBox)] = []
    let count = self.isPath ? points.count - 1 : points.count
    for start in stride(from: 0, to: count, by: Runs.length) {
      let end = min(start + Runs.length, count)
      runs.append((start..<end, GeoBox(points[start..<(self.isPath ? end + 1 : end)])))
    }
    self.runs = runs
  }

  /// The least distance to another, or `best` where that is less.
  func distance(_ other: Runs, _ ruler: CheapRuler, _ best: Double, _ evaluator: Evaluator) -> Double {
    var best = best
    for mine in runs {
      guard evaluator.charge(steps: other.runs.count / Planar.stepEdges + 1) else { return best }
      for theirs in other.runs where ruler.distance(mine.box, theirs.box) < best {
        guard evaluator.charge(steps: mine.range.count * theirs.range.count) else { return best }
        for i in mine.range {
          for j in theirs.range {
            best = min(best, distance(i, other, j, ruler))
            if best == 0 { return 0 }
          }
        }
      }
    }
    return best
  }

  private func distance(_ i: Int, _ other: Runs, _ j: Int, _ ruler: CheapRuler) -> Double {
    switch (isPath, other.isPath) {
    case (false, false): return ruler.distance(points[i], other.points[j])
    case (true, false): return ruler.distance(other.points[j], points[i], points[i + 1])
    case (false, true): return ruler.distance(points[i], other.points[j], other.points[j + 1])
    case (true, true):
      if Planar.cross(points[i], points[i + 1], other.points[j], other.points[j + 1]) { return 0 }
      return ruler.distance(points[i], points[i + 1], other.points[j], other.points[j + 1])
    }
  }
}

extension GeoShape {
  /// In metres; NaN where there is no geometry to measure from.
  func distance(_ evaluator: Evaluator, _ point: MachinePoint) -> Double {
    guard let canonical = point.tile, let geometry = point.featureGeometry(evaluator) else {
      return .nan
    }
    let world = Double(UInt64(1) << UInt64(min(canonical.z, 40)))
    let places = geometry.parts.map { part in
      part.map { point in
        let place = Mercator.unproject(
          (point / TileUnits.extent + SIMD2(Double(canonical.x), Double(canonical.y))) / world)
        return SIMD2(place.lon, place.lat)
      }
    }
    // The shape is put into runs each time.
    guard let first = places.first?.first, evaluator.charge(steps: pointCount / Planar.stepEdges) else {
      return .nan
    }
    let ruler = CheapRuler(latitude: first.y)
    var best = Double.infinity
    switch geometry.type {
    case .point, .line:
      let feature = Runs(Array(places.joined()), isPath: geometry.type == .line)
      for part in parts where best > 0 { best = GeoShape.distance(feature, to: part, ruler, best, evaluator) }
    case .polygon:
      for polygon in GeoShape.polygons(geometry.parts, places) {
        for part in parts where best > 0 {
          best = GeoShape.distance(polygon, to: part, ruler, best, evaluator)
        }
      }
    case .unknown: return .nan
    }
    return best
  }

  private static func distance(
    _ feature: Runs, to part: Part, _ ruler: CheapRuler, _ best: Double, _ evaluator: Evaluator
  ) -> Double {
    switch part {
    case .point(let point): feature.distance(Runs([point], isPath: false), ruler, best, evaluator)
    case .line(let line): feature.distance(Runs(line, isPath: true), ruler, best, evaluator)
    case .polygon(let rings): distance(feature, rings, ruler, best, evaluator)
    }
  }

  private static func distance(
    _ polygon: [Ring], to part: Part, _ ruler: CheapRuler, _ best: Double, _ evaluator: Evaluator
  )
    -> Double
  {
    switch part {
    case .point(let point): return distance(Runs([point], isPath: false), polygon, ruler, best, evaluator)
    case .line(let line): return distance(Runs(line, isPath: true), polygon, ruler, best, evaluator)
    case .polygon(let other):
      let inner = GeoBox(polygon.joined()).isInside(GeoBox(other.joined())) ? polygon : other
      let outer = inner == polygon ? other : polygon
      if inner.contains(where: { $0.contains { GeoShape.isInside($0, outer, evaluator) } }) {
        return 0
      }
      var best = best
      for ring in polygon { best = edges(Runs(closed(ring), isPath: true), other, ruler, best, evaluator) }
      return best
    }
  }

  /// From points or a path to a polygon: 0 inside, else to its edges.
  private static func distance(
    _ feature: Runs, _ rings: [Ring], _ ruler: CheapRuler, _ best: Double, _ evaluator: Evaluator
  )
    -> Double
  {
    if feature.points.contains(where: { isInside($0, rings, evaluator) }) { return 0 }
    return edges(feature, rings, ruler, best, evaluator)
  }

  private static func edges(
    _ feature: Runs, _ rings: [Ring], _ ruler: CheapRuler, _ best: Double, _ evaluator: Evaluator
  ) -> Double {
    var best = best
    for ring in rings where best > 0 {
      best = feature.distance(Runs(closed(ring), isPath: true), ruler, best, evaluator)
    }
    return best
  }

  /// Whether a point lies inside, or on an edge. Past the budget it does: the search ends.
  private static func isInside(_ point: SIMD2<Double>, _ rings: [Ring], _ evaluator: Evaluator) -> Bool {
    let count = rings.reduce(0) { $0 + $1.count }
    guard evaluator.charge(steps: count / Planar.stepEdges + 1) else { return true }
    return Planar.isInside(point, rings, countingEdges: true)
  }

  private static func closed(_ ring: Ring) -> Ring { ring.first == ring.last ? ring : ring + [ring[0]] }

  /// Rings to polygons: each ring that turns as the first one does opens a new one. `tile` decides, `places`
  /// are what is kept.
  private static func polygons(_ tile: [Ring], _ places: [Ring]) -> [[Ring]] {
    guard tile.count > 1 else { return [places] }
    var result: [[Ring]] = []
    var firstTurn: Bool?
    for (ring, place) in zip(tile, places) {
      var area = 0.0
      for index in 0..<ring.count - 1 {
        area += (ring[index].x - ring[index + 1].x) * (ring[index].y + ring[index + 1].y)
      }
      guard area != 0 else { continue }
      let turn = area < 0
      if firstTurn == nil { firstTurn = turn }
      if turn == firstTurn { result.append([place]) } else { result[result.count - 1].append(place) }
    }
    return result
  }
}
