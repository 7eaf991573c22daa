import CNeatline

/// What keeps a map's camera. Statuses are the same where their states and transitions are the same objects.
public enum ViewportStatus: Hashable {
  /// Nothing.
  case idle
  /// A state.
  case state(any ViewportState)
  /// A transition, on its way to a state.
  case transition(any ViewportTransition, toState: any ViewportState)

  private var objects: [ObjectIdentifier] {
    switch self {
    case .idle: []
    case .state(let state): [ObjectIdentifier(state)]
    case .transition(let transition, let state): [ObjectIdentifier(transition), ObjectIdentifier(state)]
    }
  }

  /// Whether both are of the same objects.
  public static func == (a: ViewportStatus, b: ViewportStatus) -> Bool { a.objects == b.objects }

  /// Puts the objects into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(objects) }
}

/// Why a status changed, in the words of version 10 of the mobile SDKs.
public struct ViewportStatusChangeReason: RawRepresentable, Hashable, Sendable {
  /// The words.
  public var rawValue: String

  /// A reason by its words.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `ViewportManager.idle()` was called.
  public static let idleRequested = Self(rawValue: "IDLE_REQUESTED")
  /// A transition began.
  public static let transitionStarted = Self(rawValue: "TRANSITION_STARTED")
  /// A state is there.
  public static let transitionSucceeded = Self(rawValue: "TRANSITION_SUCCEEDED")
  /// A transition came to nothing.
  public static let transitionFailed = Self(rawValue: "TRANSITION_FAILED")
  /// A gesture moves the camera.
  public static let userInteraction = Self(rawValue: "USER_INTERACTION")

  init(_ reason: neat_viewport_reason) {
    switch reason {
    case NEAT_VIEWPORT_REASON_TRANSITION_STARTED: self = .transitionStarted
    case NEAT_VIEWPORT_REASON_TRANSITION_SUCCEEDED: self = .transitionSucceeded
    case NEAT_VIEWPORT_REASON_TRANSITION_FAILED: self = .transitionFailed
    case NEAT_VIEWPORT_REASON_USER_INTERACTION: self = .userInteraction
    default: self = .idleRequested
    }
  }
}

/// A status of a viewport became another one, by the numbers of its states and transitions: a
/// `ViewportStatusObserver` hears the objects.
public struct ViewportStatusChange: Hashable, Sendable {
  /// What keeps the camera, by number.
  public enum Status: Hashable, Sendable {
    /// Nothing.
    case idle
    /// A state.
    case state(UInt64)
    /// A transition, on its way to a state.
    case transition(UInt64, toState: UInt64)

    init(_ status: neat_viewport_status) {
      switch status.kind {
      case NEAT_VIEWPORT_KIND_STATE: self = .state(status.state_id)
      case NEAT_VIEWPORT_KIND_TRANSITION: self = .transition(status.transition_id, toState: status.state_id)
      default: self = .idle
      }
    }
  }

  /// What it was.
  public var from: Status
  /// What it is.
  public var to: Status
  /// Why.
  public var reason: ViewportStatusChangeReason

  init?(_ event: neat_event) {
    from = Status(event.viewport_from)
    to = Status(event.viewport_to)
    reason = ViewportStatusChangeReason(event.viewport_reason)
  }
}

/// Hears of what keeps a map's camera.
public protocol ViewportStatusObserver: AnyObject {
  /// It is another one.
  func viewportStatusDidChange(
    from fromStatus: ViewportStatus, to toStatus: ViewportStatus, reason: ViewportStatusChangeReason)
}

/// What a viewport does by itself.
public struct ViewportOptions: Hashable, Sendable {
  /// Whether a gesture that moves the camera leads to idle.
  public var transitionsToIdleUponUserInteraction: Bool

  /// As the mobile SDKs have it.
  public init(transitionsToIdleUponUserInteraction: Bool = true) {
    self.transitionsToIdleUponUserInteraction = transitionsToIdleUponUserInteraction
  }
}
