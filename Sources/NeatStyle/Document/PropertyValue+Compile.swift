import NeatBase
import NeatJSON

extension PropertyValue {
  /// What the property is where no style sets it.
  package static func defaultValue(of property: Property) -> PropertyValue {
    let owner = property.spec.owner
    guard let slot = owner.slot(of: property) else { preconditionFailure("an owner has its properties") }
    return DefaultValues.of(owner)[slot]
  }

  /// Compiles what a style gives for a property: a constant, an expression or a legacy function.
  package static func compile(
    _ json: JSON, for property: Property, _ budget: CompilationBudget = .standard
  ) -> Result<PropertyValue, ExpressionError> {
    let spec = property.spec.reference
    if let constant = plainConstant(json, spec) {
      return .success(
        PropertyValue(property: property, kind: .constant, isSet: true, expression: nil, constant: constant))
    }
    switch CompiledExpression.compile(json, spec: spec, budget: budget) {
    case .failure(let errors):
      return .failure(errors.errors.first ?? ExpressionError(key: "", message: "invalid value"))
    case .success(let expression):
      if let value = expression.constant, spec.propertyType != .colorRamp,
        let constant = constant(value, spec)
      {
        return .success(
          PropertyValue(property: property, kind: .constant, isSet: true, expression: nil, constant: constant)
        )
      }
      let fallback = defaultValue(of: property)
      return .success(
        PropertyValue(
          property: property, kind: expression.kind, isSet: true, expression: expression,
          constant: (fallback.scalars, fallback.box)))
    }
  }

  static func makeDefault(_ property: Property) -> PropertyValue {
    let spec = property.spec.reference
    let empty: SIMD4<Double> = spec.kind == .enumeration ? SIMD4(-1, 0, 0, 0) : .zero
    guard let text = spec.defaultText, let json = try? JSON.parse(text) else {
      return PropertyValue(
        property: property, kind: .constant, isSet: false, expression: nil, constant: (empty, nil))
    }
    if let constant = plainConstant(json, spec) {
      return PropertyValue(
        property: property, kind: .constant, isSet: false, expression: nil, constant: constant)
    }
    guard
      case .success(let expression) = CompiledExpression.compile(json, spec: spec)
    else {
      return PropertyValue(
        property: property, kind: .constant, isSet: false, expression: nil, constant: (empty, nil))
    }
    if let value = expression.constant, let constant = constant(value, spec) {
      return PropertyValue(
        property: property, kind: .constant, isSet: false, expression: nil, constant: constant)
    }
    return PropertyValue(
      property: property, kind: expression.kind, isSet: false, expression: expression, constant: (empty, nil))
  }

  /// The commonest constants, read without the expression compiler; nil for all else, faults among it.
  private static func plainConstant(_ json: JSON, _ spec: ReferenceSpec) -> (SIMD4<Double>, ConstantBox?)? {
    switch spec.kind {
    case .number: return json.number.map { (SIMD4($0, 0, 0, 0), nil) }
    case .color:
      guard let color = json.string.flatMap(RGBA.init(css:)) else { return nil }
      return (SIMD4(color.r, color.g, color.b, color.a), nil)
    case .boolean: return json.bool.map { (SIMD4($0 ? 1 : 0, 0, 0, 0), nil) }
    case .enumeration:
      guard let name = json.string, let index = spec.values.firstIndex(of: name) else { return nil }
      return (SIMD4(Double(index), 0, 0, 0), nil)
    case .string: return json.string.map { (.zero, ConstantBox(string: $0)) }
    case .formatted:
      guard let text = json.string, !(spec.hasTokens && text.utf8.contains(UInt8(ascii: "{"))) else {
        return nil
      }
      return (.zero, ConstantBox(string: text, formatted: FormattedText(text)))
    case .resolvedImage:
      guard let name = json.string, !(spec.hasTokens && name.utf8.contains(UInt8(ascii: "{"))) else {
        return nil
      }
      return (.zero, ConstantBox(string: name, image: ResolvedImage(name: name)))
    case .array where spec.element?.kind == .number:
      guard json.isArray else { return nil }
      let numbers = json.elements.compactMap(\.number)
      guard numbers.count == json.count, spec.length == nil || spec.length == numbers.count else {
        return nil
      }
      return (vector(numbers), ConstantBox(numbers: numbers))
    default: return nil
    }
  }

  /// A value of the expression language as a constant of the property; nil where it is not of the property's
  /// type.
  private static func constant(_ value: ExpressionValue, _ spec: ReferenceSpec) -> (
    SIMD4<Double>, ConstantBox?
  )? {
    switch value {
    case .number(let number):
      return (SIMD4(number, 0, 0, 0), spec.kind == .numberArray ? ConstantBox(numbers: [number]) : nil)
    case .bool(let bool): return (SIMD4(bool ? 1 : 0, 0, 0, 0), nil)
    case .string(let name):
      if spec.kind == .enumeration {
        guard let index = spec.values.firstIndex(of: name) else { return nil }
        return (SIMD4(Double(index), 0, 0, 0), nil)
      }
      return (
        .zero, ConstantBox(string: name, formatted: FormattedText(name), image: ResolvedImage(name: name))
      )
    case .color(let color): return (SIMD4(color.r, color.g, color.b, color.a), nil)
    case .array(let items):
      let numbers = items.compactMap { if case .number(let number) = $0 { number } else { nil } }
      let strings = items.compactMap { if case .string(let string) = $0 { string } else { nil } }
      guard numbers.count == items.count || strings.count == items.count else { return nil }
      return (vector(numbers), ConstantBox(numbers: numbers, strings: strings))
    case .padding(let numbers), .numberArray(let numbers):
      return (vector(numbers), ConstantBox(numbers: numbers))
    case .colorArray(let colors):
      let first = colors.first.map { SIMD4($0.r, $0.g, $0.b, $0.a) } ?? .zero
      return (first, ConstantBox(colors: colors.map(\.color)))
    case .formatted(let text): return (.zero, ConstantBox(string: text.text, formatted: text))
    case .image(let image): return (.zero, ConstantBox(string: image.name, image: image))
    case .anchorOffsets(let offsets): return (.zero, ConstantBox(anchorOffsets: offsets))
    case .projection(let projection):
      return (.zero, ConstantBox(string: projection.to, projection: projection))
    case .null, .object, .collator: return nil
    }
  }

  /// The first four numbers, zeros after them.
  private static func vector(_ numbers: [Double]) -> SIMD4<Double> {
    var result = SIMD4<Double>.zero
    for index in 0..<min(4, numbers.count) { result[index] = numbers[index] }
    return result
  }
}
