// Which tiles a geometry touches: the quadtree is walked from the top, and each tile is handed the edges of the
// geometry that pass through it. A polygon without an edge in a tile covers it wholly or not at all, so that
// the tiles below need no look: they become one box. Which of the two it is, is known from one point of each
// tile, the middle: whether it is inside is found from its parent's by counting the edges between them.
//
// Areas take a tile whose inner part they touch, so that one that ends on a border between tiles does not take
// the tile behind it; lines and points belong to the tile to the east and south of a border. Points that lie on
// edges need no care of their own: all comparisons are made as if each point lay a little to the south-east of
// where it is.
import NeatBase

/// A GeoJSON geometry on the unit square, x growing eastwards and y southwards.
package struct RegionShape: Sendable {
  struct Part: Sendable {
    /// A polygon's inside belongs to it.
    var isArea: Bool
    var edges: [Int32]
  }

  /// Edges as x and y of their beginning, x and y of their end. A point is an edge of length 0.
  fileprivate(set) var edges: [SIMD4<Double>] = []
  fileprivate(set) var parts: [Part] = []

  /// Reads a geometry (or what holds some). Throws `geojson` for what is none, `invalidArgument` for
  /// longitudes past 540 and latitudes past 90.
  package init(geometry: [UInt8]) throws(NeatError) {
    let data = try GeoJSONData(parsing: geometry)
    for point in UnsafeBufferPointer(start: data.points, count: data.pointCount)
    where !(point.x.magnitude <= 540) || !(point.y.magnitude <= 90) {
      throw NeatError(
        .invalidArgument, "region: \(point.x), \(point.y) is no place within -540…540 and -90…90")
    }
    for geometry in 0..<data.geometryCount {
      let range = Int(data.partStarts[geometry])..<Int(data.partStarts[geometry + 1])
      switch GeoJSONGeometryType(rawValue: data.geometryTypes[geometry]) {
      case .polygon, .multiPolygon:
        var rings: [[SIMD2<Double>]] = []
        for part in range {
          if data.partIsOuter[part] != 0, !rings.isEmpty {
            addArea(rings)
            rings = []
          }
          rings.append(RegionShape.points(data, part))
        }
        if !rings.isEmpty { addArea(rings) }
      case .lineString, .multiLineString:
        for part in range { addLine(RegionShape.points(data, part)) }
      default:
        for part in range { for point in RegionShape.points(data, part) { addLine([point]) } }
      }
    }
  }

  private static func points(_ data: GeoJSONData, _ part: Int) -> [SIMD2<Double>] {
    (Int(data.pointStarts[part])..<Int(data.pointStarts[part + 1])).map { index in
      let place = data.points[index]
      let lat = max(-Mercator.maxLatitude, min(Mercator.maxLatitude, place.y))
      return SIMD2(Mercator.x(lon: place.x), max(0, min(1, Mercator.y(lat: lat))))
    }
  }

  private mutating func addArea(_ rings: [[SIMD2<Double>]]) {
    let all = rings.joined()
    guard let first = all.first else { return }
    let (low, high) = all.reduce((first, first)) {
      (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1))
    }
    // Without an inside, it is the line that it looks like.
    guard low.x < high.x, low.y < high.y else {
      for ring in rings { addLine(ring) }
      return
    }
    var found: [SIMD4<Double>] = []
    for ring in rings where ring.count > 1 {
      for (a, b) in zip(ring, ring[1...] + ring[...0]) where a != b {
        found.append(SIMD4(a.x, a.y, b.x, b.y))
      }
    }
    add(found, isArea: true, from: low.x, to: high.x)
  }

  private mutating func addLine(_ points: [SIMD2<Double>]) {
    // A place on the southern border belongs to the last row.
    let points = points.map { SIMD2($0.x, min($0.y, 1 - 0x1p-40)) }
    guard let first = points.first else { return }
    var found = zip(points, points.dropFirst()).map { SIMD4($0.x, $0.y, $1.x, $1.y) }
    if found.isEmpty { found = [SIMD4(first.x, first.y, first.x, first.y)] }
    let xs = points.map(\.x)
    add(found, isArea: false, from: xs.min() ?? 0, to: xs.max() ?? 0)
  }

  /// Adds a part once for each copy of the world that it reaches into.
  private mutating func add(_ found: [SIMD4<Double>], isArea: Bool, from low: Double, to high: Double) {
    // An area that ends on the 180th meridian does not reach over it.
    let (first, last) = (low.rounded(.down), isArea ? high.rounded(.up) - 1 : high.rounded(.down))
    for world in stride(from: first, through: max(first, last), by: 1) {
      let start = Int32(edges.count)
      edges += found.map { $0 - SIMD4(world, 0, world, 0) }
      parts.append(Part(isArea: isArea, edges: Array(start..<Int32(edges.count))))
    }
  }
}
