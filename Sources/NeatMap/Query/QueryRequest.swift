import NeatBase
import NeatJSON
import NeatStyle

/// Where a query looks, in device pixels of the view.
package enum QueryArea: Sendable {
  case point(SIMD2<Double>)
  /// Two opposite corners.
  case box(SIMD2<Double>, SIMD2<Double>)
  /// Its corners, in order; not closed.
  case polygon([SIMD2<Double>])

  var isPolygon: Bool { if case .polygon = self { true } else { false } }

  /// The point, or the corners with the first one again at the end.
  var corners: [SIMD2<Double>] {
    switch self {
    case .point(let p): return [p]
    case .polygon(let points): return points + points.prefix(1)
    case .box(let a, let b):
      if a == b { return [a] }
      let (low, high) = (pointwiseMin(a, b), pointwiseMax(a, b))
      return [low, SIMD2(high.x, low.y), high, SIMD2(low.x, high.y), low]
    }
  }
}

/// What a query asks for.
package struct QueryOptions: Sendable {
  /// Layers to look at; nil for all.
  package var layers: Set<String>?
  /// Features must pass it besides the layers' own filters.
  package var filter: CompiledFilter?
  /// Features of an answer at most; the topmost ones are kept.
  package var limit = QueryOptions.featureLimit
  /// Whether the answer is an object with the features and the view's report.
  package var wantsReport = false

  package static let featureLimit = 100_000

  package init() {}

  /// Reads `{"layers": [id, …], "filter": […], "limit": number, "report": true}`; null or absent members do not narrow the
  /// query.
  package init(_ json: JSON) throws(NeatError) {
    guard json.isObject else { throw NeatError(.invalidArgument, "query options must be an object") }
    try json.refuseMembers(besides: ["layers", "filter", "limit", "report"], of: "query options")
    if let layers = json["layers"], !layers.isNull {
      guard layers.isArray else {
        throw NeatError(.invalidArgument, "query options: layers must be an array of ids")
      }
      self.layers = Set(layers.elements.compactMap(\.string))
    }
    wantsReport = try QueryOptions.wantsReport(json)
    limit = min(try MapQuestion.count(json, "limit", limit, from: 1), QueryOptions.featureLimit)
    filter = try QueryOptions.filter(json)
  }

  static func wantsReport(_ json: JSON) throws(NeatError) -> Bool {
    guard let report = json["report"], !report.isNull else { return false }
    guard let wanted = report.bool else {
      throw NeatError(.invalidArgument, "query options: report must be true or false")
    }
    return wanted
  }

  static func filter(_ json: JSON) throws(NeatError) -> CompiledFilter? {
    guard let filter = json["filter"], !filter.isNull else { return nil }
    switch CompiledFilter.compile(filter) {
    case .success(let compiled): return compiled
    case .failure(let errors):
      throw NeatError(
        .expression,
        "query options: filter\(errors.errors.first.map { "\($0.key): \($0.message)" } ?? " is not valid")")
    }
  }

  func includes(_ layer: StyleLayer) -> Bool { layers?.contains(layer.id) ?? true }
}
