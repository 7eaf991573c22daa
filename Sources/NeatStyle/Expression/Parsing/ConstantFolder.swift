import NeatBase

/// Computes constant expressions while parsing.
final class ConstantFolder {
  private lazy var evaluator = {
    let evaluator = Evaluator(recentCount: 1)
    evaluator.wantsMessages = true
    return evaluator
  }()

  func fold(_ node: Node) -> Result<ExpressionValue, ExpressionError> {
    if let value = ConstantFolder.plain(node) { return .success(value) }
    switch CodeGenerator.compile(node) {
    case .failure(let error): return .failure(error)
    case .success(let program):
      let point = MachinePoint.camera(zoom: 0)
      let frame = evaluator.frame(program, point)
      guard let register = Machine.run(program, evaluator, frame, point) else {
        return .failure(
          ExpressionError(key: program.key(at: evaluator.failure.pc), message: evaluator.failure.message))
      }
      let value = evaluator.value(register, program, frame)
      evaluator.forget(program)
      return .success(value)
    }
  }

  /// What styles are full of, without a program: colours written as text. Nil for all else, faults among it.
  private static func plain(_ node: Node) -> ExpressionValue? {
    guard node.op == .coercion, node.type == .color, node.children.count == 1,
      case .string(let text)? = node.children[0].literalValue
    else {
      return nil
    }
    return RGBA(css: text).map { .color($0) }
  }
}
