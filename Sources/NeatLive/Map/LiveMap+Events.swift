import NeatBase
import NeatMap
import NeatResource

/// Called once: with nil when the style is loaded, or with why it is not.
package typealias StyleCompletion = (NeatError?) -> Void

// What a map tells: events with their times, and whoever waits for a style.
extension LiveMap {
  /// Tells an event. False where its handler ended what it was told for: another style was set, or the map
  /// destroyed.
  /// - Parameter since: when what it tells of began; nil: it took no time.
  @discardableResult func send(_ event: MapEvent, since: Int64? = nil) -> Bool {
    guard !isDestroyed else { return false }
    let generation = generation
    let now = SystemClock.microseconds
    // The machine's clock may be set back.
    onEvent(event, EventTime(began: min(since ?? now, now), ended: now))
    return generation == self.generation
  }

  /// Since when an event of the lifecycle has been on its way; nil: it took no time.
  func began(_ event: MapEvent, frame: Int64) -> Int64? {
    switch event {
    case .styleDataLoaded, .styleLoaded, .mapLoaded: styleBegan
    case .renderFrameStarted, .renderFrameFinished: frame
    default: nil
    }
  }

  /// Tells an answer to a request, also that it was cancelled.
  @discardableResult func tellAnswer(
    _ request: ResourceRequest, _ answer: ResourceAnswer, for need: Need? = nil
  )
    -> Bool
  {
    var report = RequestReport(
      kind: request.kind, url: Address.withoutCredentials(request.url), source: need?.source,
      tile: need?.tile,
      facts: answer.facts, isFinal: answer.isFinal)
    switch answer.result {
    case .failed(let error): report.error = error.naming(request.url).withoutCredentials
    // What an archive does not hold is empty, and in order.
    case .missing where need?.isTileOfArchive == true: break
    case .missing: report.error = NeatError(.notFound, "\(request.kind.name) not found", resource: report.url)
    case .data, .empty: break
    }
    log(report)
    guard !isDestroyed else { return false }
    let generation = generation
    let now = SystemClock.microseconds
    let began = answer.facts.beganAt == 0 ? now : answer.facts.beganAt
    let ended = answer.facts.endedAt == 0 ? now : answer.facts.endedAt
    onEvent(.resourceRequest(report), EventTime(began: min(began, ended), ended: ended))
    return generation == self.generation
  }

  private func log(_ report: RequestReport) {
    if let error = report.error, !report.isCancelled {
      Log.write(.info, .request, "\(report.kind.name) \(Log.short(report.url)): \(error.message)")
    } else {
      Log.write(.debug, .request, "\(report.kind.name) \(Log.short(report.url)): \(report.outcome)")
    }
  }

  /// Tells what went wrong.
  @discardableResult func tell(_ problem: MapProblem) -> Bool {
    send(.mapLoadingError(problem.withoutCredentials))
  }

  // MARK: Who waits for a style

  /// Tells whoever waits that the style is there, or why it is not. False where that ended it.
  func completeStyle(_ error: NeatError?) -> Bool {
    guard let completion = styleCompletion else { return true }
    styleCompletion = nil
    let generation = generation
    completion(error?.withoutCredentials)
    return generation == self.generation
  }

  /// Another style takes its place, or the map ends: it is told when that is done.
  func endStyleCompletion() {
    guard let completion = styleCompletion else { return }
    styleCompletion = nil
    endedCompletions.append(completion)
  }

  func tellEndedCompletions() {
    while !endedCompletions.isEmpty {
      let words = isDestroyed ? "the map was destroyed" : "another style was set"
      endedCompletions.removeFirst()(NeatError(.cancelled, words))
    }
  }
}

extension MapProblem {
  /// The same without credentials in its words.
  var withoutCredentials: MapProblem {
    var copy = self
    copy.resource = Address.withoutCredentials(inText: resource)
    copy.message = Address.withoutCredentials(inText: message)
    return copy
  }
}

extension RequestReport {
  /// For the log.
  fileprivate var outcome: String {
    if isCancelled { return "cancelled" }
    let ms = (facts.endedAt - facts.beganAt) / 1000
    let what = facts.isNotModified ? "not modified" : "\(facts.byteCount) bytes"
    return "\(what) from \(facts.origin) in \(ms) ms"
  }
}
