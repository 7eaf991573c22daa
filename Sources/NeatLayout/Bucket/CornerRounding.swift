// Corners of extruded polygons cut off and replaced by arcs: fill-extrusion-rounded-corner-distance.
//
// An arc begins and ends so far from the corner, along both edges, as the layer says, but no further than a fifth
// of the shorter one; it touches them there, and has a chord for each 30 degrees. Corners that are nearly straight
// or nearly needles stay, and those where the tile was cut, which are not the feature's. Points lie on the grid of
// layout units, so that neighbours agree.
import NeatBase

struct CornerRounding {
  /// Layout units from a corner to where its arc begins.
  private let distance: Float
  /// Points of an arc at most: 175 degrees.
  static let arcLimit = 7

  /// Nil where corners stay as they are.
  init?(meters: Double, tile: TileID) {
    guard meters > 0, meters.isFinite else { return nil }
    let side = exp2(Double(tile.z))
    let latitude = Mercator.lat(y: (Double(tile.y) + 0.5) / side)
    let unit = side * TileUnits.extent / (Mercator.meanCircumference * cos(latitude * .pi / 180))
    // Beyond a tile's width a longer way is the same.
    distance = Float(min(meters * unit, 4 * TileUnits.extent))
  }

  /// A ring without closing point, its corners rounded; the ring itself where it is too small for that.
  func rounded(_ ring: ArraySlice<SIMD2<Float>>) -> [SIMD2<Float>] {
    let points = Array(ring)
    guard points.count >= 3 else { return points }
    var out: [SIMD2<Float>] = []
    out.reserveCapacity(points.count * 4)
    for index in points.indices {
      let before = points[index == 0 ? points.count - 1 : index - 1]
      let after = points[index + 1 == points.count ? 0 : index + 1]
      if TileCut.isBoundary(before, points[index]) || TileCut.isBoundary(points[index], after) {
        add(points[index], to: &out)
      } else {
        addArc(before, points[index], after, to: &out)
      }
    }
    while let last = out.last, out.count > 1, last == out[0] { out.removeLast() }
    return area(out) * area(points) > 0 ? out : points
  }

  /// Twice the area, above 0 where the ring runs clockwise on the screen.
  private func area(_ ring: [SIMD2<Float>]) -> Double {
    guard let first = ring.first else { return 0 }
    var (sum, previous) = (0.0, SIMD2<Double>(ring[ring.count - 1] - first))
    for point in ring {
      let here = SIMD2<Double>(point - first)
      sum += previous.x * here.y - here.x * previous.y
      previous = here
    }
    return sum
  }

  /// Adds a point on the grid, unless it is the one before.
  private func add(_ point: SIMD2<Float>, to out: inout [SIMD2<Float>]) {
    let snapped = point.rounded(.towardZero)
    if out.last != snapped { out.append(snapped) }
  }

  private func addArc(
    _ before: SIMD2<Float>, _ corner: SIMD2<Float>, _ after: SIMD2<Float>, to out: inout [SIMD2<Float>]
  ) {
    func way(_ point: SIMD2<Float>) -> (direction: SIMD2<Double>, length: Double) {
      let edge = SIMD2<Double>(point - corner)
      let length = (edge * edge).sum().squareRoot()
      return (edge / length, length)
    }
    let (a, b) = (way(before), way(after))
    guard a.length > 1e-6, b.length > 1e-6 else { return add(corner, to: &out) }
    let dot = (a.direction * b.direction).sum()
    guard abs(dot) <= CornerRounding.straight else { return add(corner, to: &out) }
    let reach = min(Double(distance), min(a.length, b.length) / 5)
    let place = SIMD2<Double>(corner)
    let sum = a.direction + b.direction
    let bisector = sum / (sum * sum).sum().squareRoot()
    // The arc touches both edges: its centre is where their perpendiculars at its ends meet.
    let center = place + bisector * (reach / ((1 + dot) / 2).squareRoot())
    let (from, to) = (place + a.direction * reach - center, place + b.direction * reach - center)
    let sweep = atan2(from.x * to.y - from.y * to.x, (from * to).sum())
    // The little that is taken off keeps roundings from adding a chord to a right angle.
    let chords = max(2, Int(bounded: (abs(sweep) / (.pi / 6) - 1e-6).rounded(.up)))
    assert(chords < CornerRounding.arcLimit, "an arc beyond that of a needle")
    for chord in 0...chords {
      let angle = sweep * Double(chord) / Double(chords)
      let (s, c) = (sin(angle), cos(angle))
      let point = center + SIMD2(c * from.x - s * from.y, s * from.x + c * from.y)
      add(SIMD2<Float>(point), to: &out)
    }
  }

  /// Cosine of five degrees: what is nearer to a straight line, or to a needle, is not rounded.
  private static let straight = cos(5 * Double.pi / 180)
}

/// The outline of what tiles are cut to, which lies beyond their edges.
enum TileCut {
  /// Whether an edge runs along it.
  static func isBoundary(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Bool {
    let extent = Float(TileUnits.extent)
    return (a.x == b.x && (a.x < 0 || a.x > extent)) || (a.y == b.y && (a.y < 0 || a.y > extent))
  }
}
