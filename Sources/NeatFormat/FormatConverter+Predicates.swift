// Comparisons: with nil, of two values, with a range, a list, a shape.
import NeatStyle

extension FormatConverter {
  mutating func test(_ comparison: FormatComparison, _ left: FormatNode, _ right: FormatNode)
    throws(FormatStringError) -> ExpressionTree
  {
    if let modifier = comparison.modifier { return try quantified(modifier, comparison, left, right) }
    switch comparison.op {
    case .equal, .notEqual:
      if left.isNil || right.isNil { return try nilTest(comparison, left.isNil ? right : left) }
    case .between: return try between(comparison, left, right)
    case .in: return try membership(comparison, left, in: right)
    case .contains: return try membership(comparison, right, in: left)
    default: break
    }
    return try compared(comparison, try value(left), left.offset, try value(right), right.offset)
  }

  private mutating func nilTest(_ comparison: FormatComparison, _ node: FormatNode) throws(FormatStringError)
    -> ExpressionTree
  {
    if comparison.ignoresCase || comparison.ignoresMarks {
      throw FormatStringError(
        .operand, "\(comparison.name) compares strings, and nil is none", comparison.offset)
    }
    if node.isNil { return .bool(comparison.op == .equal) }
    let test = try presence(node)
    guard case .array(let parts) = test, parts[0].text == "!=" else {
      return comparison.op == .notEqual ? test : .not(test)
    }
    let type = parts[1].type
    guard type == .value || type == .null else {
      throw FormatStringError(.operand, "this is \(FormatConverter.article(type)) and never nil", node.offset)
    }
    return .array([.string(comparison.op == .notEqual ? "!=" : "==")] + parts[1...])
  }

  /// A comparison of two values, evaluated already.
  private mutating func compared(
    _ comparison: FormatComparison, _ left: ExpressionTree, _ leftOffset: Int, _ right: ExpressionTree,
    _ rightOffset: Int
  ) throws(FormatStringError) -> ExpressionTree {
    switch comparison.op {
    case .beginsWith, .endsWith, .like: return try textTest(comparison, left, leftOffset, right, rightOffset)
    default: break
    }
    for (tree, offset) in [(left, leftOffset), (right, rightOffset)] {
      try checkComparable(comparison, tree.type, offset)
    }
    let name = comparison.op == .equal ? "==" : comparison.op.rawValue
    if left.type != .value, right.type != .value, left.type != right.type {
      let types = "\(FormatConverter.article(left.type)) with \(FormatConverter.article(right.type))"
      throw FormatStringError(
        .operand, "\(comparison.name) compares \(types): CAST one of them", comparison.offset)
    }
    guard let collator = collator(comparison) else { return .call(name, left, right) }
    for (tree, offset) in [(left, leftOffset), (right, rightOffset)] {
      try expect(tree, .string, for: comparison.name, offset)
    }
    return .call(name, left, right, collator)
  }

  private func checkComparable(_ comparison: FormatComparison, _ type: ExpressionType, _ offset: Int)
    throws(FormatStringError)
  {
    switch type {
    case .string, .number, .value, .error: return
    case .boolean, .null:
      if comparison.op == .equal || comparison.op == .notEqual { return }
      throw FormatStringError(
        .operand, "\(comparison.name) asks for an order, which \(FormatConverter.article(type)) has not",
        offset)
    default:
      throw FormatStringError(
        .unsupported, "style expressions do not compare \(FormatConverter.article(type)) as a whole", offset)
    }
  }

  /// What `[c]` and `[d]` become where strings are compared as a whole.
  func collator(_ comparison: FormatComparison) -> ExpressionTree? {
    guard comparison.ignoresCase || comparison.ignoresMarks else { return nil }
    let options: [(String, ExpressionTree)] = [
      ("case-sensitive", .bool(!comparison.ignoresCase)),
      ("diacritic-sensitive", .bool(!comparison.ignoresMarks)),
    ]
    return .call("collator", .object(options))
  }

  private mutating func between(
    _ comparison: FormatComparison, _ left: FormatNode, _ right: FormatNode
  ) throws(FormatStringError) -> ExpressionTree {
    var bounds: [(ExpressionTree, Int)] = []
    if let items = try items(right) {
      guard items.count == 2 else {
        throw FormatStringError(
          .operand, "BETWEEN takes a list of two bounds, and this has \(items.count)", right.offset)
      }
      for item in items { bounds.append((try value(item), item.offset)) }
    } else {
      let list = try value(right, .anyArray, for: "BETWEEN")
      bounds = [(.call("at", .number(0), list), right.offset), (.call("at", .number(1), list), right.offset)]
    }
    var atMost = comparison
    atMost.op = .lessOrEqual
    return try once(try value(left)) { (converter, value) throws(FormatStringError) in
      .call(
        "all", try converter.compared(atMost, bounds[0].0, bounds[0].1, value, left.offset),
        try converter.compared(atMost, value, left.offset, bounds[1].0, bounds[1].1))
    }
  }

  // MARK: IN and CONTAINS

  private mutating func membership(
    _ comparison: FormatComparison, _ needle: FormatNode, in haystack: FormatNode
  ) throws(FormatStringError) -> ExpressionTree {
    if case .feature = needle.form { return try within(comparison, haystack) }
    if let items = try items(haystack) {
      return try listed(comparison, try value(needle), needle.offset, items)
    }
    let target = try value(haystack)
    let sought = try value(needle)
    try checkSought(comparison, sought.type, needle.offset)
    guard target.type == .string || target.type == .value || target.type.isArray else {
      let found = FormatConverter.article(target.type)
      throw FormatStringError(
        .operand, "\(comparison.name) looks into a list or a string, and this is \(found)", haystack.offset)
    }
    guard comparison.ignoresCase || comparison.ignoresMarks else { return .call("in", sought, target) }
    try checkNoMarks(comparison, "looks for a part of a text")
    return .call(
      "in", .call("downcase", try text(sought, comparison, needle.offset)),
      .call("downcase", try text(target, comparison, haystack.offset))
    )
  }

  private func checkSought(_ comparison: FormatComparison, _ type: ExpressionType, _ offset: Int)
    throws(FormatStringError)
  {
    switch type {
    case .string, .number, .boolean, .null, .value, .error: return
    default:
      throw FormatStringError(
        .unsupported,
        "\(comparison.name) looks for strings, numbers and booleans, and this is \(FormatConverter.article(type))",
        offset)
    }
  }

  /// Whether a value is one of a list that is written out.
  private mutating func listed(
    _ comparison: FormatComparison, _ sought: ExpressionTree, _ offset: Int, _ items: [FormatNode]
  ) throws(FormatStringError) -> ExpressionTree {
    try checkSought(comparison, sought.type, offset)
    var constants: [ExpressionTree] = []
    for item in items {
      guard let constant = try plain(item) else { break }
      try checkSought(comparison, try value(item).type, item.offset)
      constants.append(constant)
    }
    let collator = collator(comparison)
    if constants.count == items.count, collator == nil {
      return .call("in", sought, .call("literal", .array(constants)))
    }
    if items.isEmpty { return .bool(false) }
    return try once(sought) { (converter, sought) throws(FormatStringError) in
      var tests: [ExpressionTree] = []
      for item in items {
        let value = try converter.value(item)
        try converter.checkSought(comparison, value.type, item.offset)
        // Two different types are never equal, and comparing them would be an error.
        if value.type != .value, sought.type != .value, value.type != sought.type { continue }
        let isText = [value.type, sought.type].allSatisfy { $0 == .string || $0 == .value }
        tests.append(.call("==", [sought, value] + (isText ? collator.map { [$0] } ?? [] : [])))
      }
      return tests.isEmpty ? .bool(false) : .call("any", tests)
    }
  }

  private func within(_ comparison: FormatComparison, _ shape: FormatNode) throws(FormatStringError)
    -> ExpressionTree
  {
    if comparison.ignoresCase || comparison.ignoresMarks {
      throw FormatStringError(
        .operand, "\(comparison.name) compares strings, and SELF is a feature", comparison.offset)
    }
    return .call("within", try self.shape(shape, for: "SELF IN"))
  }

  /// A GeoJSON argument.
  func shape(_ node: FormatNode, for user: String) throws(FormatStringError) -> ExpressionTree {
    guard case .data(let json, _) = node.form, json["type"]?.string != nil else {
      throw FormatStringError(.operand, "\(user) takes a shape: %@ with a GeoJSON object", node.offset)
    }
    return .json(json)
  }

  // MARK: ANY, ALL, NONE

  private mutating func quantified(
    _ modifier: FormatComparison.Modifier, _ comparison: FormatComparison, _ haystack: FormatNode,
    _ needle: FormatNode
  ) throws(FormatStringError) -> ExpressionTree {
    var direct = comparison
    direct.modifier = nil
    if modifier == .none { return .not(try quantified(.any, comparison, haystack, needle)) }
    var membership = direct
    membership.op = .in
    if modifier == .any, comparison.op == .equal, !hasOptions(comparison) {
      return try self.membership(membership, needle, in: haystack)
    }
    if modifier == .all, comparison.op == .notEqual, !hasOptions(comparison) {
      return .not(try self.membership(membership, needle, in: haystack))
    }
    guard let items = try items(haystack) else {
      throw FormatStringError(
        .unsupported,
        "\(modifier.rawValue) with \(comparison.name) needs a list that is written out: style expressions have no loops, and for other lists "
          + "only ANY with = and ALL with !=", haystack.offset)
    }
    switch comparison.op {
    case .between, .in, .contains:
      throw FormatStringError(
        .unsupported, "\(modifier.rawValue) does not go with \(comparison.name)", comparison.offset)
    default: break
    }
    if items.isEmpty { return .bool(modifier == .all) }
    return try once(try value(needle)) { (converter, needleValue) throws(FormatStringError) in
      var tests: [ExpressionTree] = []
      for item in items {
        tests.append(
          try converter.compared(direct, try converter.value(item), item.offset, needleValue, needle.offset))
      }
      return .call(modifier == .any ? "any" : "all", tests)
    }
  }

  private func hasOptions(_ comparison: FormatComparison) -> Bool {
    comparison.ignoresCase || comparison.ignoresMarks
  }
}
