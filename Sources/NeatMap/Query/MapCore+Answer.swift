import NeatBase
import NeatCamera
import NeatJSON
import NeatLayout
import NeatStyle
import NeatTile

extension MapCore {
  /// Answers a question about a view. Any thread.
  package func answer(_ question: MapQuestion, _ transform: Transform, labels: LabelHistory? = nil)
    throws(NeatError) -> MapAnswer
  {
    switch question {
    case .renderedFeatures(let area, let options):
      let size = transform.size
      let all = QueryArea.box(.zero, SIMD2(Double(size.deviceWidth), Double(size.deviceHeight)))
      return .features(query(transform, area ?? all, options: options, labels: labels))
    case .sourceFeatures(let query): return .features(try sourceFeatures(query, transform))
    case .featureState(let target): return .state(try featureState(target))
    case .clusterChildren(let source, let id):
      let index = try clusters(source: source)
      return .clusters(try index.children(of: id), index)
    case .clusterLeaves(let source, let id, let limit, let offset):
      let index = try clusters(source: source)
      let leaves = try index.leaves(of: id, limit: limit, offset: offset)
      return .clusters(leaves.map { index.item(feature: $0) }, index)
    case .clusterExpansionZoom(let source, let id):
      return .zoom(try clusters(source: source).expansionZoom(of: id))
    }
  }

  /// The features of a source in the tiles of a view that are loaded, drawn or not: by tile, source layer, and
  /// their order there. What cannot be read is a problem of the map, and part of the report. Throws `notFound`,
  /// `invalidArgument` for a source without features.
  private func sourceFeatures(_ query: SourceQuery, _ transform: Transform) throws(NeatError) -> QueryAnswer {
    let (found, states) = state.withLock { ($0.sources[query.source], $0.style.featureStates) }
    guard let source = found else { throw NeatError(.notFound, "no such source", resource: query.source) }
    switch source.spec.kind {
    case .vector, .geojson, .custom: break
    default: throw NeatError(.invalidArgument, "the source has no features", resource: query.source)
    }
    var search = SourceSearch(query, states[query.source], source.spec.promoteID, queryEvaluator())
    guard source.phase == .ready else {
      return QueryAnswer(features: [], report: sourceReport(query, transform))
    }
    let lowest = source.lowestStandIn(transform)
    var seen: Set<TileID> = []
    var faults: [MapProblem] = []
    for tile in cover(source, transform).tiles {
      // What no layer looks at is not cut yet.
      if let geojson = source.geojson, source.content(tile.canonical) == nil {
        guard seen.insert(tile.canonical).inserted, let cut = geojson.tile(tile.canonical) else { continue }
        try search.take(cut, tile)
      } else if let known = tileInView(tile, source, lowest), seen.insert(known.drawn.canonical).inserted,
        case .vector(let data) = known.content
      {
        try search.take(data, known.drawn)
        // What no layer shows may have been read by this question.
        faults += source.faults(of: data, known.drawn.canonical, options) {
          query.layers?.contains($0) ?? true
        }
      }
      if search.isFull { break }
    }
    reportFaults(faults)
    return QueryAnswer(features: search.features, report: sourceReport(query, transform, faults))
  }

  /// What a view lacks of a source, where that was asked for.
  /// - Parameter faults: what the question found.
  private func sourceReport(
    _ query: SourceQuery, _ transform: Transform, _ faults: [MapProblem] = []
  ) -> Report? {
    guard query.wantsReport else { return nil }
    var result = state.withLock { state in
      var report = Report()
      if let source = state.sources[query.source] {
        reportSource(source, state, transform, hasLabels: false, &report)
      }
      return report
    }
    result.addFaults(faults)
    return result
  }
}

/// Collects the features of a source's tiles.
private struct SourceSearch {
  let query: SourceQuery
  let states: [String: [String: FeatureState]]
  let promoteID: SourceSpec.PromoteID?
  private let evaluator: Evaluator
  private(set) var features: [QueriedFeature] = []

  init(
    _ query: SourceQuery, _ states: [String: [String: FeatureState]], _ promoteID: SourceSpec.PromoteID?,
    _ evaluator: Evaluator
  ) {
    (self.query, self.states, self.promoteID) = (query, states, promoteID)
    self.evaluator = evaluator
  }

  var isFull: Bool { features.count >= query.limit }

  /// Throws `outOfMemory`; what cannot be read for its bytes is left out.
  mutating func take(_ tile: VectorTile, _ id: OverscaledTileID) throws(NeatError) {
    for entry in tile.entries where query.layers?.contains(entry.name) ?? true {
      if isFull { return }
      guard let layer = try entry.layer() else { continue }
      let table = states[layer.name].map {
        FeatureStateTable(states: $0, promoted: promoteID?.property(ofLayer: layer.name))
      }
      let place = EvaluationPoint.layer(layer, tile: id.canonical, zoom: Double(id.overscaledZ))
      for feature in 0..<layer.featureCount {
        if isFull { return }
        guard evaluator.mayContinue() else {
          throw evaluator.ledger.flatMap { work in work.end.map(work.error) }
            ?? NeatError(.timeout, "too late")
        }
        if let filter = query.filter, !filter.matches(evaluator, at: place.feature(feature)) { continue }
        features.append(
          QueriedFeature(
            layer: nil, source: query.source,
            sourceLayer: layer.name == TileLayer.geoJSONName ? nil : layer.name, tile: id.canonical,
            data: layer,
            feature: feature, promotedID: promoteID?.property(ofLayer: layer.name),
            state: table?.state(layer, feature) ?? [:]))
      }
    }
  }
}
