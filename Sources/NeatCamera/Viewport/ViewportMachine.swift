/// What moves a map's camera from itself: nothing, a state that keeps it, or a transition on its way to one. States
/// and transitions are known by number; what they do is their owner's.
package enum ViewportStatus: Sendable, Hashable {
  case idle
  case state(UInt64)
  case transition(UInt64, to: UInt64)
}

/// Why a status changed. The numbers are those of `neat_viewport_reason`.
package enum ViewportReason: UInt32, Sendable, Hashable {
  case idleRequested = 0
  case transitionStarted = 1
  case transitionSucceeded = 2
  case transitionFailed = 3
  case userInteraction = 4
}

/// Which status follows on which, as a value: it says what is to be ended and who is to be told, and does neither.
/// The rules are those of the mobile SDKs' version 10.
package struct ViewportMachine: Sendable {
  package struct Change: Sendable, Hashable {
    package let from: ViewportStatus
    package let to: ViewportStatus
    package let reason: ViewportReason

    package init(from: ViewportStatus, to: ViewportStatus, reason: ViewportReason) {
      (self.from, self.to, self.reason) = (from, to, reason)
    }
  }

  package enum Begin: Sendable, Hashable {
    /// The state is there: done, and well.
    case isThere
    /// A transition is on its way there: this one is not run.
    case isOnItsWay
    /// The number of a run to be begun, and what it takes the place of.
    case run(UInt64, after: ViewportStatus)
  }

  package private(set) var status = ViewportStatus.idle
  /// The run of the transition that is on its way, or was last.
  package private(set) var run: UInt64 = 0

  package init() {}

  /// Goes to a state. Whoever is told to run ends what was there, and then says `begun`, unless the run has
  /// finished within its begin.
  package mutating func go(to state: UInt64) -> Begin {
    switch status {
    case .state(state): return .isThere
    case .transition(_, to: state): return .isOnItsWay
    default: break
    }
    run += 1
    return .run(run, after: status)
  }

  /// A run is under way. Nil where something else has taken its place.
  package mutating func begun(_ run: UInt64, transition: UInt64, to state: UInt64) -> Change? {
    guard run == self.run else { return nil }
    return change(to: .transition(transition, to: state), .transitionStarted)
  }

  /// What the end of a run makes of the status.
  package struct End: Sendable, Hashable {
    /// Nil for a run that came to nothing within its begin: nothing was ever on its way.
    package let change: Change?

    package init(change: Change?) { self.change = change }
  }

  /// A run has ended. Nil where something else has taken its place.
  package mutating func finish(_ run: UInt64, in state: UInt64, isSuccess: Bool) -> End? {
    guard run == self.run else { return nil }
    self.run += 1
    return End(
      change: change(
        to: isSuccess ? .state(state) : .idle, isSuccess ? .transitionSucceeded : .transitionFailed))
  }

  /// Nothing moves the camera any more. Nil where nothing did.
  package mutating func idle(_ reason: ViewportReason) -> Change? {
    run += 1
    return change(to: .idle, reason)
  }

  private mutating func change(to next: ViewportStatus, _ reason: ViewportReason) -> Change? {
    guard next != status else { return nil }
    defer { status = next }
    return Change(from: status, to: next, reason: reason)
  }
}
