import NeatJSON

/// The parameters of an operator: a list of types, or any number of one type.
enum Signature: Sendable {
  case list([ExpressionType])
  case any(ExpressionType)

  func type(_ index: Int) -> ExpressionType {
    switch self {
    case .list(let types): types[index]
    case .any(let type): type
    }
  }

  func fits(_ count: Int) -> Bool {
    switch self {
    case .list(let types): types.count == count
    case .any: true
    }
  }

  var description: String {
    switch self {
    case .list(let types): "(" + types.map(\.description).joined(separator: ", ") + ")"
    case .any(let type): "(\(type.description)...)"
    }
  }
}

extension Parser {
  struct Definition: Sendable {
    let op: Operator
    let type: ExpressionType
    let overloads: [Signature]

    init(_ op: Operator, _ type: ExpressionType, _ overloads: Signature...) {
      self.op = op
      self.type = type
      self.overloads = overloads
    }
  }

  /// The operators that are described by their signatures.
  static let signatures: [String: Definition] = {
    let list: [Definition] = [
      Definition(.error, .error, .list([.string])),
      Definition(.typeof, .string, .list([.value])),
      Definition(.toRGBA, .array(.number, length: 4), .list([.color])),
      Definition(.rgb, .color, .list([.number, .number, .number])),
      Definition(.rgba, .color, .list([.number, .number, .number, .number])),
      Definition(.has, .boolean, .list([.string]), .list([.string, .object])),
      Definition(.get, .value, .list([.string]), .list([.string, .object])),
      Definition(.featureState, .value, .list([.string])),
      Definition(.properties, .object, .list([])),
      Definition(.geometryType, .string, .list([])),
      Definition(.id, .value, .list([])),
      Definition(.zoom, .number, .list([])),
      Definition(.heatmapDensity, .number, .list([])),
      Definition(.elevation, .number, .list([])),
      Definition(.lineProgress, .number, .list([])),
      Definition(.skyRadialProgress, .number, .list([])),
      Definition(.accumulated, .value, .list([])),
      Definition(.add, .number, .any(.number)),
      Definition(.multiply, .number, .any(.number)),
      Definition(.subtract, .number, .list([.number, .number]), .list([.number])),
      Definition(.divide, .number, .list([.number, .number])),
      Definition(.modulo, .number, .list([.number, .number])),
      Definition(.power, .number, .list([.number, .number])),
      Definition(.min, .number, .any(.number)),
      Definition(.max, .number, .any(.number)),
      Definition(.all, .boolean, .list([.boolean, .boolean]), .any(.boolean)),
      Definition(.any, .boolean, .list([.boolean, .boolean]), .any(.boolean)),
      Definition(.not, .boolean, .list([.boolean])),
      Definition(.isSupportedScript, .boolean, .list([.string])),
      Definition(.upcase, .string, .list([.string])),
      Definition(.downcase, .string, .list([.string])),
      Definition(.concat, .string, .any(.value)),
      Definition(.resolvedLocale, .string, .list([.collator])),
      Definition(.split, .array(.string, length: nil), .list([.string, .string])),
      Definition(.join, .string, .list([.array(.string, length: nil), .string])),
    ]
    var table: [String: Definition] = [:]
    for definition in list { table[definition.op.rawValue] = definition }
    for op: Operator in [.ln2, .pi, .e] { table[op.rawValue] = Definition(op, .number, .list([])) }
    for op: Operator in [
      .sqrt, .log10, .ln, .log2, .sin, .cos, .tan, .asin, .acos, .atan, .abs, .round, .floor, .ceil,
    ] {
      table[op.rawValue] = Definition(op, .number, .list([.number]))
    }
    return table
  }()

  mutating func parseOperator(_ name: String, _ args: [JSON], _ place: Place) -> Node? {
    if let form = Parser.forms[name] { return form(&self, name, args, place) }
    guard let definition = Parser.signatures[name] else {
      return fail(
        "Unknown expression \"\(name)\". If you wanted a literal array, use [\"literal\", [...]].", place, 0)
    }
    return parseSigned(definition, args, place)
  }

  private mutating func parseSigned(_ definition: Definition, _ args: [JSON], _ place: Place) -> Node? {
    let fitting = definition.overloads.filter { $0.fits(args.count - 1) }
    let earlier = errors
    for overload in fitting {
      // Each attempt starts without errors, and leaves them behind only if it is the only one.
      errors = []
      if let node = parseArguments(definition, overload, args, place) {
        errors = earlier
        return node
      }
      if isExhausted { return nil }
      let found = errors
      errors = earlier
      if fitting.count == 1 {
        errors += found
        return nil
      }
    }
    let shown = (fitting.isEmpty ? definition.overloads : fitting).map(\.description).joined(separator: " | ")
    var types: [String] = []
    for (index, arg) in args.enumerated().dropFirst() {
      guard let node = parse(arg, place.child(index)) else { return nil }
      types.append(node.type.description)
    }
    return fail(
      "Expected arguments of type \(shown), but found (\(types.joined(separator: ", "))) instead.", place)
  }

  private mutating func parseArguments(
    _ definition: Definition, _ overload: Signature, _ args: [JSON], _ place: Place
  ) -> Node? {
    var children: [Node] = []
    children.reserveCapacity(args.count - 1)
    for (index, arg) in args.enumerated().dropFirst() {
      guard let node = parse(arg, place.child(index, overload.type(index - 1))) else { return nil }
      children.append(node)
    }
    for (index, child) in children.enumerated() {
      if let message = overload.type(index).mismatch(child.type) { _ = fail(message, place.child(index + 1)) }
    }
    return errors.isEmpty ? Node(definition.op, definition.type, place.path, children) : nil
  }
}
