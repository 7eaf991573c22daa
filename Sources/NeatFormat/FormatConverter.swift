import NeatJSON
import NeatStyle

/// Writes the tree of a format string as a style expression.
struct FormatConverter {
  /// Variables of the enclosing MGL_LETs, with how many bind each.
  var bound: [String: Int] = [:]
  /// How many values have been given a name here.
  var named = 0

  /// Variables of the map.
  static let variables: [String: String] = [
    "zoomLevel": "zoom", "featureIdentifier": "id", "geometryType": "geometry-type",
    "featureAttributes": "properties",
    "heatmapDensity": "heatmap-density", "lineProgress": "line-progress", "featureAccumulated": "accumulated",
    // As the predicates of v3 call them.
    "id": "id", "type": "geometry-type",
  ]

  /// The names that values get so that they are evaluated once; they begin like this.
  static let prefix = "neatline_"

  // MARK: Values

  /// The expression of an operand.
  mutating func value(_ node: FormatNode) throws(FormatStringError) -> ExpressionTree {
    switch node.form {
    case .constant(let constant): return FormatConverter.named(constant)
    case .expression(let expression): return expression
    case .data(let json, let hasExpressions):
      return hasExpressions ? try data(json, node.offset) : .call("literal", .json(json))
    case .path, .member, .element, .end, .pathOperator: return try attribute(node)
    case .list(let items): return try list(items)
    case .variable(let name): return try variable(name, node.offset)
    case .feature:
      throw FormatStringError(
        .operand, "SELF is the feature, which is no value: SELF.name is one of its attributes", node.offset)
    case .call(let name, let operands):
      return try call(FormatCall(name: name, operands: operands, offset: node.offset))
    case .comparison(let comparison, let left, let right): return try test(comparison, left, right)
    case .all(let parts): return .call("all", try conditions(parts))
    case .any(let parts): return .call("any", try conditions(parts))
    case .not(let inner): return .not(try condition(inner))
    }
  }

  /// The constants that have an operator.
  private static func named(_ constant: ExpressionTree) -> ExpressionTree {
    guard case .number(let number) = constant else { return constant }
    // The natural logarithms' base, the logarithm of 2 and pi, as M_E, M_LN2 and M_PI have them.
    if number == 2.718281828459045 { return .call("e") }
    if number == 0.6931471805599453 { return .call("ln2") }
    return number == Double.pi ? .call("pi") : constant
  }

  private mutating func conditions(_ nodes: [FormatNode]) throws(FormatStringError) -> [ExpressionTree] {
    var result: [ExpressionTree] = []
    for node in nodes { result.append(try condition(node)) }
    return result
  }

  /// The expression of what has to be true or false.
  mutating func condition(_ node: FormatNode) throws(FormatStringError) -> ExpressionTree {
    if case .path(let parts) = node.form {
      let name = parts.joined(separator: ".")
      throw FormatStringError(
        .operand, "\(name) is an attribute and not a comparison: \(name) = YES compares it", node.offset)
    }
    let tree = try value(node)
    guard tree.type == .boolean || tree.type == .value else {
      throw FormatStringError(
        .operand, "expected a comparison, and this is \(FormatConverter.article(tree.type))", node.offset)
    }
    return tree
  }

  /// A value that has to be of a type, as far as that is known.
  mutating func value(_ node: FormatNode, _ type: ExpressionType, for user: String) throws(FormatStringError)
    -> ExpressionTree
  {
    let tree = try value(node)
    try expect(tree, type, for: user, node.offset)
    return tree
  }

  func expect(_ tree: ExpressionTree, _ type: ExpressionType, for user: String, _ offset: Int)
    throws(FormatStringError)
  {
    guard tree.type == type || tree.type == .value || tree.type == .error || type.isArray && tree.type.isArray
    else {
      throw FormatStringError(
        .operand,
        "\(user) takes \(FormatConverter.article(type)), and this is \(FormatConverter.article(tree.type))",
        offset)
    }
  }

  static func article(_ type: ExpressionType) -> String {
    switch type {
    case .null: "nil"
    case .array: "an array"
    case .object: "a dictionary"
    case .resolvedImage: "an image"
    default: "a \(type.kind)"
    }
  }

  // MARK: Arrays and dictionaries

  /// The parts of a list whose length is known: one that is written out, or an array argument.
  func items(_ node: FormatNode) throws(FormatStringError) -> [FormatNode]? {
    switch node.form {
    case .list(let items): return items
    case .data(let json, _) where json.isArray:
      guard json.count <= FormatStringLimits.operands else { return nil }
      var items: [FormatNode] = []
      for element in json.elements {
        items.append(FormatNode(try FormatNode.form(of: element, node.offset), node.offset))
      }
      return items
    default: return nil
    }
  }

  private mutating func list(_ nodes: [FormatNode]) throws(FormatStringError) -> ExpressionTree {
    var constants: [ExpressionTree] = []
    for node in nodes {
      guard let constant = try plain(node) else { break }
      constants.append(constant)
    }
    if constants.count == nodes.count { return .call("literal", .array(constants)) }
    var values: [ExpressionTree] = []
    for node in nodes { values.append(try value(node)) }
    return .call("semiliteral", .array(values))
  }

  /// The data of a constant, without operators; nil where it has to be evaluated.
  func plain(_ node: FormatNode) throws(FormatStringError) -> ExpressionTree? {
    switch node.form {
    case .constant(let constant): return constant
    case .data(let json, let hasExpressions): return hasExpressions ? nil : .json(json)
    case .list(let items):
      var constants: [ExpressionTree] = []
      for item in items {
        guard let constant = try plain(item) else { return nil }
        constants.append(constant)
      }
      return .array(constants)
    default: return nil
    }
  }

  /// An array or dictionary argument with expressions in it.
  private mutating func data(_ json: JSON, _ offset: Int) throws(FormatStringError) -> ExpressionTree {
    if json.isArray {
      var values: [ExpressionTree] = []
      for element in json.elements {
        values.append(try value(FormatNode(try FormatNode.form(of: element, offset), offset)))
      }
      return .call("semiliteral", .array(values))
    }
    var members: [(String, ExpressionTree)] = []
    for (name, element) in json.members {
      members.append((name, try value(FormatNode(try FormatNode.form(of: element, offset), offset))))
    }
    return .call("semiliteral", .object(members))
  }

  // MARK: Variables

  private func variable(_ name: String, _ offset: Int) throws(FormatStringError) -> ExpressionTree {
    if bound[name] != nil { return .call("var", .string(name)) }
    if let name = FormatConverter.variables[name] { return .call(name) }
    throw FormatStringError(
      .operand, "$\(name) is not known here: MGL_LET binds variables, in its last operand only", offset)
  }

  /// Runs a part with variables bound.
  mutating func binding(
    _ names: [String], _ body: (inout FormatConverter) throws(FormatStringError) -> ExpressionTree
  ) throws(FormatStringError) -> ExpressionTree {
    for name in names { bound[name, default: 0] += 1 }
    let result = try body(&self)
    for name in names {
      let count = (bound[name] ?? 1) - 1
      bound[name] = count == 0 ? nil : count
    }
    return result
  }

  /// An expression that uses a value more than once: the value gets a name, unless it is short.
  mutating func once(
    _ tree: ExpressionTree,
    _ body: (inout FormatConverter, ExpressionTree) throws(FormatStringError) -> ExpressionTree
  ) throws(FormatStringError) -> ExpressionTree {
    if tree.isShort { return try body(&self, tree) }
    named += 1
    let name = ExpressionTree.string("\(FormatConverter.prefix)\(named)")
    return .call("let", name, tree, try body(&self, .call("var", name)))
  }
}
