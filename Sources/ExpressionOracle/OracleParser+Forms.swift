import Glibc
import Neatline

extension OracleParser {
  /// The operators with rules of their own; nil for any other.
  mutating func parseForm(_ name: String, _ arguments: [JSONValue], _ expected: OracleType?) throws
    -> OracleNode?
  {
    let output = expected == .value ? nil : expected
    switch name {
    case "literal":
      try check(arguments.count == 1, "literal takes one argument")
      let value = OracleValue(arguments[0])
      var type = value.type
      // An empty array may be of any type that is expected.
      if case .array(_, 0) = type, case .array(_, let count)? = expected, count == nil || count == 0 {
        type = expected!
      }
      return OracleNode(value, type)
    case "let": return try parseLet(arguments, expected)
    case "var":
      guard arguments.count == 1, let name = arguments[0].string, let bound = scope[name] else {
        throw OracleError(message: "unbound variable")
      }
      return bound
    case "case": return try parseCase(arguments, output)
    case "match": return try parseMatch(arguments, output)
    case "coalesce": return try parseCoalesce(arguments, expected)
    case "step", "interpolate": return try parseCurve(name, arguments, output)
    case "==", "!=", "<", ">", "<=", ">=": return try parseComparison(name, arguments)
    case "at": return try parseAt(arguments, expected)
    case "in": return try parseIn(arguments)
    case "length": return try parseLength(arguments)
    case "number", "string", "boolean", "object", "array": return try parseAssertion(name, arguments)
    case "to-number", "to-string", "to-boolean", "to-color": return try parseCoercion(name, arguments)
    default: return nil
    }
  }

  private func made(
    _ type: OracleType, _ children: [OracleNode], _ run: @escaping (OracleContext) throws -> OracleValue
  ) throws
    -> OracleNode
  {
    let node = OracleNode(type, run)
    return children.allSatisfy { $0.literal != nil } ? try folded(node) : node
  }

  private mutating func parseLet(_ arguments: [JSONValue], _ expected: OracleType?) throws -> OracleNode {
    try check(arguments.count >= 3 && arguments.count % 2 == 1, "let: wrong number of arguments")
    var inner = scope
    for index in stride(from: 0, to: arguments.count - 1, by: 2) {
      guard let name = arguments[index].string else { throw OracleError(message: "let: a name is expected") }
      inner[name] = try parse(arguments[index + 1], nil)
    }
    let outer = scope
    scope = inner
    defer { scope = outer }
    return try parse(arguments[arguments.count - 1], expected)
  }

  private mutating func parseCase(_ arguments: [JSONValue], _ output: OracleType?) throws -> OracleNode {
    try check(arguments.count >= 3 && arguments.count % 2 == 1, "case: wrong number of arguments")
    var type = output
    var branches: [(test: OracleNode, result: OracleNode)] = []
    for index in stride(from: 0, to: arguments.count - 1, by: 2) {
      let test = try parse(arguments[index], .boolean)
      let result = try parse(arguments[index + 1], type)
      branches.append((test, result))
      type = type ?? result.type
    }
    let otherwise = try parse(arguments[arguments.count - 1], type)
    let list = branches
    return try made(type!, list.flatMap { [$0.test, $0.result] } + [otherwise]) { context in
      for branch in list where try branch.test.bool(context) { return try branch.result.evaluate(context) }
      return try otherwise.evaluate(context)
    }
  }

  private mutating func parseMatch(_ arguments: [JSONValue], _ output: OracleType?) throws -> OracleNode {
    try check(arguments.count >= 4 && arguments.count % 2 == 0, "match: wrong number of arguments")
    var type = output
    var labelType: OracleType?
    var branches: [OracleValue: OracleNode] = [:]
    var results: [OracleNode] = []
    for index in stride(from: 1, to: arguments.count - 1, by: 2) {
      let labels = (arguments[index].array ?? [arguments[index]]).map { OracleValue($0) }
      try check(!labels.isEmpty, "match: no labels")
      let result = try parse(arguments[index + 1], type)
      type = type ?? result.type
      results.append(result)
      for label in labels {
        switch label {
        case .number(let number):
          try check(
            number == number.rounded() && abs(number) <= 9_007_199_254_740_991, "match: a label is no integer"
          )
        case .string: break
        default: throw OracleError(message: "match: a label is neither number nor string")
        }
        try check(labelType == nil || labelType == label.type, "match: labels of several types")
        labelType = label.type
        try check(branches.updateValue(result, forKey: label) == nil, "match: a label comes twice")
      }
    }
    let input = try parse(arguments[0], .value)
    let otherwise = try parse(arguments[arguments.count - 1], type)
    try check(
      input.type == .value || labelType!.accepts(input.type),
      "match: the input is of another type than the labels")
    let table = branches
    return try made(type!, [input, otherwise] + results) { context in
      try (table[try input.evaluate(context)] ?? otherwise).evaluate(context)
    }
  }

  private mutating func parseCoalesce(_ arguments: [JSONValue], _ expected: OracleType?) throws -> OracleNode
  {
    try check(!arguments.isEmpty, "coalesce: no arguments")
    var type = expected == .value ? nil : expected
    var children: [OracleNode] = []
    for argument in arguments {
      let child = try parse(argument, type, .omit)
      type = type ?? child.type
      children.append(child)
    }
    let nodes = children
    let needsAnnotation = expected.map { expected in nodes.contains { !expected.accepts($0.type) } } ?? false
    return try made(needsAnnotation ? .value : type!, nodes) { context in
      var value = OracleValue.null
      for node in nodes {
        value = try node.evaluate(context)
        if value != .null { break }
      }
      return value
    }
  }

  private mutating func parseComparison(_ name: String, _ arguments: [JSONValue]) throws -> OracleNode {
    try check(arguments.count == 2, "comparison: two arguments are expected")
    let isEquality = name == "==" || name == "!="
    func isComparable(_ type: OracleType) -> Bool {
      switch type {
      case .string, .number, .value: true
      case .boolean, .null: isEquality
      default: false
      }
    }
    var left = try parse(arguments[0], .value)
    try check(isComparable(left.type), "comparison of \(left.type)")
    var right = try parse(arguments[1], .value)
    try check(isComparable(right.type), "comparison of \(right.type)")
    try check(
      left.type == right.type || left.type == .value || right.type == .value, "comparison of two types")
    if !isEquality {
      if left.type == .value && right.type != .value {
        left = OracleOperators.assertion(right.type, [left])
      } else if left.type != .value && right.type == .value {
        right = OracleOperators.assertion(left.type, [right])
      }
    }
    let (a, b) = (left, right)
    return try made(.boolean, [a, b]) { context in
      let (first, second) = (try a.evaluate(context), try b.evaluate(context))
      if isEquality { return .bool(first.isSame(second) == (name == "==")) }
      return .bool(try OracleOperators.compare(name, first, second))
    }
  }

  private mutating func parseAt(_ arguments: [JSONValue], _ expected: OracleType?) throws -> OracleNode {
    try check(arguments.count == 2, "at: two arguments are expected")
    let index = try parse(arguments[0], .number)
    let input = try parse(arguments[1], .array(expected ?? .value, nil))
    guard case .array(let item, _) = input.type else { throw OracleError(message: "at: no array") }
    return try made(item, [index, input]) { context in
      let place = try index.number(context)
      guard case .array(let items) = try input.evaluate(context) else {
        throw OracleError(message: "at: no array")
      }
      guard place >= 0, place < Double(items.count), place == place.rounded(.down) else {
        throw OracleError(message: "at: out of bounds")
      }
      return items[Int(place)]
    }
  }

  private mutating func parseIn(_ arguments: [JSONValue]) throws -> OracleNode {
    try check(arguments.count == 2, "in: two arguments are expected")
    let needle = try parse(arguments[0], .value)
    let haystack = try parse(arguments[1], .value)
    switch needle.type {
    case .boolean, .string, .number, .null, .value: break
    default: throw OracleError(message: "in: nothing to look for")
    }
    return try made(.boolean, [needle, haystack]) { context in
      let (wanted, place) = (try needle.evaluate(context), try haystack.evaluate(context))
      if !place.isTruthy { return .bool(false) }
      switch wanted {
      case .null, .bool, .number, .string: break
      default: throw OracleError(message: "in: nothing to look for")
      }
      switch place {
      case .array(let items): return .bool(items.contains { $0.isSame(wanted) })
      case .string(let text):
        let part = wanted == .null ? "null" : wanted.text
        return .bool(part.isEmpty || text.contains(part))
      default: throw OracleError(message: "in: nowhere to look")
      }
    }
  }

  private mutating func parseLength(_ arguments: [JSONValue]) throws -> OracleNode {
    try check(arguments.count == 1, "length: one argument is expected")
    let input = try parse(arguments[0], nil)
    switch input.type {
    case .array, .string, .value: break
    default: throw OracleError(message: "length of \(input.type)")
    }
    return try made(.number, [input]) { context in
      switch try input.evaluate(context) {
      case .string(let text): return .number(Double(text.unicodeScalars.count))
      case .array(let items): return .number(Double(items.count))
      default: throw OracleError(message: "length: neither string nor array")
      }
    }
  }

  private mutating func parseAssertion(_ name: String, _ arguments: [JSONValue]) throws -> OracleNode {
    try check(!arguments.isEmpty, "\(name): no arguments")
    var first = 0
    var type = OracleType(named: name) ?? (name == "object" ? .object : .array(.value, nil))
    if name == "array" {
      if arguments.count > 1 {
        guard let item = arguments[0].string.flatMap({ OracleType(named: $0) }),
          [.string, .number, .boolean].contains(item)
        else {
          throw OracleError(message: "array: wrong item type")
        }
        type = .array(item, nil)
        first = 1
      }
      if arguments.count > 2 {
        if case .array(let item, _) = type, let count = arguments[1].number {
          type = .array(item, Int(count))
        }
        first = 2
      }
    }
    var children: [OracleNode] = []
    for argument in arguments[first...] { children.append(try parse(argument, .value)) }
    let node = OracleOperators.assertion(type, children)
    return children.allSatisfy { $0.literal != nil } ? try folded(node) : node
  }

  private mutating func parseCoercion(_ name: String, _ arguments: [JSONValue]) throws -> OracleNode {
    let type: OracleType =
      name == "to-number" ? .number : name == "to-string" ? .string : name == "to-boolean" ? .boolean : .color
    try check(
      !arguments.isEmpty && (arguments.count == 1 || type == .number || type == .color),
      "\(name): wrong number of arguments")
    var children: [OracleNode] = []
    for argument in arguments { children.append(try parse(argument, .value)) }
    let node = OracleOperators.coercion(type, children)
    return children.allSatisfy { $0.literal != nil } ? try folded(node) : node
  }
}
