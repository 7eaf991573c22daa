import NeatJSON

extension StyleValidator {
  mutating func filter(_ value: JSON, _ key: String) {
    guard FilterSyntax.isExpression(value) else { return legacyFilter(value, key) }
    mixedSyntax(value, key)
    if value.isArray { expression(value, ReferenceSpec(.any), key, .filter) }
  }

  private mutating func legacyFilter(_ value: JSON, _ key: String) {
    guard value.isArray else { return report(key, value, "array expected, \(value.typeName) found") }
    guard let head = value[0] else { return report(key, value, "filter array must have at least 1 element") }
    enumeration(head, Reference.filterOperators, "\(key)[0]")
    let name = head.string ?? ""
    switch name {
    case "<", "<=", ">", ">=", "==", "!=":
      if name != "==", name != "!=", value[1]?.string == "$type" {
        report(key, value, "\"$type\" cannot be use with operator \"\(name)\"")
      }
      if value.count != 3 { report(key, value, "filter array for operator \"\(name)\" must have 3 elements") }
      legacyOperands(value, key)
    case "in", "!in": legacyOperands(value, key)
    case "any", "all", "none":
      for (index, item) in value.elements.enumerated().dropFirst() { legacyFilter(item, "\(key)[\(index)]") }
    case "has", "!has":
      if value.count != 2 {
        report(key, value, "filter array for \"\(name)\" operator must have 2 elements")
      } else if let operand = value[1], operand.string == nil {
        report("\(key)[1]", operand, "string expected, \(operand.typeName) found")
      }
    default: break
    }
  }

  private mutating func legacyOperands(_ value: JSON, _ key: String) {
    guard let property = value[1] else { return }
    string(property, "\(key)[1]")
    for (index, operand) in value.elements.enumerated().dropFirst(2) {
      let operandKey = "\(key)[\(index)]"
      if property.string == "$type" {
        enumeration(operand, Reference.geometryTypes, operandKey)
      } else if operand.string == nil, operand.number == nil, operand.bool == nil {
        report(operandKey, operand, "string, number, or boolean expected, \(operand.typeName) found")
      }
    }
  }

  /// Warns of legacy filters inside an expression: they compile, but mean something else, or not at all.
  private mutating func mixedSyntax(_ value: JSON, _ key: String) {
    guard value.isArray, value[0]?.string != "literal" else { return }
    for (index, item) in value.elements.enumerated().dropFirst() {
      let itemKey = "\(key)[\(index)]"
      guard FilterSyntax.isLegacyOnly(item) else {
        mixedSyntax(item, itemKey)
        continue
      }
      let advice =
        FilterSyntax.converted(item).map { "Replace \(item.text) with \($0.text)." }
        ?? "Convert \(item.text) to expression syntax."
      report(
        itemKey, item, "Mixing deprecated filter syntax with expression syntax is not supported. \(advice)",
        severity: .warning)
    }
  }
}

/// Tells the two languages of filters apart, and turns simple legacy filters into expressions.
enum FilterSyntax {
  /// Whether a filter is to be read as an expression. Of a combination, one operand that can only be an
  /// expression decides.
  static func isExpression(_ json: JSON) -> Bool {
    if json.bool != nil { return true }
    guard json.isArray, let head = json[0] else { return false }
    switch head.string {
    case "has": return json.count >= 2 && json[1]?.string != "$id" && json[1]?.string != "$type"
    case "in": return json.count >= 3 && (json[1]?.string == nil || json[2]?.isArray == true)
    case "!in", "!has", "none": return false
    case "==", "!=", ">", ">=", "<", "<=":
      return json.count != 3 || json[1]?.isArray == true || json[2]?.isArray == true
    case "any", "all":
      return json.elements.dropFirst().allSatisfy(isExpression)
        || json.elements.dropFirst().contains(where: isExpressionOnly)
    default: return true
    }
  }

  /// Whether a filter can be nothing but an expression.
  private static func isExpressionOnly(_ json: JSON) -> Bool {
    guard json.isArray, let name = json[0]?.string else { return false }
    switch name {
    case "has": return json[1]?.string == nil
    case "any", "all": return json.elements.dropFirst().contains(where: isExpressionOnly)
    case "==", "!=", ">", ">=", "<", "<=": return json[1]?.isArray == true || json[2]?.isArray == true
    case "in", "!in", "!has", "none": return isExpression(json)
    default: return Reference.expressionOperators.contains(name)
    }
  }

  /// Whether an operand of an expression is written in the legacy form.
  static func isLegacyOnly(_ json: JSON) -> Bool {
    guard json.isArray, let name = json[0]?.string else { return false }
    switch name {
    case "!in", "!has", "none": return true
    case "in": return json.count >= 3 && json[1]?.string != nil && !json.elements.contains { $0.isArray }
    case "==", "!=", ">", ">=", "<", "<=":
      return json.count == 3 && json[1]?.string != nil && json[2]?.isArray == false
    default: return false
    }
  }

  /// The expression that a legacy filter stands for; nil where it is malformed.
  static func converted(_ json: JSON) -> JSON? {
    guard let name = json[0]?.string else { return nil }
    let operands = Array(json.elements.dropFirst())
    func call(_ name: String, _ args: [JSON]) -> JSON { .array([.string(name)] + args) }
    switch name {
    case "none":
      let items = operands.compactMap { isLegacyOnly($0) ? converted($0) : $0 }
      return items.count == operands.count ? call("!", [call("any", items)]) : nil
    case "!has":
      guard operands.count == 1, operands[0].string != nil else { return nil }
      return call("!", [call("has", [operands[0]])])
    default:
      guard let property = operands.first?.string else { return nil }
      let input =
        switch property {
        case "$type": call("geometry-type", [])
        case "$id": call("id", [])
        default: call("get", [operands[0]])
        }
      let values = Array(operands.dropFirst())
      switch name {
      case "in": return call("in", [input, call("literal", [.array(values)])])
      case "!in": return call("!", [call("in", [input, call("literal", [.array(values)])])])
      default: return call(name, [input] + values)
      }
    }
  }
}
