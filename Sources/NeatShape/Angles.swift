import NeatBase

/// Angles that go round.
package enum Angles {
  /// The angle within `minimum ..< maximum` that differs from `value` by whole turns of that range; NaN where
  /// the range is empty or a number is not finite.
  package static func wrap(_ value: Double, min minimum: Double, max maximum: Double) -> Double {
    let turn = maximum - minimum
    return fmod(fmod(value - minimum, turn) + turn, turn) + minimum
  }

  /// Degrees between two directions the shorter way round: 0 to 180.
  package static func difference(_ a: Double, _ b: Double) -> Double {
    let turn = fmod(abs(b - a), 360)
    return turn > 180 ? 360 - turn : turn
  }
}
