/// One position.
public struct Point: GeometryConvertible {
  /// The position.
  public var coordinate: Coordinate
  /// `bbox` and foreign members.
  public var extras = ShapeExtras()

  /// A point at a position.
  public init(_ coordinate: Coordinate) { self.coordinate = coordinate }

  /// The point that a GeoJSON object is; nil for others.
  public init?(geoJSON: GeoJSON) {
    guard case .geometry(.point(let value)) = geoJSON else { return nil }
    self = value
  }

  /// The point as any geometry.
  public var geometry: Geometry { .point(self) }
}

/// Positions.
public struct MultiPoint: GeometryConvertible {
  /// The positions.
  public var coordinates: [Coordinate]
  /// `bbox` and foreign members.
  public var extras = ShapeExtras()

  /// Points at positions.
  public init(_ coordinates: [Coordinate]) { self.coordinates = coordinates }

  /// The points that a GeoJSON object is; nil for others.
  public init?(geoJSON: GeoJSON) {
    guard case .geometry(.multiPoint(let value)) = geoJSON else { return nil }
    self = value
  }

  /// The points as any geometry.
  public var geometry: Geometry { .multiPoint(self) }
}

/// A line through two or more positions.
public struct LineString: GeometryConvertible {
  /// The positions from the start of the line to its end.
  public var coordinates: [Coordinate]
  /// `bbox` and foreign members.
  public var extras = ShapeExtras()

  /// A line through positions.
  public init(_ coordinates: [Coordinate]) { self.coordinates = coordinates }

  /// The line that a GeoJSON object is; nil for others.
  public init?(geoJSON: GeoJSON) {
    guard case .geometry(.lineString(let value)) = geoJSON else { return nil }
    self = value
  }

  /// The line as any geometry.
  public var geometry: Geometry { .lineString(self) }
}

/// Lines.
public struct MultiLineString: GeometryConvertible {
  /// The positions of each line.
  public var coordinates: [[Coordinate]]
  /// `bbox` and foreign members.
  public var extras = ShapeExtras()

  /// Lines through positions.
  public init(_ coordinates: [[Coordinate]]) { self.coordinates = coordinates }

  /// Lines from their structs.
  @_disfavoredOverload
  public init(_ lines: [LineString]) { coordinates = lines.map(\.coordinates) }

  /// The lines that a GeoJSON object is; nil for others.
  public init?(geoJSON: GeoJSON) {
    guard case .geometry(.multiLineString(let value)) = geoJSON else { return nil }
    self = value
  }

  /// The lines one by one.
  public var lines: [LineString] { coordinates.map { LineString($0) } }

  /// The lines as any geometry.
  public var geometry: Geometry { .multiLineString(self) }
}

/// Areas, each with holes or without.
public struct MultiPolygon: GeometryConvertible {
  /// The polygons.
  public var polygons: [Polygon]
  /// `bbox` and foreign members.
  public var extras = ShapeExtras()

  /// Polygons from their structs.
  @_disfavoredOverload
  public init(_ polygons: [Polygon]) { self.polygons = polygons }

  /// Polygons from the positions of their rings, the outer one first.
  public init(_ coordinates: [[[Coordinate]]]) { polygons = coordinates.map { Polygon($0) } }

  /// The polygons that a GeoJSON object is; nil for others.
  public init?(geoJSON: GeoJSON) {
    guard case .geometry(.multiPolygon(let value)) = geoJSON else { return nil }
    self = value
  }

  /// The positions of each polygon's rings, the outer one first.
  public var coordinates: [[[Coordinate]]] { polygons.map(\.coordinates) }

  /// The polygons as any geometry.
  public var geometry: Geometry { .multiPolygon(self) }
}

/// Geometries of any types.
public struct GeometryCollection: GeometryConvertible {
  /// The geometries in their order.
  public var geometries: [Geometry]
  /// `bbox` and foreign members.
  public var extras = ShapeExtras()

  /// A collection of geometries.
  public init(_ geometries: [Geometry]) { self.geometries = geometries }

  /// The collection that a GeoJSON object is; nil for others.
  public init?(geoJSON: GeoJSON) {
    guard case .geometry(.geometryCollection(let value)) = geoJSON else { return nil }
    self = value
  }

  /// The collection as any geometry.
  public var geometry: Geometry { .geometryCollection(self) }
}
