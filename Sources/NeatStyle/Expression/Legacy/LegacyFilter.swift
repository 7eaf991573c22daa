import NeatJSON

// Filters of before expressions (`["==", "class", "x"]`, `["in", …]`, `["none", …]`), turned into nodes.
// Where expressions stand among them, each part is taken for what it is.
enum LegacyFilter {
  /// Whether a filter is written as an expression.
  static func isExpression(_ json: JSON, depth: Int = 0) -> Bool {
    if json.bool != nil { return true }
    guard json.isArray, json.count > 0, depth <= ExpressionLimits.depth else { return false }
    switch json[0]?.string {
    case "has":
      let name = json[1]?.string
      return json.count >= 2 && name != "$id" && name != "$type"
    case "in": return json.count >= 3 && (json[1]?.string == nil || json[2]?.isArray == true)
    case "!in", "!has", "none": return false
    case "==", "!=", ">", ">=", "<", "<=":
      return json.count != 3 || json[1]?.isArray == true || json[2]?.isArray == true
    case "any", "all":
      return json.elements.dropFirst().allSatisfy { $0.bool != nil || isExpression($0, depth: depth + 1) }
    default: return true
    }
  }

  static let operators: Set<String> = [
    "all", "any", "none", "==", "!=", "<", ">", "<=", ">=", "in", "!in", "has", "!has",
  ]

  /// - Parameter folder: has the budget of the compilation, of which there is one for all parts.
  static func parse(
    _ json: JSON, _ folder: ConstantFolder = ConstantFolder(.standard), path: SourcePath = .root,
    depth: Int = 0
  ) -> Result<Node, ExpressionErrors> {
    guard depth <= ExpressionLimits.depth else {
      return .failure(
        ExpressionErrors([
          ExpressionError(
            key: path.text, message: "Expression is nested too deeply (limit \(ExpressionLimits.depth)).")
        ]))
    }
    if json.isNull { return .success(constant(true, path)) }
    guard json.isArray else {
      return fault("Filter must be an array, but found \(kind(json)) instead.", path)
    }
    guard json.count <= ExpressionLimits.arguments else {
      return fault("Too many arguments (limit \(ExpressionLimits.arguments)).", path)
    }
    guard let name = json[0]?.string else {
      return json.count == 0 ? .success(constant(true, path)) : fault("Filter name must be a string.", path)
    }
    if json.count <= 1 && operators.contains(name) { return .success(constant(name != "any", path)) }
    switch name {
    case "all", "any", "none":
      var children: [Node] = []
      for (index, element) in json.elements.enumerated().dropFirst() {
        switch parse(element, folder, path: path.child(index), depth: depth + 1) {
        case .success(let node): children.append(name == "none" ? not(node) : node)
        case .failure(let errors): return .failure(errors)
        }
      }
      return .success(Node(name == "any" ? .any : .all, .boolean, path, children))
    case "==", "!=", "<", ">", "<=", ">=", "in", "!in", "has", "!has":
      if !isExpression(json) || name == "has" && json.count == 2 { return test(name, json, path) }
    default: break
    }
    return Parser.parse(json, expected: .boolean, folder: folder).mapError { errors in
      ExpressionErrors(errors.errors.map { ExpressionError(key: path.text + $0.key, message: $0.message) })
    }
  }

  private static func test(_ name: String, _ json: JSON, _ path: SourcePath) -> Result<Node, ExpressionErrors>
  {
    guard let property = json[1]?.string else { return fault("Expected a property name.", path.child(1)) }
    switch name {
    case "has", "!has":
      let node: Node
      switch property {
      case "$type": node = constant(true, path)
      case "$id": node = Node(.filterHasID, .boolean, path)
      default: node = Node(.filterHas, .boolean, path, [], .property(property, .null))
      }
      return .success(name == "has" ? node : not(node))
    case "in", "!in":
      let node = among(property, json.elements.dropFirst(2).map(ExpressionValue.init), path)
      return .success(name == "in" ? node : not(node))
    default:
      guard let value = json[2].map(ExpressionValue.init) else { return fault("Expected a value.", path) }
      let node = comparison(name == "!=" ? "==" : name, property, value, path)
      return .success(name == "!=" ? not(node) : node)
    }
  }

  private static func among(_ property: String, _ values: [ExpressionValue], _ path: SourcePath) -> Node {
    if values.isEmpty { return constant(false, path) }
    switch property {
    case "$type": return Node(.filterTypeIn, .boolean, path, [], .property("", .array(values)))
    case "$id":
      let list = Node.literal(.array(values), .anyArray, path)
      return Node(.filterIDIn, .boolean, path, [list])
    default: return Node(.filterIn, .boolean, path, [], .property(property, .array(values)))
    }
  }

  private static func comparison(
    _ name: String, _ property: String, _ value: ExpressionValue, _ path: SourcePath
  ) -> Node {
    if property == "$type" && name == "==" {
      return Node(.filterTypeIn, .boolean, path, [], .property("", .array([value])))
    }
    if property == "$type" { return constant(false, path) }
    if property == "$id" { return Node(.filterIDCompare, .boolean, path, [], .property(name, value)) }
    return Node(comparisons[name] ?? .filterEqual, .boolean, path, [], .property(property, value))
  }

  private static let comparisons: [String: Operator] = [
    "==": .filterEqual, "<": .filterLess, ">": .filterGreater, "<=": .filterLessOrEqual,
    ">=": .filterGreaterOrEqual,
  ]

  private static func constant(_ value: Bool, _ path: SourcePath) -> Node {
    .literal(.bool(value), .boolean, path)
  }
  private static func not(_ node: Node) -> Node { Node(.not, .boolean, node.path, [node]) }

  private static func kind(_ json: JSON) -> String { json.isNull ? "null" : Parser.javaScriptType(json) }

  private static func fault(_ message: String, _ path: SourcePath) -> Result<Node, ExpressionErrors> {
    .failure(ExpressionErrors([ExpressionError(key: path.text, message: message)]))
  }
}
