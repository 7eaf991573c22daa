import NeatBase

// Counting bytes and steps. What is over a budget fails the evaluation: the operation at hand does nothing
// more, every later one returns at once, and the run has no value (`settle`).
extension Evaluator {
  /// Charges bytes that are about to be made; false where the evaluation has no more of them.
  @inline(__always)
  func charge(bytes count: Int) -> Bool {
    assert(count >= 0, "bytes are not given back")
    hot.pointee.isDirty = true
    hot.pointee.bytesLeft -= count
    return hot.pointee.bytesLeft >= 0 ? hot.pointee.overrun == 0 : overrun(.bytes)
  }

  /// Charges work that is about to be done; false where the evaluation has no more steps.
  @inline(__always)
  func charge(steps count: Int) -> Bool {
    assert(count >= 0, "steps are not given back")
    hot.pointee.isDirty = true
    hot.pointee.stepsLeft -= count
    return hot.pointee.stepsLeft >= 0 ? hot.pointee.overrun == 0 : takeSteps()
  }

  /// The same for work that goes over so many bytes.
  @inline(__always)
  func charge(reading count: Int) -> Bool { charge(steps: 1 + count / EvaluationBudget.stepBytes) }

  /// Charges a value that is about to be kept, with all that is in it.
  func charge(_ value: ExpressionValue) -> Bool {
    let weight = value.weight(limit: max(0, hot.pointee.bytesLeft))
    return charge(bytes: weight) && charge(reading: weight)
  }

  /// Whether the evaluation went past a budget.
  @inline(__always)
  var isOverrun: Bool { hot.pointee.overrun != 0 }

  @inline(never)
  private func overrun(_ kind: EvaluationOverrun) -> Bool {
    if hot.pointee.overrun == 0 { hot.pointee.overrun = kind.rawValue }
    return false
  }

  /// Takes the next portion of the evaluation's steps, and looks at the clock of the work meanwhile.
  @inline(never)
  private func takeSteps() -> Bool {
    if isOverrun { return false }
    while hot.pointee.stepsLeft < 0 {
      if let ledger, ledger.settle(steps: takePending()) != nil { return overrun(.work) }
      guard stepsBeyond > 0 else { return overrun(.steps) }
      let portion = min(stepsBeyond, max(WorkLedger.portion, -hot.pointee.stepsLeft))
      stepsBeyond -= portion
      hot.pointee.stepsLeft += portion
    }
    return true
  }

  /// Begins the count of another evaluation.
  func resetBudget() {
    pendingSteps += uncountedSteps
    hot.pointee.overrun = 0
    if let ledger {
      if pendingSteps >= WorkLedger.portion { ledger.settle(steps: takePending()) }
      if ledger.end != nil {
        // The first charge finds the end.
        (hot.pointee.bytesLeft, hot.pointee.stepsLeft, stepsBeyond, countedSteps) = (budget.bytes, -1, 0, -1)
        return
      }
    } else {
      pendingSteps = 0
    }
    hot.pointee.bytesLeft = budget.bytes
    hot.pointee.stepsLeft = min(budget.steps, WorkLedger.portion)
    stepsBeyond = budget.steps - hot.pointee.stepsLeft
    countedSteps = budget.steps
  }

  /// Steps of the evaluation under way that are not yet among the pending ones.
  private var uncountedSteps: Int { max(0, countedSteps - stepsBeyond - hot.pointee.stepsLeft) }

  /// All steps that the ledger does not know.
  private func takePending() -> Int {
    let steps = pendingSteps + uncountedSteps
    countedSteps = stepsBeyond + hot.pointee.stepsLeft
    pendingSteps = 0
    return steps
  }

  /// Settles with the ledger what is still open: when the evaluations of a piece of work are done.
  package func settleWork() {
    guard let ledger else { return }
    ledger.settle(bytes: pendingBytes, steps: takePending())
    pendingBytes = 0
  }

  // MARK: work around evaluations

  /// Counts one feature of a loop, or more where it takes long. False where the work must end: its deadline has
  /// passed, or its budget is spent.
  @inline(__always)
  package func mayContinue(weight: Int = 1) -> Bool {
    ticks &-= weight
    return ticks >= 0 ? true : lookAtWork()
  }

  /// The same for so many features that a program is run for. Its instructions of constant time are counted only
  /// where it has thousands.
  func mayContinue(features count: Int, of program: Program) -> Bool {
    pendingSteps &+= count * (program.codeCount / Evaluator.stepInstructions)
    return mayContinue(weight: 1 + count * program.codeCount / Evaluator.tickInstructions)
  }

  /// Instructions that are one step, at least; and one feature of a loop.
  private static let stepInstructions = 1024
  private static let tickInstructions = 256

  /// Features of a loop between two looks at the clock.
  static let ticksBetweenLooks = 128

  @inline(never)
  private func lookAtWork() -> Bool {
    guard let ledger else {
      ticks = Evaluator.ticksBetweenLooks
      pendingSteps = 0
      return true
    }
    guard ledger.settle(bytes: pendingBytes, steps: takePending()) == nil else {
      ticks = 0
      return false
    }
    pendingBytes = 0
    ticks = Evaluator.ticksBetweenLooks
    return true
  }

  /// Counts bytes that the work keeps of an evaluated value. False where the work may keep no more.
  @discardableResult
  package func keep(bytes count: Int) -> Bool {
    guard let ledger else { return true }
    pendingBytes += count
    if pendingBytes < WorkLedger.portion, ledger.end == nil { return true }
    let mayGoOn = ledger.settle(bytes: pendingBytes) == nil
    pendingBytes = 0
    // The loop over the features ends at the next one.
    if !mayGoOn { ticks = 0 }
    return mayGoOn
  }

  /// Steps of the last evaluation.
  var usedSteps: Int { max(0, budget.steps - stepsBeyond - hot.pointee.stepsLeft) }

  // MARK: what became of it

  /// The outcome of a run that has made something: nil where it went past a budget.
  @inline(never)
  func settle(_ result: Int, _ program: Program) -> Int? {
    guard isOverrun else { return result < 0 ? nil : result }
    // Where the work ends, that is told of the whole of it.
    if hot.pointee.overrun == EvaluationOverrun.work.rawValue {
      if wantsMessages { failure.message = overrunMessage }
      return nil
    }
    if wantsMessages { failure.message = overrunMessage }
    let overrun = ExpressionOverrun(programID: program.id, message: overrunMessage)
    if overruns.count < Evaluator.maxOverruns, !overruns.contains(overrun) { overruns.append(overrun) }
    return nil
  }

  /// Programs over budget that are remembered.
  private static let maxOverruns = 64

  /// The programs that went past a budget since the last call, each once.
  package func takeOverruns() -> [ExpressionOverrun] {
    defer { overruns = [] }
    return overruns
  }

  var overrunMessage: String {
    switch EvaluationOverrun(rawValue: hot.pointee.overrun) {
    case .bytes: "The \(subject) takes more than \(WorkBudget.text(bytes: budget.bytes))"
    case .steps: "The \(subject) takes more than \(budget.steps) steps"
    case .work, nil: ledger.flatMap { ledger in ledger.end.map(ledger.message) } ?? "The work is over"
    }
  }
}
