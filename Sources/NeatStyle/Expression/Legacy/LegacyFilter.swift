import NeatJSON

// Filters of before expressions (`["==", "class", "x"]`, `["in", …]`, `["none", …]`), turned into nodes. Where expressions stand among them, each
// part is taken for what it is.
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
    case "==", "!=", ">", ">=", "<", "<=": return json.count != 3 || json[1]?.isArray == true || json[2]?.isArray == true
    case "any", "all": return json.elements.dropFirst().allSatisfy { $0.bool != nil || isExpression($0, depth: depth + 1) }
    default: return true
    }
  }

  static let operators: Set<String> = ["all", "any", "none", "==", "!=", "<", ">", "<=", ">=", "in", "!in", "has", "!has"]

  static func parse(_ json: JSON, key: String = "", depth: Int = 0) -> Result<Node, ExpressionErrors> {
    guard depth <= ExpressionLimits.depth else {
      return .failure(
        ExpressionErrors([ExpressionError(key: key, message: "Expression is nested too deeply (limit \(ExpressionLimits.depth)).")]))
    }
    if json.isNull { return .success(constant(true, key)) }
    guard json.isArray else { return fault("Filter must be an array, but found \(kind(json)) instead.", key) }
    guard json.count <= ExpressionLimits.arguments else { return fault("Too many arguments (limit \(ExpressionLimits.arguments)).", key) }
    guard let name = json[0]?.string else {
      return json.count == 0 ? .success(constant(true, key)) : fault("Filter name must be a string.", key)
    }
    if json.count <= 1 && operators.contains(name) { return .success(constant(name != "any", key)) }
    switch name {
    case "all", "any", "none":
      var children: [Node] = []
      for (index, element) in json.elements.enumerated().dropFirst() {
        switch parse(element, key: key + "[\(index)]", depth: depth + 1) {
        case .success(let node): children.append(name == "none" ? not(node) : node)
        case .failure(let errors): return .failure(errors)
        }
      }
      return .success(Node(name == "any" ? .any : .all, .boolean, key, children))
    case "==", "!=", "<", ">", "<=", ">=", "in", "!in", "has", "!has":
      if !isExpression(json) || name == "has" && json.count == 2 { return test(name, json, key) }
    default: break
    }
    return Parser.parse(json, expected: .boolean).mapError { errors in
      ExpressionErrors(errors.errors.map { ExpressionError(key: key + $0.key, message: $0.message) })
    }
  }

  private static func test(_ name: String, _ json: JSON, _ key: String) -> Result<Node, ExpressionErrors> {
    guard let property = json[1]?.string else { return fault("Expected a property name.", key + "[1]") }
    switch name {
    case "has", "!has":
      let node: Node
      switch property {
      case "$type": node = constant(true, key)
      case "$id": node = Node(.filterHasID, .boolean, key)
      default: node = Node(.filterHas, .boolean, key, [], .property(property, .null))
      }
      return .success(name == "has" ? node : not(node))
    case "in", "!in":
      let node = among(property, json.elements.dropFirst(2).map(ExpressionValue.init), key)
      return .success(name == "in" ? node : not(node))
    default:
      guard let value = json[2].map(ExpressionValue.init) else { return fault("Expected a value.", key) }
      let node = comparison(name == "!=" ? "==" : name, property, value, key)
      return .success(name == "!=" ? not(node) : node)
    }
  }

  private static func among(_ property: String, _ values: [ExpressionValue], _ key: String) -> Node {
    if values.isEmpty { return constant(false, key) }
    switch property {
    case "$type": return Node(.filterTypeIn, .boolean, key, [], .property("", .array(values)))
    case "$id":
      let list = Node.literal(.array(values), .anyArray, key)
      return Node(.filterIDIn, .boolean, key, [list])
    default: return Node(.filterIn, .boolean, key, [], .property(property, .array(values)))
    }
  }

  private static func comparison(_ name: String, _ property: String, _ value: ExpressionValue, _ key: String) -> Node {
    if property == "$type" && name == "==" { return Node(.filterTypeIn, .boolean, key, [], .property("", .array([value]))) }
    if property == "$type" { return constant(false, key) }
    if property == "$id" { return Node(.filterIDCompare, .boolean, key, [], .property(name, value)) }
    let ops: [String: Operator] = [
      "==": .filterEqual, "<": .filterLess, ">": .filterGreater, "<=": .filterLessOrEqual, ">=": .filterGreaterOrEqual,
    ]
    return Node(ops[name] ?? .filterEqual, .boolean, key, [], .property(property, value))
  }

  private static func constant(_ value: Bool, _ key: String) -> Node { .literal(.bool(value), .boolean, key) }
  private static func not(_ node: Node) -> Node { Node(.not, .boolean, node.key, [node]) }

  private static func kind(_ json: JSON) -> String { json.isNull ? "null" : Parser.javaScriptType(json) }

  private static func fault(_ message: String, _ key: String) -> Result<Node, ExpressionErrors> {
    .failure(ExpressionErrors([ExpressionError(key: key, message: message)]))
  }
}
