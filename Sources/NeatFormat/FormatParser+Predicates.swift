// Compound predicates and comparisons.
import NeatStyle

extension FormatParser {
  /// Operators that stand between operands and have no expression.
  static let unsupportedOperators: [String: String] = [
    "MATCHES": "MATCHES needs regular expressions, which style expressions do not have",
    "UTI": "UTI-CONFORMS-TO and UTI-EQUALS compare uniform type identifiers, which features do not have",
    "UNION": "UNION makes a set of two, for which style expressions have no operator",
    "INTERSECT": "INTERSECT makes a set of two, for which style expressions have no operator",
    "MINUS": "MINUS makes a set of two, for which style expressions have no operator",
  ]

  mutating func disjunction() throws(FormatStringError) -> FormatNode {
    let first = try conjunction()
    guard isAt(.or) || word == "OR" else { return first }
    var parts = [first]
    while isAt(.or) || word == "OR" {
      try advance()
      parts.append(try conjunction())
      try checkCount(parts)
    }
    return try make(.any(parts), first.offset, over: parts)
  }

  private mutating func conjunction() throws(FormatStringError) -> FormatNode {
    let first = try negation()
    guard isAt(.and) || word == "AND" else { return first }
    var parts = [first]
    while isAt(.and) || word == "AND" {
      try advance()
      parts.append(try negation())
      try checkCount(parts)
    }
    return try make(.all(parts), first.offset, over: parts)
  }

  private mutating func negation() throws(FormatStringError) -> FormatNode {
    guard isAt(.not) || word == "NOT" else { return try comparison() }
    let offset = token.offset
    try advance()
    let inner = try nested(offset) { (parser) throws(FormatStringError) in try parser.negation() }
    return try make(.not(inner), offset, over: [inner])
  }

  private static let modifiers: [String: FormatComparison.Modifier] = [
    "ANY": .any, "SOME": .any, "ALL": .all, "NONE": .none,
  ]

  private mutating func comparison() throws(FormatStringError) -> FormatNode {
    let start = token.offset
    var modifier: FormatComparison.Modifier?
    if let word, let found = FormatParser.modifiers[word] {
      modifier = found
      try advance()
    }
    let left = try sum()
    guard var comparison = try comparisonOperator() else {
      if modifier != nil { throw unexpected("a comparison operator") }
      return left
    }
    comparison.modifier = modifier
    try options(&comparison)
    let right = try sum()
    if try comparisonOperator() != nil {
      throw FormatStringError(
        .syntax, "comparisons do not follow one another: put one in parentheses, or join them with AND",
        right.offset)
    }
    return try make(.comparison(comparison, left, right), start, over: [left, right])
  }

  private static let wordOperators: [String: FormatComparison.Operator] = [
    "BETWEEN": .between, "IN": .in, "CONTAINS": .contains, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith,
    "LIKE": .like,
  ]

  private mutating func comparisonOperator() throws(FormatStringError) -> FormatComparison? {
    let found: FormatComparison.Operator?
    if case .symbol(let symbol) = token.kind {
      found = FormatComparison.Operator(rawValue: symbol.rawValue)
    } else {
      found = word.flatMap { FormatParser.wordOperators[$0] }
    }
    guard let found else {
      if let word, FormatParser.unsupportedOperators[word] != nil { throw unexpected("an operator") }
      return nil
    }
    let result = FormatComparison(op: found, modifier: nil, offset: token.offset)
    try advance()
    return result
  }

  /// `[cd]` behind an operator.
  private mutating func options(_ comparison: inout FormatComparison) throws(FormatStringError) {
    guard isAt(.openBracket) else { return }
    try advance()
    guard case .name(let letters, isEscaped: false) = token.kind else {
      throw unexpected("comparison options such as [cd]")
    }
    for (index, letter) in letters.unicodeScalars.enumerated() {
      switch letter {
      case "c", "C": comparison.ignoresCase = true
      case "d", "D": comparison.ignoresMarks = true
      case "l", "L":
        throw FormatStringError(
          .unsupported, "[l] is not supported: with c or d a comparison follows the locale anyway",
          token.offset + index)
      case "n", "N":
        throw FormatStringError(
          .unsupported, "[n] is not supported: style expressions do not normalize text", token.offset + index)
      default:
        throw FormatStringError(
          .syntax, "'\(letter)' is no comparison option; c and d are", token.offset + index)
      }
    }
    try advance()
    try expect(.closeBracket)
  }
}
