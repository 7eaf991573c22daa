import CNeatline

/// What a tap does to the annotation that it hits.
public enum AnnotationSelection: String, Hashable, Sendable {
  /// It is selected, and no other of its manager.
  case single
  /// It is selected, or is not any more.
  case multiple
  /// Nothing.
  case none
}

/// How points that lie close together are shown as one.
public struct ClusterOptions: Hashable, Sendable {
  /// Logical pixels within which points become one.
  public var clusterRadius: Double
  /// The deepest zoom at which they do.
  public var clusterMaxZoom: Double
  /// Points that make a cluster.
  public var clusterMinPoints: Int
  /// The radius of a cluster's circle.
  public var circleRadius: Value<Double>
  /// The colours of the circles, from a number of points on.
  public var colorLevels: [Level]
  /// The colour of the text.
  public var textColor: Value<StyleColor>
  /// The size of the text.
  public var textSize: Value<Double>
  /// The text; nil: how many points there are.
  public var textField: Value<String>?
  /// The fonts of the text; nil: those of the style specification.
  public var textFont: [String]?
  /// What clusters have of their points: `clusterProperties` of the source.
  public var clusterProperties: JSONValue?

  /// A colour from a number of points on.
  public struct Level: Hashable, Sendable {
    /// The number.
    public var pointCount: Int
    /// The colour.
    public var clusterColor: StyleColor
    /// A colour from a number of points on.
    public init(pointCount: Int, clusterColor: StyleColor) {
      (self.pointCount, self.clusterColor) = (pointCount, clusterColor)
    }
  }

  /// The defaults of version 10 of the mobile SDKs, but for what is said.
  public init(
    circleRadius: Value<Double> = .constant(18), textColor: Value<StyleColor> = .constant(StyleColor(.white)),
    textSize: Value<Double> = .constant(12), textField: Value<String>? = nil, clusterRadius: Double = 50,
    colorLevels: [Level] = [Level(pointCount: 0, clusterColor: StyleColor(.black))],
    clusterMaxZoom: Double = 14, clusterMinPoints: Int = 2, textFont: [String]? = nil,
    clusterProperties: JSONValue? = nil
  ) {
    self.circleRadius = circleRadius
    self.textColor = textColor
    self.textSize = textSize
    self.textField = textField
    self.clusterRadius = clusterRadius
    self.colorLevels = colorLevels
    self.clusterMaxZoom = clusterMaxZoom
    self.clusterMinPoints = clusterMinPoints
    self.textFont = textFont
    self.clusterProperties = clusterProperties
  }

  var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("radius", .number(clusterRadius)), ("maxZoom", .number(clusterMaxZoom)),
      ("minPoints", .number(Double(clusterMinPoints))), ("circleRadius", circleRadius.json),
      (
        "colors",
        .array(colorLevels.map { .array([.number(Double($0.pointCount)), $0.clusterColor.json]) })
      ), ("textColor", textColor.json), ("textSize", textSize.json),
    ]
    if let textField { members.append(("textField", textField.json)) }
    if let textFont { members.append(("textFont", .array(textFont.map { .string($0) }))) }
    if let clusterProperties { members.append(("properties", clusterProperties)) }
    return .object(members.map { JSONValue.Member($0, $1) })
  }
}

/// Options of a manager beside its layer's.
struct AnnotationSettings {
  var position: MapStyle.LayerPosition
  var clusters: ClusterOptions?
  var tolerance = 4.0
  var selection = AnnotationSelection.single
  var minZoom: Double?, maxZoom: Double?

  func json(_ layer: some Layer) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("tolerance", .number(tolerance)), .init("selection", .string(selection.rawValue)),
    ]
    var properties: [JSONValue.Member] = []
    let json = layer.json
    for group in ["layout", "paint"] {
      if case .object(let given)? = json[group] { properties += given }
    }
    members.append(.init("properties", .object(properties)))
    if let zoom = json["minzoom"] { members.append(.init("minZoom", zoom)) }
    if let zoom = json["maxzoom"] { members.append(.init("maxZoom", zoom)) }
    if let clusters { members.append(.init("cluster", clusters.json)) }
    if let position = position.json { members.append(.init("layerPosition", position)) }
    return .object(members)
  }
}

extension MapStyle.LayerPosition {
  /// As options have it; nil: on top.
  var json: JSONValue? {
    switch self {
    case .above(let id): .object([.init("above", .string(id))])
    case .below(let id): .object([.init("below", .string(id))])
    case .at(let place): .object([.init("at", .number(Double(place)))])
    case .default: nil
    }
  }
}

/// Makes and keeps the managers of a map's annotations. `Map.annotations`. Belongs to the map's thread.
public final class AnnotationOrchestrator {
  private weak var map: Map?
  /// The managers by their ids.
  public private(set) var annotationManagersById: [String: any AnnotationManager] = [:]

  init(_ map: Map) { self.map = map }

  /// Makes a manager of points. One of that id goes, with what it had. Throws `invalidArgument` where the style has a
  /// source or layer of that id, `notFound` for a position that it does not have.
  public func makePointAnnotationManager(
    id: String = AnnotationID.next(), layerPosition: MapStyle.LayerPosition = .default,
    clusterOptions: ClusterOptions? = nil
  ) throws(NeatlineError) -> PointAnnotationManager { try make(id, clusterOptions, layerPosition) }

  /// Makes a manager of lines. Else as for points.
  public func makePolylineAnnotationManager(
    id: String = AnnotationID.next(), layerPosition: MapStyle.LayerPosition = .default
  ) throws(NeatlineError) -> PolylineAnnotationManager { try make(id, nil, layerPosition) }

  /// Makes a manager of areas. Else as for points.
  public func makePolygonAnnotationManager(
    id: String = AnnotationID.next(), layerPosition: MapStyle.LayerPosition = .default
  ) throws(NeatlineError) -> PolygonAnnotationManager { try make(id, nil, layerPosition) }

  /// Makes a manager of circles. Else as for points.
  public func makeCircleAnnotationManager(
    id: String = AnnotationID.next(), layerPosition: MapStyle.LayerPosition = .default,
    clusterOptions: ClusterOptions? = nil
  ) throws(NeatlineError) -> CircleAnnotationManager { try make(id, clusterOptions, layerPosition) }

  private func make<Item>(_ id: String, _ clusters: ClusterOptions?, _ position: MapStyle.LayerPosition)
    throws(NeatlineError) -> LayerAnnotationManager<Item>
  {
    guard let map else { throw NeatlineError(.state, "the map is gone") }
    let manager = try LayerAnnotationManager<Item>(
      map, id, AnnotationSettings(position: position, clusters: clusters))
    let old = annotationManagersById[id] as? any EndingManager
    annotationManagersById[id] = manager
    old?.end()
    return manager
  }

  /// Removes a manager with its annotations. Throws `notFound`.
  public func removeAnnotationManager(withId id: String) throws(NeatlineError) {
    guard let map else { throw NeatlineError(.state, "the map is gone") }
    try check(id.withText { neat_map_remove_annotations(map.pointer, $0, $1) })
    let removed = annotationManagersById.removeValue(forKey: id) as? any EndingManager
    removed?.end()
  }

  func uses(image name: String) -> Bool {
    annotationManagersById.values.contains { ($0 as? any EndingManager)?.uses(image: name) == true }
  }

  /// The annotations and clusters within some logical pixels of a point, topmost first; nil: each manager's own
  /// tolerance. Throws `invalidArgument` for what is no point.
  public func targets(at point: ScreenPoint, tolerance: Double? = nil) throws(NeatlineError)
    -> [AnnotationTarget]
  {
    guard let map else { throw NeatlineError(.state, "the map is gone") }
    let json = try jsonValue { neat_map_annotations_at(map.pointer, point.x, point.y, tolerance ?? -1, $0) }
    return (json.array ?? []).compactMap { hit in
      guard let manager = hit["manager"]?.string else { return nil }
      return AnnotationTarget(
        manager: manager, annotation: hit["id"]?.string,
        cluster: hit["cluster"]?.number.flatMap { UInt64(exactly: $0) }, location: point)
    }
  }
}

/// A manager that gives back what it added to the map.
protocol EndingManager {
  func end()
  /// Whether one of its annotations has an image of that name.
  func uses(image name: String) -> Bool
}

extension LayerAnnotationManager: EndingManager {}

extension Map {
  /// Adds an image that later styles have too. `removeImage` removes it for good. Throws `invalidArgument` for a pixel
  /// ratio past 16.
  public func addPersistentImage(_ name: String, _ image: Image, pixelRatio: Double = 1, isSDF: Bool = false)
    throws(NeatlineError)
  {
    try check(
      name.withText {
        neat_map_add_persistent_image(pointer, $0, $1, image.pointer, pixelRatio, isSDF ? 1 : 0)
      })
  }
}

extension MapStyle {
  /// Adds a layer that later styles have too; its source must be in them. `removeLayer` removes it for good. Throws as
  /// `addLayer`.
  public func addPersistentLayer(_ layer: some Layer, layerPosition: LayerPosition = .default)
    throws(NeatlineError)
  {
    let (json, position) = (layer.json.text, layerPosition.json?.text ?? "")
    try check(
      json.withText { json, size in
        position.withText { neat_map_add_persistent_layer(map.pointer, json, size, $0, $1) }
      })
  }

  /// Whether a layer is persistent.
  public func isPersistentLayer(id: String) throws(NeatlineError) -> Bool {
    let ids = try jsonValue { neat_map_persistent_layers(map.pointer, $0) }
    return ids.array?.contains(.string(id)) ?? false
  }
}
