import Glibc
import Neatline

/// The operators that their parameters describe.
enum OracleOperators {
  struct Signature: Sendable {
    var parameters: [OracleType]
    var isVariadic = false
    var result: OracleType
    /// Whether the value depends on more than the arguments.
    var readsContext = false
    var run: @Sendable ([OracleNode], OracleContext) throws -> OracleValue
  }

  static let all: [String: [Signature]] = {
    var table = OracleOperatorTable()
    table.addReading()
    table.addNumbers()
    table.addConditionsAndText()
    table.addColors()
    return table.signatures
  }()

  fileprivate static func least(_ a: Double, _ b: Double) -> Double {
    a.isNaN || b.isNaN ? .nan : Swift.min(a, b)
  }

  /// What `typeof` calls a type.
  fileprivate static func name(of type: OracleType) -> String {
    switch type {
    case .array(.value, let count), .array(.color, let count), .array(.object, let count),
      .array(.array, let count),
      .array(.null, let count):
      if case .array(let item, _) = type, item != .value {
        return "array<\(name(of: item))\(count.map { ", \($0)" } ?? "")>"
      }
      return count.map { "array<value, \($0)>" } ?? "array"
    case .array(let item, let count): return "array<\(name(of: item))\(count.map { ", \($0)" } ?? "")>"
    case .image: return "resolvedImage"
    default: return "\(type)"
    }
  }

  static func compare(_ name: String, _ a: OracleValue, _ b: OracleValue) throws -> Bool {
    let order: (less: Bool, same: Bool)
    switch (a, b) {
    case (.number(let a), .number(let b)): order = (a < b, a == b)
    case (.string(let a), .string(let b)):
      order = (Array(a.utf16).lexicographicallyPrecedes(Array(b.utf16)), a.utf8.elementsEqual(b.utf8))
    default: throw OracleError(message: "\(name) of two types")
    }
    // With NaN, nothing holds.
    if case .number(let a) = a, case .number(let b) = b, a.isNaN || b.isNaN { return false }
    switch name {
    case "<": return order.less
    case "<=": return order.less || order.same
    case ">": return !order.less && !order.same
    default: return !order.less
    }
  }

  static func assertion(_ type: OracleType, _ children: [OracleNode]) -> OracleNode {
    OracleNode(type) { context in
      for child in children {
        let value = try child.evaluate(context)
        if type.accepts(value.type) { return value }
      }
      throw OracleError(message: "\(type) is expected")
    }
  }

  static func coercion(_ type: OracleType, _ children: [OracleNode]) -> OracleNode {
    OracleNode(type) { context in
      switch type {
      case .boolean: return .bool(try children[0].evaluate(context).isTruthy)
      case .string, .formatted, .image: return .string(try children[0].evaluate(context).text)
      case .number:
        for child in children {
          let number: Double
          switch try child.evaluate(context) {
          case .null: return .number(0)
          case .bool(let value): number = value ? 1 : 0
          case .number(let value): number = value
          case .string(let text): number = OracleText.number(text)
          default: throw OracleError(message: "to-number of a collection", isUnsupported: true)
          }
          if !number.isNaN { return .number(number) }
        }
        throw OracleError(message: "no number")
      default:
        for child in children {
          switch try child.evaluate(context) {
          case .color(let color): return .color(color)
          case .string(let text): if let color = OracleColor.parse(text) { return .color(color) }
          case .array(let items):
            let numbers = items.compactMap(\.number)
            if numbers.count == items.count,
              let color = try? OracleColor.value(numbers.count == 3 ? numbers + [1] : numbers)
            {
              return color
            }
          default: break
          }
        }
        throw OracleError(message: "no colour")
      }
    }
  }
}

/// The table while it is made.
private struct OracleOperatorTable {
  typealias Signature = OracleOperators.Signature
  var signatures: [String: [Signature]] = [:]

  mutating func add(
    _ name: String, _ parameters: [OracleType], _ result: OracleType,
    _ run: @escaping @Sendable ([OracleNode], OracleContext) throws -> OracleValue
  ) {
    signatures[name, default: []].append(Signature(parameters: parameters, result: result, run: run))
  }

  mutating func variadic(
    _ name: String, _ type: OracleType, _ result: OracleType,
    _ run: @escaping @Sendable ([OracleNode], OracleContext) throws -> OracleValue
  ) {
    signatures[name, default: []].append(
      Signature(parameters: [type], isVariadic: true, result: result, run: run))
  }

  mutating func context(
    _ name: String, _ parameters: [OracleType], _ result: OracleType,
    _ run: @escaping @Sendable ([OracleNode], OracleContext) throws -> OracleValue
  ) {
    signatures[name, default: []].append(
      Signature(parameters: parameters, result: result, readsContext: true, run: run))
  }

  mutating func unary(_ name: String, _ run: @escaping @Sendable (Double) -> Double) {
    add(name, [.number], .number) { .number(run(try $0[0].number($1))) }
  }

  mutating func binary(_ name: String, _ run: @escaping @Sendable (Double, Double) -> Double) {
    add(name, [.number, .number], .number) { .number(run(try $0[0].number($1), try $0[1].number($1))) }
  }

  mutating func addReading() {
    context("get", [.string], .value) { $1.feature.properties[try $0[0].string($1)] ?? .null }
    add("get", [.string, .object], .value) { nodes, context in
      let name = try nodes[0].string(context)
      guard case .object(let members) = try nodes[1].evaluate(context) else {
        throw OracleError(message: "get: no object")
      }
      return members[name] ?? .null
    }
    context("has", [.string], .boolean) { .bool($1.feature.properties[try $0[0].string($1)] != nil) }
    add("has", [.string, .object], .boolean) { nodes, context in
      let name = try nodes[0].string(context)
      guard case .object(let members) = try nodes[1].evaluate(context) else {
        throw OracleError(message: "has: no object")
      }
      return .bool(members[name] != nil)
    }
    context("properties", [], .object) { .object($1.feature.properties) }
    context("geometry-type", [], .string) { .string($1.feature.geometryType) }
    context("id", [], .value) { $1.feature.id }
    context("zoom", [], .number) { .number($1.zoom) }
    add("typeof", [.value], .string) { .string(OracleOperators.name(of: try $0[0].evaluate($1).type)) }
  }

  mutating func addNumbers() {
    variadic("+", .number, .number) { nodes, context in
      .number(try nodes.reduce(0) { $0 + (try $1.number(context)) })
    }
    variadic("*", .number, .number) { nodes, context in
      .number(try nodes.reduce(1) { $0 * (try $1.number(context)) })
    }
    binary("-") { $0 - $1 }
    unary("-") { -$0 }
    binary("/") { $0 / $1 }
    binary("%") { fmod($0, $1) }
    binary("^") { $1.isNaN || $1.isInfinite && abs($0) == 1 ? .nan : pow($0, $1) }
    variadic("min", .number, .number) { nodes, context in
      .number(try nodes.reduce(.infinity) { OracleOperators.least($0, try $1.number(context)) })
    }
    variadic("max", .number, .number) { nodes, context in
      .number(try nodes.reduce(-.infinity) { -OracleOperators.least(-$0, -(try $1.number(context))) })
    }
    unary("sqrt") { $0.squareRoot() }
    unary("log10") { log($0) / 2.302585092994046 }
    unary("ln") { log($0) }
    unary("log2") { log($0) / 0.6931471805599453 }
    unary("sin") { sin($0) }
    unary("cos") { cos($0) }
    unary("tan") { tan($0) }
    unary("asin") { asin($0) }
    unary("acos") { acos($0) }
    unary("atan") { atan($0) }
    unary("abs") { abs($0) }
    // Halves go away from zero.
    unary("round") { $0 < 0 ? -(-$0 + 0.5).rounded(.down) : ($0 + 0.5).rounded(.down) }
    unary("floor") { $0.rounded(.down) }
    unary("ceil") { $0.rounded(.up) }
    add("pi", [], .number) { _, _ in .number(.pi) }
    add("e", [], .number) { _, _ in .number(M_E) }
    add("ln2", [], .number) { _, _ in .number(M_LN2) }
  }

  mutating func addConditionsAndText() {
    variadic("all", .boolean, .boolean) { nodes, context in
      for node in nodes where try !node.bool(context) { return .bool(false) }
      return .bool(true)
    }
    variadic("any", .boolean, .boolean) { nodes, context in
      for node in nodes where try node.bool(context) { return .bool(true) }
      return .bool(false)
    }
    add("!", [.boolean], .boolean) { .bool(!(try $0[0].bool($1))) }
    add("upcase", [.string], .string) { .string(try $0[0].string($1).uppercased()) }
    add("downcase", [.string], .string) { .string(try $0[0].string($1).lowercased()) }
    variadic("concat", .value, .string) { nodes, context in
      .string(try nodes.map { try $0.evaluate(context).text }.joined())
    }
  }

  mutating func addColors() {
    add("rgb", [.number, .number, .number], .color) { nodes, context in
      try OracleColor.value(nodes.map { try $0.number(context) } + [1])
    }
    add("rgba", [.number, .number, .number, .number], .color) { nodes, context in
      try OracleColor.value(nodes.map { try $0.number(context) })
    }
    add("to-rgba", [.color], .array(.number, 4)) { nodes, context in
      guard case .color(let color) = try nodes[0].evaluate(context) else {
        throw OracleError(message: "to-rgba: no colour")
      }
      return .array([
        .number(color.x * 255), .number(color.y * 255), .number(color.z * 255), .number(color.w),
      ])
    }
  }
}
