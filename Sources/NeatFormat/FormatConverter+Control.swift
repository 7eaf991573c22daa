import NeatJSON
import NeatStyle

// MGL_LET, MGL_IF, MGL_MATCH, MGL_FUNCTION.
extension FormatConverter {
  mutating func control(_ call: FormatCall) throws(FormatStringError) -> ExpressionTree {
    switch call.name {
    case "MGL_LET": return try bindings(call)
    case "MGL_MATCH": return try match(call)
    case "MGL_FUNCTION": return try style(call)
    default: return try cases(call)
    }
  }

  private mutating func bindings(_ call: FormatCall) throws(FormatStringError) -> ExpressionTree {
    try call.expect(atLeast: 3)
    guard call.operands.count % 2 == 1 else {
      throw FormatStringError(
        .operand, "MGL_LET takes pairs of a name and a value, and then the expression that uses them",
        call.offset)
    }
    var pairs: [(String, FormatNode)] = []
    for index in stride(from: 0, to: call.operands.count - 1, by: 2) {
      guard let name = call.operands[index].name else {
        throw FormatStringError(.operand, "expected the name of a variable", call.operands[index].offset)
      }
      pairs.append((name, call.operands[index + 1]))
    }
    return try bind(pairs, in: call.operands[call.operands.count - 1])
  }

  /// A `let`: the values see the variables around it, the result those that are bound.
  mutating func bind(_ pairs: [(String, FormatNode)], in result: FormatNode) throws(FormatStringError)
    -> ExpressionTree
  {
    var names: Set<String> = []
    var parts: [ExpressionTree] = [.string("let")]
    for (name, node) in pairs {
      try checkName(name, node.offset)
      guard names.insert(name).inserted else {
        throw FormatStringError(.operand, "the variable \(name) is bound twice", node.offset)
      }
      parts.append(.string(name))
      parts.append(try value(node))
    }
    parts.append(
      try binding(Array(names)) { (converter) throws(FormatStringError) in try converter.value(result) })
    return .array(parts)
  }

  private func checkName(_ name: String, _ offset: Int) throws(FormatStringError) {
    guard !name.isEmpty, name.utf8.allSatisfy({ FormatLexer.continuesName($0) && $0 < 0x80 }) else {
      throw FormatStringError(
        .operand, "the variable '\(name)' has a name of other than letters, digits and _", offset)
    }
    if FormatConverter.variables[name] != nil, name != "id", name != "type" {
      throw FormatStringError(.operand, "$\(name) is a variable of the map and cannot be bound", offset)
    }
    if name.hasPrefix(FormatConverter.prefix) {
      throw FormatStringError(
        .operand, "names that begin with \(FormatConverter.prefix) are kept for the engine", offset)
    }
  }

  private mutating func cases(_ call: FormatCall) throws(FormatStringError) -> ExpressionTree {
    if call.name == "TERNARY" { try call.expect(3) } else { try call.expect(atLeast: 3) }
    guard call.operands.count % 2 == 1 else {
      throw FormatStringError(
        .operand, "MGL_IF takes pairs of a condition and a value, and then the value for all else",
        call.offset)
    }
    var parts: [ExpressionTree] = [.string("case")]
    for (index, operand) in call.operands.enumerated() {
      let isCondition = index % 2 == 0 && index < call.operands.count - 1
      parts.append(isCondition ? try condition(operand) : try value(operand))
    }
    return .array(parts)
  }

  // MARK: MGL_MATCH

  private mutating func match(_ call: FormatCall) throws(FormatStringError) -> ExpressionTree {
    try call.expect(atLeast: 4)
    guard call.operands.count % 2 == 0 else {
      throw FormatStringError(
        .operand,
        "MGL_MATCH takes an operand, pairs of a constant and a value, and then the value for all else: "
          + "with \(call.operands.count) operands the last pair or the default is not whole", call.offset)
    }
    var branches: [(labels: [FormatNode], value: ExpressionTree)] = []
    for index in stride(from: 1, to: call.operands.count - 1, by: 2) {
      let label = call.operands[index]
      branches.append((try items(label) ?? [label], try value(call.operands[index + 1])))
    }
    let input = try value(call.operands[0])
    let otherwise = try value(call.operands[call.operands.count - 1])
    return try matched(input, call.operands[0].offset, branches, otherwise)
  }

  /// Strings, or whole numbers, are the labels of a `match`. Others are compared one after the other.
  private mutating func matched(
    _ input: ExpressionTree, _ offset: Int, _ branches: [(labels: [FormatNode], value: ExpressionTree)],
    _ otherwise: ExpressionTree
  ) throws(FormatStringError) -> ExpressionTree {
    var types: Set<ExpressionType> = []
    var isWhole = true
    var seen: Set<[UInt8]> = []
    for branch in branches {
      for label in branch.labels {
        guard case .constant(let constant) = label.form else {
          throw FormatStringError(
            .operand, "MGL_MATCH compares with constants, and this is none", label.offset)
        }
        guard seen.insert(try constant.written()).inserted else {
          throw FormatStringError(.operand, "MGL_MATCH has this constant twice", label.offset)
        }
        types.insert(constant.type)
        if let number = label.number, number != number.rounded() || abs(number) > 9_007_199_254_740_991 {
          isWhole = false
        }
      }
      if branch.labels.isEmpty {
        throw FormatStringError(.operand, "MGL_MATCH has an empty list of constants", offset)
      }
    }
    let isMatch =
      isWhole && (types == [.string] || types == [.number]) && (input.type == .value || types == [input.type])
    guard isMatch else { return try compared(input, branches, otherwise) }
    var parts: [ExpressionTree] = [.string("match"), input]
    for branch in branches {
      let labels = branch.labels.compactMap { label in
        if case .constant(let constant) = label.form { constant } else { nil }
      }
      parts.append(labels.count == 1 ? labels[0] : .array(labels))
      parts.append(branch.value)
    }
    return .array(parts + [otherwise])
  }

  private mutating func compared(
    _ input: ExpressionTree, _ branches: [(labels: [FormatNode], value: ExpressionTree)],
    _ otherwise: ExpressionTree
  ) throws(FormatStringError) -> ExpressionTree {
    try once(input) { (_, input) in
      var parts: [ExpressionTree] = [.string("case")]
      for branch in branches {
        var tests: [ExpressionTree] = []
        for case .constant(let label) in branch.labels.map(\.form) {
          // Two different types are never equal, and comparing them would be an error.
          let canBeEqual = input.type == .value || input.type == label.type
          tests.append(canBeEqual ? .call("==", input, label) : .bool(false))
        }
        parts.append(tests.count == 1 ? tests[0] : .call("any", tests))
        parts.append(branch.value)
      }
      return .array(parts + [otherwise])
    }
  }

  // MARK: MGL_FUNCTION

  /// Any operator of the style specification, its operands as they stand there: options, curve types, labels
  /// and literals are data.
  private mutating func style(_ call: FormatCall) throws(FormatStringError) -> ExpressionTree {
    try call.expect(atLeast: 1)
    guard var name = call.operands[0].string else {
      throw FormatStringError(
        .operand, "MGL_FUNCTION takes the name of a style operator in quotes", call.operands[0].offset)
    }
    if name == "zoomLevel" { name = "zoom" }
    guard ExpressionOperators.contains(name) else {
      throw FormatStringError(
        .unsupported, "style expressions have no operator called '\(name)'", call.operands[0].offset)
    }
    let operands = Array(call.operands.dropFirst())
    if name == "let", let last = operands.last, operands.count % 2 == 1 {
      var pairs: [(String, FormatNode)] = []
      for index in stride(from: 0, to: operands.count - 1, by: 2) {
        pairs.append((operands[index].name ?? "", operands[index + 1]))
      }
      return try bind(pairs, in: last)
    }
    var parts: [ExpressionTree] = [.string(name)]
    for (index, operand) in operands.enumerated() {
      if isData(name, index, operands.count), let constant = try plain(operand) {
        parts.append(constant)
      } else if case .data(let json, _) = operand.form, json.isObject {
        parts.append(try options(name, json, operand.offset))
      } else {
        parts.append(try value(operand))
      }
    }
    return .array(parts)
  }

  /// Whether an operand of an operator is data that is not evaluated.
  private func isData(_ name: String, _ index: Int, _ count: Int) -> Bool {
    switch name {
    case "literal", "array", "within", "distance", "var", "global-state": true
    case "interpolate", "interpolate-hcl", "interpolate-lab": index == 0 || index % 2 == 0
    case "step": index >= 2 && index % 2 == 0
    case "match": index % 2 == 1 && index < count - 1
    default: false
    }
  }

  /// A dictionary: options of the operators that have some, else a literal.
  private mutating func options(_ name: String, _ json: JSON, _ offset: Int) throws(FormatStringError)
    -> ExpressionTree
  {
    guard ["collator", "number-format", "format"].contains(name) else {
      return try value(FormatNode(.data(json, hasExpressions: FormatNode.hasExpressions(json)), offset))
    }
    var members: [(String, ExpressionTree)] = []
    for (key, element) in json.members {
      members.append((key, try value(FormatNode(try FormatNode.form(of: element, offset), offset))))
    }
    return .object(members)
  }
}
