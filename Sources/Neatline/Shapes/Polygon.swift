/// An area: an outer ring, and inner rings that are holes in it.
public struct Polygon: GeometryConvertible {
  /// The outer ring first.
  public var rings: [Ring]
  /// `bbox` and foreign members.
  public var extras = ShapeExtras()

  /// A polygon from its rings, the outer one first.
  @_disfavoredOverload
  public init(_ rings: [Ring]) { self.rings = rings }

  /// The outer ring first.
  public init(_ coordinates: [[Coordinate]]) { rings = coordinates.map { Ring($0) } }

  /// A polygon from its outer ring and its holes.
  public init(outerRing: Ring, innerRings: [Ring] = []) { rings = [outerRing] + innerRings }

  /// A polygon with the outer rings of others as holes.
  public init(coordinates: [Coordinate], interiorPolygons: [Polygon] = []) {
    rings = [Ring(coordinates)] + interiorPolygons.compactMap(\.outerRing)
  }

  /// The polygon that a GeoJSON object is; nil for others.
  public init?(geoJSON: GeoJSON) {
    guard case .geometry(.polygon(let value)) = geoJSON else { return nil }
    self = value
  }

  /// Nil for a polygon without rings.
  public var outerRing: Ring? { rings.first }
  /// The holes.
  public var innerRings: [Ring] { Array(rings.dropFirst()) }
  /// The holes, each as a polygon.
  public var interiorPolygons: [Polygon] { innerRings.map { Polygon(outerRing: $0) } }
  /// The positions of each ring, the outer one first.
  public var coordinates: [[Coordinate]] { rings.map(\.coordinates) }

  /// The polygon as any geometry.
  public var geometry: Geometry { .polygon(self) }
}

/// A line that ends where it begins, around an area. GeoJSON says the first position again at the end; where
/// it is left out, the ring is closed all the same.
public struct Ring: Hashable, Sendable {
  /// The positions of the ring.
  public var coordinates: [Coordinate]

  /// A ring through positions.
  public init(_ coordinates: [Coordinate]) { self.coordinates = coordinates }

  /// A ring through positions.
  public init(coordinates: [Coordinate]) { self.init(coordinates) }

  /// Whether the last position is the first one again.
  public var isClosed: Bool {
    guard coordinates.count > 1, let first = coordinates.first, let last = coordinates.last else {
      return coordinates.isEmpty
    }
    return first.longitude == last.longitude && first.latitude == last.latitude
  }

  /// Whether the ring runs clockwise on a map with north at the top; nil where it has no area.
  public var isClockwise: Bool? {
    let area = doubledArea
    return area == 0 || area.isNaN ? nil : area < 0
  }

  /// Square degrees times two, positive where the ring runs anticlockwise. Relative to the first position, so
  /// that small rings far out stay exact enough.
  private var doubledArea: Double {
    guard let origin = coordinates.first else { return 0 }
    var sum = 0.0
    var previous = SIMD2(0.0, 0.0)
    for coordinate in coordinates.dropFirst() {
      let point = SIMD2(coordinate.longitude - origin.longitude, coordinate.latitude - origin.latitude)
      sum += previous.x * point.y - point.x * previous.y
      previous = point
    }
    return sum
  }
}

extension Ring: ExpressibleByArrayLiteral {
  /// A ring through the positions of the literal.
  public init(arrayLiteral elements: Coordinate...) { self.init(elements) }
}
