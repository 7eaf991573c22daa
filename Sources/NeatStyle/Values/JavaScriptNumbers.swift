import NeatBase
import NeatJSON

/// A number as JavaScript's `String(x)` prints it.
func jsNumber(_ value: Double) -> String {
  if value.isNaN { return "NaN" }
  if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
  return formatNumber(value)
}

/// JavaScript's `Math.round`: halves go up.
@inline(__always)
func jsRound(_ value: Double) -> Double {
  let floor = value.rounded(.down)
  return value - floor >= 0.5 ? floor + 1 : floor
}
