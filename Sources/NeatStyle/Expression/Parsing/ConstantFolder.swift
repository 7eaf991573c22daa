import NeatBase

/// Computes constant expressions while parsing, within the budget of the compilation.
final class ConstantFolder {
  private let budget: CompilationBudget
  private var bytes = 0
  private var steps = 0
  /// Whether the budget of the expression, or of all expressions together, is spent: nothing is computed then.
  private(set) var isSpent = false
  private lazy var evaluator = {
    let evaluator = Evaluator(recentCount: 1, budget: budget.constant)
    evaluator.wantsMessages = true
    evaluator.subject = "constant"
    return evaluator
  }()

  init(_ budget: CompilationBudget) { self.budget = budget }

  func fold(_ node: Node) -> Result<ExpressionValue, ExpressionError> {
    if let value = ConstantFolder.plain(node) { return .success(value) }
    if let value = ConstantFolder.bound(node) {
      // The program compares it with its other constants.
      let message = charge(reading: value.weight(limit: budget.expression.bytes))
      return message.map { .failure(ExpressionError(key: "", message: $0)) } ?? .success(value)
    }
    // Its literals are copied into the program that computes it.
    for child in node.children {
      guard let value = child.literalValue else { continue }
      if let message = charge(reading: value.weight(limit: budget.expression.bytes)) {
        return .failure(ExpressionError(key: "", message: message))
      }
    }
    let result = run(node)
    // Every constant is kept: as part of the program, or until the one that it is part of is computed.
    let weight = (try? result.get())?.weight(limit: budget.expression.bytes) ?? 0
    let message = charge(bytes: weight, steps: evaluator.usedSteps)
    if case .success = result, let message { return .failure(ExpressionError(key: "", message: message)) }
    return result
  }

  /// Charges bytes that are read besides constants.
  /// - Returns: what to say where that is past the budget.
  func charge(reading count: Int) -> String? { charge(steps: count / EvaluationBudget.stepBytes) }

  private func charge(bytes count: Int = 0, steps used: Int) -> String? {
    let message = spend(count, used)
    if message != nil { isSpent = true }
    return message
  }

  private func spend(_ count: Int, _ used: Int) -> String? {
    bytes += count
    steps += used
    if bytes > budget.expression.bytes {
      return
        "The constants of the expression take more than \(WorkBudget.text(bytes: budget.expression.bytes))"
    }
    if steps > budget.expression.steps {
      return "The constants of the expression take more than \(budget.expression.steps) steps"
    }
    guard let ledger = budget.ledger else { return nil }
    return ledger.settle(bytes: count, steps: used).map(ledger.message)
  }

  private func run(_ node: Node) -> Result<ExpressionValue, ExpressionError> {
    switch CodeGenerator.compile(node) {
    case .failure(let error): return .failure(error)
    case .success(let program):
      var point = MachinePoint.camera(zoom: 0)
      let frame = evaluator.frame(program, point)
      guard let register = Machine.run(program, evaluator, frame, &point) else {
        return .failure(
          ExpressionError(key: program.key(at: evaluator.failure.pc), message: evaluator.failure.message))
      }
      let value = evaluator.value(register, program, frame)
      evaluator.forget(program)
      return .success(value)
    }
  }

  /// The constant that a variable stands for, or a `let` ends with: the same one, not a copy.
  private static func bound(_ node: Node) -> ExpressionValue? {
    if case .variable(let bound) = node.detail { return bound.literalValue }
    return node.op == .let ? node.children.last?.literalValue : nil
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
