import NeatBase
import NeatJSON

/// The value of one property of one layer: a constant, or a compiled expression.
///
/// The typed accessors never fail: an expression that has no value falls back to the property's default, as
/// the specification asks, and a property without a default reads as 0, empty or transparent. An accessor of
/// another type than the property's is answered in the same way.
package struct PropertyValue: Sendable {
  /// What the value depends on; see `CompiledExpression.Kind`.
  package typealias Kind = CompiledExpression.Kind

  package let property: Property
  package let kind: Kind
  /// Whether the style gives the value; else it is the default.
  package let isSet: Bool
  /// Nil where the value is a known constant.
  package let expression: CompiledExpression?
  /// The constant (or default): a number, boolean or index of an enum in x; a colour; up to four numbers.
  let scalars: SIMD4<Double>
  /// The constant (or default), where `scalars` cannot hold it.
  let box: ConstantBox?

  init(
    property: Property, kind: Kind, isSet: Bool, expression: CompiledExpression?,
    constant: (SIMD4<Double>, ConstantBox?)
  ) {
    self.property = property
    self.kind = kind
    self.isSet = isSet
    self.expression = expression
    assert(expression != nil || kind == .constant, "only expressions depend on something")
    scalars = constant.0
    box = constant.1
  }

  /// Whether the value may differ from feature to feature.
  @inline(__always)
  package var isDataDriven: Bool { kind == .source || kind == .composite }

  /// Whether the value is known without any context.
  @inline(__always)

  package var isZoomConstant: Bool { kind == .constant || kind == .source }
  package var isFeatureStateDependent: Bool { expression?.isFeatureStateDependent ?? false }
  package var isImageDependent: Bool { expression?.isImageDependent ?? false }
  package var globalStateKeys: Set<String> { expression?.globalStateKeys ?? [] }

  /// The object that the value is read from, the same as long as the value is: its expression, or its constant
  /// where that is not a plain one.
  package var origin: AnyObject? { expression ?? box }

  /// Inputs of the outermost zoom curve, where the value depends on zoom; empty otherwise.
  package var zoomStops: [Double] { expression?.zoomStops ?? [] }

  /// Where `zoom` lies between two zooms on the outermost zoom curve, in 0...1; 0 where the value does not
  /// depend on zoom.
  package func interpolationFactor(zoom: Double, lower: Double, upper: Double) -> Double {
    expression?.interpolationFactor(zoom: zoom, lower: lower, upper: upper) ?? 0
  }
}

/// Constants that do not fit in four numbers.
final class ConstantBox: Sendable {
  let string: String
  let numbers: [Double]
  let strings: [String]
  let colors: [Color]
  let formatted: FormattedText?
  let image: ResolvedImage?
  let anchorOffsets: [AnchorOffset]
  let projection: ProjectionDefinition?

  init(
    string: String = "", numbers: [Double] = [], strings: [String] = [], colors: [Color] = [],
    formatted: FormattedText? = nil,
    image: ResolvedImage? = nil, anchorOffsets: [AnchorOffset] = [], projection: ProjectionDefinition? = nil
  ) {
    self.string = string
    self.numbers = numbers
    self.strings = strings
    self.colors = colors
    self.formatted = formatted
    self.image = image
    self.anchorOffsets = anchorOffsets
    self.projection = projection
  }
}

// MARK: - Evaluation

extension PropertyValue {
  @inline(__always)
  package func number(_ evaluator: Evaluator, at point: EvaluationPoint) -> Double {
    guard let expression else { return scalars.x }
    return expression.number(evaluator, at: point) ?? scalars.x
  }

  /// Not premultiplied.
  @inline(__always)
  package func color(_ evaluator: Evaluator, at point: EvaluationPoint) -> Color {
    guard let expression else { return constantPayloadColor }
    return expression.color(evaluator, at: point) ?? constantPayloadColor
  }

  package func bool(_ evaluator: Evaluator, at point: EvaluationPoint) -> Bool {
    guard let expression else { return scalars.x != 0 }
    return expression.bool(evaluator, at: point) ?? (scalars.x != 0)
  }

  package func string(_ evaluator: Evaluator, at point: EvaluationPoint) -> String {
    guard let expression else { return constantPayloadString }
    return expression.string(evaluator, at: point) ?? constantPayloadString
  }

  /// Index in the specification's list of names, `property.spec.reference.values`. An enum without default
  /// that is not set reads as -1.
  package func enumIndex(_ evaluator: Evaluator, at point: EvaluationPoint) -> Int {
    guard let expression else { return Int(bounded: scalars.x) }
    return expression.enumIndex(evaluator, at: point) ?? Int(bounded: scalars.x)
  }

  /// The same where it is known without any context.
  var constantEnumIndex: Int? { expression == nil ? Int(bounded: scalars.x) : nil }

  /// The name in the specification's list; empty where there is none.
  package func enumValue(_ evaluator: Evaluator, at point: EvaluationPoint) -> String {
    name(ofEnum: enumIndex(evaluator, at: point))
  }

  /// Indices of an array of names (`text-variable-anchor`, `text-writing-mode`).
  package func enumIndices(_ evaluator: Evaluator, at point: EvaluationPoint) -> [Int] {
    let names = property.spec.reference.values
    return strings(evaluator, at: point).compactMap { names.firstIndex(of: $0) }
  }

  package func numbers(_ evaluator: Evaluator, at point: EvaluationPoint) -> [Double] {
    guard let expression else { return box?.numbers ?? [] }
    return expression.numbers(evaluator, at: point) ?? box?.numbers ?? []
  }

  package func strings(_ evaluator: Evaluator, at point: EvaluationPoint) -> [String] {
    guard let expression else { return box?.strings ?? [] }
    return expression.strings(evaluator, at: point) ?? box?.strings ?? []
  }

  package func colors(_ evaluator: Evaluator, at point: EvaluationPoint) -> [Color] {
    guard let expression else { return box?.colors ?? [] }
    return expression.colors(evaluator, at: point) ?? box?.colors ?? []
  }

  /// The first two numbers of an array.
  package func numbers2(_ evaluator: Evaluator, at point: EvaluationPoint) -> SIMD2<Double> {
    guard let numbers = expression?.numbers(evaluator, at: point), numbers.count >= 2 else {
      return scalars.lowHalf
    }
    return SIMD2(numbers[0], numbers[1])
  }

  /// The first three numbers of an array.
  package func numbers3(_ evaluator: Evaluator, at point: EvaluationPoint) -> SIMD3<Double> {
    guard let numbers = expression?.numbers(evaluator, at: point), numbers.count >= 3 else {
      return SIMD3(scalars.x, scalars.y, scalars.z)
    }
    return SIMD3(numbers[0], numbers[1], numbers[2])
  }

  /// Top, right, bottom, left; also any array of four numbers.
  package func padding(_ evaluator: Evaluator, at point: EvaluationPoint) -> SIMD4<Double> {
    guard let numbers = expression?.numbers(evaluator, at: point), numbers.count >= 4 else { return scalars }
    return SIMD4(numbers[0], numbers[1], numbers[2], numbers[3])
  }

  package func formatted(_ evaluator: Evaluator, at point: EvaluationPoint) -> FormattedText {
    guard let expression else { return box?.formatted ?? FormattedText("") }
    return expression.formatted(evaluator, at: point) ?? box?.formatted ?? FormattedText("")
  }

  /// The same as `formatted`, without copying what an expression gives as one plain section.
  package func text(_ evaluator: Evaluator, at point: EvaluationPoint) -> EvaluatedText {
    expression?.text(evaluator, at: point) ?? .formatted(box?.formatted ?? FormattedText(""))
  }

  package func image(_ evaluator: Evaluator, at point: EvaluationPoint) -> ResolvedImage? {
    guard let expression else { return box?.image }
    return expression.image(evaluator, at: point) ?? box?.image
  }

  package func anchorOffsets(_ evaluator: Evaluator, at point: EvaluationPoint) -> [AnchorOffset] {
    guard let expression else { return box?.anchorOffsets ?? [] }
    return expression.anchorOffsets(evaluator, at: point) ?? box?.anchorOffsets ?? []
  }

  package func projection(_ evaluator: Evaluator, at point: EvaluationPoint) -> ProjectionDefinition {
    guard let expression else { return box?.projection ?? ProjectionDefinition("mercator") }
    return expression.projection(evaluator, at: point) ?? box?.projection ?? ProjectionDefinition("mercator")
  }
}

// MARK: - Constants

extension PropertyValue {
  /// Nil where the value is an expression.
  package var constantNumber: Double? { expression == nil ? scalars.x : nil }

  @inline(__always)
  private var constantPayloadColor: Color {
    Color(r: Float(scalars.x), g: Float(scalars.y), b: Float(scalars.z), a: Float(scalars.w))
  }

  private var constantPayloadString: String {
    if let box { return box.string }
    return property.spec.reference.kind == .enumeration ? name(ofEnum: Int(bounded: scalars.x)) : ""
  }

  private func name(ofEnum index: Int) -> String {
    let names = property.spec.reference.values
    return names.indices.contains(index) ? names[index] : ""
  }
}
