import NeatBase
import NeatJSON
import NeatStyle
import NeatTile

/// What a host asks a map about: what it draws, what its sources hold, states of features, clusters.
package enum MapQuestion: Sendable {
  /// Nil: of the whole view.
  case renderedFeatures(QueryArea?, QueryOptions)
  case sourceFeatures(SourceQuery)
  /// The state of a feature, by `{"source", "sourceLayer", "id"}`.
  case featureState(JSON)
  case clusterChildren(source: String, UInt32)
  case clusterLeaves(source: String, UInt32, limit: Int, offset: Int)
  case clusterExpansionZoom(source: String, UInt32)

  /// Points of a polygon that is asked about, at most.
  package static let polygonLimit = 1000

  /// Reads `{"ask": "rendered-features" | "source-features" | "feature-state" | "cluster-children" |
  /// "cluster-leaves" | "cluster-expansion-zoom", …}`.
  package init(_ json: JSON) throws(NeatError) {
    guard json.isObject else { throw NeatError(.invalidArgument, "a question must be an object") }
    guard let name = json["ask"]?.string else {
      throw NeatError(.invalidArgument, "a question must say what it asks: \"ask\"")
    }
    switch name {
    case "rendered-features":
      try json.refuseMembers(
        besides: ["ask", "point", "box", "polygon", "layers", "filter", "limit", "report"],
        of: "questions for rendered features")
      self = .renderedFeatures(try QueryArea(json), try QueryOptions(MapQuestion.options(json)))
    case "source-features":
      self = .sourceFeatures(try SourceQuery(json))
    case "feature-state":
      self = .featureState(.object(json.members.filter { $0.key != "ask" }.map { ($0.key, $0.value) }))
    case "cluster-children":
      try json.refuseMembers(besides: ["ask", "source", "cluster"], of: "questions for clusters")
      self = .clusterChildren(source: try MapQuestion.source(json), try MapQuestion.cluster(json))
    case "cluster-leaves":
      try json.refuseMembers(
        besides: ["ask", "source", "cluster", "limit", "offset"], of: "questions for leaves of clusters")
      self = .clusterLeaves(
        source: try MapQuestion.source(json), try MapQuestion.cluster(json),
        limit: try MapQuestion.count(json, "limit", 10, from: 1),
        offset: try MapQuestion.count(json, "offset", 0, from: 0))
    case "cluster-expansion-zoom":
      try json.refuseMembers(besides: ["ask", "source", "cluster"], of: "questions for clusters")
      self = .clusterExpansionZoom(source: try MapQuestion.source(json), try MapQuestion.cluster(json))
    default: throw NeatError(.invalidArgument, "\"\(name)\" is nothing that can be asked")
    }
  }

  private static func options(_ json: JSON) -> JSON {
    .object(
      json.members.filter { ["layers", "filter", "limit", "report"].contains($0.key) }.map {
        ($0.key, $0.value)
      })
  }

  private static func source(_ json: JSON) throws(NeatError) -> String {
    guard let source = json["source"]?.string else {
      throw NeatError(.invalidArgument, "the question must name its source")
    }
    return source
  }

  private static func cluster(_ json: JSON) throws(NeatError) -> UInt32 {
    guard let number = json["cluster"]?.number else {
      throw NeatError(.invalidArgument, "cluster must be the id of a cluster, a number")
    }
    guard let id = UInt32(exactly: number) else {
      throw NeatError(.notFound, "no cluster has the id \(formatNumber(number))")
    }
    return id
  }

  /// A whole number of things.
  static func count(_ json: JSON, _ name: String, _ fallback: Int, from least: Int) throws(NeatError) -> Int {
    guard let value = json[name], !value.isNull else { return fallback }
    guard let number = value.number, let count = Int(exactly: number), count >= least, count <= 1 << 40 else {
      throw NeatError(.invalidArgument, "\(name) must be a whole number from \(least) on")
    }
    return count
  }
}

/// What a query of a source's features asks for.
package struct SourceQuery: Sendable {
  package var source: String
  /// Layers of its tiles; nil for all.
  package var layers: Set<String>?
  package var filter: CompiledFilter?
  /// Features of an answer at most.
  package var limit = QueryOptions.featureLimit
  /// Whether the answer is an object with the features and what the view lacks of the source.
  package var wantsReport = false

  package init(source: String) { self.source = source }

  init(_ json: JSON) throws(NeatError) {
    try json.refuseMembers(
      besides: ["ask", "source", "sourceLayers", "filter", "limit", "report"],
      of: "questions for features of a source")
    guard let source = json["source"]?.string else {
      throw NeatError(.invalidArgument, "the question must name its source")
    }
    self.init(source: source)
    if let layers = json["sourceLayers"], !layers.isNull {
      guard layers.isArray, layers.elements.allSatisfy({ $0.string != nil }) else {
        throw NeatError(.invalidArgument, "sourceLayers must be an array of names")
      }
      self.layers = Set(layers.elements.compactMap(\.string))
    }
    filter = try QueryOptions.filter(json)
    limit = min(try MapQuestion.count(json, "limit", limit, from: 1), QueryOptions.featureLimit)
    wantsReport = try QueryOptions.wantsReport(json)
  }
}

/// What a question is answered with.
package enum MapAnswer: Sendable {
  case features(QueryAnswer)
  case state(FeatureState)
  case clusters([ClusterItem], ClusterIndex)
  case zoom(Int)
}

extension QueryArea {
  /// Reads `point`, `box` or `polygon`, of which there is one at most; nil where there is none.
  fileprivate init?(_ json: JSON) throws(NeatError) {
    let given = ["point", "box", "polygon"].filter { json[$0].map { !$0.isNull } ?? false }
    guard given.count <= 1 else {
      throw NeatError(.invalidArgument, "a question has a point, a box or a polygon: one of them")
    }
    guard let name = given.first, let value = json[name] else { return nil }
    func pair(_ json: JSON?) throws(NeatError) -> SIMD2<Double> {
      guard let json, json.isArray, json[2] == nil, let x = json[0]?.number, let y = json[1]?.number,
        x.isFinite, y.isFinite
      else { throw NeatError(.invalidArgument, "\(name): expected [x, y], finite numbers") }
      return SIMD2(x, y)
    }
    switch name {
    case "point": self = .point(try pair(value))
    case "box":
      guard value.isArray, value[1] != nil, value[2] == nil else {
        throw NeatError(.invalidArgument, "box: expected [[x0, y0], [x1, y1]]")
      }
      self = .box(try pair(value[0]), try pair(value[1]))
    default:
      let corners = Array(value.elements)
      guard value.isArray, (3...MapQuestion.polygonLimit).contains(corners.count) else {
        throw NeatError(
          .invalidArgument, "polygon: expected an array of 3 to \(MapQuestion.polygonLimit) points")
      }
      var points: [SIMD2<Double>] = []
      for corner in corners { points.append(try pair(corner)) }
      self = .polygon(points)
    }
  }
}
