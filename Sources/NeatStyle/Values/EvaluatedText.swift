/// What a text property evaluates to.
package enum EvaluatedText {
  /// The UTF-8 of one section without settings of its own: valid until the evaluator's next evaluation, while
  /// the layer and the expression live.
  case plain(UnsafeBufferPointer<UInt8>)
  case formatted(FormattedText)
}
