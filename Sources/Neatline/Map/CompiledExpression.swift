import CNeatline
import CNeatline.Testing

/// A compiled expression or legacy function, to be evaluated. (`Exp` is what it is built with.) Immutable:
/// any number of threads at the same time.
public final class CompiledExpression: Sendable {
  private nonisolated(unsafe) let pointer: OpaquePointer

  /// Compiles. `property`: the name of the property whose type the expression must have; nil: any type. On
  /// failure the error's message is the JSON array of `{"key", "error"}`.
  public convenience init(_ json: JSONValue, property: String? = nil) throws(NeatlineError) {
    try self.init(text: json.text, spec: property.map { .string($0) })
  }

  /// Compiles an expression of the builder.
  public convenience init<Result>(_ expression: Exp<Result>, property: String? = nil) throws(NeatlineError) {
    try self.init(expression.json, property: property)
  }

  /// Compiles JSON text against a property specification as in the style reference, or a property's name.
  public init(text: String, spec: JSONValue? = nil) throws(NeatlineError) {
    pointer = try handle { out in
      text.withText { text, size in spec.withText { neat_expression_compile(text, size, $0, $1, out) } }
    }
  }

  deinit { neat_expression_destroy(pointer) }

  /// Bounds evaluations from now on.
  public func setBudget(_ budget: ExpressionBudget) throws(NeatlineError) {
    try budget.withC { budget throws(NeatlineError) in
      try check(neat_expression_set_budget(pointer, budget))
    }
  }

  /// `isFeatureConstant`, `isZoomConstant`, `type`.
  public var info: JSONValue {
    get throws(NeatlineError) { try jsonValue { neat_expression_info(pointer, $0) } }
  }

  /// Evaluates for one feature. `globals`: `zoom`, `heatmapDensity`, … ; `feature`: `id`, `properties`,
  /// `geometry`, `type`, `state`.
  public func evaluate(zoom: Double, properties: JSONValue = [:]) throws(NeatlineError) -> JSONValue {
    try evaluate(globals: ["zoom": .number(zoom)], feature: ["properties": properties])
  }

  /// Evaluates for one feature with the globals of the C function `neat_expression_evaluate`. Throws
  /// `expression` where the expression fails, `invalidArgument` for globals that it does not know.
  public func evaluate(globals: JSONValue?, feature: JSONValue? = nil) throws(NeatlineError) -> JSONValue {
    try jsonValue { out in
      globals.withText { globals, size in
        feature.withText { neat_expression_evaluate(pointer, globals, size, $0, $1, out) }
      }
    }
  }

  /// A number for each feature of a layer of a tile; NaN where the expression fails.
  public func numbers(of tile: Tile, layer: Int, zoom: Double) throws(NeatlineError) -> [Double] {
    let count = try tile.layer(layer).featureCount
    var result = [Double](repeating: .nan, count: count)
    try check(neat_expression_evaluate_layer(pointer, tile.pointer, layer, zoom, &result, count))
    return result
  }

  /// A colour for each feature of a layer of a tile: red, green, blue and alpha in 0...1, not premultiplied;
  /// all NaN where the expression fails.
  public func colors(of tile: Tile, layer: Int, zoom: Double) throws(NeatlineError) -> [SIMD4<Float>] {
    let count = try tile.layer(layer).featureCount
    var flat = [Float](repeating: .nan, count: count * 4)
    try check(neat_expression_evaluate_layer_colors(pointer, tile.pointer, layer, zoom, &flat, flat.count))
    return (0..<count).map { SIMD4(flat[$0 * 4], flat[$0 * 4 + 1], flat[$0 * 4 + 2], flat[$0 * 4 + 3]) }
  }

  /// A boolean for each feature of a layer of a tile; nil where the expression fails.
  public func booleans(of tile: Tile, layer: Int, zoom: Double) throws(NeatlineError) -> [Bool?] {
    var values = [UInt8](repeating: 255, count: try tile.layer(layer).featureCount)
    try check(
      neat_expression_evaluate_layer_booleans(pointer, tile.pointer, layer, zoom, &values, values.count))
    return values.map { $0 == 255 ? nil : $0 != 0 }
  }

  /// A string for each feature of a layer of a tile; empty where the expression fails (see `errors`).
  public func strings(of tile: Tile, layer: Int, zoom: Double) throws(NeatlineError) -> [String] {
    var starts = [UInt32](repeating: 0, count: try tile.layer(layer).featureCount + 1)
    let text = try buffer {
      neat_expression_evaluate_layer_strings(pointer, tile.pointer, layer, zoom, &starts, starts.count, $0)
    }
    return zip(starts, starts.dropFirst()).map { String(decoding: text[Int($0)..<Int($1)], as: UTF8.self) }
  }

  /// A number at each of some zooms, without a feature; NaN where the expression fails.
  public func numbers(atZooms zooms: [Double]) throws(NeatlineError) -> [Double] {
    var values = [Double](repeating: .nan, count: zooms.count)
    try check(neat_expression_evaluate_zooms(pointer, zooms, zooms.count, &values))
    return values
  }

  /// Why the expression fails for features of a layer of a tile, in their order, `limit` of them at most: the
  /// feature, the place in the expression ("[1][2]") and the reason.
  public func errors(of tile: Tile, layer: Int, zoom: Double, limit: Int = 1000) throws(NeatlineError) -> [(
    feature: Int, key: String, message: String
  )] {
    guard limit > 0 else { return [] }
    let found = try jsonValue { neat_expression_layer_errors(pointer, tile.pointer, layer, zoom, limit, $0) }
    return (found.array ?? []).map {
      (Int(exactly: $0["feature"]?.number ?? 0) ?? 0, $0["key"]?.string ?? "", $0["error"]?.string ?? "")
    }
  }

  /// What the machine runs, for people; the form is not stable.
  public var disassembly: String {
    get throws(NeatlineError) {
      String(decoding: try buffer { neat_expression_disassemble(pointer, $0) }, as: UTF8.self)
    }
  }

  /// Compiles and evaluates in one go: `expression`, `propertySpec`, `inputs`, `globalState` give `compiled`
  /// and `outputs`.
  package static func run(case json: String) throws(NeatlineError) -> JSONValue {
    try jsonValue { out in json.withText { neat_expression_run_case($0, $1, out) } }
  }
}

/// A compiled filter, legacy or expression. Immutable: any number of threads at the same time.
public final class Filter: Sendable {
  private nonisolated(unsafe) let pointer: OpaquePointer

  /// Compiles a filter from its JSON. Throws `expression` where it is not a filter.
  public convenience init(_ json: JSONValue) throws(NeatlineError) { try self.init(text: json.text) }

  /// Compiles JSON text.
  public init(text: String) throws(NeatlineError) {
    pointer = try handle { out in text.withText { neat_filter_compile($0, $1, out) } }
  }

  deinit { neat_expression_destroy(pointer) }

  /// Bounds evaluations from now on.
  public func setBudget(_ budget: ExpressionBudget) throws(NeatlineError) {
    try budget.withC { budget throws(NeatlineError) in
      try check(neat_expression_set_budget(pointer, budget))
    }
  }

  /// The indices of the features of a layer that the filter lets through, in order.
  public func features(of tile: Tile, layer: Int, zoom: Double) throws(NeatlineError) -> [Int] {
    var result = [UInt32](repeating: 0, count: try tile.layer(layer).featureCount)
    var count = 0
    try check(neat_filter_layer(pointer, tile.pointer, layer, zoom, &result, result.count, &count))
    return result[..<count].map(Int.init)
  }

  /// What the machine runs, for people; the form is not stable.
  public var disassembly: String {
    get throws(NeatlineError) {
      String(decoding: try buffer { neat_expression_disassemble(pointer, $0) }, as: UTF8.self)
    }
  }
}
