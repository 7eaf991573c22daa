import CNeatline
import NeatBase
import NeatJSON
import NeatStyle
import NeatTile

// Expressions over all features of a tile's layer.

/// The layer, and the place that its features are evaluated from.
private func place(_ tile: OpaquePointer!, _ layer: Int, _ zoom: Double) throws(NeatError) -> (
  TileLayer, EvaluationPoint
) {
  let tile: TileHandle = Handle.object(try required(tile, "tile"))
  let data = try tile.layer(layer)
  return (data, .layer(data, zoom: zoom))
}

/// The program, and the evaluator of one call.
private func compiled(_ expression: OpaquePointer!) throws(NeatError) -> (CompiledExpression, Evaluator) {
  let handle: ExpressionHandle = Handle.object(try required(expression, "expression"))
  guard let program = handle.expression else {
    throw NeatError(.invalidArgument, "a filter gives booleans only; use neat_filter_layer")
  }
  return (program, handle.evaluator())
}

extension Evaluator {
  /// Throws `limitExceeded` where the call's budget was spent before its last feature.
  func checkWork() throws(NeatError) {
    settleWork()
    if let ledger, let end = ledger.end { throw ledger.error(end) }
  }
}

private func checkRoom(_ room: Int, _ needed: Int, _ layer: TileLayer) throws(NeatError) {
  guard room >= needed else {
    throw NeatError(
      .invalidArgument, "room for \(room) values, the layer's \(layer.featureCount) features need \(needed)")
  }
}

@c @implementation
public func neat_expression_evaluate_layer(
  _ expression: OpaquePointer!, _ tile: OpaquePointer!, _ layer: Int, _ zoom: Double,
  _ out_values: UnsafeMutablePointer<Double>!,
  _ value_count: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let (program, evaluator) = try compiled(expression)
    let (data, point) = try place(tile, layer, zoom)
    let out = try required(out_values, "out_values")
    try checkRoom(value_count, data.featureCount, data)
    program.numbers(
      evaluator, at: point,
      into: UnsafeMutableBufferPointer(start: out, count: data.featureCount))
    try evaluator.checkWork()
  }
}

@c @implementation
public func neat_expression_evaluate_layer_colors(
  _ expression: OpaquePointer!, _ tile: OpaquePointer!, _ layer: Int, _ zoom: Double,
  _ out_rgba: UnsafeMutablePointer<Float>!,
  _ rgba_count: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let (program, evaluator) = try compiled(expression)
    let (data, point) = try place(tile, layer, zoom)
    let out = try required(out_rgba, "out_rgba")
    try checkRoom(rgba_count, data.featureCount * 4, data)
    precondition(MemoryLayout<Color>.stride == 4 * MemoryLayout<Float>.stride)
    out.withMemoryRebound(to: Color.self, capacity: data.featureCount) {
      program.colors(
        evaluator, at: point,
        into: UnsafeMutableBufferPointer(start: $0, count: data.featureCount))
    }
    try evaluator.checkWork()
  }
}

@c @implementation
public func neat_expression_evaluate_layer_booleans(
  _ expression: OpaquePointer!, _ tile: OpaquePointer!, _ layer: Int, _ zoom: Double,
  _ out_values: UnsafeMutablePointer<UInt8>!,
  _ value_count: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let handle: ExpressionHandle = Handle.object(try required(expression, "expression"))
    let (data, point) = try place(tile, layer, zoom)
    let out = try required(out_values, "out_values")
    try checkRoom(value_count, data.featureCount, data)
    let evaluator = handle.evaluator()
    switch handle.program {
    case .expression(let program):
      program.booleans(
        evaluator, at: point,
        into: UnsafeMutableBufferPointer(start: out, count: data.featureCount))
    case .filter(let filter):
      for feature in 0..<data.featureCount {
        guard evaluator.mayContinue() else { break }
        out[feature] = filter.matches(evaluator, at: point.feature(feature)) ? 1 : 0
      }
    }
    try evaluator.checkWork()
  }
}

@c @implementation
public func neat_expression_evaluate_layer_strings(
  _ expression: OpaquePointer!, _ tile: OpaquePointer!, _ layer: Int, _ zoom: Double,
  _ out_starts: UnsafeMutablePointer<UInt32>!,
  _ start_count: Int, _ out_text: OutHandle!
) -> neat_status {
  produce(out_text) { () throws(NeatError) in
    let (program, evaluator) = try compiled(expression)
    let (data, point) = try place(tile, layer, zoom)
    let starts = try required(out_starts, "out_starts")
    try checkRoom(start_count, data.featureCount + 1, data)
    var text: [UInt8] = []
    try program.strings(
      evaluator, at: point,
      starts: UnsafeMutableBufferPointer(start: starts, count: data.featureCount + 1), text: &text)
    try evaluator.checkWork()
    return Buffer(text)
  }
}

@c @implementation
public func neat_expression_layer_errors(
  _ expression: OpaquePointer!, _ tile: OpaquePointer!, _ layer: Int, _ zoom: Double, _ limit: Int,
  _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let (program, evaluator) = try compiled(expression)
    let (data, point) = try place(tile, layer, zoom)
    let limit = limit > 0 ? limit : 1000
    var writer = JSONWriter()
    var count = 0
    writer.beginArray()
    for feature in 0..<data.featureCount where count < limit {
      // What is left of the call's budget, or that it is spent, is an error of each further feature.
      _ = evaluator.mayContinue()
      guard case .failure(let error) = program.value(evaluator, at: point.feature(feature)) else { continue }
      count += 1
      writer.beginObject()
      writer.key("feature")
      writer.number(Double(feature))
      writer.key("key")
      writer.string(error.key)
      writer.key("error")
      writer.string(error.message)
      writer.endObject()
    }
    writer.endArray()
    return Buffer(writer.bytes)
  }
}

@c @implementation
public func neat_expression_evaluate_zooms(
  _ expression: OpaquePointer!, _ zooms: UnsafePointer<Double>!, _ count: Int,
  _ out_values: UnsafeMutablePointer<Double>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let (program, evaluator) = try compiled(expression)
    guard count >= 0 else { throw NeatError(.invalidArgument, "\(UInt(bitPattern: count)) zooms") }
    guard count != 0 else { return }
    let input = UnsafeBufferPointer(start: try required(zooms, "zooms"), count: count)
    program.numbers(
      evaluator, zooms: input,
      into: UnsafeMutableBufferPointer(start: try required(out_values, "out_values"), count: count))
    try evaluator.checkWork()
  }
}
