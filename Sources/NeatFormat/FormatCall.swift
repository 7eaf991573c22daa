import NeatStyle

/// A function with its operands.
struct FormatCall {
  /// The selector without the colon at its end.
  var name: String
  var operands: [FormatNode]
  var offset: Int
  /// As it is written in messages, where that is not the name.
  var spelling: String?

  var title: String { spelling ?? name }

  func expect(_ count: Int) throws(FormatStringError) {
    guard operands.count != count else { return }
    let wanted = count == 0 ? "no operands" : count == 1 ? "one operand" : "\(count) operands"
    throw FormatStringError(.operand, "\(title) takes \(wanted), and \(operands.count) are given", offset)
  }

  func expect(atLeast count: Int) throws(FormatStringError) {
    guard operands.count < count else { return }
    throw FormatStringError(
      .operand, "\(title) takes at least \(count) operands, and \(operands.count) are given", offset)
  }
}
