import NeatStyle

/// A piece of a format string.
struct FormatToken {
  enum Kind: Equatable {
    case end
    /// A name; escaped with `#` it is no reserved word.
    case name(String, isEscaped: Bool)
    /// A function's name with its colons: `add:to:`.
    case selector(String)
    /// `$name`
    case variable(String)
    /// `@count`
    case pathOperator(String)
    case number(Double)
    case string(String)
    case placeholder(FormatPlaceholder)
    case symbol(FormatSymbol)
  }

  var kind: Kind
  var offset: Int
}

enum FormatSymbol: String {
  case openParenthesis = "(", closeParenthesis = ")", openBrace = "{", closeBrace = "}", openBracket = "[",
    closeBracket = "]"
  case comma = ",", dot = ".", plus = "+", minus = "-", times = "*", divide = "/", power = "**"
  case equal = "=", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
  case and = "&&", or = "||", not = "!"
}

/// Where an argument goes.
struct FormatPlaceholder: Equatable {
  enum Kind: Equatable {
    /// `%@`
    case value
    /// `%K`
    case keyPath
    /// `%d` and its like
    case integer
    /// `%f` and its like
    case number
    /// `%c`
    case character
    /// `%s`
    case text
  }

  var kind: Kind
  /// As it is written.
  var name: String
  /// Of `%2$@`: which argument, from 0.
  var position: Int?
}
