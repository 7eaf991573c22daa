import CNeatline

/// What keeps a map's camera: nothing, a state, or a transition on its way to one. `Map.viewport`. Belongs to the map's
/// thread.
public final class ViewportManager {
  private weak var map: Map?
  private var observers: [any ViewportStatusObserver] = []
  /// States and transitions that the map may still name, by their numbers.
  private var states: [UInt64: any ViewportState] = [:]
  private var transitions: [UInt64: any ViewportTransition] = [:]
  private var ownStates: [UInt64: OwnState] = [:]
  private var ownTransitions: [UInt64: OwnTransition] = [:]
  /// How many ways that have not ended name each.
  private var waiting: [UInt64: Int] = [:]

  /// What is run where nobody says; nil: a default transition of 3.5 s at most.
  private var ownDefault: (any ViewportTransition)?

  init(_ map: Map) {
    self.map = map
    map.listeners.add([.viewportStatusChanged], for: self) { $0.tell($1) }
  }

  private func tell(_ event: MapEvent) {
    guard case .viewportStatusChanged(let change) = event, let from = status(change.from),
      let to = status(change.to)
    else { return }
    for observer in observers {
      observer.viewportStatusDidChange(from: from, to: to, reason: change.reason)
    }
    forgetUnused()
  }

  // Status

  /// What keeps the camera.
  public var status: ViewportStatus { current.flatMap(status) ?? .idle }

  private var current: ViewportStatusChange.Status? {
    guard let map else { return nil }
    var status = neat_viewport_status()
    guard neat_map_viewport_status(map.pointer, &status) == NEAT_STATUS_OK else { return nil }
    return ViewportStatusChange.Status(status)
  }

  private func status(_ numbers: ViewportStatusChange.Status) -> ViewportStatus? {
    switch numbers {
    case .idle: return .idle
    case .state(let id): return states[id].map { .state($0) }
    case .transition(let id, let state):
      guard let target = states[state] else { return nil }
      if let transition = transitions[id] { return .transition(transition, toState: target) }
      return nil
    }
  }

  /// Has an object hear of changes; it is kept alive until it is removed.
  public func addStatusObserver(_ observer: any ViewportStatusObserver) {
    if observers.allSatisfy({ $0 !== observer }) { observers.append(observer) }
  }

  /// Ends it.
  public func removeStatusObserver(_ observer: any ViewportStatusObserver) {
    observers.removeAll { $0 === observer }
  }

  /// What the viewport does by itself.
  public var options = ViewportOptions() {
    didSet {
      guard let map else { return }
      neat_map_set_viewport_idles(map.pointer, options.transitionsToIdleUponUserInteraction ? 1 : 0).ignore()
    }
  }

  // Going

  /// Nothing keeps the camera any more; it stays where it is.
  public func idle() {
    if let map { neat_map_viewport_idle(map.pointer).ignore() }
  }

  /// Goes to a state, by a transition or the default one. `completion` hears once whether it got there: at once with
  /// true where the state is there, and with false where it is on its way, and then nothing else happens. A state that
  /// has no camera yet, as of a puck without a location, is waited for.
  public func transition(
    to toState: any ViewportState, transition: (any ViewportTransition)? = nil,
    completion: ((Bool) -> Void)? = nil
  ) {
    guard let map, let state = statePointer(toState, map),
      let way = transitionPointer(transition ?? defaultTransition, map)
    else {
      completion?(false)
      return
    }
    let ids = [neat_viewport_state_id(state), neat_viewport_transition_id(way)]
    for id in ids { waiting[id, default: 0] += 1 }
    let waiter = Unmanaged.passRetained(
      GoWaiter { [weak self] isSuccess in
        for id in ids { self?.endWaiting(id) }
        completion?(isSuccess)
      })
    let status = neat_map_viewport_go(
      map.pointer, state, way,
      { context, isSuccess in
        guard let context else { return }
        Unmanaged<GoWaiter>.fromOpaque(context).takeRetainedValue().body(isSuccess != 0)
      }, waiter.toOpaque())
    guard status != NEAT_STATUS_OK else { return }
    waiter.takeRetainedValue().body(false)
  }

  private func endWaiting(_ id: UInt64) {
    guard let count = waiting[id] else { return }
    waiting[id] = count > 1 ? count - 1 : nil
  }

  /// What is run where nobody says.
  public var defaultTransition: any ViewportTransition {
    get {
      if let ownDefault { return ownDefault }
      guard let map, let made = try? DefaultViewportTransition(map, DefaultViewportTransitionOptions()) else {
        return GoneTransition()
      }
      ownDefault = made
      return made
    }
    set { ownDefault = newValue }
  }

  // Making

  /// A state that follows the puck. Throws `invalidArgument` for an option out of its range.
  public func makeFollowPuckViewportState(
    options: FollowPuckViewportStateOptions = FollowPuckViewportStateOptions()
  ) throws(NeatlineError) -> FollowPuckViewportState {
    try FollowPuckViewportState(try living, options)
  }

  /// A state that shows a geometry as a whole. Throws `invalidArgument` for an option out of its range and a geometry
  /// without positions.
  public func makeOverviewViewportState(options: OverviewViewportStateOptions) throws(NeatlineError)
    -> OverviewViewportState
  {
    try OverviewViewportState(try living, options)
  }

  /// A transition as the default one. Throws `invalidArgument` for a time that is none.
  public func makeDefaultViewportTransition(
    options: DefaultViewportTransitionOptions = DefaultViewportTransitionOptions()
  ) throws(NeatlineError) -> DefaultViewportTransition {
    try DefaultViewportTransition(try living, options)
  }

  /// A transition that is there at once. Throws `state` where the map is gone.
  public func makeImmediateViewportTransition() throws(NeatlineError) -> ImmediateViewportTransition {
    try ImmediateViewportTransition(try living)
  }

  private var living: Map {
    get throws(NeatlineError) {
      guard let map else { throw NeatlineError(.state, "the map is gone") }
      return map
    }
  }

  // Objects behind numbers

  private func statePointer(_ state: any ViewportState, _ map: Map) -> OpaquePointer? {
    if let core = (state as? FollowPuckViewportState)?.core ?? (state as? OverviewViewportState)?.core {
      states[core.id] = state
      return core.pointer
    }
    if let known = ownStates.values.first(where: { $0.state === state }) { return known.pointer }
    guard let made = OwnState(map, state) else { return nil }
    states[made.id] = state
    ownStates[made.id] = made
    made.observe()
    return made.pointer
  }

  private func transitionPointer(_ transition: any ViewportTransition, _ map: Map) -> OpaquePointer? {
    if let known = (transition as? DefaultViewportTransition)?.pointer
      ?? (transition as? ImmediateViewportTransition)?.pointer
    {
      transitions[neat_viewport_transition_id(known)] = transition
      return known
    }
    if let known = ownTransitions.values.first(where: { $0.transition === transition }) {
      return known.pointer
    }
    guard let made = OwnTransition(self, map, transition) else { return nil }
    transitions[made.id] = transition
    ownTransitions[made.id] = made
    return made.pointer
  }

  func state(_ id: UInt64) -> (any ViewportState)? { states[id] }

  func finish(_ run: UInt64, _ isSuccess: Bool) {
    if let map { neat_map_viewport_finish(map.pointer, run, isSuccess ? 1 : 0).ignore() }
  }

  /// Gives up what the map does not name any more: after an event, whose objects have been told by then.
  private func forgetUnused() {
    var used = Set(waiting.keys)
    switch current {
    case .state(let id)?: used.insert(id)
    case .transition(let id, let state)?: used.formUnion([id, state])
    case .idle?, nil: break
    }
    states = states.filter { used.contains($0.key) }
    transitions = transitions.filter { used.contains($0.key) }
    for (id, own) in ownStates where !used.contains(id) {
      own.end()
      ownStates[id] = nil
      map?.giveUp(own)
    }
    for (id, own) in ownTransitions where !used.contains(id) && own.isIdle {
      ownTransitions[id] = nil
      map?.giveUp(own)
    }
  }
}

/// Who waits for the end of a way, behind a C context.
private final class GoWaiter {
  let body: (Bool) -> Void
  init(_ body: @escaping (Bool) -> Void) { self.body = body }
}

/// Stands in where the map is gone.
private final class GoneTransition: ViewportTransition {
  func run(to toState: any ViewportState, completion: @escaping (Bool) -> Void) -> any Cancelable {
    completion(false)
    return self
  }
}

extension GoneTransition: Cancelable {
  func cancel() {}
}

/// A state of the host's own, between the host and the library. The host moves the camera while it is there.
private final class OwnState {
  let state: any ViewportState
  private(set) var pointer: OpaquePointer?
  private var observation: (any Cancelable)?

  init?(_ map: Map, _ state: any ViewportState) {
    self.state = state
    map.keepUntilEnd(self)
    pointer = try? handle { out in
      neat_map_make_viewport_state(
        map.pointer, 1,
        { context, isCurrent in
          guard let context else { return }
          let own = Unmanaged<OwnState>.fromOpaque(context).takeUnretainedValue()
          if isCurrent != 0 { own.state.startUpdatingCamera() } else { own.state.stopUpdatingCamera() }
        }, Unmanaged.passUnretained(self).toOpaque(), out)
    }
    guard pointer != nil else {
      map.giveUp(self)
      return nil
    }
  }

  deinit { neat_viewport_state_destroy(pointer) }

  var id: UInt64 { neat_viewport_state_id(pointer) }

  func observe() {
    observation = state.observeDataSource { [weak self] camera in
      guard let pointer = self?.pointer else { return false }
      var change = camera.c
      // A camera that is none is not taken; the next may be.
      neat_viewport_state_set_camera(pointer, &change).ignore()
      return true
    }
  }

  func end() {
    observation?.cancel()
    observation = nil
  }
}

/// A transition of the host's own, between the host and the library.
private final class OwnTransition {
  let transition: any ViewportTransition
  private weak var manager: ViewportManager?
  private(set) var pointer: OpaquePointer?
  private var runs: [UInt64: any Cancelable] = [:]
  private var ended: Set<UInt64> = []

  init?(_ manager: ViewportManager, _ map: Map, _ transition: any ViewportTransition) {
    self.transition = transition
    self.manager = manager
    map.keepUntilEnd(self)
    pointer = try? handle { out in
      neat_map_make_viewport_transition(
        map.pointer,
        { context, run, state in
          guard let context else { return }
          Unmanaged<OwnTransition>.fromOpaque(context).takeUnretainedValue().run(run, state)
        },
        { context, run in
          guard let context else { return }
          Unmanaged<OwnTransition>.fromOpaque(context).takeUnretainedValue().cancel(run)
        }, Unmanaged.passUnretained(self).toOpaque(), out)
    }
    guard pointer != nil else {
      map.giveUp(self)
      return nil
    }
  }

  deinit { neat_viewport_transition_destroy(pointer) }

  var id: UInt64 { neat_viewport_transition_id(pointer) }
  var isIdle: Bool { runs.isEmpty }

  private func run(_ run: UInt64, _ id: UInt64) {
    guard let manager, let state = manager.state(id) else { return }
    let cancelable = transition.run(to: state) { [weak self] isSuccess in
      guard let self else { return }
      // Also where it ends before `run` has returned.
      if self.runs.removeValue(forKey: run) == nil { self.ended.insert(run) }
      self.manager?.finish(run, isSuccess)
    }
    if ended.remove(run) == nil { runs[run] = cancelable }
  }

  private func cancel(_ run: UInt64) { runs.removeValue(forKey: run)?.cancel() }
}
