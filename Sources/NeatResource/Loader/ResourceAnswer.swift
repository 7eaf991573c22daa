import NeatBase
import NeatLoop
import NeatStore

/// How a request is made.
package struct LoadOptions: Sendable {
  package var priority = RequestPriority.view
  package var usage = RequestUsage.cacheAndNetwork
  package var deadline = Deadline.never
  /// For maps that live on: a copy that has expired is given at once and asked about after; a failure that may
  /// pass is told and tried again until it succeeds or is cancelled. Such answers are not the last.
  package var isPatient = false
  /// The copy that the asker has: where it still holds, the answer's response is `notModified`.
  package var copy: DatabaseResponse?
  /// Whether the answer goes into the cache.
  package var isStored = true

  package init() {}

  package init(deadline: Deadline) { self.deadline = deadline }
}

extension ResourceFacts {
  /// Those of a request that begins now.
  init(_ options: LoadOptions) {
    self.init()
    priority = options.priority
    usage = options.usage
    beganAt = SystemClock.microseconds
  }

  func ended(_ origin: Origin, _ result: ResourceResult) -> ResourceFacts {
    var facts = self
    facts.origin = origin
    facts.endedAt = SystemClock.microseconds
    if case .data(let bytes) = result { facts.byteCount = bytes.count }
    return facts
  }
}

package struct ResourceAnswer: Sendable {
  package var result: ResourceResult
  /// What a server's answer is stored as; nil where nothing may be, or no server answered.
  package var response: DatabaseResponse?
  package var facts: ResourceFacts
  /// Whether no other answer follows.
  package var isFinal = true

  package init(_ result: ResourceResult, _ facts: ResourceFacts = ResourceFacts()) {
    self.result = result
    self.facts = facts
  }
}
