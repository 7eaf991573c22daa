import NeatBase
import NeatJSON
import NeatStyle
import NeatTile

extension GeoJSONTiles {
  /// Clusters a source's points; `clusterProperties` are pairs of a map and a reduce expression.
  static func clusters(
    _ data: GeoJSONData, _ source: SourceSpec.GeoJSONSource, maxZoom: Int, include: ((Int) -> Bool)?,
    _ work: ExpressionWork, _ overruns: ClusterOverruns
  ) throws(NeatError) -> ClusterIndex {
    let deepest = source.clusterMaxZoom.map(cuttable) ?? max(0, maxZoom - 1)
    var options = ClusterOptions.source(
      maxZoom: deepest, radius: source.clusterRadius, minPoints: max(2, Int(bounded: source.clusterMinPoints))
    )
    options.generateId = source.generatesIDs
    options.margin = max(0, source.buffer) / TileUnits.pixels
    return try clusters(data, options, properties: source.clusterProperties, include: include, work, overruns)
  }

  /// Clusters points with properties given as style JSON. A property that goes past a budget is null in its
  /// cluster, and named in `overruns`.
  package static func clusters(
    _ data: GeoJSONData, _ options: ClusterOptions, properties json: JSON?, include: ((Int) -> Bool)? = nil,
    _ work: ExpressionWork = .source, _ overruns: ClusterOverruns = ClusterOverruns()
  ) throws(NeatError) -> ClusterIndex {
    var properties: [ClusterProperty] = []
    if let json {
      for (name, pair) in json.members {
        properties.append(try ClusterExpression(name: name, pair: pair, data: data, work, overruns).property)
      }
    }
    let index = try ClusterIndex(data, options: options, properties: properties, include: include)
    if let ledger = work.ledger, let end = ledger.end { throw ledger.error(end) }
    return index
  }
}

extension ExpressionWork {
  /// What the expressions of one source may take, where nothing else is said.
  package static var source: ExpressionWork {
    ExpressionWork(EvaluationBudget(), WorkLedger("source", .standard))
  }
}

/// Which properties of clusters went past a budget, in words. One thread makes clusters.
package final class ClusterOverruns {
  private(set) var messages: [String] = []

  package init() {}

  fileprivate func add(_ name: String, _ message: String) {
    let text = "clusterProperties.\(name): \(message)"
    if !messages.contains(text) { messages.append(text) }
  }
}

/// A cluster property by expressions: `[reduce, map]`, where reduce is an operator's name or an expression
/// over `accumulated`.
private struct ClusterExpression {
  let property: ClusterProperty

  init(
    name: String, pair: JSON, data: GeoJSONData, _ work: ExpressionWork, _ overruns: ClusterOverruns
  ) throws(NeatError) {
    func fail(_ what: String) -> NeatError { NeatError(.expression, "clusterProperties.\(name): \(what)") }
    guard let reduceJSON = pair[0], let mapJSON = pair[1] else {
      throw fail("expected [operator or expression, expression]")
    }
    let full =
      reduceJSON.string.map {
        JSON.array([.string($0), .array([.string("accumulated")]), .array([.string("get"), .string(name)])])
      }
      ?? reduceJSON
    // An array is an expression here, and never a value.
    func compile(_ json: JSON, _ name: String) throws(NeatError) -> CompiledExpression {
      let spec = ReferenceSpec.expression(.any)
      let result =
        json.isArray
        ? CompiledExpression.compileExpression(json, spec: spec)
        : CompiledExpression.compile(json, spec: spec)
      return try result.mapError { fail("the \(name) expression: \($0.neatError.message)") }.get()
    }
    let map = try compile(mapJSON, "map")
    let reduce = try compile(full, "reduce")
    let place = EvaluationPoint.layer(data.propertiesLayer(), zoom: 0)
    let mapper = work.evaluator()
    let reducer = work.evaluator()
    /// The value of a cluster, which grew from another: null past a budget, and where the expression fails.
    func settled(_ value: ClusterValue, from before: ClusterValue) -> ClusterValue {
      for overrun in reducer.takeOverruns() + mapper.takeOverruns() { overruns.add(name, overrun.message) }
      guard case .string(let text) = value else { return value }
      guard text.utf8.count <= EvaluationBudget.clusterBytes else {
        overruns.add(
          name, "The cluster takes more than \(WorkBudget.text(bytes: EvaluationBudget.clusterBytes))")
        return .null
      }
      guard reducer.keep(bytes: max(0, text.utf8.count - before.textLength)) else {
        if let ledger = work.ledger, let end = ledger.end { overruns.add(name, ledger.message(end)) }
        return .null
      }
      return value
    }
    property = ClusterProperty(
      name: name,
      map: { feature in ClusterValue(map.value(mapper, at: place.feature(feature))) },
      reduce: { accumulated, value in
        // The incoming contribution is read as the property of that name of a feature of its own.
        var builder = TileLayerBuilder(name: "", extent: 1)
        builder.beginFeature(.point)
        let key = builder.key(name)
        if let number = builder.value(value) { builder.addTag(key: key, value: number) }
        builder.endFeature()
        let before = ExpressionValue(accumulated)
        _ = reducer.mayContinue()
        return settled(
          ClusterValue(
            reduce.value(reducer, at: .reduction(of: builder.build(), accumulated: before))),
          from: accumulated)
      })
  }
}

extension TileLayerBuilder {
  fileprivate mutating func value(_ value: ClusterValue) -> UInt32? {
    switch value {
    case .null: nil
    case .bool(let bool): borrowedValue(.bool(bool))
    case .number(let number): borrowedValue(.double(number))
    case .string(let text): string(text)
    }
  }
}

extension ClusterValue {
  fileprivate init(_ result: Result<ExpressionValue, ExpressionRuntimeError>) {
    switch result {
    case .success(.number(let number)): self = .number(number)
    case .success(.bool(let bool)): self = .bool(bool)
    case .success(.string(let text)): self = .string(text)
    default: self = .null
    }
  }
}

extension ClusterValue {
  fileprivate var textLength: Int { if case .string(let text) = self { text.utf8.count } else { 0 } }
}

extension ExpressionValue {
  fileprivate init(_ value: ClusterValue) {
    switch value {
    case .null: self = .null
    case .bool(let bool): self = .bool(bool)
    case .number(let number): self = .number(number)
    case .string(let text): self = .string(text)
    }
  }
}
