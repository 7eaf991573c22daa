import NeatBase

/// The input side of `step` and `interpolate`: the stops, and how the way between two of them is measured.
struct Curve: Hashable, Sendable {
  enum Shape: Hashable, Sendable {
    case step
    case exponential(base: Double)
    case cubicBezier(Double, Double, Double, Double)
  }

  var shape: Shape
  /// Strictly ascending; the first of a step curve is minus infinity.
  var stops: [Double]

  /// The place of an input between two stops, in 0...1 where it lies between them.
  func factor(_ input: Double, _ lower: Double, _ upper: Double) -> Double {
    switch shape {
    case .step: 0
    case .exponential(let base): Curve.exponential(input, base, lower, upper)
    case .cubicBezier(let x1, let y1, let x2, let y2):
      UnitBezier(x1, y1, x2, y2).solve(Curve.exponential(input, 1, lower, upper), epsilon: 1e-6)
    }
  }

  /// For each stop but the last, what the way to the next one is divided by: the same for every input.
  var spans: [Double] {
    let base: Double
    switch shape {
    case .step: return []
    case .exponential(let value): base = value
    case .cubicBezier: base = 1
    }
    return zip(stops, stops.dropFirst()).map {
      base == 1 ? $1 - $0 : (base > 0 ? exp2(($1 - $0) * log2(base)) : pow(base, $1 - $0)) - 1
    }
  }

  static func exponential(_ input: Double, _ base: Double, _ lower: Double, _ upper: Double) -> Double {
    let difference = upper - lower
    let progress = input - lower
    if difference == 0 { return 0 }
    if base == 1 { return progress / difference }
    return (pow(base, progress) - 1) / (pow(base, difference) - 1)
  }
}

/// A cubic Bézier curve from (0, 0) to (1, 1), solved for y by x: Newton's method, then bisection (as
/// WebKit's UnitBezier does).
struct UnitBezier {
  private let ax, bx, cx, ay, by, cy: Double

  init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    cx = 3 * x1
    bx = 3 * (x2 - x1) - cx
    ax = 1 - cx - bx
    cy = 3 * y1
    by = 3 * (y2 - y1) - cy
    ay = 1 - cy - by
  }

  func solve(_ x: Double, epsilon: Double) -> Double {
    let t = parameter(x, epsilon)
    return ((ay * t + by) * t + cy) * t
  }

  private func parameter(_ x: Double, _ epsilon: Double) -> Double {
    if x < 0 { return 0 }
    if x > 1 { return 1 }
    var t = x
    for _ in 0..<8 {
      let error = ((ax * t + bx) * t + cx) * t - x
      if abs(error) < epsilon { return t }
      let slope = (3 * ax * t + 2 * bx) * t + cx
      if abs(slope) < 1e-6 { break }
      t -= error / slope
    }
    var low = 0.0
    var high = 1.0
    t = x
    for _ in 0..<20 {
      let value = ((ax * t + bx) * t + cx) * t
      if abs(value - x) < epsilon { break }
      if x > value { low = t } else { high = t }
      t = (high - low) * 0.5 + low
    }
    return t
  }
}

/// The labels of a `match`, or the values of a list: each with the number of its branch.
struct MatchTable: Hashable, Sendable {
  var strings: [String: Int] = [:]
  /// By the bits of the number; zero is positive.
  var numbers: [UInt64: Int] = [:]
  var isTrue: Int?
  var isFalse: Int?
  var isNull: Int?
  var branchCount = 0

  static func bits(_ value: Double) -> UInt64 { value == 0 ? 0 : value.bitPattern }

  /// Adds a label; false where it is there already, or can never be equal to anything.
  @discardableResult
  mutating func add(_ value: ExpressionValue, branch: Int) -> Bool {
    switch value {
    case .string(let text):
      guard strings[text] == nil else { return false }
      strings[text] = branch
    case .number(let number):
      guard !number.isNaN, numbers[MatchTable.bits(number)] == nil else { return false }
      numbers[MatchTable.bits(number)] = branch
    case .bool(true):
      guard isTrue == nil else { return false }
      isTrue = branch
    case .bool(false):
      guard isFalse == nil else { return false }
      isFalse = branch
    case .null:
      guard isNull == nil else { return false }
      isNull = branch
    default: return false
    }
    return true
  }
}
