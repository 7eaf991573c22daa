// The functions: arithmetic, aggregates, text, and those with a mgl_ before their name.
import NeatStyle

extension FormatConverter {
  /// Functions of one number.
  private static let ofNumber: [String: String] = [
    "sqrt": "sqrt", "log": "log10", "ln": "ln", "ceiling": "ceil", "abs": "abs", "floor": "floor", "chs": "-",
    "mgl_acos": "acos",
    "mgl_asin": "asin", "mgl_atan": "atan", "mgl_cos": "cos", "mgl_log2": "log2", "mgl_round": "round",
    "mgl_sin": "sin", "mgl_tan": "tan",
  ]
  /// Functions of two numbers, or more where they are joined.
  private static let ofNumbers: [String: String] = [
    "add:to": "+", "from:subtract": "-", "multiply:by": "*", "divide:by": "/", "modulus:by": "%",
    "raise:toPower": "^",
  ]
  private static let signs: [String: String] = [
    "add:to": "+", "from:subtract": "-", "multiply:by": "*", "divide:by": "/", "raise:toPower": "**",
    "chs": "the sign -",
  ]
  private static let ofText: [String: String] = ["uppercase": "upcase", "lowercase": "downcase"]

  /// The functions of the notation that have no expression, and why.
  private static let unsupported: [String: String] = [
    "median": "median needs the values in order, and style expressions do not sort",
    "mode": "mode counts how often values occur, for which style expressions have no loops",
    "stddev": "stddev is not defined for style expressions; it can be written out with average, ** and sqrt",
    "random": "random gives another value each time, and style expressions give the same for the same input",
    "randomn":
      "randomn gives another value each time, and style expressions give the same for the same input",
    "now": "now reads the clock, and style expressions give the same for the same input",
    "bitwiseAnd:with": "bitwiseAnd:with: works on bits, for which style expressions have no operator",
    "bitwiseOr:with": "bitwiseOr:with: works on bits, for which style expressions have no operator",
    "bitwiseXor:with": "bitwiseXor:with: works on bits, for which style expressions have no operator",
    "leftshift:by": "leftshift:by: works on bits, for which style expressions have no operator",
    "rightshift:by": "rightshift:by: works on bits, for which style expressions have no operator",
    "onesComplement": "onesComplement works on bits, for which style expressions have no operator",
    "distanceToLocation:fromLocation":
      "distanceToLocation:fromLocation: measures between two places; mgl_distanceFrom(%@) measures from the feature to a shape",
  ]

  mutating func call(_ call: FormatCall) throws(FormatStringError) -> ExpressionTree {
    if let name = FormatConverter.ofNumber[call.name] {
      try call.expect(1)
      return .call(
        name, try value(call.operands[0], .number, for: FormatConverter.signs[call.name] ?? call.title))
    }
    if let name = FormatConverter.ofNumbers[call.name] { return try arithmetic(call, name) }
    if let name = FormatConverter.ofText[call.name] {
      try call.expect(1)
      return .call(name, try value(call.operands[0], .string, for: call.title))
    }
    switch call.name {
    case "average", "sum", "count", "min", "max": return try aggregate(call)
    case "mgl_join", "mgl_coalesce", "mgl_attributed": return try joined(call)
    case "MGL_LET", "MGL_MATCH", "MGL_IF", "TERNARY", "MGL_FUNCTION": return try control(call)
    case "FUNCTION": return try custom(call)
    case "CAST", "castObject:toType": return try cast(call)
    case "mgl_interpolate:withCurveType:parameters:stops", "mgl_step:from:stops": return try curve(call)
    default: return try special(call)
    }
  }

  private mutating func special(_ call: FormatCall) throws(FormatStringError) -> ExpressionTree {
    switch call.name {
    case "exp":
      try call.expect(1)
      return .call("^", .call("e"), try value(call.operands[0], .number, for: call.title))
    case "trunc":
      // What is left after the fraction is taken away, on both sides of zero.
      try call.expect(1)
      return try once(try value(call.operands[0], .number, for: call.title)) {
        .call("-", $1, .call("%", $1, .number(1)))
      }
    case "noindex":
      try call.expect(1)
      return try value(call.operands[0])
    case "length":
      try call.expect(1)
      return .call("length", try value(call.operands[0], .string, for: call.title))
    case "objectFrom:withIndex":
      try call.expect(2)
      return try attribute(
        try FormatNode(.element(call.operands[0], call.operands[1]), call.offset, over: call.operands))
    case "mgl_does:have":
      try call.expect(2)
      return .call(
        "has", [try value(call.operands[1], .string, for: "the key")] + (try dictionary(call.operands[0])))
    case "mgl_distanceFrom":
      try call.expect(1)
      return .call("distance", try shape(call.operands[0], for: "mgl_distanceFrom"))
    default: throw unknown(call)
    }
  }

  private func unknown(_ call: FormatCall) -> FormatStringError {
    if let reason = FormatConverter.unsupported[call.name] {
      return FormatStringError(.unsupported, reason, call.offset)
    }
    if FormatConverter.selectors.contains(call.name) {
      return FormatStringError(
        .operand, "\(call.name) is called with FUNCTION(target, '\(call.name)', …)", call.offset)
    }
    return FormatStringError(
      .unsupported, "no function is called \(call.title); MGL_FUNCTION calls any style operator", call.offset)
  }

  private mutating func arithmetic(_ call: FormatCall, _ name: String) throws(FormatStringError)
    -> ExpressionTree
  {
    let title = FormatConverter.signs[call.name] ?? call.title
    if name == "+" || name == "*" { try call.expect(atLeast: 2) } else { try call.expect(2) }
    var numbers: [ExpressionTree] = []
    for operand in call.operands { numbers.append(try value(operand, .number, for: title)) }
    return .call(name, numbers)
  }

  // MARK: Aggregates

  mutating func aggregate(_ call: FormatCall) throws(FormatStringError) -> ExpressionTree {
    try call.expect(1)
    let operand = call.operands[0]
    guard let items = try items(operand) else {
      let value = try value(operand)
      if call.name == "count" {
        try expect(value, .anyArray, for: call.title, operand.offset)
        return .call("length", value)
      }
      throw FormatStringError(
        .unsupported,
        "\(call.title) takes a list that is written out: style expressions have no loops over an attribute's values",
        operand.offset)
    }
    if call.name == "count" { return try count(operand, items) }
    var numbers: [ExpressionTree] = []
    for item in items { numbers.append(try value(item, .number, for: call.title)) }
    if call.name == "sum" { return numbers.isEmpty ? .number(0) : .call("+", numbers) }
    guard !numbers.isEmpty else {
      throw FormatStringError(.operand, "\(call.title) of no values", operand.offset)
    }
    return call.name == "average"
      ? .call("/", .call("+", numbers), .number(Double(numbers.count))) : .call(call.name, numbers)
  }

  private func count(_ operand: FormatNode, _ items: [FormatNode]) throws(FormatStringError) -> ExpressionTree
  {
    if let constant = try plain(operand) { return .call("length", .call("literal", constant)) }
    return .number(Double(items.count))
  }

  // MARK: Functions of a list

  private mutating func joined(_ call: FormatCall) throws(FormatStringError) -> ExpressionTree {
    try call.expect(1)
    let operand = call.operands[0]
    guard let items = try items(operand) else {
      let value = try value(operand)
      if call.name == "mgl_join" {
        try expect(value, .anyArray, for: call.title, operand.offset)
        return .call("join", value, .string(""))
      }
      throw FormatStringError(
        .operand, "\(call.title) takes a list that is written out: \(call.title)({a, b})", operand.offset)
    }
    if call.name == "mgl_join", items.isEmpty { return .string("") }
    guard !items.isEmpty else {
      throw FormatStringError(.operand, "\(call.title) of an empty list", operand.offset)
    }
    if call.name == "mgl_attributed" { return try attributed(items) }
    var values: [ExpressionTree] = []
    for item in items { values.append(try value(item)) }
    return .call(call.name == "mgl_join" ? "concat" : "coalesce", values)
  }

  // MARK: Casts

  private mutating func cast(_ call: FormatCall) throws(FormatStringError) -> ExpressionTree {
    try call.expect(2)
    let type = call.operands[1]
    guard let name = type.string else {
      throw FormatStringError(
        .operand, "\(call.title) takes the name of a type, such as 'NSNumber'", type.offset)
    }
    let operators = [
      "NSNumber": "to-number", "NSString": "to-string", "UIColor": "to-color", "NSColor": "to-color",
      "MGLColor": "to-color",
      "NSArray": "to-rgba",
    ]
    guard let conversion = operators[name] else {
      let reason =
        "\(call.title) to '\(name)': NSNumber, NSString, UIColor, NSColor and (of a color) NSArray have an expression"
      throw FormatStringError(.unsupported, reason, type.offset)
    }
    return .call(conversion, try value(call.operands[0]))
  }
}
