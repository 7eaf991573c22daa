import NeatFormat
import NeatStyle
import Testing

/// A format string that has no expression: the kind of error, the byte, and words of the message.
struct FormatFault: Sendable, CustomTestStringConvertible {
  var format: String
  var arguments = "[]"
  var kind: FormatStringError.Kind
  var offset: Int
  var words: String

  init(_ format: String, _ kind: FormatStringError.Kind, _ offset: Int, _ words: String) {
    self.init(format, "[]", kind, offset, words)
  }

  init(_ format: String, _ arguments: String, _ kind: FormatStringError.Kind, _ offset: Int, _ words: String)
  {
    self.format = format
    self.arguments = arguments
    self.kind = kind
    self.offset = offset
    self.words = words
  }

  var testDescription: String { format }
}

/// Format strings that are refused, by the kind of error.
enum FormatFaults {
  static let unsupported: [FormatFault] = [
    FormatFault("median({1, 2, 2, 3, 4, 7, 9})", .unsupported, 0, "median needs the values in order"),
    FormatFault("1 + mode({1, 2, 2, 3, 4, 7, 9})", .unsupported, 4, "mode counts"),
    FormatFault("stddev({1, 2, 2, 3, 4, 7, 9})", .unsupported, 0, "stddev"),
    FormatFault("random()", .unsupported, 0, "random gives another value"),
    FormatFault("randomn(10)", .unsupported, 0, "randomn"),
    FormatFault("now()", .unsupported, 0, "now reads the clock"),
    FormatFault("bitwiseAnd:with:(5, 3)", .unsupported, 0, "works on bits"),
    FormatFault("bitwiseOr:with:(5, 3)", .unsupported, 0, "works on bits"),
    FormatFault("bitwiseXor:with:(5, 3)", .unsupported, 0, "works on bits"),
    FormatFault("leftshift:by:(23, 1)", .unsupported, 0, "works on bits"),
    FormatFault("rightshift:by:(23, 1)", .unsupported, 0, "works on bits"),
    FormatFault("onesComplement(255)", .unsupported, 0, "works on bits"),
    FormatFault("distanceToLocation:fromLocation:(there, here)", .unsupported, 0, "mgl_distanceFrom"),
    FormatFault("a & b = 1", .unsupported, 2, "& works on bits"),
    FormatFault("a << 1", .unsupported, 2, "<< works on bits"),
    FormatFault("~a", .unsupported, 0, "~ works on bits"),
    FormatFault("name MATCHES 'a.*'", .unsupported, 5, "MATCHES needs regular expressions"),
    FormatFault("a UTI-CONFORMS-TO 'public.image'", .unsupported, 2, "UTI-CONFORMS-TO"),
    FormatFault("a = 1 AND {1} UNION {2} = b", .unsupported, 14, "UNION"),
    FormatFault("a INTERSECT b", .unsupported, 2, "INTERSECT"),
    FormatFault("a MINUS b", .unsupported, 2, "MINUS"),
    FormatFault("SUBQUERY(a, $x, $x = 1)", .unsupported, 0, "SUBQUERY"),
    FormatFault("FETCH(a, b, c)", .unsupported, 0, "FETCH"),
    FormatFault("ANYKEY = 1", .unsupported, 0, "ANYKEY"),
    FormatFault("a =[l] 'x'", .unsupported, 4, "[l]"), FormatFault("a =[cn] 'x'", .unsupported, 5, "[n]"),
    FormatFault("name CONTAINS[d] 'x'", .unsupported, 5, "CONTAINS[d]"),
    FormatFault("'x' IN[cd] name", .unsupported, 4, "IN[cd]"),
    FormatFault("a LIKE 'x?'", .unsupported, 7, "'?'"),
    FormatFault("a LIKE '*x*y'", .unsupported, 7, "asterisks"),
    FormatFault("a LIKE b", .unsupported, 7, "constant pattern"),
    FormatFault("a LIKE[d] '*x*'", .unsupported, 2, "LIKE[d]"),
    FormatFault("sum(values)", .unsupported, 4, "no loops"),
    FormatFault("values.@avg", .unsupported, 0, "@avg"),
    FormatFault("a.@distinctUnionOfObjects", .unsupported, 0, "@distinctUnionOfObjects"),
    FormatFault("a.@mode", .unsupported, 0, "@mode"),
    FormatFault("ANY values > 3", .unsupported, 4, "no loops"),
    FormatFault("ALL values = 3", .unsupported, 4, "no loops"),
    FormatFault("ANY values =[c] 'a'", .unsupported, 4, "=[c]"),
    FormatFault("ANY {a, b} IN c", .unsupported, 11, "ANY does not go with IN"),
    FormatFault("CAST(a, 'NSDate')", .unsupported, 8, "'NSDate'"),
    FormatFault("nope(1)", .unsupported, 0, "no function is called nope"),
    FormatFault("FUNCTION(a, 'nope:')", .unsupported, 12, "'nope:'"),
    FormatFault("MGL_FUNCTION('nope')", .unsupported, 13, "no operator called 'nope'"),
    FormatFault("$a := 2", .unsupported, 3, "MGL_LET"), FormatFault("a:= 2", .unsupported, 1, "MGL_LET"),
    FormatFault("a %% b", .unsupported, 2, "modulus:by:"),
    FormatFault("{1, 2} = a", .unsupported, 0, "do not compare an array"),
    FormatFault("a = %@", ##"[{"$color":"#fff"}]"##, .unsupported, 4, "a color"),
    FormatFault("{{1}} CONTAINS {1}", .unsupported, 15, "an array"),
  ]

  static let syntax: [FormatFault] = [
    FormatFault("", .syntax, 0, "empty"), FormatFault("  ", .syntax, 0, "empty"),
    FormatFault("a =", .syntax, 3, "the text ends"),
    FormatFault("a = 1 b", .syntax, 6, "found b"), FormatFault("(a = 1", .syntax, 6, "expected ')'"),
    FormatFault("a = 1)", .syntax, 5, "found )"),
    FormatFault("{1, 2", .syntax, 5, "',' or '}'"), FormatFault("sum({1 2})", .syntax, 7, "',' or '}'"),
    FormatFault("a = 'x", .syntax, 4, "does not end"),
    FormatFault("a = 'x\\q'", .syntax, 6, "escape"), FormatFault("'\\u12'", .syntax, 1, "4 hexadecimal"),
    FormatFault("'\\ud800'", .syntax, 1, "no character"),
    FormatFault("'\\ud800\\u0041'", .syntax, 1, "surrogates"),
    FormatFault("12abc", .syntax, 0, "'12abc' is no number"),
    FormatFault("0x", .syntax, 0, "digits after '0x'"),
    FormatFault("a = ;", .syntax, 4, "';'"), FormatFault("$", .syntax, 0, "variable"),
    FormatFault("a.@", .syntax, 2, "'@'"),
    FormatFault("#", .syntax, 0, "'#'"),
    FormatFault("a.", .syntax, 2, "after '.'"), FormatFault("a[", .syntax, 2, "operand"),
    FormatFault("a = b = c", .syntax, 4, "follow one another"),
    FormatFault("ANY a", .syntax, 5, "comparison operator"),
    FormatFault("a NOT IN b", .syntax, 2, "NOT a IN b"),
    FormatFault("in = 5", .syntax, 0, "#in"),
    FormatFault("a = AND", .syntax, 4, "reserved word"),
    FormatFault("a =[x] 'x'", .syntax, 4, "comparison option"),
    FormatFault("a =[] 'x'", .syntax, 4, "options"),
    FormatFault("a = +5", .syntax, 4, "'+'"), FormatFault("%y = 5", .syntax, 0, "placeholder"),
    FormatFault("%5d = 5", .syntax, 0, "width"),
    FormatFault("add:to(1, 2)", .syntax, 0, "end in ':'"), FormatFault("sqrt: 2", .syntax, 6, "'('"),
    FormatFault("@avg", .syntax, 0, "follows a key path"),
    FormatFault("a = \u{2018}x\u{2019}", .syntax, 4, "typographic"),
    FormatFault("a = 1 AND\n  b == 'x", .syntax, 17, "does not end"),
  ]

  static let operands: [FormatFault] = [
    FormatFault("sqrt('x')", .operand, 5, "sqrt takes a number, and this is a string"),
    FormatFault("1 + 'x'", .operand, 4, "+ takes a number"),
    FormatFault("-'x'", .operand, 1, "the sign"), FormatFault("uppercase(5)", .operand, 10, "a string"),
    FormatFault("sqrt(1, 2)", .operand, 0, "one operand"),
    FormatFault("TERNARY(a = 1, 2)", .operand, 0, "3 operands"),
    FormatFault("MGL_IF(a = 1, 2, 3, 4)", .operand, 0, "pairs"),
    FormatFault("TERNARY(a, 1, 2)", .operand, 8, "a = YES"),
    FormatFault("a AND b = 1", .operand, 0, "a = YES"),
    FormatFault("NOT 5", .operand, 4, "a number"),
    FormatFault("5 = 'x'", .operand, 2, "CAST"), FormatFault("a < nil", .operand, 4, "order"),
    FormatFault("YES > a", .operand, 0, "order"),
    FormatFault("a =[c] 5", .operand, 7, "a string"), FormatFault("a =[c] nil", .operand, 2, "nil is none"),
    FormatFault("5 = nil", .operand, 0, "never nil"),
    FormatFault("a BETWEEN {1, 2, 3}", .operand, 10, "two bounds"),
    FormatFault("a BETWEEN 5", .operand, 10, "an array"),
    FormatFault("a IN 5", .operand, 5, "a list or a string"),
    FormatFault("SELF = 5", .operand, 0, "SELF"), FormatFault("SELF IN {1}", .operand, 8, "GeoJSON"),
    FormatFault("mgl_distanceFrom(a)", .operand, 17, "GeoJSON"),
    FormatFault("$nothing + 1", .operand, 0, "$nothing"),
    FormatFault("MGL_LET('a', $a, 1)", .operand, 13, "$a"),
    FormatFault("MGL_LET('a', 1)", .operand, 0, "at least 3"),
    FormatFault("MGL_LET('a', 1, 'b', 2)", .operand, 0, "pairs"),
    FormatFault("MGL_LET(5, 1, 2)", .operand, 8, "name"),
    FormatFault("MGL_LET('é', 1, 2)", .operand, 14, "letters"),
    FormatFault("MGL_LET('zoomLevel', 1, 2)", .operand, 21, "$zoomLevel"),
    FormatFault("MGL_LET('a', 1, 'a', 2, 3)", .operand, 21, "twice"),
    FormatFault("MGL_LET('neatline_1', 1, 2)", .operand, 22, "neatline_"),
    // A pair too few in the table of operators.
    FormatFault(
      "MGL_MATCH(x, 0, 'zero match', 1, 'one match', 'two match', 'default')", .operand, 0,
      "pairs of a constant and a value"),
    FormatFault("MGL_MATCH(x, 1, 2, 1, 3, 4)", .operand, 19, "twice"),
    FormatFault("MGL_MATCH(x, y, 2, 3)", .operand, 13, "constants"),
    FormatFault("MGL_MATCH(x, 1)", .operand, 0, "at least 4"),
    FormatFault("average({})", .operand, 8, "no values"),
    FormatFault("mgl_coalesce(x)", .operand, 13, "written out"),
    FormatFault("mgl_coalesce({})", .operand, 13, "empty"),
    FormatFault("mgl_join('x')", .operand, 9, "an array"),
    FormatFault("boolValue(1)", .operand, 0, "FUNCTION"),
    FormatFault("FUNCTION(1, boolValue)", .operand, 12, "in quotes"),
    FormatFault("FUNCTION(1, 'boolValue', 2)", .operand, 12, "boolValue takes no operands"),
    FormatFault("CAST(a, b)", .operand, 8, "'NSNumber'"),
    FormatFault("a[YES]", .operand, 2, "index"), FormatFault("SELF[5]", .operand, 5, "name of an attribute"),
    FormatFault("'abc'[0]", .operand, 0, "an array"),
    FormatFault(
      "mgl_interpolate:withCurveType:parameters:stops:(x, 'cubic', nil, {{0, 1}})", .operand, 51, "curve type"
    ),
    FormatFault(
      "mgl_interpolate:withCurveType:parameters:stops:(x, 'linear', 2, {{0, 1}})", .operand, 61, "nil"),
    FormatFault(
      "mgl_interpolate:withCurveType:parameters:stops:(x, 'exponential', y, {{0, 1}})", .operand, 66,
      "constant"),
    FormatFault(
      "mgl_interpolate:withCurveType:parameters:stops:(x, 'cubic-bezier', {0, 0, 2, 1}, {{0, 1}})", .operand,
      67, "0...1"),
    FormatFault("mgl_step:from:stops:(x, 1, {{0, 1}, {0, 2}})", .operand, 27, "two stops are at 0"),
    FormatFault("mgl_step:from:stops:(x, 1, {{y, 1}})", .operand, 28, "a pair"),
    FormatFault("mgl_step:from:stops:(x, 1, {})", .operand, 27, "no stops"),
    FormatFault("mgl_step:from:stops:(x, 1, y)", .operand, 27, "stops are"),
  ]

  static let arguments: [FormatFault] = [
    FormatFault("a = %@ OR b = %@", "[1]", .argument, 14, "takes argument 2, and one is given"),
    FormatFault("a = %3$@", "[1, 2]", .argument, 4, "argument 3"),
    FormatFault("a = 1", "[1]", .argument, 5, "takes no argument, and 1 are given"),
    FormatFault("%K = 1", "[5]", .argument, 0, "%K takes a string, and its argument is the number 5"),
    FormatFault("%K = 1", #"["a..b"]"#, .argument, 0, "empty part"),
    FormatFault("%K = 1", #"[""]"#, .argument, 0, "empty part"),
    FormatFault("a = %d", "[1.5]", .argument, 4, "%d takes an integer"),
    FormatFault("a = %ld", #"["x"]"#, .argument, 4, "%ld takes an integer, and its argument is a string"),
    FormatFault("a = %f", "[null]", .argument, 4, "null"),
    FormatFault("a = %s", "[[]]", .argument, 4, "an array"),
    FormatFault("a = %c", #"["xy"]"#, .argument, 4, "one character"),
    FormatFault("a = %@", "[1e999]", .argument, 4, "larger"),
    FormatFault("%@", #"[{"$color": "nothing"}]"#, .argument, 0, "$color"),
    FormatFault("%@", #"[{"$color": [1, 2, 3]}]"#, .argument, 0, "0...1"),
    FormatFault("mgl_step:from:stops:(x, 1, %@)", #"[{"a": 1}]"#, .argument, 27, "key \"a\" is no number"),
    FormatFault("mgl_step:from:stops:(x, 1, %@)", #"[{"nan": 1}]"#, .argument, 27, "no number"),
    FormatFault("mgl_attributed({%@})", #"[{"a": 1}]"#, .argument, 16, "\"expression\""),
    FormatFault(
      "mgl_attributed({%@})", #"[{"expression": "a", "attributes": {"x": 1}}]"#, .argument, 16, "\"x\""),
    FormatFault("a = 1", "5", .argument, 0, "no array"),
  ]
}
