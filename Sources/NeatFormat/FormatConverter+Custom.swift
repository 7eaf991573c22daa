import NeatJSON
import NeatStyle

// FUNCTION(target, 'selector', …): the target, and then what the selector takes.
extension FormatConverter {
  /// Selectors that are called with FUNCTION only, without the colon at their end.
  static let selectors: Set<String> = [
    "boolValue", "mgl_has", "mgl_expressionWithContext", "mgl_interpolateWithCurveType:parameters:stops",
    "mgl_numberWithFallbackValues",
    "doubleValue", "floatValue", "decimalValue", "mgl_stepWithMinimum:stops", "stringByAppendingString",
    "stringValue", "valueForKeyPath",
    "valueForKey", "objectForKey",
  ]

  /// Functions that may stand in FUNCTION as well, as they did in v4: the target is their first operand.
  private static let others: Set<String> = [
    "mgl_join", "mgl_coalesce", "mgl_attributed", "mgl_acos", "mgl_asin", "mgl_atan", "mgl_cos", "mgl_log2",
    "mgl_round", "mgl_sin",
    "mgl_tan", "uppercase", "lowercase", "length", "abs", "sqrt", "floor", "ceiling", "trunc", "exp", "ln",
    "log",
  ]

  mutating func custom(_ call: FormatCall) throws(FormatStringError) -> ExpressionTree {
    try call.expect(atLeast: 2)
    guard let written = call.operands[1].string else {
      throw FormatStringError(
        .operand, "FUNCTION takes a target and then a selector in quotes", call.operands[1].offset)
    }
    let selector = written.hasSuffix(":") ? String(written.dropLast()) : written
    let target = call.operands[0]
    let operands = Array(call.operands.dropFirst(2))
    var inner = FormatCall(
      name: selector, operands: operands, offset: call.operands[1].offset, spelling: written)
    switch selector {
    case "boolValue":
      try inner.expect(0)
      return .call("to-boolean", try value(target))
    case "stringValue":
      try inner.expect(0)
      return .call("to-string", try value(target))
    case "mgl_numberWithFallbackValues", "doubleValue", "floatValue", "decimalValue":
      if selector != "mgl_numberWithFallbackValues" { try inner.expect(0) }
      var values = [try value(target)]
      for operand in operands { values.append(try value(operand)) }
      return .call("to-number", values)
    case "stringByAppendingString":
      try inner.expect(atLeast: 1)
      var values: [ExpressionTree] = []
      for operand in [target] + operands { values.append(try value(operand, .string, for: written)) }
      return .call("concat", values)
    case "mgl_has":
      try inner.expect(1)
      return .call("has", [try value(operands[0], .string, for: "the key")] + (try dictionary(target)))
    case "valueForKeyPath", "valueForKey", "objectForKey":
      try inner.expect(1)
      return try lookup(target, operands[0], isPath: selector == "valueForKeyPath")
    case "mgl_expressionWithContext":
      try inner.expect(1)
      return try context(target, operands[0])
    case "mgl_interpolateWithCurveType:parameters:stops":
      try inner.expect(3)
      inner.name = "mgl_interpolate:withCurveType:parameters:stops"
    case "mgl_stepWithMinimum:stops":
      try inner.expect(2)
      inner.name = "mgl_step:from:stops"
    default:
      guard FormatConverter.others.contains(selector) else {
        throw FormatStringError(
          .unsupported,
          "no function of FUNCTION has the selector '\(written)'; MGL_FUNCTION calls any style operator",
          inner.offset)
      }
    }
    inner.operands = [target] + operands
    return try self.call(inner)
  }

  private mutating func lookup(_ target: FormatNode, _ key: FormatNode, isPath: Bool)
    throws(FormatStringError) -> ExpressionTree
  {
    var result = try dictionary(target)
    guard isPath, let path = key.string else {
      return .call("get", [try value(key, .string, for: "the key")] + result)
    }
    for part in path.split(separator: ".").prefix(FormatStringLimits.depth) {
      result = [.call("get", [.string(String(part))] + result)]
    }
    guard let value = result.first, !path.isEmpty else {
      throw FormatStringError(.operand, "the key path is empty", key.offset)
    }
    return value
  }

  private mutating func context(_ target: FormatNode, _ dictionary: FormatNode) throws(FormatStringError)
    -> ExpressionTree
  {
    guard case .data(let json, _) = dictionary.form, json.isObject, json.count > 0 else {
      throw FormatStringError(
        .operand, "mgl_expressionWithContext: takes %@ with a dictionary of variables", dictionary.offset)
    }
    var pairs: [(String, FormatNode)] = []
    for (name, element) in json.members {
      pairs.append((name, FormatNode(try FormatNode.form(of: element, dictionary.offset), dictionary.offset)))
    }
    return try bind(pairs, in: target)
  }
}
