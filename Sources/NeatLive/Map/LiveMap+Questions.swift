import NeatBase
import NeatCamera
import NeatMap

/// Called once with an answer, as text, or with why there is none.
package typealias AnswerCompletion = (Result<[UInt8], NeatError>) -> Void

/// The questions that workers are at.
struct MapQuestions {
  var next: UInt64 = 1
  var waiting: [UInt64: AnswerCompletion] = [:]
}

extension LiveMap {
  /// Questions under way at once.
  package static let questionLimit = 1000

  /// Answers a question at once. Labels are met where they stand, as of the last placement; where the camera
  /// has moved since a frame was taken, as one of the new view would place them.
  package func answer(_ question: MapQuestion) throws(NeatError) -> MapAnswer {
    let core = try loadedCore()
    carryAnnotations(core)
    core.makePending()
    let answer = try core.answer(question, try core.transform(camera, size), labels: shownLabels)
    tellProblemsSoon(core)
    return answer
  }

  /// What a question found broken is told by the loop, and not within the host's call.
  private func tellProblemsSoon(_ core: MapCore) {
    if core === self.core, core.problemCount > toldProblemCount { scheduleTurn() }
  }

  /// Has a worker answer a question about the map as it is now, and write it down; the completion is called on
  /// the loop, later than this returns, once: with `cancelled` where the map ends before, but not where it was
  /// cancelled by its number.
  package func ask(
    _ question: MapQuestion, writing write: @escaping @Sendable (MapAnswer) throws(NeatError) -> [UInt8],
    completion: @escaping AnswerCompletion
  ) throws(NeatError) -> UInt64 {
    let core = try loadedCore()
    guard questions.waiting.count < LiveMap.questionLimit else {
      throw NeatError(.limitExceeded, "more than \(LiveMap.questionLimit) questions are under way")
    }
    let transform = try core.transform(camera, size)
    carryAnnotations(core)
    let labels = shownLabels
    let number = questions.next
    let answer = Locked<Result<[UInt8], NeatError>>(.failure(NeatError(.cancelled, "the loop is closed")))
    let isTaken = loop.work({
      core.makePending()
      let result = Result { () throws(NeatError) in
        try write(try core.answer(question, transform, labels: labels))
      }
      answer.withLock { $0 = result }
    }) { [weak self] in
      guard let self else { return }
      tellProblemsSoon(core)
      questions.waiting.removeValue(forKey: number)?(answer.withLock { $0 })
    }
    guard isTaken else { throw NeatError(.state, "the loop is closed") }
    questions.next += 1
    questions.waiting[number] = completion
    return number
  }

  /// Nobody waits for an answer any more: its completion is not called. One that was given is left alone.
  package func cancelQuestion(_ number: UInt64) { questions.waiting[number] = nil }

  /// Tells all who wait that there is no answer.
  func endQuestions() {
    let waiting = questions.waiting.sorted { $0.key < $1.key }
    questions.waiting = [:]
    for (_, completion) in waiting { completion(.failure(NeatError(.cancelled, "the map was destroyed"))) }
  }

  /// The labels of the frame that is shown, where the view is still its.
  var shownLabels: LabelHistory? { frames.shownView.map(isOfNow) ?? false ? frames.history.labels : nil }
}
