import Glibc
import Neatline

/// How the way between two stops is measured.
enum OracleCurve {
  case exponential(Double)
  case bezier(SIMD4<Double>)

  func factor(_ input: Double, _ low: Double, _ high: Double) -> Double {
    switch self {
    case .exponential(let base):
      if base == 1 { return (input - low) / (high - low) }
      return (pow(base, input - low) - 1) / (pow(base, high - low) - 1)
    case .bezier(let points):
      // Bisection of x, which grows with the parameter.
      let x = (input - low) / (high - low)
      func curve(_ a: Double, _ b: Double, _ t: Double) -> Double {
        3 * a * t * (1 - t) * (1 - t) + 3 * b * t * t * (1 - t) + t * t * t
      }
      var range = (0.0, 1.0)
      for _ in 0..<60 {
        let middle = (range.0 + range.1) / 2
        if curve(points[0], points[2], middle) < x { range.0 = middle } else { range.1 = middle }
      }
      return curve(points[1], points[3], range.0)
    }
  }
}

extension OracleParser {
  mutating func parseCurve(_ name: String, _ arguments: [JSONValue], _ output: OracleType?) throws
    -> OracleNode
  {
    var curve: OracleCurve?
    var rest = arguments[...]
    if name == "interpolate" {
      curve = try OracleParser.curve(rest.popFirst())
    }
    guard let first = rest.popFirst() else { throw OracleError(message: "\(name): no input") }
    let input = try parse(first, .number)
    var type = output
    var stops: [Double] = []
    var outputs: [OracleNode] = []
    if curve == nil {
      guard let first = rest.popFirst() else { throw OracleError(message: "step: no output") }
      stops.append(-.infinity)
      outputs.append(try parse(first, type))
      type = type ?? outputs[0].type
    }
    try check(!rest.isEmpty && rest.count % 2 == 0, "\(name): wrong number of arguments")
    while let stop = rest.popFirst(), let value = rest.popFirst() {
      guard let number = stop.number, stops.last.map({ $0 < number }) ?? true else {
        throw OracleError(message: "\(name): stops")
      }
      stops.append(number)
      let node = try parse(value, type)
      type = type ?? node.type
      outputs.append(node)
    }
    let (places, nodes) = (stops, outputs)
    if curve != nil {
      switch type! {
      case .number, .color, .array(.number, .some): break
      default: throw OracleError(message: "\(type!) cannot be interpolated")
      }
    }
    let way = curve
    let node = OracleNode(type!) { context in
      let place = try input.number(context)
      if nodes.count == 1 || place <= places[0] { return try nodes[0].evaluate(context) }
      if place >= places[places.count - 1] { return try nodes[nodes.count - 1].evaluate(context) }
      guard let upper = places.firstIndex(where: { $0 > place }) else {
        throw OracleError(message: "the input is no number")
      }
      guard let way else { return try nodes[upper - 1].evaluate(context) }
      let low = try nodes[upper - 1].evaluate(context)
      let high = try nodes[upper].evaluate(context)
      return try OracleParser.mix(low, high, way.factor(place, places[upper - 1], places[upper]))
    }
    return input.literal != nil && outputs.allSatisfy { $0.literal != nil } ? try folded(node) : node
  }

  private static func curve(_ json: JSONValue?) throws -> OracleCurve {
    let options = json?.array ?? []
    switch options.first?.string {
    case "linear": return .exponential(1)
    case "exponential":
      guard options.count > 1, let base = options[1].number else {
        throw OracleError(message: "interpolate: no base")
      }
      return .exponential(base)
    case "cubic-bezier":
      let numbers = options.dropFirst().compactMap(\.number)
      guard numbers.count == 4, numbers.allSatisfy({ (0...1).contains($0) }) else {
        throw OracleError(message: "interpolate: control points")
      }
      return .bezier(SIMD4(numbers[0], numbers[1], numbers[2], numbers[3]))
    default: throw OracleError(message: "interpolate: unknown curve")
    }
  }

  static func mix(_ low: OracleValue, _ high: OracleValue, _ t: Double) throws -> OracleValue {
    switch (low, high) {
    case (.number(let a), .number(let b)): return .number(a + t * (b - a))
    case (.color(let a), .color(let b)):
      // As the specification has it: not premultiplied.
      return .color(a + (b - a) * t)
    case (.array(let a), .array(let b)) where a.count == b.count:
      return .array(try zip(a, b).map { try mix($0, $1, t) })
    default: throw OracleError(message: "cannot be mixed")
    }
  }
}
