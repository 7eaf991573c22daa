import NeatJSON

/// Where an expression stands: what it may not look at differs.
enum ExpressionUse {
  case property(PropertyContext)
  case filter, clusterMap, clusterReduce
  case other
}

extension StyleValidator {
  mutating func expression(_ value: JSON, _ spec: ReferenceSpec, _ key: String, _ use: ExpressionUse) {
    switch use {
    case .property(let context):
      switch CompiledExpression.compile(value, spec: spec, budget: compilation) {
      case .failure(let errors): report(errors, value, key)
      case .success(let compiled):
        if let message = Self.misuse(value, compiled, context) { report(key, value, message) }
      }
    case .filter, .clusterMap, .clusterReduce, .other:
      // Free to use zoom anywhere: whatever the parser takes.
      switch Parser.parse(
        value, expected: spec.expectedType, folder: ConstantFolder(compilation))
      {
      case .failure(let errors): report(errors, value, key)
      case .success(let node):
        if let message = Self.misuse(node, use) { report(key, value, message) }
      }
    }
  }

  private mutating func report(_ errors: ExpressionErrors, _ value: JSON, _ key: String) {
    for error in errors.errors { report(key + error.key, value, error.message) }
  }

  private static func misuse(_ value: JSON, _ compiled: CompiledExpression, _ context: PropertyContext)
    -> String?
  {
    if context.name == "text-font", !ExpressionOutputs.areLiteral(value) {
      return
        "Invalid data expression for \"text-font\". Output values must be contained as literals within the expression."
    }
    if context.group == .layout, compiled.isFeatureStateDependent {
      return "\"feature-state\" data expressions are not supported with layout properties."
    }
    return nil
  }

  private static func misuse(_ node: Node, _ use: ExpressionUse) -> String? {
    switch use {
    case .filter where node.dependencies.contains(.state):
      return "\"feature-state\" data expressions are not supported with filters."
    case .clusterMap where !node.dependencies.isDisjoint(with: [.zoom, .state]),
      .clusterReduce where !node.dependencies.isDisjoint(with: [.zoom, .state]):
      return "\"zoom\" and \"feature-state\" expressions are not supported with cluster properties."
    default: return nil
    }
  }
}

/// Whether all that an expression can yield stands in it as literals. Fonts have to be known before any
/// feature is looked at.
enum ExpressionOutputs {
  static func areLiteral(_ json: JSON) -> Bool { areLiteral(json, [:]) }

  /// `scope`: whether the value of each variable is literal.
  private static func areLiteral(_ json: JSON, _ scope: [String: Bool]) -> Bool {
    guard json.isArray else { return !json.isObject }
    guard let name = json[0]?.string else { return true }
    let args = Array(json.elements.dropFirst())
    func all(_ items: some Sequence<JSON>) -> Bool { items.allSatisfy { areLiteral($0, scope) } }
    func every(from first: Int) -> Bool { all(stride(from: first, to: args.count, by: 2).map { args[$0] }) }
    switch name {
    case "literal": return true
    case "array", "string", "number", "boolean", "object":
      return args.last.map { areLiteral($0, scope) } ?? true
    case "coalesce": return all(args)
    // condition, output, …, otherwise
    case "case": return every(from: 1) && (args.last.map { areLiteral($0, scope) } ?? true)
    // input, label, output, …, otherwise
    case "match": return every(from: 2) && (args.last.map { areLiteral($0, scope) } ?? true)
    // input, output, stop, output, …
    case "step": return every(from: 1)
    case "interpolate", "interpolate-hcl", "interpolate-lab": return every(from: 3)
    case "let":
      var scope = scope
      for index in stride(from: 0, to: args.count - 1, by: 2) {
        if let variable = args[index].string { scope[variable] = areLiteral(args[index + 1], scope) }
      }
      return args.last.map { areLiteral($0, scope) } ?? true
    case "var": return args.first?.string.flatMap { scope[$0] } ?? true
    default: return false
    }
  }
}
