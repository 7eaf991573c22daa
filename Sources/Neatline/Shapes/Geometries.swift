/// One position.
public struct Point: GeometryConvertible {
  public var coordinate: Coordinate
  public var extras = ShapeExtras()

  public init(_ coordinate: Coordinate) { self.coordinate = coordinate }

  public init?(geoJSON: GeoJSON) {
    guard case .geometry(.point(let value)) = geoJSON else { return nil }
    self = value
  }

  public var geometry: Geometry { .point(self) }
}

/// Positions.
public struct MultiPoint: GeometryConvertible {
  public var coordinates: [Coordinate]
  public var extras = ShapeExtras()

  public init(_ coordinates: [Coordinate]) { self.coordinates = coordinates }

  public init?(geoJSON: GeoJSON) {
    guard case .geometry(.multiPoint(let value)) = geoJSON else { return nil }
    self = value
  }

  public var geometry: Geometry { .multiPoint(self) }
}

/// A line through two or more positions.
public struct LineString: GeometryConvertible {
  public var coordinates: [Coordinate]
  public var extras = ShapeExtras()

  public init(_ coordinates: [Coordinate]) { self.coordinates = coordinates }

  public init?(geoJSON: GeoJSON) {
    guard case .geometry(.lineString(let value)) = geoJSON else { return nil }
    self = value
  }

  public var geometry: Geometry { .lineString(self) }
}

/// Lines.
public struct MultiLineString: GeometryConvertible {
  public var coordinates: [[Coordinate]]
  public var extras = ShapeExtras()

  public init(_ coordinates: [[Coordinate]]) { self.coordinates = coordinates }

  @_disfavoredOverload
  public init(_ lines: [LineString]) { coordinates = lines.map(\.coordinates) }

  public init?(geoJSON: GeoJSON) {
    guard case .geometry(.multiLineString(let value)) = geoJSON else { return nil }
    self = value
  }

  public var lines: [LineString] { coordinates.map { LineString($0) } }

  public var geometry: Geometry { .multiLineString(self) }
}

/// Areas, each with holes or without.
public struct MultiPolygon: GeometryConvertible {
  public var polygons: [Polygon]
  public var extras = ShapeExtras()

  @_disfavoredOverload
  public init(_ polygons: [Polygon]) { self.polygons = polygons }

  public init(_ coordinates: [[[Coordinate]]]) { polygons = coordinates.map { Polygon($0) } }

  public init?(geoJSON: GeoJSON) {
    guard case .geometry(.multiPolygon(let value)) = geoJSON else { return nil }
    self = value
  }

  public var coordinates: [[[Coordinate]]] { polygons.map(\.coordinates) }

  public var geometry: Geometry { .multiPolygon(self) }
}

/// Geometries of any types.
public struct GeometryCollection: GeometryConvertible {
  public var geometries: [Geometry]
  public var extras = ShapeExtras()

  public init(_ geometries: [Geometry]) { self.geometries = geometries }

  public init?(geoJSON: GeoJSON) {
    guard case .geometry(.geometryCollection(let value)) = geoJSON else { return nil }
    self = value
  }

  public var geometry: Geometry { .geometryCollection(self) }
}
