import NeatBase

// What expressions cost, and what they may cost.
//
// A byte is charged when it is made: the text of a string, and `EvaluationBudget.itemBytes` for each item of
// an array, member of an object or section of a text, shared or not. So no value of an evaluation prints as
// more than its budget, even where it holds one long string a thousand times.
//
// A step is charged in proportion to the work of operations that are not of constant time: one a call, one
// for each item that is looked at, one for 16 bytes of text. Operations of constant time are not counted:
// programs have no loops, so that one evaluation runs each instruction once at most.

/// The most that one evaluation may take.
package struct EvaluationBudget: Hashable, Sendable {
  /// Bytes of the values that it makes.
  package var bytes: Int { didSet { bytes = EvaluationBudget.held(bytes) } }
  /// Steps of its operations.
  package var steps: Int { didSet { steps = EvaluationBudget.held(steps) } }

  package init(bytes: Int = EvaluationBudget.standardBytes, steps: Int = EvaluationBudget.standardSteps) {
    self.bytes = EvaluationBudget.held(bytes)
    self.steps = EvaluationBudget.held(steps)
  }

  /// Far from what sums of it would overflow.
  private static func held(_ count: Int) -> Int { min(max(0, count), 1 << 50) }

  package static let standardBytes = 16 << 20
  package static let standardSteps = 4_000_000

  /// Bytes of a text that a cluster's property comes to.
  package static let clusterBytes = 1 << 20

  /// Bytes charged for an item of an array, a member or a section, beside its text: what they take in memory.
  static let itemBytes = 64
  /// Bytes of text that are one step.
  static let stepBytes = 16
}

/// What the evaluations of one piece of work may take: each, and all together.
package struct ExpressionWork: Sendable {
  package var evaluation: EvaluationBudget
  package var ledger: WorkLedger?

  package init(_ evaluation: EvaluationBudget = EvaluationBudget(), _ ledger: WorkLedger? = nil) {
    self.evaluation = evaluation
    self.ledger = ledger
  }

  package func evaluator() -> Evaluator {
    let evaluator = Evaluator(budget: evaluation)
    evaluator.ledger = ledger
    return evaluator
  }
}

/// The most that the constants which a compilation computes may take.
package struct CompilationBudget: Sendable {
  /// Of one constant.
  package var constant: EvaluationBudget
  /// Of all constants of one expression together: bytes of those that are kept, steps of all.
  package var expression: EvaluationBudget
  /// Of all expressions that are compiled together, those of a style; nil: they have no common budget.
  package var ledger: WorkLedger?

  package init(
    constant: EvaluationBudget = EvaluationBudget(bytes: CompilationBudget.standardBytes),
    expression: EvaluationBudget = EvaluationBudget(
      bytes: CompilationBudget.expressionConstants * CompilationBudget.standardBytes,
      steps: CompilationBudget.expressionConstants * EvaluationBudget.standardSteps),
    ledger: WorkLedger? = nil
  ) {
    self.constant = constant
    self.expression = expression
    self.ledger = ledger
  }

  /// Bytes of one constant.
  package static let standardBytes = 1 << 20
  /// The constants of one expression take as much as so many of the largest.
  package static let expressionConstants = 8
  /// What all constants of a style take: bytes and steps.
  package static let style = WorkBudget(bytes: 64 << 20, steps: 256_000_000)

  /// The budget of expressions alone.
  package static let standard = CompilationBudget()
}

/// Which budget an evaluation went past.
enum EvaluationOverrun: UInt8 {
  case bytes = 1
  case steps
  /// The ledger of the work that it belongs to has ended.
  case work
}

/// A program that went past a budget.
package struct ExpressionOverrun: Hashable, Sendable {
  let programID: UInt64
  package let message: String
}

extension ExpressionValue {
  /// The bytes that are charged for a value: as if nothing in it were shared. The walk ends past the limit.
  func weight(limit: Int) -> Int {
    var left = limit
    weigh(&left)
    return limit - left
  }

  private func weigh(_ left: inout Int) {
    left -= EvaluationBudget.itemBytes
    switch self {
    case .null, .bool, .number, .color, .collator, .projection: break
    case .string(let text): left -= text.utf8.count
    case .array(let items):
      for item in items {
        if left < 0 { return }
        item.weigh(&left)
      }
    case .object(let members):
      for member in members {
        if left < 0 { return }
        left -= member.key.utf8.count
        member.value.weigh(&left)
      }
    case .formatted(let text):
      for section in text.sections {
        left -=
          EvaluationBudget.itemBytes + section.text.utf8.count + (section.image?.name.utf8.count ?? 0)
          + (section.fontStack?.utf8.count ?? 0)
      }
    case .image(let image): left -= image.name.utf8.count
    case .padding(let numbers), .numberArray(let numbers): left -= numbers.count * 8
    case .colorArray(let colors): left -= colors.count * 32
    case .anchorOffsets(let offsets): left -= offsets.count * EvaluationBudget.itemBytes
    }
  }
}

extension StyleLayer {
  /// Where in the layer a program stands that went past a budget: `layout.text-field`, `filter`.
  package func places(of overrun: ExpressionOverrun) -> [String] {
    var places = properties.places(of: overrun)
    if filter?.program.id == overrun.programID { places.append("filter") }
    return places
  }
}

extension PropertySet {
  /// The properties that are a program which went past a budget, with their group.
  package func places(of overrun: ExpressionOverrun) -> [String] {
    entries.compactMap { entry in
      guard self[entry.property].expression?.program?.id == overrun.programID else { return nil }
      return "\(entry.property.spec.group).\(entry.property.name)"
    }
  }
}
