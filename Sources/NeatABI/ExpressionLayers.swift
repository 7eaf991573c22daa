import CNeatline
import NeatBase
import NeatJSON
import NeatStyle
import NeatTile

// Expressions over all features of a tile's layer.

/// The layer, and an evaluator bound to it.
private func bound(_ tile: OpaquePointer!, _ layer: Int, _ zoom: Double) throws(NeatError) -> (TileLayer, Evaluator) {
  let tile: TileHandle = Handle.object(try required(tile, "tile"))
  let data = try tile.layer(layer)
  let evaluator = Evaluator()
  evaluator.zoom = zoom
  evaluator.bind(layer: data)
  return (data, evaluator)
}

private func compiled(_ expression: OpaquePointer!) throws(NeatError) -> CompiledExpression {
  let handle: ExpressionHandle = Handle.object(try required(expression, "expression"))
  guard let program = handle.expression else { throw NeatError(.invalidArgument, "a filter gives booleans only; use neat_filter_layer") }
  return program
}

private func checkRoom(_ room: Int, _ needed: Int, _ layer: TileLayer) throws(NeatError) {
  guard room >= needed else {
    throw NeatError(.invalidArgument, "room for \(room) values, the layer's \(layer.featureCount) features need \(needed)")
  }
}

@c @implementation
public func neat_expression_evaluate_layer(
  _ expression: OpaquePointer!, _ tile: OpaquePointer!, _ layer: Int, _ zoom: Double, _ out_values: UnsafeMutablePointer<Double>!,
  _ value_count: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let program = try compiled(expression)
    let (data, evaluator) = try bound(tile, layer, zoom)
    let out = try required(out_values, "out_values")
    try checkRoom(value_count, data.featureCount, data)
    for feature in 0..<data.featureCount {
      evaluator.feature = feature
      out[feature] = program.number(evaluator) ?? .nan
    }
  }
}

@c @implementation
public func neat_expression_evaluate_layer_colors(
  _ expression: OpaquePointer!, _ tile: OpaquePointer!, _ layer: Int, _ zoom: Double, _ out_rgba: UnsafeMutablePointer<Float>!,
  _ rgba_count: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let program = try compiled(expression)
    let (data, evaluator) = try bound(tile, layer, zoom)
    let out = try required(out_rgba, "out_rgba")
    try checkRoom(rgba_count, data.featureCount * 4, data)
    let none = Color(r: .nan, g: .nan, b: .nan, a: .nan)
    for feature in 0..<data.featureCount {
      evaluator.feature = feature
      let color = program.color(evaluator) ?? none
      (out[feature * 4], out[feature * 4 + 1], out[feature * 4 + 2], out[feature * 4 + 3]) = (color.r, color.g, color.b, color.a)
    }
  }
}

@c @implementation
public func neat_expression_evaluate_layer_booleans(
  _ expression: OpaquePointer!, _ tile: OpaquePointer!, _ layer: Int, _ zoom: Double, _ out_values: UnsafeMutablePointer<UInt8>!,
  _ value_count: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let handle: ExpressionHandle = Handle.object(try required(expression, "expression"))
    let (data, evaluator) = try bound(tile, layer, zoom)
    let out = try required(out_values, "out_values")
    try checkRoom(value_count, data.featureCount, data)
    for feature in 0..<data.featureCount {
      evaluator.feature = feature
      switch handle.program {
      case .expression(let program): out[feature] = program.bool(evaluator).map { $0 ? 1 : 0 } ?? 255
      case .filter(let filter): out[feature] = filter.matches(evaluator) ? 1 : 0
      }
    }
  }
}

@c @implementation
public func neat_expression_evaluate_layer_strings(
  _ expression: OpaquePointer!, _ tile: OpaquePointer!, _ layer: Int, _ zoom: Double, _ out_starts: UnsafeMutablePointer<UInt32>!,
  _ start_count: Int, _ out_text: OutHandle!
) -> neat_status {
  produce(out_text) { () throws(NeatError) in
    let program = try compiled(expression)
    let (data, evaluator) = try bound(tile, layer, zoom)
    let starts = try required(out_starts, "out_starts")
    try checkRoom(start_count, data.featureCount + 1, data)
    var text: [UInt8] = []
    starts[0] = 0
    for feature in 0..<data.featureCount {
      evaluator.feature = feature
      if let bytes = program.stringBytes(evaluator) { text.append(contentsOf: bytes) }
      guard text.count <= UInt32.max else { throw NeatError(.limitExceeded, "the strings of the layer are longer than 4 GiB") }
      starts[feature + 1] = UInt32(text.count)
    }
    return Buffer(text)
  }
}

@c @implementation
public func neat_expression_layer_errors(
  _ expression: OpaquePointer!, _ tile: OpaquePointer!, _ layer: Int, _ zoom: Double, _ limit: Int, _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let program = try compiled(expression)
    let (data, evaluator) = try bound(tile, layer, zoom)
    let limit = limit > 0 ? limit : 1000
    var writer = JSONWriter()
    var count = 0
    writer.beginArray()
    for feature in 0..<data.featureCount where count < limit {
      evaluator.feature = feature
      guard case .failure(let error) = program.value(evaluator) else { continue }
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
