import CNeatline
import CNeatline.Testing
import NeatBase
import NeatJSON
import NeatStyle
import NeatTile

final class ExpressionHandle: Sendable {
  enum Program: Sendable {
    case expression(CompiledExpression)
    case filter(CompiledFilter)
  }

  let program: Program
  private let budget = Locked<(evaluation: EvaluationBudget, call: WorkBudget)>(
    (EvaluationBudget(), .standard))

  init(_ program: Program) { self.program = program }

  func setBudget(_ evaluation: EvaluationBudget, _ call: WorkBudget) {
    budget.withLock { $0 = (evaluation, call) }
  }

  /// An evaluator of one call, with the budget that was given.
  func evaluator(recentCount: Int = 1) -> Evaluator {
    let (evaluation, call) = budget.withLock { $0 }
    let evaluator = Evaluator(recentCount: recentCount, budget: evaluation)
    evaluator.ledger = WorkLedger("call", call)
    return evaluator
  }

  var expression: CompiledExpression? {
    if case .expression(let expression) = program { expression } else { nil }
  }
}

/// The error of a program that does not compile: its words are the JSON array of keys and messages.
private func compileError(_ errors: ExpressionErrors) -> NeatError {
  var writer = JSONWriter()
  writer.beginArray()
  for error in errors.errors {
    writer.beginObject()
    writer.key("key")
    writer.string(error.key)
    writer.key("error")
    writer.string(error.message)
    writer.endObject()
  }
  writer.endArray()
  return NeatError(.expression, writer.text)
}

/// What the specification says of the property of a name, whatever layers have it.
private func namedSpec(_ name: String) -> ReferenceSpec? {
  for owner in PropertyOwner.allCases {
    if let property = PropertySpec.find(name, of: owner) { return property.spec.reference }
  }
  return nil
}

private func valueSpec(_ source: [UInt8]) throws(NeatError) -> ReferenceSpec {
  guard !source.isEmpty else { return .expression(.any) }
  // The name of a property in plain quotes is looked up as it is.
  if source.count > 2, source.first == UInt8(ascii: "\""), source.last == UInt8(ascii: "\""),
    !source.contains(UInt8(ascii: "\\")),
    let spec = namedSpec(String(decoding: source[1..<source.count - 1], as: UTF8.self))
  {
    return spec
  }
  let json = try JSON.parse(source)
  guard let name = json.string else { return ReferenceSpec(json) }
  if let spec = namedSpec(name) { return spec }
  throw NeatError(.invalidArgument, "no property is called \"\(name)\"")
}

@c @implementation
public func neat_expression_compile(
  _ json: UnsafePointer<CChar>!, _ size: Int, _ spec: UnsafePointer<CChar>!, _ spec_size: Int,
  _ out_expression: OutHandle!
) -> neat_status {
  produce(out_expression) { () throws(NeatError) in
    let source = try JSON.parse(try bytes(json, size, "json"))
    switch CompiledExpression.compile(source, spec: try valueSpec(try bytes(spec, spec_size, "spec"))) {
    case .success(let expression): return ExpressionHandle(.expression(expression))
    case .failure(let errors): throw compileError(errors)
    }
  }
}

@c @implementation
public func neat_filter_compile(_ json: UnsafePointer<CChar>!, _ size: Int, _ out_filter: OutHandle!)
  -> neat_status
{
  produce(out_filter) { () throws(NeatError) in
    switch CompiledFilter.compile(try JSON.parse(try bytes(json, size, "json"))) {
    case .success(let filter): return ExpressionHandle(.filter(filter))
    case .failure(let errors): throw compileError(errors)
    }
  }
}

@c @implementation
public func neat_expression_from_legacy(
  _ json: UnsafePointer<CChar>!, _ size: Int, _ spec: UnsafePointer<CChar>!, _ spec_size: Int,
  _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let source = try JSON.parse(try bytes(json, size, "json"))
    return try converted(
      LegacyConversion.expression(source, spec: try valueSpec(try bytes(spec, spec_size, "spec"))))
  }
}

@c @implementation
public func neat_filter_from_legacy(_ json: UnsafePointer<CChar>!, _ size: Int, _ out_json: OutHandle!)
  -> neat_status
{
  produce(out_json) { () throws(NeatError) in
    try converted(LegacyConversion.filter(try JSON.parse(try bytes(json, size, "json"))))
  }
}

private func converted(_ result: Result<JSON, ExpressionErrors>) throws(NeatError) -> Buffer {
  switch result {
  case .success(let expression): return Buffer(Array(expression.text.utf8))
  case .failure(let errors): throw compileError(errors)
  }
}

@c @implementation
public func neat_expression_set_budget(
  _ expression: OpaquePointer!, _ budget: UnsafePointer<neat_expression_budget>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let handle: ExpressionHandle = Handle.object(try required(expression, "expression"))
    var (evaluation, call) = (EvaluationBudget(), WorkBudget.standard)
    if let given = try received(budget) {
      if given.evaluation_bytes > 0 { evaluation.bytes = Int(clamping: given.evaluation_bytes) }
      if given.evaluation_steps > 0 { evaluation.steps = Int(clamping: given.evaluation_steps) }
      if given.call_bytes > 0 { call.bytes = Int(clamping: given.call_bytes) }
      if given.call_steps > 0 { call.steps = Int(clamping: given.call_steps) }
    }
    handle.setBudget(evaluation, call)
  }
}

@c @implementation
public func neat_expression_destroy(_ expression: OpaquePointer!) {
  Handle.destroy(expression, ExpressionHandle.self)
}

@c @implementation
public func neat_expression_info(_ expression: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let handle: ExpressionHandle = Handle.object(try required(expression, "expression"))
    var writer = JSONWriter()
    writer.beginObject()
    switch handle.program {
    case .expression(let expression):
      writer.key("isFeatureConstant")
      writer.bool(expression.isFeatureConstant)
      writer.key("isZoomConstant")
      writer.bool(expression.isZoomConstant)
      writer.key("type")
      writer.string(expression.type.description)
    case .filter(let filter):
      writer.key("isFeatureConstant")
      writer.bool(filter.isFeatureConstant)
      writer.key("isZoomConstant")
      writer.bool(filter.isZoomConstant)
      writer.key("type")
      writer.string("boolean")
    }
    writer.endObject()
    return Buffer(writer.bytes)
  }
}

@c @implementation
public func neat_expression_evaluate(
  _ expression: OpaquePointer!, _ globals: UnsafePointer<CChar>!, _ globals_size: Int,
  _ feature: UnsafePointer<CChar>!,
  _ feature_size: Int,
  _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let handle: ExpressionHandle = Handle.object(try required(expression, "expression"))
    let globalText = try bytes(globals, globals_size, "globals")
    let featureText = try bytes(feature, feature_size, "feature")
    let globals = globalText.isEmpty ? JSON.null : try JSON.parse(globalText)
    let feature = featureText.isEmpty ? JSON.null : try JSON.parse(featureText)
    try globals.refuseMembers(besides: ExpressionCase.globals, of: "globals")
    var state: [String: ExpressionValue]?
    if let json = globals["globalState"] {
      state = [:]
      for (key, value) in json.members { state?[key] = try ExpressionValue(checking: value, key) }
    }
    for value in [globals, feature] where value.isNested(deeperThan: ExpressionLimits.depth) {
      throw NeatError(.limitExceeded, "globals or feature are nested deeper than \(ExpressionLimits.depth)")
    }
    let evaluator = handle.evaluator()
    evaluator.globalState = state
    evaluator.availableImages = ExpressionCase.availableImages(globals)
    let point = ExpressionCase.point(globals: globals, feature: feature)
    switch handle.program {
    case .filter(let filter):
      return Buffer(Array((filter.matches(evaluator, at: point) ? "true" : "false").utf8))
    case .expression(let expression):
      switch expression.value(evaluator, at: point) {
      case .success(let value): return Buffer(Array(ExpressionCase.text(value).utf8))
      case .failure(let error): throw NeatError(.expression, "\(error.key): \(error.message)")
      }
    }
  }
}

@c @implementation
public func neat_expression_run_case(_ json: UnsafePointer<CChar>!, _ size: Int, _ out_json: OutHandle!)
  -> neat_status
{
  produce(out_json) { () throws(NeatError) in
    Buffer(Array(ExpressionCase.run(try JSON.parse(try bytes(json, size, "json"))).text.utf8))
  }
}

@c @implementation
public func neat_expression_disassemble(_ expression: OpaquePointer!, _ out_text: OutHandle!) -> neat_status {
  produce(out_text) { () throws(NeatError) in
    let handle: ExpressionHandle = Handle.object(try required(expression, "expression"))
    switch handle.program {
    case .expression(let expression): return Buffer(Array(expression.disassembly.utf8))
    case .filter(let filter): return Buffer(Array(filter.disassembly.utf8))
    }
  }
}

@c @implementation
public func neat_filter_layer(
  _ filter: OpaquePointer!, _ tile: OpaquePointer!, _ layer: Int, _ zoom: Double,
  _ out_indices: UnsafeMutablePointer<UInt32>!,
  _ index_count: Int, _ out_count: UnsafeMutablePointer<Int>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let handle: ExpressionHandle = Handle.object(try required(filter, "filter"))
    let tile: TileHandle = Handle.object(try required(tile, "tile"))
    let data = try tile.layer(layer)
    let out = try required(out_indices, "out_indices")
    let outCount = try required(out_count, "out_count")
    outCount.pointee = 0
    guard case .filter(let program) = handle.program else {
      throw NeatError(.invalidArgument, "not a filter")
    }
    guard index_count >= data.featureCount else {
      throw NeatError(
        .invalidArgument, "room for \(index_count) indices, the layer has \(data.featureCount) features")
    }
    let evaluator = handle.evaluator()
    outCount.pointee = program.matches(
      evaluator, at: .layer(data, zoom: zoom),
      into: UnsafeMutableBufferPointer(start: out, count: data.featureCount))
    try evaluator.checkWork()
  }
}
