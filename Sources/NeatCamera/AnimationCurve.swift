import NeatBase

/// What a curve makes of time: how much of the way is done when a part of the time is over.
package enum AnimationCurve: Sendable, Hashable {
  case linear
  case easeIn
  case easeOut
  case easeInOut
  /// A cubic Bézier curve from (0, 0) to (1, 1) by its two control points, as CSS has it. The x are within 0...1,
  /// the y within -10...10: a way may be overshot.
  case bezier(x1: Double, y1: Double, x2: Double, y2: Double)
  /// A spring that has come to rest when the time is over. Damping ratio 1: it does not swing; less, to 0.1: it
  /// swings past the end and back.
  case spring(dampingRatio: Double)

  /// CSS's `ease`, MapLibre's default.
  package static let ease = AnimationCurve.bezier(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1)

  /// The curve, or an error that names the number out of its range.
  package func checked() throws(NeatError) -> AnimationCurve {
    switch self {
    case .bezier(let x1, let y1, let x2, let y2):
      for x in [x1, x2] where !(0...1).contains(x) {
        throw NeatError(.invalidArgument, "curve: x \(x) of a control point is not within 0...1")
      }
      for y in [y1, y2] where !(-10...10).contains(y) {
        throw NeatError(.invalidArgument, "curve: y \(y) of a control point is not within -10...10")
      }
    case .spring(let ratio):
      guard (0.1...1).contains(ratio) else {
        throw NeatError(.invalidArgument, "curve: damping ratio \(ratio) is not within 0.1...1")
      }
    case .linear, .easeIn, .easeOut, .easeInOut: break
    }
    return self
  }

  /// The part of the way, for a part of the time: 0 at the start and 1 at the end, whatever the curve.
  package func value(at time: Double) -> Double {
    if time <= 0 { return 0 }
    if time >= 1 { return 1 }
    switch self {
    case .linear: return time
    case .easeIn: return AnimationCurve.bezier(time, 0.42, 0, 1, 1)
    case .easeOut: return AnimationCurve.bezier(time, 0, 0, 0.58, 1)
    case .easeInOut: return AnimationCurve.bezier(time, 0.42, 0, 0.58, 1)
    case .bezier(let x1, let y1, let x2, let y2): return AnimationCurve.bezier(time, x1, y1, x2, y2)
    case .spring(let ratio): return AnimationCurve.spring(time, ratio) / AnimationCurve.spring(1, ratio)
    }
  }

  /// x grows with the curve's parameter, so that halving finds it: 40 halvings leave less than 1e-12.
  private static func bezier(_ x: Double, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<40 {
      let t = (low + high) / 2
      if cubic(t, x1, x2) < x { low = t } else { high = t }
    }
    return cubic((low + high) / 2, y1, y2)
  }

  private static func cubic(_ t: Double, _ a: Double, _ b: Double) -> Double {
    let s = 1 - t
    return 3 * s * s * t * a + 3 * s * t * t * b + t * t * t
  }

  /// The damped oscillator from 0 towards 1, which is within a thousandth of it at time 1.
  private static func spring(_ time: Double, _ ratio: Double) -> Double {
    // e^-9.23 · (1 + 9.23), and e^-6.91.
    guard ratio < 1 else { return 1 - exp(-9.23 * time) * (1 + 9.23 * time) }
    let decay = 6.91
    let swing = decay / ratio * (1 - ratio * ratio).squareRoot()
    return 1 - exp(-decay * time) * (cos(swing * time) + decay / swing * sin(swing * time))
  }
}
