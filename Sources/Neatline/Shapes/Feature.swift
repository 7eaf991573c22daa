/// A geometry with an identifier and attributes: what sources are made of, and what queries of a map give.
public struct Feature: Shape {
  /// Unique in its source. Layers find it as `Exp(.id)`, feature states by their target.
  public var identifier: FeatureIdentifier?
  /// Nil for a feature without a place.
  public var geometry: Geometry?
  /// What layers find as `Exp(.get) { key }`. The member `properties` of GeoJSON; one that is null is none.
  public var attributes: Attributes
  /// `bbox` and foreign members.
  public var extras = ShapeExtras()

  /// A feature from its parts.
  public init(geometry: Geometry?, identifier: FeatureIdentifier? = nil, attributes: Attributes = [:]) {
    self.identifier = identifier
    self.geometry = geometry
    self.attributes = attributes
  }

  /// A feature from any geometry.
  public init(
    _ geometry: some GeometryConvertible, identifier: FeatureIdentifier? = nil, attributes: Attributes = [:]
  ) {
    self.init(geometry: geometry.geometry, identifier: identifier, attributes: attributes)
  }

  /// The feature that a GeoJSON object is; nil for others.
  public init?(geoJSON: GeoJSON) {
    guard case .feature(let value) = geoJSON else { return nil }
    self = value
  }

  /// The feature as a GeoJSON object.
  public var geoJSON: GeoJSON { .feature(self) }

  /// The attributes, under their name in GeoJSON.
  public var properties: Attributes {
    get { attributes }
    set { attributes = newValue }
  }

  /// Nil where the feature has no attribute of that name, `.null` where it has one without a value.
  public func attribute(forKey key: String) -> AttributeValue? { attributes[key] }
}

/// Features.
public struct FeatureCollection: Shape {
  /// The features in their order.
  public var features: [Feature]
  /// `bbox` and foreign members.
  public var extras = ShapeExtras()

  /// A collection of features.
  public init(_ features: [Feature]) { self.features = features }

  /// The collection that a GeoJSON object is; nil for others.
  public init?(geoJSON: GeoJSON) {
    guard case .featureCollection(let value) = geoJSON else { return nil }
    self = value
  }

  /// The collection as a GeoJSON object.
  public var geoJSON: GeoJSON { .featureCollection(self) }
}

/// Clusters of points, as sources with `cluster` and `GeoJSONIndex` make them.
extension Feature {
  /// Whether the feature stands for points that lie close together.
  public var isCluster: Bool { attributes["cluster"] == .bool(true) }

  /// What `GeoJSONIndex` knows the cluster by; nil for a feature that is not one.
  public var clusterIdentifier: UInt64? { isCluster ? attributes["cluster_id"]?.uint64 : nil }

  /// How many points the cluster stands for; nil for a feature that is not one.
  public var clusterPointCount: Int? { isCluster ? attributes["point_count"]?.int64.map { Int($0) } : nil }
}
