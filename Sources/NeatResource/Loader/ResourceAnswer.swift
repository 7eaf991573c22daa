import NeatBase
import NeatLoop
import NeatStore

/// What comes before what where not all can be asked for at once.
package enum RequestPriority: UInt8, Sendable, Comparable, CaseIterable {
  /// In view; around it; for later; for maps without a network.
  case view, margin, prefetch, offline

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// Whom a request may ask.
package enum RequestUsage: UInt8, Sendable {
  case cacheAndNetwork, cacheOnly, networkOnly
}

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

/// What became of a request, for those who watch. Times are microseconds of the machine's clock since 1970.
package struct ResourceFacts: Sendable {
  package enum Origin: UInt8, Sendable {
    /// Nobody answered.
    case none
    case network, cache, file, archive, data
  }

  package var origin = Origin.none
  package var priority = RequestPriority.view
  package var usage = RequestUsage.cacheAndNetwork
  package var beganAt: Int64 = 0
  package var endedAt: Int64 = 0
  /// Of the body, as it was used.
  package var byteCount = 0
  package var etag: String?
  /// Seconds since 1970; nil where the server says nothing.
  package var expires: Int64?
  /// A copy was there, and it still holds.
  package var isNotModified = false

  package init() {}

  /// Those of a request that begins now.
  init(_ options: LoadOptions) {
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
