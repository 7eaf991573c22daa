import NeatBase
import NeatJSON
import NeatStyle

/// Builds the tree of a format string. Binding, from loose to tight: OR, AND, NOT, comparisons, `+ -`, `* /`,
/// `**`, the sign, what follows an operand.
struct FormatParser {
  var lexer: FormatLexer
  var token: FormatToken
  let arguments: [JSON]
  /// The size of each argument, and what those that are used come to.
  let weights: [Int]
  var weight = 0
  /// Arguments that placeholders without a number have taken.
  var taken = 0
  /// The greatest number of arguments that a placeholder reaches.
  var reached = 0
  var nodeCount = 0
  /// Open parentheses, lists and operators with one operand.
  var nesting = 0
  /// Levels that are read: `FormatStringLimits.depth`, or fewer where the thread has little stack.
  let depthLimit = StackRoom.levels(FormatStringLimits.depth, bytes: FormatStringLimits.levelStack)

  init(_ text: [UInt8], _ arguments: JSON) throws(FormatStringError) {
    guard arguments.isArray || arguments.isNull else {
      throw FormatStringError(.argument, "the arguments are no array", 0)
    }
    guard arguments.count <= FormatStringLimits.operands else {
      throw FormatStringError(.limit, "more than \(FormatStringLimits.operands) arguments", 0)
    }
    self.arguments = Array(arguments.elements)
    weights = self.arguments.map(FormatParser.weight)
    lexer = FormatLexer(text)
    token = try lexer.next()
  }

  mutating func parse() throws(FormatStringError) -> FormatNode {
    if token.kind == .end { throw FormatStringError(.syntax, "the format string is empty", 0) }
    let node = try disjunction()
    guard token.kind == .end else { throw unexpected("the end") }
    if reached < arguments.count {
      let rest = reached == 0 ? "no argument" : reached == 1 ? "one argument" : "\(reached) arguments"
      throw FormatStringError(
        .argument, "the format string takes \(rest), and \(arguments.count) are given", token.offset)
    }
    return node
  }

  // MARK: Tokens

  mutating func advance() throws(FormatStringError) { token = try lexer.next() }

  func isAt(_ symbol: FormatSymbol) -> Bool { token.kind == .symbol(symbol) }

  /// The word at the cursor in capitals, where it is no escaped name.
  var word: String? {
    if case .name(let name, isEscaped: false) = token.kind { name.uppercased() } else { nil }
  }

  mutating func skip(_ symbol: FormatSymbol) throws(FormatStringError) -> Bool {
    guard isAt(symbol) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ symbol: FormatSymbol) throws(FormatStringError) {
    guard try skip(symbol) else { throw unexpected("'\(symbol.rawValue)'") }
  }

  /// What stands at the cursor, and what was expected there.
  func unexpected(_ expected: String) -> FormatStringError {
    guard token.kind != .end else {
      return FormatStringError(.syntax, "expected \(expected), and the text ends", token.offset)
    }
    if let word, let reason = FormatParser.unsupportedOperators[word] {
      return FormatStringError(.unsupported, reason, token.offset)
    }
    if word == "NOT" {
      return FormatStringError(.syntax, "NOT stands before the whole comparison: NOT a IN b", token.offset)
    }
    var end = min(lexer.cursor, token.offset + 24)
    // Whole characters only.
    while end > token.offset, end < lexer.bytes.count, lexer.bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return FormatStringError(
      .syntax, "expected \(expected) and found \(lexer.text(token.offset..<end))", token.offset)
  }

  /// Runs a part of the grammar one level deeper.
  mutating func nested<T>(_ offset: Int, _ body: (inout FormatParser) throws(FormatStringError) -> T)
    throws(FormatStringError) -> T
  {
    nesting += 1
    guard nesting <= depthLimit else { throw FormatNode.tooDeep(offset, depthLimit) }
    defer { nesting -= 1 }
    return try body(&self)
  }

  mutating func count(_ offset: Int) throws(FormatStringError) {
    nodeCount += 1
    guard nodeCount <= FormatStringLimits.nodes else {
      throw FormatStringError(.limit, "more than \(FormatStringLimits.nodes) operands and operators", offset)
    }
  }

  mutating func make(_ form: FormatNode.Form, _ offset: Int, over children: [FormatNode] = [])
    throws(FormatStringError) -> FormatNode
  {
    try count(offset)
    return children.isEmpty
      ? FormatNode(form, offset) : try FormatNode(form, offset, over: children, depthLimit: depthLimit)
  }

  func checkCount(_ nodes: [FormatNode]) throws(FormatStringError) {
    if nodes.count > FormatStringLimits.operands {
      throw FormatStringError(
        .limit, "more than \(FormatStringLimits.operands) operands in one place",
        nodes[FormatStringLimits.operands].offset)
    }
  }
}
