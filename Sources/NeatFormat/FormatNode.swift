import NeatJSON
import NeatStyle

/// A part of a format string, with the byte where it begins.
struct FormatNode {
  indirect enum Form {
    /// A number, string, boolean or nil of the text, or such an argument.
    case constant(ExpressionTree)
    /// An array or dictionary argument, and whether expressions or colours stand in it.
    case data(JSON, hasExpressions: Bool)
    /// An argument that is a style expression or colour already.
    case expression(ExpressionTree)
    /// `a.b`
    case path([String])
    /// `x.name` of something that is no path.
    case member(FormatNode, String)
    /// `x[n]`
    case element(FormatNode, FormatNode)
    /// `x[FIRST]`, `x[LAST]`, `x[SIZE]`
    case end(FormatNode, End)
    /// `x.@count`
    case pathOperator(FormatNode, String)
    /// `{a, b}`
    case list([FormatNode])
    /// `$name`
    case variable(String)
    /// SELF
    case feature
    /// A function by its selector, without the colon at its end; arithmetic goes by the same names.
    case call(String, [FormatNode])
    case comparison(FormatComparison, FormatNode, FormatNode)
    case all([FormatNode])
    case any([FormatNode])
    case not(FormatNode)
  }

  enum End { case first, last, size }

  let form: Form
  let offset: Int
  /// Levels below and with this one.
  let depth: Int

  /// A leaf.
  init(_ form: Form, _ offset: Int) {
    self.form = form
    self.offset = offset
    depth = 1
  }

  /// A node over others.
  init(
    _ form: Form, _ offset: Int, over children: [FormatNode], depthLimit: Int = FormatStringLimits.depth
  ) throws(FormatStringError) {
    var depth = 0
    for child in children { depth = max(depth, child.depth) }
    guard depth < depthLimit else { throw FormatNode.tooDeep(offset, depthLimit) }
    self.form = form
    self.offset = offset
    self.depth = depth + 1
  }

  static func tooDeep(_ offset: Int, _ limit: Int) -> FormatStringError {
    FormatStringError(
      .limit,
      "nested deeper than \(limit)\(limit < FormatStringLimits.depth ? ", the most for this thread's stack" : "")",
      offset)
  }

  var isNil: Bool { if case .constant(.null) = form { true } else { false } }

  /// The constant text, where it is one.
  var string: String? { if case .constant(.string(let text)) = form { text } else { nil } }

  /// The constant number, where it is one.
  var number: Double? { if case .constant(.number(let number)) = form { number } else { nil } }

  /// A name: a string, or a key path of one part.
  var name: String? {
    if case .path(let parts) = form, parts.count == 1 { return parts[0] }
    return string
  }
}

/// How two operands are compared.
struct FormatComparison {
  enum Operator: String {
    case equal = "=", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
    case between = "BETWEEN", `in` = "IN", contains = "CONTAINS", beginsWith = "BEGINSWITH", endsWith =
      "ENDSWITH", like = "LIKE"
  }

  enum Modifier: String { case any = "ANY", all = "ALL", none = "NONE" }

  var op: Operator
  var modifier: Modifier?
  var ignoresCase = false
  var ignoresMarks = false
  /// Byte of the operator.
  var offset: Int

  /// As it is written in messages: `=[c]`.
  var name: String {
    let options = (ignoresCase ? "c" : "") + (ignoresMarks ? "d" : "")
    return op.rawValue + (options.isEmpty ? "" : "[\(options)]")
  }
}
