/// Any geometry.
public enum Geometry: Shape {
  /// A position.
  case point(Point)
  /// Positions.
  case multiPoint(MultiPoint)
  /// A line.
  case lineString(LineString)
  /// Lines.
  case multiLineString(MultiLineString)
  /// A polygon.
  case polygon(Polygon)
  /// Polygons.
  case multiPolygon(MultiPolygon)
  /// Geometries of any type.
  case geometryCollection(GeometryCollection)

  /// The geometry that a GeoJSON object is; nil for features and collections of them.
  public init?(geoJSON: GeoJSON) {
    guard case .geometry(let geometry) = geoJSON else { return nil }
    self = geometry
  }

  /// The geometry as a GeoJSON object.
  public var geoJSON: GeoJSON { .geometry(self) }

  /// The geometry as the struct of its type.
  public var value: any GeometryConvertible {
    switch self {
    case .point(let value): value
    case .multiPoint(let value): value
    case .lineString(let value): value
    case .multiLineString(let value): value
    case .polygon(let value): value
    case .multiPolygon(let value): value
    case .geometryCollection(let value): value
    }
  }

  /// `bbox` and foreign members.
  public var extras: ShapeExtras {
    get { value.extras }
    set {
      var value = value
      value.extras = newValue
      self = value.geometry
    }
  }

  var type: ShapeType {
    switch self {
    case .point: .point
    case .multiPoint: .multiPoint
    case .lineString: .lineString
    case .multiLineString: .multiLineString
    case .polygon: .polygon
    case .multiPolygon: .multiPolygon
    case .geometryCollection: .geometryCollection
    }
  }
}

/// A geometry, of a certain type or any.
public protocol GeometryConvertible: Shape {
  /// The value as any geometry.
  var geometry: Geometry { get }
}

extension GeometryConvertible {
  /// The geometry as a GeoJSON object.
  public var geoJSON: GeoJSON { .geometry(geometry) }
}

extension Geometry: GeometryConvertible {
  /// The geometry itself.
  public var geometry: Geometry { self }
}

/// Any GeoJSON object.
public enum GeoJSON: Shape {
  /// A geometry.
  case geometry(Geometry)
  /// A feature.
  case feature(Feature)
  /// Features.
  case featureCollection(FeatureCollection)

  /// The object itself.
  public init?(geoJSON: GeoJSON) { self = geoJSON }
  /// The object itself.
  public var geoJSON: GeoJSON { self }

  /// `bbox` and foreign members.
  public var extras: ShapeExtras {
    get {
      switch self {
      case .geometry(let value): value.extras
      case .feature(let value): value.extras
      case .featureCollection(let value): value.extras
      }
    }
    set {
      switch self {
      case .geometry(var value):
        value.extras = newValue
        self = .geometry(value)
      case .feature(var value):
        value.extras = newValue
        self = .feature(value)
      case .featureCollection(var value):
        value.extras = newValue
        self = .featureCollection(value)
      }
    }
  }

  /// The type's name in GeoJSON.
  public var typeName: String {
    switch self {
    case .geometry(let value): value.type.rawValue
    case .feature: ShapeType.feature.rawValue
    case .featureCollection: ShapeType.featureCollection.rawValue
    }
  }

  /// The geometries in the object, those of features and collections one by one.
  public var geometries: [Geometry] {
    switch self {
    case .geometry(.geometryCollection(let collection)):
      collection.geometries.flatMap { $0.geoJSON.geometries }
    case .geometry(let geometry): [geometry]
    case .feature(let feature): feature.geometry?.geoJSON.geometries ?? []
    case .featureCollection(let collection): collection.features.flatMap { $0.geoJSON.geometries }
    }
  }
}

/// The types of GeoJSON objects.
enum ShapeType: String {
  case point = "Point"
  case multiPoint = "MultiPoint"
  case lineString = "LineString"
  case multiLineString = "MultiLineString"
  case polygon = "Polygon"
  case multiPolygon = "MultiPolygon"
  case geometryCollection = "GeometryCollection"
  case feature = "Feature"
  case featureCollection = "FeatureCollection"

  /// Members that the type gives a meaning.
  var members: [String] {
    switch self {
    case .geometryCollection: ["type", "bbox", "geometries"]
    case .feature: ["type", "bbox", "id", "geometry", "properties"]
    case .featureCollection: ["type", "bbox", "features"]
    default: ["type", "bbox", "coordinates"]
    }
  }
}
