import CNeatline

/// Which features of a source are asked for.
public struct SourceQueryOptions: Hashable, Sendable {
  /// Layers of the source's tiles; nil: all of them.
  public var sourceLayerIds: [String]?
  /// What features must pass; nil: all do.
  public var filter: Exp<Bool>?

  /// Options: only these layers of the tiles, only features that the filter lets through; nil: all.
  public init(sourceLayerIds: [String]? = nil, filter: Exp<Bool>? = nil) {
    self.sourceLayerIds = sourceLayerIds
    self.filter = filter
  }
}

/// Where drawn features are looked for, in logical pixels right of and below the view's top left corner.
public enum RenderedQueryGeometry: Hashable, Sendable {
  /// A point.
  case point(ScreenPoint)
  /// A box, by two opposite corners.
  case box(ScreenPoint, ScreenPoint)
  /// A polygon, by 3 to 1,000 corners.
  case polygon([ScreenPoint])
  /// The whole view.
  case view
}

/// A question about a map, as the engine takes it.
struct MapQuestion {
  var members: [JSONValue.Member]

  init(_ ask: String, _ members: [JSONValue.Member] = []) {
    self.members = [.init("ask", .string(ask))] + members
  }

  var text: String { JSONValue.object(members).text }

  /// - Parameter ratio: device pixels a logical one.
  static func rendered(
    _ geometry: RenderedQueryGeometry, _ options: RenderedQueryOptions, _ ratio: Double
  ) -> MapQuestion {
    func pair(_ point: ScreenPoint) -> JSONValue { [.number(point.x * ratio), .number(point.y * ratio)] }
    var question = MapQuestion("rendered-features", options.json.object ?? [])
    switch geometry {
    case .point(let point): question.members.append(.init("point", pair(point)))
    case .box(let a, let b):
      let low = ScreenPoint(min(a.x, b.x), min(a.y, b.y)), high = ScreenPoint(max(a.x, b.x), max(a.y, b.y))
      question.members.append(.init("box", [pair(low), pair(high)]))
    case .polygon(let points): question.members.append(.init("polygon", .array(points.map(pair))))
    case .view: break
    }
    return question
  }

  static func source(_ id: String, _ options: SourceQueryOptions) -> MapQuestion {
    var question = MapQuestion("source-features", [.init("source", .string(id))])
    if let layers = options.sourceLayerIds {
      question.members.append(.init("sourceLayers", .array(layers.map { .string($0) })))
    }
    if let filter = options.filter { question.members.append(.init("filter", filter.json)) }
    return question
  }

  static func state(_ source: String, _ layer: String?, _ id: FeatureIdentifier) -> MapQuestion {
    var question = MapQuestion("feature-state", [.init("source", .string(source))])
    if let layer { question.members.append(.init("sourceLayer", .string(layer))) }
    question.members.append(.init("id", id.json))
    return question
  }

  static func cluster(
    _ what: String, _ source: String, _ cluster: UInt64, limit: Int? = nil, offset: Int? = nil
  ) -> MapQuestion {
    var question = MapQuestion(
      "cluster-\(what)", [.init("source", .string(source)), .init("cluster", .number(Double(cluster)))])
    if let limit { question.members.append(.init("limit", .number(Double(limit)))) }
    if let offset { question.members.append(.init("offset", .number(Double(offset)))) }
    return question
  }
}

extension FeatureIdentifier {
  fileprivate var json: JSONValue {
    switch self {
    case .string(let text): .string(text)
    // All digits of it: a feature's state goes by the text of its identifier.
    case .uint64(let number): .string("\(number)")
    case .int64(let number): .string("\(number)")
    case .double(let number): .number(number)
    }
  }
}

// Questions whose answers come at once.
extension Map {
  /// Features drawn at a place, topmost first. Throws `invalidArgument` for what is no place, `state` before
  /// there is a style.
  public func queryRenderedFeatures(
    in geometry: RenderedQueryGeometry, options: RenderedQueryOptions = .init()
  ) throws(NeatlineError) -> [QueriedFeature] {
    try features(try answer(.rendered(geometry, options, size.pixelRatio))).map(QueriedFeature.init)
  }

  /// The features of a source in the tiles of the view that are loaded, drawn or not. One that lies in several
  /// tiles comes once for each, with that tile's part of its geometry. A source that no visible layer uses
  /// loads no tiles; what cannot be read of a tile is told of once by `mapLoadingError`. Throws `notFound`,
  /// `invalidArgument` for a source without features.
  public func querySourceFeatures(for sourceId: String, options: SourceQueryOptions = .init())
    throws(NeatlineError) -> [QueriedFeature]
  {
    try features(try answer(.source(sourceId, options))).map(QueriedFeature.init)
  }

  /// The state that was given to a feature; empty where it has none. Throws `notFound` for an unknown source.
  public func featureState(sourceId: String, sourceLayerId: String? = nil, featureId: FeatureIdentifier)
    throws(NeatlineError) -> JSONValue
  {
    try value(try answer(.state(sourceId, sourceLayerId, featureId)))
  }

  /// What a cluster of a source falls apart into at the next deeper zoom. Throws `notFound` for a source or
  /// cluster that is not there (any more), `state` before its clusters are made.
  public func clusterChildren(forSourceId sourceId: String, cluster: UInt64) throws(NeatlineError)
    -> [Feature]
  {
    try features(try answer(.cluster("children", sourceId, cluster)))
  }

  /// The points of a cluster of a source, at most `limit` after the first `offset`. Throws as
  /// `clusterChildren`.
  public func clusterLeaves(forSourceId sourceId: String, cluster: UInt64, limit: Int = 10, offset: Int = 0)
    throws(NeatlineError) -> [Feature]
  {
    try features(try answer(.cluster("leaves", sourceId, cluster, limit: limit, offset: offset)))
  }

  /// The zoom at which a cluster of a source falls apart. Throws as `clusterChildren`.
  public func clusterExpansionZoom(forSourceId sourceId: String, cluster: UInt64) throws(NeatlineError) -> Int
  {
    zoom(try value(try answer(.cluster("expansion-zoom", sourceId, cluster))))
  }

  private func answer(_ question: MapQuestion) throws(NeatlineError) -> [UInt8] {
    try buffer { out in question.text.withText { neat_map_ask(pointer, $0, $1, out) } }
  }
}

// Questions that a worker answers while the loop goes on, by the camera of the call and the style, data and states of
// the moment when the worker comes to it. The completion is called on the loop's thread, once, later than the call
// returns, but within it for a question that is refused; with `cancelled` where the map ends before; not where it was
// cancelled.
extension Map {
  /// Features drawn at a place, topmost first.
  @discardableResult public func queryRenderedFeatures(
    in geometry: RenderedQueryGeometry, options: RenderedQueryOptions? = nil,
    completion: @escaping (Result<[QueriedFeature], any Error>) -> Void
  ) -> any Cancelable {
    ask(.rendered(geometry, options ?? .init(), size.pixelRatio), completion) { bytes throws(NeatlineError) in
      try features(bytes).map(QueriedFeature.init)
    }
  }

  /// Features drawn at a point, topmost first.
  @discardableResult public func queryRenderedFeatures(
    with point: ScreenPoint, options: RenderedQueryOptions? = nil,
    completion: @escaping (Result<[QueriedFeature], any Error>) -> Void
  ) -> any Cancelable {
    queryRenderedFeatures(in: .point(point), options: options, completion: completion)
  }

  /// Features drawn within a polygon of 3 to 1,000 corners, topmost first.
  @discardableResult public func queryRenderedFeatures(
    with shape: [ScreenPoint], options: RenderedQueryOptions? = nil,
    completion: @escaping (Result<[QueriedFeature], any Error>) -> Void
  ) -> any Cancelable {
    queryRenderedFeatures(in: .polygon(shape), options: options, completion: completion)
  }

  /// The features of a source in the tiles of the view that are loaded, drawn or not.
  @discardableResult public func querySourceFeatures(
    for sourceId: String, options: SourceQueryOptions,
    completion: @escaping (Result<[QueriedFeature], any Error>) -> Void
  ) -> any Cancelable {
    ask(.source(sourceId, options), completion) { bytes throws(NeatlineError) in
      try features(bytes).map(QueriedFeature.init)
    }
  }

  /// The state that was given to a feature; empty where it has none.
  @discardableResult public func getFeatureState(
    sourceId: String, sourceLayerId: String? = nil, featureId: FeatureIdentifier,
    completion: @escaping (Result<JSONValue, any Error>) -> Void
  ) -> any Cancelable {
    ask(.state(sourceId, sourceLayerId, featureId), completion, read: value)
  }

  /// What a cluster falls apart into at the next deeper zoom.
  @discardableResult public func getGeoJsonClusterChildren(
    forSourceId sourceId: String, cluster: UInt64,
    completion: @escaping (Result<[Feature], any Error>) -> Void
  ) -> any Cancelable {
    ask(.cluster("children", sourceId, cluster), completion, read: features)
  }

  /// The points of a cluster, at most `limit` after the first `offset`.
  @discardableResult public func getGeoJsonClusterLeaves(
    forSourceId sourceId: String, cluster: UInt64, limit: Int = 10, offset: Int = 0,
    completion: @escaping (Result<[Feature], any Error>) -> Void
  ) -> any Cancelable {
    ask(
      .cluster("leaves", sourceId, cluster, limit: limit, offset: offset), completion, read: features)
  }

  /// The zoom at which a cluster falls apart.
  @discardableResult public func getGeoJsonClusterExpansionZoom(
    forSourceId sourceId: String, cluster: UInt64, completion: @escaping (Result<Int, any Error>) -> Void
  ) -> any Cancelable {
    ask(.cluster("expansion-zoom", sourceId, cluster), completion) { bytes throws(NeatlineError) in
      zoom(try value(bytes))
    }
  }

  private func ask<Answer>(
    _ question: MapQuestion, _ completion: @escaping (Result<Answer, any Error>) -> Void,
    read: @escaping ([UInt8]) throws(NeatlineError) -> Answer
  ) -> any Cancelable {
    let asked = AskedQuestion(self) { answer in
      do throws(NeatlineError) { completion(.success(try read(try answer.get()))) } catch {
        completion(.failure(error))
      }
    }
    let context = Unmanaged.passRetained(asked)
    let status = question.text.withText {
      neat_map_ask_then(
        pointer, $0, $1,
        { context, status, message, json, size in
          guard let context else { return }
          let asked = Unmanaged<AskedQuestion>.fromOpaque(context).takeRetainedValue()
          asked.end(status, message, json, size)
        }, context.toOpaque(), &asked.number)
    }
    guard status != NEAT_STATUS_OK else { return asked }
    context.release()
    asked.body(.failure(NeatlineError(status, String(cString: neat_last_error()))))
    return asked
  }
}

/// A question on its way, behind a C context.
private final class AskedQuestion: Cancelable {
  weak var map: Map?
  var number: UInt64 = 0
  let body: (Result<[UInt8], NeatlineError>) -> Void
  private var isOver = false

  init(_ map: Map, _ body: @escaping (Result<[UInt8], NeatlineError>) -> Void) {
    self.map = map
    self.body = body
  }

  func end(
    _ status: neat_status, _ message: UnsafePointer<CChar>?, _ json: UnsafePointer<CChar>?, _ size: Int
  ) {
    guard !isOver else { return }
    isOver = true
    guard status == NEAT_STATUS_OK else {
      return body(.failure(NeatlineError(status, message.map { String(cString: $0) } ?? "")))
    }
    body(.success([UInt8](UnsafeRawBufferPointer(start: json, count: size))))
  }

  /// Not heard of any more; the engine answers all the same, and lets go of this.
  func cancel() { isOver = true }
}

private func value(_ json: [UInt8]) throws(NeatlineError) -> JSONValue {
  do { return try JSONValue(parsing: json) } catch { throw NeatlineError(.json, "\(error)") }
}

private func zoom(_ json: JSONValue) -> Int { json.number.flatMap { Int(exactly: $0) } ?? 0 }
