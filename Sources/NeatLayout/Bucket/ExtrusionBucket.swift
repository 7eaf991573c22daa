import NeatBase
import NeatMesh
import NeatStyle
import NeatTile

/// The polygons that a fill-extrusion layer draws of one tile: roofs as triangles, and the edges that walls
/// stand on. Walls along the tile's own outline are left out: there the neighbour goes on.
package final class ExtrusionBucket: Sendable {
  /// What one feature has of the bucket's arrays.
  package struct Piece: Sendable {
    package var points: Range<Int>
    package var roof: Range<Int>
    package var walls: Range<Int>
    package var bounds: FeatureBounds
  }

  package let layer: TileLayer
  package let features: [UInt32]
  /// One a feature.
  package let pieces: [Piece]
  /// Corners of roofs in layout units.
  package let points: [SIMD2<Float>]
  /// Three corners a triangle; counterclockwise as seen from above.
  package let roofs: [UInt32]
  /// From corner to corner (x0, y0, x1, y1), the inside on the right hand.
  package let walls: [SIMD4<Float>]
  /// How far along its ring each wall has its two corners, in whole layout units: where patterns go on.
  package let wallDistances: [SIMD2<Float>]
  package let color: ColorPaint
  package let base: NumberPaint
  package let height: NumberPaint
  package let pattern: ImagePaint
  package let meshes = MeshCache<PrismMesh>()

  package init?(_ input: BucketInput) {
    let (layer, style, evaluator) = (input.layer, input.style, input.evaluator)
    features = input.selected { $0 == .polygon }
    guard !features.isEmpty else { return nil }
    var color = ColorPaint(style[.fillExtrusionColor])
    var base = NumberPaint(style[.fillExtrusionBase])
    var height = NumberPaint(style[.fillExtrusionHeight])
    var pattern = ImagePaint(style[.fillExtrusionPattern])
    let meters = style[.fillExtrusionRoundedCornerDistance].number(evaluator, at: input.point)
    var builder = ExtrusionBuilder(
      layer: layer, rounding: CornerRounding(meters: meters, tile: input.tile.canonical))
    for feature in features {
      let point = input.point(feature)
      color.append(evaluator, at: point)
      base.append(evaluator, at: point)
      height.append(evaluator, at: point)
      pattern.append(evaluator, at: point)
      builder.add(Int(feature))
      guard evaluator.mayContinue() else { return nil }
    }
    assert(builder.pieces.count == features.count, "a piece for each feature")
    self.layer = layer
    pieces = builder.pieces
    points = builder.points
    roofs = builder.roofs
    walls = builder.walls
    wallDistances = builder.wallDistances
    assert(walls.count == wallDistances.count, "each wall has its place on the ring")
    self.color = color
    self.base = base
    self.height = height
    self.pattern = pattern
  }

  package var cost: Int {
    points.count * 8 + roofs.count * 4 + walls.count * 24 + features.count * 100 + 512 + meshes.cost
      + pattern.cost
  }
}

private struct ExtrusionBuilder: ~Copyable {
  let layer: TileLayer
  let rounding: CornerRounding?
  var pieces: [ExtrusionBucket.Piece] = []
  var points: [SIMD2<Float>] = []
  var roofs: [UInt32] = []
  var walls: [SIMD4<Float>] = []
  var wallDistances: [SIMD2<Float>] = []
  private var triangulator = Triangulator()
  private var corners: [SIMD2<Float>] = []
  private var starts: [UInt32] = []

  /// Where a pattern on walls begins anew.
  private static let distanceLimit: Float = 32768

  init(layer: TileLayer, rounding: CornerRounding?) { (self.layer, self.rounding) = (layer, rounding) }

  /// Adds the piece of one feature.
  mutating func add(_ feature: Int) {
    let (firstPoint, firstRoof, firstWall) = (points.count, roofs.count, walls.count)
    for rings in PolygonRings.polygons(of: layer, feature) { addPolygon(rings) }
    pieces.append(
      ExtrusionBucket.Piece(
        points: firstPoint..<points.count, roof: firstRoof..<roofs.count, walls: firstWall..<walls.count,
        bounds: layer.bounds(feature)))
  }

  private mutating func addPolygon(_ rings: [Int]) {
    corners.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    for (number, part) in rings.enumerated() {
      let start = corners.count
      starts.append(UInt32(start))
      for index in layer.pointRange(ofPart: part) {
        let p = layer.points[index]
        corners.append((SIMD2(Float(p.x), Float(p.y)) * layer.layoutScale).rounded(.toNearestOrAwayFromZero))
      }
      if let rounding { corners.replaceSubrange(start..., with: rounding.rounded(corners[start...])) }
      let isOutside = isOutside(start..<corners.count)
      // What lies in the buffer is the neighbour's.
      if number == 0 && isOutside { return }
      if !isOutside { addWalls(start..<corners.count, isHole: number > 0) }
    }
    starts.append(UInt32(corners.count))
    let offset = UInt32(points.count)
    let triangles = triangulator.triangulate(points: corners, ringStarts: starts, ringCount: rings.count)
    guard !triangles.isEmpty else { return }
    assert(triangles.count % 3 == 0 && triangles.allSatisfy { $0 < corners.count }, "corners of this polygon")
    points.append(contentsOf: corners)
    var index = 0
    while index + 2 < triangles.count {
      let (i, j, k) = (triangles[index], triangles[index + 1], triangles[index + 2])
      let (a, b, c) = (corners[Int(i)], corners[Int(j)], corners[Int(k)])
      let cross = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
      roofs.append(offset + i)
      roofs.append(offset + (cross > 0 ? k : j))
      roofs.append(offset + (cross > 0 ? j : k))
      index += 3
    }
  }

  /// Whether a ring lies beside the tile.
  private func isOutside(_ range: Range<Int>) -> Bool {
    guard var low = corners[range].first else { return true }
    var high = low
    for p in corners[range] {
      low = pointwiseMin(low, p)
      high = pointwiseMax(high, p)
    }
    let extent = Float(TileUnits.extent)
    return high.x < 0 || high.y < 0 || low.x > extent || low.y > extent
  }

  private mutating func addWalls(_ range: Range<Int>, isHole: Bool) {
    assert(range.upperBound <= corners.count, "a ring of the corners")
    guard range.count >= 2 else { return }
    var area: Float = 0
    // From the first corner on, so that small rings far from the tile's own corner keep their sign.
    let origin = corners[range.lowerBound]
    var previous = corners[range.upperBound - 1]
    for index in range {
      let p = corners[index]
      let (a, b) = (previous - origin, p - origin)
      area += a.x * b.y - b.x * a.y
      previous = p
    }
    // Outer rings run clockwise on the screen and holes against them, whatever the data does.
    let isTurned = (area > 0) == isHole
    var distance: Float = 0
    previous = corners[range.lowerBound]
    for step in 1...range.count {
      let p = corners[step == range.count ? range.lowerBound : range.lowerBound + step]
      defer { previous = p }
      if p == previous || TileCut.isBoundary(previous, p) { continue }
      let edge = p - previous
      let length = (edge * edge).sum().squareRoot()
      if distance + length > ExtrusionBuilder.distanceLimit { distance = 0 }
      // Patterns run against the ring.
      let (near, far) = (distance.rounded(), (distance + length).rounded())
      distance += length
      walls.append(
        isTurned ? SIMD4(p.x, p.y, previous.x, previous.y) : SIMD4(previous.x, previous.y, p.x, p.y))
      wallDistances.append(isTurned ? SIMD2(near, far) : SIMD2(far, near))
    }
  }
}
