/// Computes constant expressions while parsing.
final class ConstantFolder {
  private lazy var evaluator = {
    let evaluator = Evaluator()
    evaluator.wantsMessages = true
    return evaluator
  }()

  func fold(_ node: Node) -> Result<ExpressionValue, ExpressionError> {
    switch CodeGenerator.compile(node) {
    case .failure(let error): return .failure(error)
    case .success(let program):
      let frame = evaluator.frame(program)
      guard let register = Machine.run(program, evaluator, frame) else {
        return .failure(ExpressionError(key: program.key(at: evaluator.failure.pc), message: evaluator.failure.message))
      }
      let value = evaluator.value(register, program, frame)
      evaluator.forget(program)
      return .success(value)
    }
  }
}
