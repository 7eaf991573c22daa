import NeatBase
import NeatJSON
import NeatStyle

// Predicate and expression format strings, the notation of NSPredicate and NSExpression that the older iOS
// SDKs (v3 to v6) took for filters and properties, turned into style expressions. Three steps: `FormatLexer`
// cuts the text into tokens, `FormatParser` builds a tree of `FormatNode`s and puts the arguments where the
// placeholders stand, `FormatConverter` writes the tree as an expression. docs/format-strings.md has every
// form.

/// Limits of a format string.
package enum FormatStringLimits {
  /// Bytes of text.
  package static let bytes = 1 << 20
  /// Nesting of operands, parentheses and operators.
  package static let depth = 100
  /// Bytes of stack that a level takes of parser and converter (`StackRoom`).
  static var levelStack: Int { StackRoom.ofLevel * 5 }
  /// Operands, operators and constants of one text, elements of array arguments not counted.
  package static let nodes = 100_000
  /// Operands of one operator or function, elements of a list, stops of a curve, arguments of a text.
  package static let operands = 10_000
  /// Bytes of arguments, each counted as often as it is used: those of strings, and 8 for each value.
  package static let arguments = 1 << 24
  /// Bytes of the resulting JSON text.
  package static let output = 1 << 24
}

package enum FormatString {
  package enum Kind: Sendable {
    /// What NSExpression's format strings are: the value of a property. A predicate is taken as well, for a
    /// boolean value.
    case expression
    /// What NSPredicate's format strings are: a layer's filter.
    case predicate
  }

  /// Turns a format string into the JSON text of a style expression.
  ///
  /// `arguments` is an array of values for the placeholders, or null for none. A value is data as JSON has
  /// it; an object of the one member `$expression` is a style expression, one of the one member `$color` a
  /// colour: CSS text, or red, green, blue and alpha in 0...1.
  package static func convert(_ text: [UInt8], arguments: JSON = .null, as kind: Kind)
    throws(FormatStringError) -> [UInt8]
  {
    do throws(FormatStringError) {
      try check(text)
      var parser = try FormatParser(text, arguments)
      let node = try parser.parse()
      var converter = FormatConverter()
      switch kind {
      case .expression: return try converter.value(node).written()
      case .predicate: return try converter.condition(node).unambiguousFilter().written()
      }
    } catch {
      throw error.located(in: text)
    }
  }

  private static func check(_ text: [UInt8]) throws(FormatStringError) {
    guard text.count <= FormatStringLimits.bytes else {
      throw FormatStringError(.limit, "the format string is longer than \(FormatStringLimits.bytes) bytes", 0)
    }
    var decoder = UTF8()
    var bytes = text.makeIterator()
    var offset = 0
    while true {
      switch decoder.decode(&bytes) {
      case .emptyInput: return
      case .scalarValue(let scalar): offset += UTF8.width(scalar)
      case .error: throw FormatStringError(.syntax, "the format string is not UTF-8", offset)
      }
    }
  }
}
