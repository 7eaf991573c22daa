// Names of Core Location, of turf-swift and of the mobile SDKs, for code that was written with them.

/// A position, as Core Location calls it.
public typealias CLLocationCoordinate2D = Coordinate

/// How exactly a user lets a host know where they are, as Core Location calls it.
public typealias CLAccuracyAuthorization = AccuracyAuthorization

/// The style's fog with its air and stars, as the mobile SDKs call it.
public typealias Atmosphere = Fog

/// A position in degrees, as Core Location makes it.
public func CLLocationCoordinate2DMake(_ latitude: Double, _ longitude: Double) -> CLLocationCoordinate2D {
  Coordinate(latitude: latitude, longitude: longitude)
}

/// The shapes of this module under the name of turf-swift's: `Turf.Polygon`.
public enum Turf {
  /// A line that ends where it begins.
  public typealias Ring = Neatline.Ring
  /// A position.
  public typealias Point = Neatline.Point
  /// Positions.
  public typealias MultiPoint = Neatline.MultiPoint
  /// A line.
  public typealias LineString = Neatline.LineString
  /// Lines.
  public typealias MultiLineString = Neatline.MultiLineString
  /// An area.
  public typealias Polygon = Neatline.Polygon
  /// Areas.
  public typealias MultiPolygon = Neatline.MultiPolygon
  /// Geometries as one.
  public typealias GeometryCollection = Neatline.GeometryCollection
  /// A geometry of any kind.
  public typealias Geometry = Neatline.Geometry
  /// A geometry with properties.
  public typealias Feature = Neatline.Feature
  /// Features.
  public typealias FeatureCollection = Neatline.FeatureCollection
  /// The member `bbox`.
  public typealias BoundingBox = Neatline.BoundingBox
}

extension Feature {
  /// A feature from any geometry, as turf-swift makes it.
  @_disfavoredOverload
  public init(geometry: some GeometryConvertible) { self.init(geometry) }
}

extension FeatureCollection {
  /// A collection of features, as turf-swift makes it.
  public init(features: [Feature]) { self.init(features) }
}
