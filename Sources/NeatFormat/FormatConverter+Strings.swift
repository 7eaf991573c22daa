// Beginnings, ends and patterns of strings. Where an operand may be missing or no string, it is taken as
// text, so that a missing name is an empty one and the comparison is false instead of failing.
import NeatStyle

extension FormatConverter {
  /// A value as a string.
  func text(_ tree: ExpressionTree, _ comparison: FormatComparison, _ offset: Int) throws(FormatStringError)
    -> ExpressionTree
  {
    try expect(tree, .string, for: comparison.name, offset)
    return tree.type == .string ? tree : .call("to-string", tree)
  }

  func checkNoMarks(_ comparison: FormatComparison, _ what: String) throws(FormatStringError) {
    guard comparison.ignoresMarks else { return }
    throw FormatStringError(
      .unsupported,
      "\(comparison.name) \(what): style expressions ignore diacritics only where they compare whole strings",
      comparison.offset)
  }

  mutating func textTest(
    _ comparison: FormatComparison, _ left: ExpressionTree, _ leftOffset: Int, _ right: ExpressionTree,
    _ rightOffset: Int
  ) throws(FormatStringError) -> ExpressionTree {
    let subject = try text(left, comparison, leftOffset)
    if comparison.op == .like {
      guard case .string(let pattern) = right else {
        throw FormatStringError(
          .unsupported, "LIKE takes a constant pattern: the wildcards of another are not known in time",
          rightOffset)
      }
      return try like(comparison, subject, pattern, rightOffset)
    }
    let part = try text(right, comparison, rightOffset)
    return try comparison.op == .beginsWith
      ? begins(comparison, subject, part) : ends(comparison, subject, part)
  }

  private func same(_ comparison: FormatComparison, _ left: ExpressionTree, _ right: ExpressionTree)
    -> ExpressionTree
  {
    .call("==", [left, right] + (collator(comparison).map { [$0] } ?? []))
  }

  private static func length(_ part: ExpressionTree) -> ExpressionTree {
    if case .string(let text) = part {
      .number(Double(text.unicodeScalars.count))
    } else {
      .call("length", part)
    }
  }

  private mutating func begins(
    _ comparison: FormatComparison, _ subject: ExpressionTree, _ part: ExpressionTree
  ) throws(FormatStringError) -> ExpressionTree {
    try once(part) {
      $0.same(comparison, .call("slice", subject, .number(0), FormatConverter.length($1)), $1)
    }
  }

  private mutating func ends(
    _ comparison: FormatComparison, _ subject: ExpressionTree, _ part: ExpressionTree
  ) throws(FormatStringError) -> ExpressionTree {
    if case .string(let text) = part {
      // From the end, where there is something to look for; all strings end with nothing.
      if text.isEmpty { return .bool(true) }
      return same(comparison, .call("slice", subject, .number(-Double(text.unicodeScalars.count))), part)
    }
    return try once(subject) { (converter, subject) throws(FormatStringError) in
      try converter.once(part) { (converter, part) throws(FormatStringError) in
        converter.same(
          comparison, .call("slice", subject, .call("-", .call("length", subject), .call("length", part))),
          part)
      }
    }
  }

  // MARK: LIKE

  /// Texts between the asterisks of a pattern.
  private func pieces(_ pattern: String, _ offset: Int) throws(FormatStringError) -> [String] {
    var pieces = [""]
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if isEscaped {
        pieces[pieces.count - 1].unicodeScalars.append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "*" {
        if pieces.count < 2 || !pieces[pieces.count - 1].isEmpty { pieces.append("") }
      } else if scalar == "?" {
        throw FormatStringError(
          .unsupported, "LIKE with '?': style expressions have no pattern of one character", offset)
      } else {
        pieces[pieces.count - 1].unicodeScalars.append(scalar)
      }
    }
    return pieces
  }

  private mutating func like(
    _ comparison: FormatComparison, _ subject: ExpressionTree, _ pattern: String, _ offset: Int
  ) throws(FormatStringError) -> ExpressionTree {
    let pieces = try pieces(pattern, offset)
    guard pieces.count > 1 else { return same(comparison, subject, .string(pieces[0])) }
    let first = pieces[0]
    let last = pieces[pieces.count - 1]
    if pieces.count == 2 {
      if last.isEmpty { return first.isEmpty ? .bool(true) : try begins(comparison, subject, .string(first)) }
      if first.isEmpty { return try ends(comparison, subject, .string(last)) }
      let length = Double(first.unicodeScalars.count + last.unicodeScalars.count)
      return try once(subject) { (converter, subject) throws(FormatStringError) in
        .call(
          "all", .call(">=", .call("length", subject), .number(length)),
          try converter.begins(comparison, subject, .string(first)),
          try converter.ends(comparison, subject, .string(last)))
      }
    }
    guard pieces.count == 3, first.isEmpty, last.isEmpty else {
      throw FormatStringError(
        .unsupported, "LIKE with this many asterisks: 'a', 'a*', '*a', '*a*' and 'a*b' have an expression",
        offset)
    }
    guard comparison.ignoresCase || comparison.ignoresMarks else {
      return .call("in", .string(pieces[1]), subject)
    }
    try checkNoMarks(comparison, "looks for a part of a text")
    return .call("in", .call("downcase", .string(pieces[1])), .call("downcase", subject))
  }
}
