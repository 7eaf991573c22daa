/// A feature that a map draws, and where it comes from.
public struct QueriedFeature: Hashable, Sendable {
  /// Of a tile, its geometry is the part that lies in the tile, in degrees.
  public var feature: Feature
  /// The id of the layer that draws it.
  public var layer: String
  /// The id of its source.
  public var source: String
  /// Nil for sources without layers.
  public var sourceLayer: String?
  /// What `setFeatureState` gave it.
  public var state: Attributes

  /// The engine gives what it knows beside the feature as members that GeoJSON does not know.
  init(_ answer: Feature) {
    feature = answer
    feature.extras = ShapeExtras()
    layer = answer.foreignMembers["layer"]?.string ?? ""
    source = answer.foreignMembers["source"]?.string ?? ""
    sourceLayer = answer.foreignMembers["sourceLayer"]?.string
    state = answer.foreignMembers["state"]?.object ?? [:]
  }
}

/// What a query of drawn features asks for.
public struct RenderedQueryOptions: Hashable, Sendable {
  /// Nil: all layers.
  public var layerIds: [String]?
  /// Features must pass it besides the layers' own filters.
  public var filter: Exp<Bool>?

  /// Options: only these layers, only features that the filter lets through; nil: all.
  public init(layerIds: [String]? = nil, filter: Exp<Bool>? = nil) {
    self.layerIds = layerIds
    self.filter = filter
  }

  var json: JSONValue {
    var members: [JSONValue.Member] = []
    if let layerIds { members.append(.init("layers", .array(layerIds.map { .string($0) }))) }
    if let filter { members.append(.init("filter", filter.json)) }
    return .object(members)
  }
}

extension Map {
  /// Features drawn within a box of device pixels, topmost first.
  public func queryRenderedFeatures(
    in box: (x0: Double, y0: Double, x1: Double, y1: Double), options: RenderedQueryOptions = .init()
  ) throws(NeatlineError) -> [QueriedFeature] {
    try features(try queryText(in: box, options: options.json)).map(QueriedFeature.init)
  }

  /// Features drawn at a device pixel, topmost first.
  public func queryRenderedFeatures(
    at place: (x: Double, y: Double), options: RenderedQueryOptions = .init()
  ) throws(NeatlineError) -> [QueriedFeature] {
    try queryRenderedFeatures(in: (place.x, place.y, place.x, place.y), options: options)
  }
}

extension Renderer {
  /// Features drawn within a box of device pixels, topmost first; `camera` nil: the style's own.
  public func queryRenderedFeatures(
    camera: Camera? = nil, size: PictureSize, in box: (x0: Double, y0: Double, x1: Double, y1: Double),
    options: RenderedQueryOptions = .init()
  ) throws(NeatlineError) -> [QueriedFeature] {
    try features(try queryText(camera: camera, size: size, in: box, options: options.json)).map(
      QueriedFeature.init)
  }
}

/// The features of an array that the engine made.
func features(_ json: [UInt8]) throws(NeatlineError) -> [Feature] {
  do { return try ShapeReader.features(json) } catch { throw NeatlineError(.geojson, "\(error)") }
}
