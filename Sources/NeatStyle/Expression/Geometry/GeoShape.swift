import NeatBase
import NeatJSON
import NeatTile

/// The GeoJSON that `within` and `distance` measure against, in degrees.
final class GeoShape: Sendable {
  typealias Ring = [SIMD2<Double>]

  enum Part: Sendable {
    case point(SIMD2<Double>)
    case line(Ring)
    case polygon([Ring])

    var pointCount: Int {
      switch self {
      case .point: 1
      case .line(let line): line.count
      case .polygon(let rings): rings.reduce(0) { $0 + $1.count }
      }
    }
  }

  let parts: [Part]
  let pointCount: Int

  private init(parts: [Part]) {
    self.parts = parts
    pointCount = parts.reduce(0) { $0 + $1.pointCount }
  }

  /// Any geometry but a collection, a feature, or a collection of features.
  convenience init?(_ json: JSON) {
    var parts: [Part] = []
    guard GeoShape.geometries(json).allSatisfy({ GeoShape.read($0, into: &parts) }), !parts.isEmpty else {
      return nil
    }
    self.init(parts: parts)
  }

  /// The polygons alone; nil where there is none.
  convenience init?(polygonsOf json: JSON) {
    var parts: [Part] = []
    for geometry in GeoShape.geometries(json) {
      guard let type = geometry["type"]?.string, type == "Polygon" || type == "MultiPolygon" else { continue }
      guard GeoShape.read(geometry, into: &parts) else { return nil }
    }
    guard !parts.isEmpty else { return nil }
    self.init(parts: parts)
  }

  private static func geometries(_ json: JSON) -> [JSON] {
    switch json["type"]?.string {
    case "FeatureCollection": json["features"]?.elements.compactMap { $0["geometry"] } ?? []
    case "Feature": json["geometry"].map { [$0] } ?? []
    default: [json]
    }
  }

  private static func read(_ geometry: JSON, into parts: inout [Part]) -> Bool {
    guard let coordinates = geometry["coordinates"], coordinates.isArray else { return false }
    func all<T>(_ json: JSON, _ read: (JSON) -> T?) -> [T]? {
      var result: [T] = []
      for element in json.elements {
        guard let value = read(element) else { return nil }
        result.append(value)
      }
      return result
    }
    func line(_ json: JSON) -> Ring? { all(json, position).flatMap { $0.isEmpty ? nil : $0 } }
    func polygon(_ json: JSON) -> [Ring]? { all(json, line).flatMap { $0.isEmpty ? nil : $0 } }
    let found: [Part]?
    switch geometry["type"]?.string {
    case "Point": found = position(coordinates).map { [.point($0)] }
    case "MultiPoint": found = all(coordinates, position)?.map { .point($0) }
    case "LineString": found = line(coordinates).map { [.line($0)] }
    case "MultiLineString": found = all(coordinates, line)?.map { .line($0) }
    case "Polygon": found = polygon(coordinates).map { [.polygon($0)] }
    case "MultiPolygon": found = all(coordinates, polygon)?.map { .polygon($0) }
    default: found = nil
    }
    guard let found else { return false }
    parts += found
    return true
  }

  private static func position(_ json: JSON) -> SIMD2<Double>? {
    guard let x = json[0]?.number, let y = json[1]?.number, x.isFinite, y.isFinite else { return nil }
    return SIMD2(x, y)
  }
}

/// A box; empty until something is added.
struct GeoBox {
  var low = SIMD2(Double.infinity, Double.infinity)
  var high = SIMD2(-Double.infinity, -Double.infinity)

  mutating func add(_ point: SIMD2<Double>) {
    low = pointwiseMin(low, point)
    high = pointwiseMax(high, point)
  }

  init() {}

  init(_ points: some Sequence<SIMD2<Double>>) { for point in points { add(point) } }

  /// Whether this box lies inside another, without touching its edges.
  func isInside(_ other: GeoBox) -> Bool {
    low.x > other.low.x && low.y > other.low.y && high.x < other.high.x && high.y < other.high.y
  }
}

// The predicates that both expressions share.
enum Planar {
  typealias Point = SIMD2<Double>

  /// Edges that a point, or a segment, is compared with in one step of an evaluation.
  static let stepEdges = 16

  @inline(__always)
  private static func isOnSegment(_ p: Point, _ a: Point, _ b: Point) -> Bool {
    let u = p - a
    let v = p - b
    return u.x * v.y - v.x * u.y == 0 && u.x * v.x <= 0 && u.y * v.y <= 0
  }

  /// Ray casting; rings are closed. A point on an edge is inside only where that is asked for.
  static func isInside(_ p: Point, _ rings: [[Point]], countingEdges: Bool = false) -> Bool {
    var inside = false
    for ring in rings {
      for index in 0..<max(0, ring.count - 1) {
        let a = ring[index]
        let b = ring[index + 1]
        if isOnSegment(p, a, b) { return countingEdges }
        if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
          inside.toggle()
        }
      }
    }
    return inside
  }

  /// Whether two segments cross, each with its ends strictly on different sides of the other.
  static func cross(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
    let p = b - a
    let q = d - c
    return q.x * p.y - q.y * p.x != 0 && areApart(a, b, c, d) && areApart(c, d, a, b)
  }

  private static func areApart(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
    let u = a - c
    let v = b - c
    let w = d - c
    let left = u.x * w.y - w.x * u.y
    let right = v.x * w.y - w.x * v.y
    return left > 0 && right < 0 || left < 0 && right > 0
  }
}

extension MachinePoint {
  /// The feature's parts in tile units, and its type; rings are closed. Nil where it has none, and where it is
  /// past the evaluator's budget.
  func featureGeometry(_ evaluator: Evaluator) -> (
    type: GeometryType, parts: [[SIMD2<Double>]]
  )? {
    guard let layer, feature >= 0, feature < layer.featureCount, layer.extent > 0 else { return nil }
    let scale = TileUnits.extent / Double(layer.extent)
    let type = layer.geometryType(feature)
    var parts: [[SIMD2<Double>]] = []
    guard evaluator.charge(steps: layer.pointRange(of: feature).count) else { return nil }
    for part in layer.parts(of: feature) {
      var points: [SIMD2<Double>] = []
      for index in layer.pointRange(ofPart: part) {
        let point = layer.points[index]
        let scaled = SIMD2(Double(point.x), Double(point.y)) * scale
        points.append(scale == 1 ? scaled : SIMD2(jsRound(scaled.x), jsRound(scaled.y)))
      }
      if type == .polygon, let first = points.first, points.last != first { points.append(first) }
      if !points.isEmpty { parts.append(points) }
    }
    return parts.isEmpty ? nil : (type, parts)
  }
}
