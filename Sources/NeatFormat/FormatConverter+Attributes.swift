// Key paths, elements of arrays, members of dictionaries.
import NeatStyle

extension FormatConverter {
  mutating func attribute(_ node: FormatNode) throws(FormatStringError) -> ExpressionTree {
    switch node.form {
    case .path(let parts): return FormatConverter.get(parts)
    case .member(let base, let name): return .call("get", [.string(name)] + (try dictionary(base)))
    case .element(let base, let index): return try element(base, index, asking: "get")
    case .end(let base, let end):
      let array = try value(base, .anyArray, for: "[ ]")
      switch end {
      case .first: return .call("at", .number(0), array)
      case .size: return .call("length", array)
      case .last: return try once(array) { .call("at", .call("-", .call("length", $1), .number(1)), $1) }
      }
    case .pathOperator(let base, let name): return try pathOperator(base, name, node.offset)
    default: return try value(node)
    }
  }

  /// A nested attribute: the innermost is the first part.
  static func get(_ parts: [String]) -> ExpressionTree {
    if parts == ["$id"] { return .call("id") }
    if parts == ["$type"] { return .call("geometry-type") }
    var result = ExpressionTree.call("get", .string(parts[0]))
    for part in parts.dropFirst() { result = .call("get", .string(part), result) }
    return result
  }

  /// Whether the operand stands for the feature and its attributes.
  func isFeature(_ node: FormatNode) -> Bool {
    switch node.form {
    case .feature: true
    case .variable("featureAttributes"): bound["featureAttributes"] == nil
    default: false
    }
  }

  /// The operand behind the key in `get` and `has`: none for the feature itself.
  func dictionary(_ tree: ExpressionTree, _ offset: Int) throws(FormatStringError) -> [ExpressionTree] {
    try expect(tree, .object, for: "a key", offset)
    return [tree]
  }

  mutating func dictionary(_ node: FormatNode) throws(FormatStringError) -> [ExpressionTree] {
    isFeature(node) ? [] : try dictionary(try value(node), node.offset)
  }

  /// `base[index]`: a member where the base is known to be a dictionary or the index to be a string, else an
  /// element of an array.
  private mutating func element(
    _ base: FormatNode, _ index: FormatNode, asking name: String
  ) throws(FormatStringError) -> ExpressionTree {
    let key = try value(index)
    if isFeature(base) {
      try expect(key, .string, for: "the name of an attribute", index.offset)
      return .call(name, key)
    }
    let target = try value(base)
    if target.type == .object || key.type == .string {
      try expect(key, .string, for: "the key of a dictionary", index.offset)
      return .call(name, [key] + (try dictionary(target, base.offset)))
    }
    try expect(key, .number, for: "the index of an array", index.offset)
    try expect(target, .anyArray, for: "[ ]", base.offset)
    let element = ExpressionTree.call("at", key, target)
    return name == "has" ? .call("!=", element, .null) : element
  }

  /// Whether the operand has a value at all: what a comparison with nil asks.
  mutating func presence(_ node: FormatNode) throws(FormatStringError) -> ExpressionTree {
    switch node.form {
    case .path(let parts) where parts != ["$id"] && parts != ["$type"]:
      let name = ExpressionTree.string(parts[parts.count - 1])
      return parts.count == 1 ? .call("has", name) : .call("has", name, FormatConverter.get(parts.dropLast()))
    case .member(let base, let name): return .call("has", [.string(name)] + (try dictionary(base)))
    case .element(let base, let index): return try element(base, index, asking: "has")
    default: return .call("!=", try value(node), .null)
    }
  }

  private mutating func pathOperator(_ base: FormatNode, _ name: String, _ offset: Int)
    throws(FormatStringError) -> ExpressionTree
  {
    switch name {
    case "count", "avg", "sum", "min", "max":
      return try aggregate(
        FormatCall(
          name: name == "avg" ? "average" : name, operands: [base], offset: offset, spelling: "@\(name)"))
    case "distinctUnionOfObjects", "unionOfObjects", "distinctUnionOfArrays", "unionOfArrays",
      "distinctUnionOfSets":
      throw FormatStringError(
        .unsupported, "@\(name) collects values from a collection: style expressions have no loops", offset)
    default:
      throw FormatStringError(
        .unsupported, "@\(name) is no known operator of key paths; @count, @sum, @avg, @min and @max are",
        offset)
    }
  }
}
