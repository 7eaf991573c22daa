import NeatBase
import NeatStyle

/// Why a format string does not become an expression: what is wrong, and where in the text.
package struct FormatStringError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The text is no predicate or expression.
    case syntax
    /// The form is right, and the style language has nothing that does the same. The message names the form
    /// and says why.
    case unsupported
    /// An operand is of the wrong type, or there are too many or too few of them.
    case operand
    /// A placeholder and its argument do not fit, or there are too many or too few arguments.
    case argument
    /// Text, nesting, number of operands or result are past a limit of `FormatStringLimits`.
    case limit
  }

  package var kind: Kind
  package var message: String
  /// Byte of the format text (UTF-8) where the fault begins.
  package var offset: Int
  /// From 1.
  package var line = 1
  /// Byte of the line, from 1.
  package var column = 1

  init(_ kind: Kind, _ message: String, _ offset: Int) {
    self.kind = kind
    self.message = message
    self.offset = offset
  }

  /// The error with its line and column in the text.
  func located(in text: [UInt8]) -> FormatStringError {
    var copy = self
    copy.offset = min(offset, text.count)
    let before = text[..<copy.offset]
    copy.line = 1 + before.count { $0 == 0x0A }
    copy.column = 1 + copy.offset - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)
    return copy
  }

  package var description: String { neatError.description }

  /// As the engine's error type: the message tells the byte, and the line and column where the text has
  /// several lines.
  package var neatError: NeatError {
    let code: ErrorCode =
      switch kind {
      case .syntax, .operand: .expression
      case .unsupported: .unsupported
      case .argument: .invalidArgument
      case .limit: .limitExceeded
      }
    return NeatError(
      code, line > 1 ? "\(message), at line \(line), column \(column)" : message, offset: offset)
  }
}
