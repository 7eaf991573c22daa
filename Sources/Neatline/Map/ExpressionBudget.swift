import CNeatline

/// What the evaluations of an expression or filter may take. An evaluation past it fails, as any other that
/// has no value.
public struct ExpressionBudget: Hashable, Sendable {
  /// Bytes of the values that one evaluation may make; 0: 16 MiB.
  public var evaluationBytes = 0
  /// Steps of one evaluation: about one for 16 bytes of text or one item that an operator looks at; 0:
  /// 4,000,000.
  public var evaluationSteps = 0
  /// Bytes of strings that one call over a layer may give; 0: 256 MiB.
  public var callBytes = 0
  /// Steps of one call over a layer; 0: 500,000,000.
  public var callSteps = 0

  /// The defaults, but for what is given.
  public init(evaluationBytes: Int = 0, evaluationSteps: Int = 0, callBytes: Int = 0, callSteps: Int = 0) {
    self.evaluationBytes = evaluationBytes
    self.evaluationSteps = evaluationSteps
    self.callBytes = callBytes
    self.callSteps = callSteps
  }

  func withC(_ body: (UnsafePointer<neat_expression_budget>) throws(NeatlineError) -> Void)
    throws(NeatlineError)
  {
    for (name, value) in [
      ("evaluationBytes", evaluationBytes), ("evaluationSteps", evaluationSteps), ("callBytes", callBytes),
      ("callSteps", callSteps),
    ] where value < 0 {
      throw NeatlineError(.invalidArgument, "\(name) \(value) is negative")
    }
    var result = neat_expression_budget()
    result.struct_size = UInt32(MemoryLayout<neat_expression_budget>.size)
    result.evaluation_bytes = UInt64(evaluationBytes)
    result.evaluation_steps = UInt64(evaluationSteps)
    result.call_bytes = UInt64(callBytes)
    result.call_steps = UInt64(callSteps)
    try body(&result)
  }
}
