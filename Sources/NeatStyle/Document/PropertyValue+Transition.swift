// Values between two others, for transitions. As MapLibre GL JS does it: colours are mixed as they stand in
// sRGB, not premultiplied; arrays number by number; the position of the light along a straight line in space.
import NeatBase

extension PropertyValue {
  /// Whether there are values between this one and another one of the same property. There are none where
  /// either depends on features, where the type has none (texts, images, enums, dashes), and where one is
  /// missing: neither set nor with a default.
  package func canChangeGradually(to other: PropertyValue) -> Bool {
    let spec = property.spec.reference
    guard spec.hasTransition, spec.isInterpolated, !isDataDriven, !other.isDataDriven else { return false }
    return spec.defaultText != nil || isSet && other.isSet
  }

  /// The constant that lies at `t` (0...1) between this value and another, both at the point's zoom.
  /// Lists of different lengths have nothing between them: the other value.
  package func mixed(
    _ other: PropertyValue, _ t: Double, _ evaluator: Evaluator, at point: EvaluationPoint
  ) -> PropertyValue {
    switch property.spec.reference.kind {
    case .number:
      let (a, b) = (number(evaluator, at: point), other.number(evaluator, at: point))
      return constant((SIMD4(a + (b - a) * t, 0, 0, 0), nil))
    case .color:
      let (a, b) = (color(evaluator, at: point), other.color(evaluator, at: point))
      return constant((PropertyValue.mix(a, b, t), nil))
    case .array, .padding, .numberArray: return mixedNumbers(other, t, evaluator, point)
    case .colorArray:
      let (a, b) = (colors(evaluator, at: point), other.colors(evaluator, at: point))
      guard a.count == b.count else { return other }
      let colors = zip(a, b).map { PropertyValue.mix($0, $1, t) }
      return constant((colors.first ?? .zero, ConstantBox(colors: colors.map(Color.init(components:)))))
    default: return other
    }
  }

  private func mixedNumbers(
    _ other: PropertyValue, _ t: Double, _ evaluator: Evaluator, _ point: EvaluationPoint
  ) -> PropertyValue {
    var (a, b) = (numbers(evaluator, at: point), other.numbers(evaluator, at: point))
    guard a.count == b.count else { return other }
    let isSpherical = property == .lightPosition && a.count == 3
    if isSpherical { (a, b) = (PropertyValue.cartesian(a), PropertyValue.cartesian(b)) }
    var numbers = zip(a, b).map { $0 + ($1 - $0) * t }
    if isSpherical { numbers = PropertyValue.spherical(numbers) }
    var scalars = SIMD4<Double>.zero
    for index in 0..<min(4, numbers.count) { scalars[index] = numbers[index] }
    return constant((scalars, ConstantBox(numbers: numbers)))
  }

  /// Counts as set: what is seen on the way to a default is not the default.
  private func constant(_ constant: (SIMD4<Double>, ConstantBox?)) -> PropertyValue {
    PropertyValue(property: property, kind: .constant, isSet: true, expression: nil, constant: constant)
  }

  private static func mix(_ a: Color, _ b: Color, _ t: Double) -> SIMD4<Double> {
    func mix(_ a: Float, _ b: Float) -> Double { Double(a) + (Double(b) - Double(a)) * t }
    return SIMD4(mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b), mix(a.a, b.a))
  }

  /// Radius, azimuth and polar angle (degrees) to x, y, z.
  private static func cartesian(_ place: [Double]) -> [Double] {
    let (azimuth, polar) = (place[1] * .pi / 180, place[2] * .pi / 180)
    return [
      place[0] * cos(azimuth) * sin(polar), place[0] * sin(azimuth) * sin(polar), place[0] * cos(polar),
    ]
  }

  private static func spherical(_ p: [Double]) -> [Double] {
    let radius = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).squareRoot()
    guard radius > 0 else { return [0, 0, 0] }
    return [radius, atan2(p[1], p[0]) * 180 / .pi, acos(min(max(p[2] / radius, -1), 1)) * 180 / .pi]
  }
}

extension Color {
  fileprivate init(components: SIMD4<Double>) {
    self.init(r: Float(components.x), g: Float(components.y), b: Float(components.z), a: Float(components.w))
  }
}
