import NeatBase
import NeatJSON

/// A layer's filter, written as an expression or in the legacy form. Immutable; evaluate it with an
/// `Evaluator` of the thread.
package final class CompiledFilter: Sendable {
  package let isZoomConstant: Bool
  package let isFeatureConstant: Bool
  package let globalStateKeys: Set<String>
  /// The outcome, where it is the same for every feature.
  package let constant: Bool?
  let program: Program

  private init(_ node: Node, _ program: Program) {
    isZoomConstant = node.dependencies.isDisjoint(with: .zoom)
    isFeatureConstant = node.dependencies.isDisjoint(with: .feature)
    globalStateKeys = node.globalStateKeys
    if case .bool(let value)? = node.literalValue { constant = value } else { constant = nil }
    self.program = program
  }

  /// Compiles a filter; null lets everything pass.
  package static func compile(_ json: JSON, budget: CompilationBudget = .standard) -> Result<
    CompiledFilter, ExpressionErrors
  > {
    let parsed: Result<Node, ExpressionErrors>
    if isExpression(json) {
      parsed = Parser.parse(json, expected: .boolean, folder: ConstantFolder(budget))
    } else {
      parsed = LegacyFilter.parse(json, ConstantFolder(budget))
    }
    return parsed.flatMap { node in
      CodeGenerator.compile(node).map { CompiledFilter(node, $0) }.mapError { ExpressionErrors([$0]) }
    }
  }

  /// Whether the point's feature passes. A filter that fails to evaluate does not.
  package func matches(_ evaluator: Evaluator, at point: EvaluationPoint) -> Bool {
    if let constant { return constant }
    var point = MachinePoint(point)
    let frame = evaluator.frame(program, point)
    guard let register = Machine.run(program, evaluator, frame, &point) else { return false }
    let slot = frame.pointee.slots[register]
    return slot.is(.bool) && slot.bool
  }

  /// Features between two looks at the clock.
  private static let portion = 256

  /// Writes the indices of the features of the point's layer that pass, and says how many: `out` has room for
  /// all that are asked for. A filter that does not look at the feature is evaluated once. Where the evaluator's
  /// work ends, the rest is not looked at.
  /// - Parameter candidates: the features that are asked for, all of the layer, rising; nil: all.
  package func matches(
    _ evaluator: Evaluator, at point: EvaluationPoint, among candidates: [UInt32]? = nil,
    into out: UnsafeMutableBufferPointer<UInt32>
  ) -> Int {
    let featureCount = min(point.layer?.featureCount ?? 0, candidates?.count ?? .max, out.count)
    guard featureCount > 0 else { return 0 }
    if isFeatureConstant {
      guard matches(evaluator, at: point.feature(-1)) else { return 0 }
      for index in 0..<featureCount {
        out[index] = candidates?[index] ?? UInt32(truncatingIfNeeded: index)
      }
      return featureCount
    }
    var point = MachinePoint(point).feature(0)
    let frame = evaluator.frame(program, point)
    var count = 0
    // In portions, so that the loop itself does not look at the clock.
    var start = 0
    while start < featureCount, evaluator.mayContinue(features: CompiledFilter.portion, of: program) {
      let end = min(featureCount, start + CompiledFilter.portion)
      for index in start..<end {
        let feature = candidates.map { Int($0[index]) } ?? index
        point.feature = feature
        guard let register = Machine.run(program, evaluator, frame, &point) else { continue }
        let slot = frame.pointee.slots[register]
        assert(count <= index, "no more features pass than were looked at")
        // Written always and counted where it passes: no branch to be guessed.
        out[count] = UInt32(truncatingIfNeeded: feature)
        count += slot.is(.bool) && slot.bool ? 1 : 0
      }
      start = end
    }
    return count
  }

  /// Whether a filter is written as an expression (and not in the legacy form).
  package static func isExpression(_ json: JSON) -> Bool { LegacyFilter.isExpression(json) }
}
