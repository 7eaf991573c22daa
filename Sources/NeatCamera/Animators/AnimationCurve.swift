import NeatBase

/// How a value goes from 0 to 1 while the time does.
package enum AnimationCurve: Sendable, Hashable {
  case linear
  /// The cubic Bézier curve from (0, 0) to (1, 1) with two control points, whose x are within 0...1.
  case cubicBezier(SIMD2<Double>, SIMD2<Double>)
  /// A spring that is let go away from its rest: below a damping ratio of 1 it swings past the end.
  case spring(dampingRatio: Double)

  package static let easeIn = AnimationCurve.cubicBezier(SIMD2(0.42, 0), SIMD2(1, 1))
  package static let easeOut = AnimationCurve.cubicBezier(SIMD2(0, 0), SIMD2(0.58, 1))
  package static let easeInOut = AnimationCurve.cubicBezier(SIMD2(0.42, 0), SIMD2(0.58, 1))

  /// The curve, or an error that names what is out of its range.
  package func checked() throws(NeatError) -> AnimationCurve {
    switch self {
    case .linear: break
    case .cubicBezier(let a, let b):
      for x in [a.x, b.x] where !(0...1).contains(x) {
        throw NeatError(.invalidArgument, "curve: x \(x) of a control point is not within 0...1")
      }
      for y in [a.y, b.y] where !(-100...100).contains(y) {
        throw NeatError(.invalidArgument, "curve: y \(y) of a control point is not within -100...100")
      }
    case .spring(let ratio):
      guard (0.01...100).contains(ratio) else {
        throw NeatError(.invalidArgument, "curve: damping ratio \(ratio) is not within 0.01...100")
      }
    }
    return self
  }

  /// The value at a part of the time: 0 up to the beginning, 1 from the end on.
  package func value(at part: Double) -> Double {
    guard part > 0 else { return 0 }
    guard part < 1 else { return 1 }
    switch self {
    case .linear: return part
    case .cubicBezier(let a, let b): return AnimationCurve.bezier(part, a, b)
    case .spring(let ratio): return AnimationCurve.spring(part, ratio)
    }
  }

  /// x grows with the curve's parameter, so that halving finds it.
  private static func bezier(_ x: Double, _ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
    func point(_ t: Double) -> SIMD2<Double> {
      let s = 1 - t
      return a * (3 * s * s * t) + b * (3 * s * t * t) + SIMD2(repeating: t * t * t)
    }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<52 {
      let t = (low + high) / 2
      if point(t).x < x { low = t } else { high = t }
    }
    return point((low + high) / 2).y
  }

  /// A damped harmonic oscillator from rest at 0 to 1. Its frequency is such that what is left of the way at
  /// the end is a thousandth; that rest is shared out over the time, so that it ends exactly.
  private static func spring(_ t: Double, _ ratio: Double) -> Double {
    let frequency = settling / (ratio <= 1 ? ratio : ratio - (ratio * ratio - 1).squareRoot())
    func left(_ t: Double) -> Double {
      if ratio < 1 {
        let swing = frequency * (1 - ratio * ratio).squareRoot()
        return exp(-ratio * frequency * t)
          * (cos(swing * t) + ratio * frequency / swing * sin(swing * t))
      }
      if ratio == 1 { return exp(-frequency * t) * (1 + frequency * t) }
      let root = frequency * (ratio * ratio - 1).squareRoot()
      let (a, b) = (-ratio * frequency + root, -ratio * frequency - root)
      return (a * exp(b * t) - b * exp(a * t)) / (a - b)
    }
    return 1 - left(t) + left(1) * t
  }

  /// e to the power of minus this is about a thousandth.
  private static let settling = 6.9
}
