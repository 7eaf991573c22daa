import NeatBase

/// One fault of an expression: where it is (`[2][1]`: indices from the outermost array) and what it is, in
/// the specification's words.
package struct ExpressionError: Error, Hashable, Sendable {
  package var key: String
  package var message: String

  package init(key: String, message: String) {
    self.key = key
    self.message = message
  }
}

/// Why an expression does not compile; never empty.
package struct ExpressionErrors: Error, Hashable, Sendable {
  package var errors: [ExpressionError]

  package init(_ errors: [ExpressionError]) { self.errors = errors }

  /// The first of them as the engine's error type.
  package var neatError: NeatError {
    let first = errors.first ?? ExpressionError(key: "", message: "invalid expression")
    return NeatError(.expression, (first.key.isEmpty ? "" : first.key + ": ") + first.message)
  }
}

/// Why an evaluation has no value: the place of the expression at fault, and the specification's words.
package typealias ExpressionRuntimeError = ExpressionError
