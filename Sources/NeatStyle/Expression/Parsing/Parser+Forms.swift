import NeatBase
import NeatJSON

// The operators that have a syntax of their own.
extension Parser {
  typealias Form = @Sendable (inout Parser, String, [JSON], Place) -> Node?

  static let forms: [String: Form] = [
    "literal": { $0.parseLiteral($2, $3) },
    "semiliteral": { $0.parseSemiliteral($2, $3) },
    "let": { $0.parseLet($2, $3) },
    "var": { $0.parseVar($2, $3) },
    "array": { $0.parseAssertion($1, $2, $3) },
    "boolean": { $0.parseAssertion($1, $2, $3) },
    "number": { $0.parseAssertion($1, $2, $3) },
    "object": { $0.parseAssertion($1, $2, $3) },
    "string": { $0.parseAssertion($1, $2, $3) },
    "to-boolean": { $0.parseCoercion(.boolean, $2, $3) },
    "to-color": { $0.parseCoercion(.color, $2, $3) },
    "to-number": { $0.parseCoercion(.number, $2, $3) },
    "to-string": { $0.parseCoercion(.string, $2, $3) },
    "at": { $0.parseAt($2, $3) },
    "in": { $0.parseIn($2, $3) },
    "index-of": { $0.parseIndexOf($2, $3) },
    "slice": { $0.parseSlice($2, $3) },
    "length": { $0.parseLength($2, $3) },
    "case": { $0.parseCase($2, $3) },
    "match": { $0.parseMatch($2, $3) },
    "coalesce": { $0.parseCoalesce($2, $3) },
    "step": { $0.parseStep($2, $3) },
    "interpolate": { $0.parseInterpolate(.interpolate, $2, $3) },
    "interpolate-hcl": { $0.parseInterpolate(.interpolateHCL, $2, $3) },
    "interpolate-lab": { $0.parseInterpolate(.interpolateLAB, $2, $3) },
    "format": { $0.parseFormat($2, $3) },
    "image": { $0.parseImage($2, $3) },
    "number-format": { $0.parseNumberFormat($2, $3) },
    "collator": { $0.parseCollator($2, $3) },
    "global-state": { $0.parseGlobalState($2, $3) },
    "within": { $0.parseWithin($2, $3) },
    "distance": { $0.parseDistance($2, $3) },
    "==": { $0.parseComparison(.equal, $2, $3) },
    "!=": { $0.parseComparison(.notEqual, $2, $3) },
    "<": { $0.parseComparison(.less, $2, $3) },
    ">": { $0.parseComparison(.greater, $2, $3) },
    "<=": { $0.parseComparison(.lessOrEqual, $2, $3) },
    ">=": { $0.parseComparison(.greaterOrEqual, $2, $3) },
  ]

  mutating func parseLiteral(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count == 2 else {
      return fail(
        "'literal' expression requires exactly one argument, but found \(args.count - 1) instead.", place)
    }
    guard let node = literal(args[1], place) else { return nil }
    let weight = node.literalValue?.weight(limit: .max) ?? 0
    return charge(reading: weight, place) ? node : nil
  }

  mutating func literal(_ json: JSON, _ place: Place) -> Node? {
    // Whoever prints, compares or frees the value recurs over it.
    guard !json.isNested(deeperThan: ExpressionLimits.depth) else {
      return exhaust("Value is nested too deeply (limit \(ExpressionLimits.depth)).", place)
    }
    let value = ExpressionValue(json)
    var type = value.type
    // An empty array is of whatever array type is expected.
    if case .array(_, 0?) = type, case .array(_, let length)? = place.expected, length == nil || length == 0 {
      type = place.expected!
    }
    return .literal(value, type, place.path)
  }

  mutating func parseSemiliteral(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count == 2 else {
      return fail(
        "'semiliteral' expression requires exactly one argument, but found \(args.count - 1) instead.", place)
    }
    var item = place
    item.depth += 1
    item.expected = .value
    if case .array(let type, _)? = place.expected { item.expected = type }
    switch args[1].kind {
    case .array:
      var children: [Node] = []
      for element in args[1].elements {
        guard let node = parse(element, item) else { return nil }
        children.append(node)
      }
      let type = ExpressionValue.arrayType(children.lazy.map(\.type), count: children.count)
      return Node(.arrayLiteral, type, place.path, children)
    case .object:
      var children: [Node] = []
      var names: [String] = []
      item.expected = .value
      for (name, member) in args[1].members {
        guard let node = parse(member, item) else { return nil }
        children.append(node)
        names.append(name)
      }
      return Node(.objectLiteral, .object, place.path, children, .names(names))
    default:
      let value = ExpressionValue(args[1])
      return .literal(value, value.type, place.path)
    }
  }

  mutating func parseLet(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count >= 4 else {
      return fail("Expected at least 3 arguments, but found \(args.count - 1) instead.", place)
    }
    var children: [Node] = []
    var bindings: [String: Node] = [:]
    for index in stride(from: 1, to: args.count - 1, by: 2) {
      guard let name = args[index].string else {
        return fail("Expected string, but found \(Parser.javaScriptType(args[index])) instead.", place, index)
      }
      guard name.utf8.allSatisfy(Parser.isNameByte) else {
        return fail("Variable names must contain only alphanumeric characters or '_'.", place, index)
      }
      guard let value = parse(args[index + 1], place.child(index + 1)) else { return nil }
      bindings[name] = value
      children.append(value)
    }
    var inner = place.child(args.count - 1, place.expected)
    inner.scope = Scope(bindings, outer: place.scope)
    guard let result = parse(args[args.count - 1], inner) else { return nil }
    return Node(.let, result.type, place.path, children + [result])
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte >= 0x30 && byte <= 0x39 || byte >= 0x41 && byte <= 0x5A || byte >= 0x61 && byte <= 0x7A
      || byte == 0x5F
  }

  mutating func parseVar(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count == 2, let name = args[1].string else {
      return fail("'var' expression requires exactly one string literal argument.", place)
    }
    guard let bound = place.scope?.find(name) else {
      return fail(
        "Unknown variable \"\(name)\". Make sure \"\(name)\" has been bound in an enclosing \"let\" expression before using it.",
        place, 1)
    }
    return Node(.variable, bound.type, place.path, [], .variable(bound))
  }

  mutating func parseAssertion(_ name: String, _ args: [JSON], _ place: Place) -> Node? {
    guard args.count >= 2 else { return fail("Expected at least one argument.", place) }
    let types: [String: ExpressionType] = [
      "boolean": .boolean, "number": .number, "object": .object, "string": .string,
    ]
    var type = types[name] ?? .anyArray
    var first = 1
    if name == "array" {
      var item = ExpressionType.value
      var length: Int?
      if args.count > 2 {
        guard let itemName = args[1].string, itemName != "object", let itemType = types[itemName] else {
          return fail("The item type argument of \"array\" must be one of string, number, boolean", place, 1)
        }
        item = itemType
        first += 1
      }
      if args.count > 3 {
        if !args[2].isNull {
          guard let count = args[2].int, count >= 0 else {
            return fail("The length argument to \"array\" must be a positive integer literal", place, 2)
          }
          length = count
        }
        first += 1
      }
      type = .array(item, length: length)
    }
    guard let children = parseAll(args, from: first, .value, place) else { return nil }
    return Node(.assertion, type, place.path, children)
  }

  mutating func parseCoercion(_ type: ExpressionType, _ args: [JSON], _ place: Place) -> Node? {
    guard args.count >= 2 else { return fail("Expected at least one argument.", place) }
    if (type == .boolean || type == .string) && args.count != 2 {
      return fail("Expected one argument.", place)
    }
    guard let children = parseAll(args, from: 1, .value, place) else { return nil }
    return Node(.coercion, type, place.path, children)
  }

  private mutating func parseAll(_ args: [JSON], from first: Int, _ type: ExpressionType, _ place: Place)
    -> [Node]?
  {
    var children: [Node] = []
    for index in first..<args.count {
      guard let node = parse(args[index], place.child(index, type)) else { return nil }
      children.append(node)
    }
    return children
  }

  mutating func parseCase(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count >= 4 else {
      return fail("Expected at least 3 arguments, but found only \(args.count - 1).", place)
    }
    guard args.count % 2 == 0 else { return fail("Expected an odd number of arguments.", place) }
    var type = place.outputType
    var children: [Node] = []
    for index in stride(from: 1, to: args.count - 1, by: 2) {
      guard let test = parse(args[index], place.child(index, .boolean)),
        let result = parse(args[index + 1], place.child(index + 1, type))
      else { return nil }
      children.append(test)
      children.append(result)
      type = type ?? result.type
    }
    guard let otherwise = parse(args[args.count - 1], place.child(args.count - 1, type)) else { return nil }
    return Node(.case, type ?? otherwise.type, place.path, children + [otherwise])
  }

  mutating func parseMatch(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count >= 5 else {
      return fail("Expected at least 4 arguments, but found only \(args.count - 1).", place)
    }
    guard args.count % 2 == 1 else { return fail("Expected an even number of arguments.", place) }
    var inputType: ExpressionType?
    var type = place.outputType
    var table = MatchTable()
    var children: [Node] = []
    var seen: Set<String> = []
    for index in stride(from: 2, to: args.count - 1, by: 2) {
      let here = place.child(index)
      let labels = args[index].isArray ? Array(args[index].elements) : [args[index]]
      guard charge(reading: labels.count * EvaluationBudget.itemBytes, here) else { return nil }
      if labels.isEmpty { return fail("Expected at least one branch label.", here) }
      for label in labels {
        guard let message = Parser.labelFault(label, inputType: &inputType, seen: &seen) else {
          table.add(ExpressionValue(label), branch: children.count)
          continue
        }
        return fail(message, here)
      }
      guard let result = parse(args[index + 1], place.child(index, type)) else { return nil }
      type = type ?? result.type
      children.append(result)
    }
    table.branchCount = children.count
    guard let input = parse(args[1], place.child(1, .value)),
      let otherwise = parse(args[args.count - 1], place.child(args.count - 1, type))
    else { return nil }
    if input.type != .value, let message = inputType!.mismatch(input.type) { return fail(message, place, 1) }
    return Node(.match, type ?? otherwise.type, place.path, [input] + children + [otherwise], .match(table))
  }

  /// What is wrong with a branch label; nil where it is new and of the type of the others.
  private static func labelFault(_ label: JSON, inputType: inout ExpressionType?, seen: inout Set<String>)
    -> String?
  {
    let value = ExpressionValue(label)
    switch value {
    case .number(let number):
      if abs(number) > 9_007_199_254_740_991 {
        return "Branch labels must be integers no larger than 9007199254740991."
      }
      if number.rounded(.down) != number { return "Numeric branch labels must be integer values." }
    case .string: break
    default: return "Branch labels must be numbers or strings."
    }
    if let inputType {
      if let message = inputType.mismatch(value.type) { return message }
    } else {
      inputType = value.type
    }
    return seen.insert(value.text).inserted ? nil : "Branch labels must be unique."
  }

  mutating func parseCoalesce(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count >= 2 else { return fail("Expected at least one argument.", place) }
    var type = place.outputType
    var children: [Node] = []
    for (index, arg) in args.enumerated().dropFirst() {
      guard let node = parse(arg, place.child(index, type), .omit) else { return nil }
      type = type ?? node.type
      children.append(node)
    }
    // The arguments are not annotated, so that a null passes on to the next; the whole is, where one of them
    // would have been.
    let needsAnnotation =
      place.expected.map { expected in children.contains { !expected.accepts($0.type) } } ?? false
    return Node(.coalesce, needsAnnotation ? .value : type!, place.path, children)
  }
}
