import NeatBase
import NeatJSON

/// An expression, a legacy function or a constant, compiled for one property. Immutable; evaluate it with an
/// `Evaluator` of the thread.
///
/// The typed evaluations return nil where the expression fails or has no value (null, NaN): the caller then
/// takes the property's default. Numbers, booleans and colours cost no allocation.
package final class CompiledExpression: Sendable {
  /// What the value depends on, as the layout needs to know it.
  package enum Kind: Sendable {
    /// On neither zoom nor feature.
    case constant
    /// On zoom only.
    case camera
    /// On the feature only.
    case source
    /// On both.
    case composite
  }

  package let type: ExpressionType
  package let isFeatureConstant: Bool
  package let isZoomConstant: Bool
  /// Whether feature state matters.
  package let isFeatureStateDependent: Bool
  /// Whether the value depends on which images there are.
  package let isImageDependent: Bool
  /// Names of images that the expression names literally.
  package let imageNames: Set<String>
  /// The keys of the global state that are read.
  package let globalStateKeys: Set<String>
  /// The value, where it is a literal.
  package let constant: ExpressionValue?
  /// Inputs of the outermost zoom curve, where there is one; empty otherwise. The first of a step curve is
  /// minus infinity.
  package let zoomStops: [Double]
  private let zoomCurve: Curve?
  private let enumValues: [String]
  /// Nil for a literal, which needs none.
  let program: Program?
  let literal: Literal

  /// A literal as the hot evaluations give it.
  enum Literal: Sendable {
    case none
    case number(Double)
    case bool(Bool)
    case color(Color)
    case string(LiteralBytes)
    case other
  }

  /// The UTF-8 of a literal string, at an address that stays.
  final class LiteralBytes: Sendable {
    nonisolated(unsafe) let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ text: String) {
      bytes = .allocate(capacity: text.utf8.count)
      _ = bytes.initialize(from: text.utf8)
    }

    deinit { bytes.deallocate() }
  }

  package var kind: Kind {
    isFeatureConstant ? (zoomCurve == nil ? .constant : .camera) : (zoomCurve == nil ? .source : .composite)
  }

  init(_ node: Node, _ program: Program?, zoomCurve: Curve?, spec: ReferenceSpec) {
    type = node.type
    isFeatureConstant = node.dependencies.isDisjoint(with: .feature)
    isZoomConstant = node.dependencies.isDisjoint(with: .zoom)
    isFeatureStateDependent = node.dependencies.contains(.state)
    isImageDependent = node.dependencies.contains(.images)
    imageNames = node.imageNames
    globalStateKeys = node.globalStateKeys
    constant = node.literalValue
    assert((program == nil) == (node.literalValue != nil), "what is no literal has a program")
    self.zoomCurve = zoomCurve
    zoomStops = zoomCurve?.stops ?? []
    enumValues = spec.values
    self.program = program
    switch node.literalValue {
    case nil: literal = .none
    case .number(let value)? where !value.isNaN: literal = .number(value)
    case .bool(let value)?: literal = .bool(value)
    case .color(let value)?: literal = .color(value.color)
    case .string(let value)?: literal = .string(LiteralBytes(value))
    default: literal = .other
    }
  }

  // MARK: compiling

  /// Compiles an expression, a legacy function, or a plain value, as a style gives it for a property.
  package static func compile(
    _ json: JSON, spec: ReferenceSpec, budget: CompilationBudget = .standard
  ) -> Result<CompiledExpression, ExpressionErrors> {
    if let constant = plainConstant(json, spec) { return finish(constant, spec: spec) }
    switch json.kind {
    case .object where !spec.takesAnything || json["stops"] != nil || json["property"] != nil:
      if let node = LegacyFunction.zoomCurve(json, spec) { return finish(node, spec: spec) }
      switch LegacyFunction.convert(json, spec) {
      case .success(let expression): return compileExpression(expression, spec: spec, budget: budget)
      case .failure(let errors): return .failure(errors)
      }
    case .array where isExpression(json): return compileExpression(json, spec: spec, budget: budget)
    // Where no array is due, an array can only be meant as an expression: its operator is unknown, or it has
    // none.
    case .array where !spec.expectsArray && json[0]?.string != nil:
      return compileExpression(json, spec: spec, budget: budget)
    case .string where spec.hasTokens:
      guard let expression = LegacyFunction.convertTokens(json.string ?? "") else { break }
      return compileExpression(expression, spec: spec, budget: budget)
    default: break
    }
    return compileExpression(json, isLiteral: json.isArray, spec: spec, budget: budget)
  }

  /// What most properties of a style are: a number, boolean or colour as it stands. Nil for all else, faults
  /// among it.
  private static func plainConstant(_ json: JSON, _ spec: ReferenceSpec) -> Node? {
    switch (json.kind, spec.kind) {
    case (.number, .number): return json.number.map { .literal(.number($0), .number, .root) }
    case (.bool, .boolean): return json.bool.map { .literal(.bool($0), .boolean, .root) }
    case (.string, .color):
      return json.string.flatMap(RGBA.init(css:)).map { .literal(.color($0), .color, .root) }
    default: return nil
    }
  }

  /// Whether a value is written as an expression: an array that begins with the name of an operator.
  package static func isExpression(_ json: JSON) -> Bool {
    guard json.isArray, let name = json[0]?.string else { return false }
    return ExpressionOperators.contains(name)
  }

  /// Compiles what must be an expression; `isLiteral`: or an array as it stands.
  package static func compileExpression(
    _ json: JSON, isLiteral: Bool = false, spec: ReferenceSpec, budget: CompilationBudget = .standard
  ) -> Result<CompiledExpression, ExpressionErrors> {
    // For strings, the outermost value is coerced and not asserted.
    let node: Node
    switch Parser.parse(
      json, isLiteral: isLiteral, expected: spec.expectedType,
      annotation: spec.kind == .string ? .coerce : .assert, folder: ConstantFolder(budget))
    {
    case .success(let parsed): node = parsed
    case .failure(let errors): return .failure(errors)
    }
    return finish(node, spec: spec)
  }

  /// Checks a node against what the property takes, and makes its program.
  private static func finish(_ node: Node, spec: ReferenceSpec) -> Result<
    CompiledExpression, ExpressionErrors
  > {
    func fault(_ message: String) -> Result<CompiledExpression, ExpressionErrors> {
      .failure(ExpressionErrors([ExpressionError(key: "", message: message)]))
    }
    if node.dependencies.contains(.feature) && !spec.allowsData {
      return fault("data expressions not supported")
    }
    let usesZoom = node.dependencies.contains(.zoom)
    if usesZoom && !spec.allowsZoom { return fault("zoom expressions not supported") }
    var curve: Curve?
    switch node.findZoomCurve() {
    case .none:
      if usesZoom {
        return fault(
          "\"zoom\" expression may only be used as input to a top-level \"step\" or \"interpolate\" expression."
        )
      }
    case .error(let error): return .failure(ExpressionErrors([error]))
    case .curve(let found):
      if found.op != .step && !spec.isInterpolated {
        return fault("\"interpolate\" expressions cannot be used with this property")
      }
      if case .curve(let shape) = found.detail { curve = shape }
    }
    if node.literalValue != nil { return .success(CompiledExpression(node, nil, zoomCurve: nil, spec: spec)) }
    switch CodeGenerator.compile(node) {
    case .success(let program):
      return .success(CompiledExpression(node, program, zoomCurve: curve, spec: spec))
    case .failure(let error): return .failure(ExpressionErrors([error]))
    }
  }

  /// The place of `zoom` between two zoom levels under the outermost zoom curve, in 0...1; 0 for a step
  /// curve.
  package func interpolationFactor(zoom: Double, lower: Double, upper: Double) -> Double {
    zoomCurve?.factor(zoom, lower, upper) ?? 0
  }

  // MARK: evaluating

  @inline(__always)
  private func run(
    _ evaluator: Evaluator, _ point: MachinePoint
  ) -> (
    slot: Slot, register: Int, frame: UnsafeMutablePointer<Frame>
  )? {
    guard let program else { return nil }
    var point = point
    let frame = evaluator.frame(program, point)
    guard let register = Machine.run(program, evaluator, frame, &point) else { return nil }
    return (frame.pointee.slots[register], register, frame)
  }

  package func number(_ evaluator: Evaluator, at point: EvaluationPoint) -> Double? {
    if case .number(let value) = literal { return value }
    guard let result = run(evaluator, MachinePoint(point)), result.slot.is(.number) else { return nil }
    let number = result.slot.number
    return number.isNaN ? nil : number
  }

  package func color(_ evaluator: Evaluator, at point: EvaluationPoint) -> Color? {
    if case .color(let value) = literal { return value }
    guard let result = run(evaluator, MachinePoint(point)), result.slot.is(.color) else { return nil }
    return result.frame.pointee.colors[result.register].color
  }

  package func bool(_ evaluator: Evaluator, at point: EvaluationPoint) -> Bool? {
    if case .bool(let value) = literal { return value }
    guard let result = run(evaluator, MachinePoint(point)), result.slot.is(.bool) else { return nil }
    return result.slot.bool
  }

  package func string(_ evaluator: Evaluator, at point: EvaluationPoint) -> String? {
    if case .string(let text)? = constant { return text }
    return stringBytes(evaluator, at: point).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The UTF-8 of a string, without copying it: valid until the evaluator's next evaluation, while the layer
  /// and this object live.
  package func stringBytes(_ evaluator: Evaluator, at point: EvaluationPoint) -> UnsafeBufferPointer<UInt8>? {
    if case .string(let value) = literal { return UnsafeBufferPointer(value.bytes) }
    guard let result = run(evaluator, MachinePoint(point)), result.slot.is(.string) else { return nil }
    return result.slot.bytes
  }

  /// A text, of which one plain section is not copied; nil where there is none.
  package func text(_ evaluator: Evaluator, at point: EvaluationPoint) -> EvaluatedText? {
    guard let program, let result = run(evaluator, MachinePoint(point)) else {
      return formatted(constant).map(EvaluatedText.formatted)
    }
    if result.slot.is(.text) || result.slot.is(.string) { return .plain(result.slot.bytes) }
    return formatted(evaluator.value(result.register, program, result.frame)).map(EvaluatedText.formatted)
  }

  /// Index of the value in the `enumValues` of the specification, or nil where it is none of them.
  package func enumIndex(_ evaluator: Evaluator, at point: EvaluationPoint) -> Int? {
    guard let bytes = stringBytes(evaluator, at: point) else { return nil }
    return enumValues.firstIndex { name in
      name.utf8.count == bytes.count && zip(name.utf8, bytes).allSatisfy { $0 == $1 }
    }
  }

  /// Numbers of an array, a padding (top, right, bottom, left) or a number array.
  package func numbers(_ evaluator: Evaluator, at point: EvaluationPoint) -> [Double]? {
    switch owned(evaluator, MachinePoint(point)) {
    case .padding(let values)?, .numberArray(let values)?: return values
    case .array(let items)?:
      var values: [Double] = []
      values.reserveCapacity(items.count)
      for item in items {
        guard case .number(let value) = item else { return nil }
        values.append(value)
      }
      return values
    case .number(let value)?: return [value]
    default: return nil
    }
  }

  package func strings(_ evaluator: Evaluator, at point: EvaluationPoint) -> [String]? {
    guard case .array(let items)? = owned(evaluator, MachinePoint(point)) else { return nil }
    var values: [String] = []
    for item in items {
      guard case .string(let value) = item else { return nil }
      values.append(value)
    }
    return values
  }

  package func colors(_ evaluator: Evaluator, at point: EvaluationPoint) -> [Color]? {
    switch owned(evaluator, MachinePoint(point)) {
    case .colorArray(let colors)?: colors.map(\.color)
    case .color(let color)?: [color.color]
    default: nil
    }
  }

  package func formatted(_ evaluator: Evaluator, at point: EvaluationPoint) -> FormattedText? {
    formatted(owned(evaluator, MachinePoint(point)))
  }

  private func formatted(_ value: ExpressionValue?) -> FormattedText? {
    switch value {
    case .formatted(let text)?: text
    case .string(let text)?: FormattedText(text)
    default: nil
    }
  }

  package func image(_ evaluator: Evaluator, at point: EvaluationPoint) -> ResolvedImage? {
    switch owned(evaluator, MachinePoint(point)) {
    case .image(let image)?: image
    // What `coalesce` gives where none of its images is there: the name of the first, for it to be asked for.
    case .string(let name)?: ResolvedImage(name: name)
    default: nil
    }
  }

  package func anchorOffsets(_ evaluator: Evaluator, at point: EvaluationPoint) -> [AnchorOffset]? {
    guard case .anchorOffsets(let values)? = owned(evaluator, MachinePoint(point)) else { return nil }
    return values
  }

  package func projection(_ evaluator: Evaluator, at point: EvaluationPoint) -> ProjectionDefinition? {
    guard case .projection(let value)? = owned(evaluator, MachinePoint(point)) else { return nil }
    return value
  }

  private func owned(_ evaluator: Evaluator, _ point: MachinePoint) -> ExpressionValue? {
    if let constant { return constant }
    guard let program, let result = run(evaluator, point) else { return nil }
    return evaluator.value(result.register, program, result.frame)
  }

  /// The value, whatever its type, or why there is none. Null is a value here.
  package func value(_ evaluator: Evaluator, at point: EvaluationPoint) -> Result<
    ExpressionValue, ExpressionRuntimeError
  > {
    evaluator.wantsMessages = true
    defer { evaluator.wantsMessages = false }
    if let value = owned(evaluator, MachinePoint(point)) { return .success(value) }
    return .failure(
      ExpressionError(key: program?.key(at: evaluator.failure.pc) ?? "", message: evaluator.failure.message))
  }
}
