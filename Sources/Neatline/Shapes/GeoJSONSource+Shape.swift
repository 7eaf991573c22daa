/// Options of a source of shapes, under the names of the oldest SDKs; each is a member of `GeoJSONSource`
/// too.
public enum ShapeSourceOption: String, CaseIterable, Hashable, Sendable {
  /// A boolean: whether points that lie close together are shown as one.
  case clustered = "cluster"
  /// A number of pixels.
  case clusterRadius
  /// The deepest zoom that shows clusters.
  case maximumZoomLevelForClustering = "clusterMaxZoom"
  /// How many points make a cluster at least.
  case clusterMinPoints
  /// An object: what clusters accumulate of their points.
  case clusterProperties
  /// The deepest zoom for which tiles are cut.
  case maximumZoomLevel = "maxzoom"
  /// How far geometry reaches past the edges of its tile, in units of which 512 make an edge.
  case buffer
  /// Douglas-Peucker tolerance, in units of which 512 make an edge of a tile.
  case simplificationTolerance = "tolerance"
  /// A boolean: whether lines know how far along them a place is, for `line-gradient`.
  case lineDistanceMetrics = "lineMetrics"
}

extension GeoJSONSource {
  /// A source of a shape. Whole numbers past 2^53 are rounded in it, as styles have them;
  /// `MapStyle.updateGeoJSONSource` keeps them.
  public init(shape: some Shape, options: [ShapeSourceOption: JSONValue] = [:]) {
    self.init(.shape(shape), options)
  }

  /// A source of features. The options are those of sources in the style specification.
  public init(features: [Feature], options: [ShapeSourceOption: JSONValue] = [:]) {
    self.init(.shape(FeatureCollection(features)), options)
  }

  /// A source of geometries without attributes. The options are those of sources in the style specification.
  public init(shapes: [any GeometryConvertible], options: [ShapeSourceOption: JSONValue] = [:]) {
    self.init(.shape(GeometryCollection(shapes.map(\.geometry))), options)
  }

  /// A source of what lies at a path or address.
  public init(url: String, options: [ShapeSourceOption: JSONValue] = [:]) { self.init(.url(url), options) }

  private init(_ data: GeoJSONSourceData, _ options: [ShapeSourceOption: JSONValue]) {
    self.init()
    self.data = data
    for option in ShapeSourceOption.allCases {
      if let value = options[option] { contents.members[option.rawValue] = value }
    }
  }
}

extension GeoJSONSourceData {
  /// Any shape as the data of a source.
  public static func shape(_ shape: some Shape) -> GeoJSONSourceData { .inline(shape.json) }
  /// A geometry as the data of a source.
  public static func geometry(_ geometry: Geometry) -> GeoJSONSourceData { .shape(geometry) }
  /// A feature as the data of a source.
  public static func feature(_ feature: Feature) -> GeoJSONSourceData { .shape(feature) }
  /// Features as the data of a source.
  public static func featureCollection(_ collection: FeatureCollection) -> GeoJSONSourceData {
    .shape(collection)
  }

  /// The data as a shape; nil for an address. Throws where it is no GeoJSON.
  public var geoJSON: GeoJSON? {
    get throws(GeoJSONError) {
      guard case .inline(let json) = self else { return nil }
      return try GeoJSON(parsing: json.text)
    }
  }
}

extension Map {
  /// Replaces the data of a GeoJSON source.
  public func setGeoJSON(source: String, _ shape: some Shape) throws(NeatlineError) {
    try setGeoJSON(source: source, shape.geoJSONText())
  }
}

extension MapStyle {
  /// Replaces the data of a GeoJSON source. Goes to the engine as text: nothing is rounded.
  public func updateGeoJSONSource(withId id: String, geoJSON: some Shape) throws(NeatlineError) {
    try map.setGeoJSON(source: id, geoJSON)
  }
}
