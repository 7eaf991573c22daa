import NeatJSON
import NeatStyle

// Arithmetic, and the operands themselves.
extension FormatParser {
  mutating func sum() throws(FormatStringError) -> FormatNode {
    try chain(
      { (parser) throws(FormatStringError) in try parser.product() },
      [.plus: "add:to", .minus: "from:subtract"])
  }

  private mutating func product() throws(FormatStringError) -> FormatNode {
    try chain(
      { (parser) throws(FormatStringError) in try parser.power() },
      [.times: "multiply:by", .divide: "divide:by"])
  }

  private mutating func power() throws(FormatStringError) -> FormatNode {
    try chain({ (parser) throws(FormatStringError) in try parser.signed() }, [.power: "raise:toPower"])
  }

  /// Operands joined from left to right. Sums and products of many operands are one call, so that they may be
  /// long.
  private mutating func chain(
    _ operand: (inout FormatParser) throws(FormatStringError) -> FormatNode,
    _ selectors: [FormatSymbol: String]
  ) throws(FormatStringError) -> FormatNode {
    var left = try operand(&self)
    while case .symbol(let symbol) = token.kind, let selector = selectors[symbol] {
      let offset = token.offset
      let isFlat = symbol == .plus || symbol == .times
      var operands = [left]
      repeat {
        try advance()
        operands.append(try operand(&self))
        try checkCount(operands)
      } while isFlat && isAt(symbol)
      left = try make(.call(selector, operands), isFlat ? offset : left.offset, over: operands)
    }
    return left
  }

  private mutating func signed() throws(FormatStringError) -> FormatNode {
    guard isAt(.minus) else {
      guard isAt(.plus) else { return try postfixed() }
      throw FormatStringError(.syntax, "'+' stands between two operands only", token.offset)
    }
    let offset = token.offset
    try advance()
    let inner = try nested(offset) { (parser) throws(FormatStringError) in try parser.signed() }
    if let number = inner.number { return try make(.constant(.number(-number)), offset) }
    return try make(.call("chs", [inner]), offset, over: [inner])
  }

  // MARK: What follows an operand

  private mutating func postfixed() throws(FormatStringError) -> FormatNode {
    var node = try primary()
    while true {
      if isAt(.dot) {
        try advance()
        node = try member(of: node)
      } else if isAt(.openBracket) {
        node = try element(of: node)
      } else {
        return node
      }
    }
  }

  private mutating func member(of base: FormatNode) throws(FormatStringError) -> FormatNode {
    let offset = token.offset
    let node: FormatNode
    switch token.kind {
    case .pathOperator(let name): node = try make(.pathOperator(base, name), base.offset, over: [base])
    case .name(let name, _):
      if case .path(let parts) = base.form {
        guard parts.count < FormatStringLimits.depth else {
          throw FormatNode.tooDeep(offset, FormatStringLimits.depth)
        }
        node = try make(.path(parts + [name]), base.offset)
      } else {
        node = try make(.member(base, name), base.offset, over: [base])
      }
    case .placeholder(let placeholder) where placeholder.kind == .keyPath:
      node = try keyPath(try argument(placeholder), placeholder, on: base)
    default: throw unexpected("a name after '.'")
    }
    try advance()
    return node
  }

  private mutating func element(of base: FormatNode) throws(FormatStringError) -> FormatNode {
    try advance()
    let ends: [String: FormatNode.End] = ["FIRST": .first, "LAST": .last, "SIZE": .size]
    if let end = word.flatMap({ ends[$0] }) {
      try advance()
      try expect(.closeBracket)
      return try make(.end(base, end), base.offset, over: [base])
    }
    let index = try nested(token.offset) { (parser) throws(FormatStringError) in try parser.sum() }
    try expect(.closeBracket)
    return try make(.element(base, index), base.offset, over: [base, index])
  }

  // MARK: Operands

  private mutating func primary() throws(FormatStringError) -> FormatNode {
    let offset = token.offset
    let node: FormatNode
    switch token.kind {
    case .number(let number): node = try make(.constant(.number(number)), offset)
    case .string(let text): node = try make(.constant(.string(text)), offset)
    case .variable(let name): node = try make(.variable(name), offset)
    case .placeholder(let placeholder): node = try operand(placeholder)
    case .symbol(.openParenthesis):
      try advance()
      let inner = try nested(offset) { (parser) throws(FormatStringError) in try parser.disjunction() }
      try expect(.closeParenthesis)
      return inner
    case .symbol(.openBrace):
      let items = try list(.openBrace, .closeBrace)
      return try make(.list(items), offset, over: items)
    case .selector(let name): return try call(String(name.dropLast()), offset)
    case .name(let name, let isEscaped): return try named(name, isEscaped, offset)
    case .pathOperator(let name):
      throw FormatStringError(.syntax, "@\(name) follows a key path: values.@\(name)", offset)
    default: throw unexpected("an operand")
    }
    try advance()
    return node
  }

  /// Operands between brackets, with commas.
  private mutating func list(_ open: FormatSymbol, _ close: FormatSymbol) throws(FormatStringError)
    -> [FormatNode]
  {
    let offset = token.offset
    try expect(open)
    var items: [FormatNode] = []
    if try skip(close) { return items }
    repeat {
      items.append(try nested(offset) { (parser) throws(FormatStringError) in try parser.disjunction() })
      try checkCount(items)
    } while try skip(.comma)
    guard try skip(close) else { throw unexpected("',' or '\(close.rawValue)'") }
    return items
  }

  private mutating func call(_ name: String, _ offset: Int) throws(FormatStringError) -> FormatNode {
    try advance()
    guard isAt(.openParenthesis) else { throw unexpected("'(' after the function \(name)") }
    let operands = try list(.openParenthesis, .closeParenthesis)
    return try make(.call(name, operands), offset, over: operands)
  }

  private static let reserved: Set<String> = [
    "AND", "OR", "IN", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN", "ANY", "SOME",
    "ALL", "NONE", "NOT",
  ]
  private static let upperCaseFunctions: Set<String> = ["CAST", "TERNARY", "FUNCTION"]
  private static let unsupportedWords: [String: String] = [
    "SUBQUERY":
      "SUBQUERY looks for elements of a collection that fit a predicate: style expressions have no loops",
    "FETCH": "FETCH asks a database: style expressions read the feature at hand only",
    "ANYKEY": "ANYKEY stands for every attribute in turn: style expressions have no loops",
  ]

  private mutating func named(_ name: String, _ isEscaped: Bool, _ offset: Int) throws(FormatStringError)
    -> FormatNode
  {
    try advance()
    let upper = isEscaped ? "" : name.uppercased()
    if let reason = FormatParser.unsupportedWords[upper] {
      throw FormatStringError(.unsupported, reason, offset)
    }
    if FormatParser.reserved.contains(upper) {
      throw FormatStringError(
        .syntax, "\(name) is a reserved word: an attribute of that name is written #\(name)", offset)
    }
    if isAt(.openParenthesis) {
      let operands = try list(.openParenthesis, .closeParenthesis)
      let function = FormatParser.upperCaseFunctions.contains(upper) ? upper : name
      return try make(.call(function, operands), offset, over: operands)
    }
    switch upper {
    case "NIL", "NULL": return try make(.constant(.null), offset)
    case "TRUE", "YES", "TRUEPREDICATE": return try make(.constant(.bool(true)), offset)
    case "FALSE", "NO", "FALSEPREDICATE": return try make(.constant(.bool(false)), offset)
    case "SELF": return try make(.feature, offset)
    default: return try make(.path([name]), offset)
    }
  }
}
