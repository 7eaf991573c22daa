import NeatBase
import NeatCamera
import NeatLoop
import NeatMap

// What keeps the camera, and how it gets there. `ViewportMachine` says what follows on what; here it is done.
extension LiveMap {
  package var viewportStatus: ViewportStatus { viewport.machine.status }
  package var viewportIdlesUponInteraction: Bool {
    get { viewport.idlesUponInteraction }
    set { viewport.idlesUponInteraction = newValue }
  }

  // MARK: States and transitions

  package func makeViewportState(_ options: FollowPuckOptions) throws(NeatError) -> LiveViewportState {
    LiveViewportState(self, .followPuck(try options.checked()))
  }

  package func makeViewportState(_ options: OverviewOptions) throws(NeatError) -> LiveViewportState {
    LiveViewportState(self, .overview(try options.checked()))
  }

  package func makeViewportState(_ own: LiveViewportState.Own) -> LiveViewportState {
    LiveViewportState(self, .own(own))
  }

  package func makeViewportTransition(_ kind: LiveViewportTransition.Kind) throws(NeatError)
    -> LiveViewportTransition
  {
    if case .standard(let duration) = kind, !ViewportFlight.range.contains(duration) {
      throw NeatError(.invalidArgument, "duration \(duration) is not within 0...86400000 milliseconds")
    }
    return LiveViewportTransition(self, kind)
  }

  /// Changes what a state does, at once where it is there.
  package func setViewportOptions(_ state: LiveViewportState, _ options: FollowPuckOptions) throws(NeatError)
  {
    guard case .followPuck = state.kind else { throw NeatError(.state, "the state does not follow the puck") }
    state.kind = .followPuck(try options.checked())
    viewportTargetMoved(state)
  }

  package func setViewportOptions(_ state: LiveViewportState, _ options: OverviewOptions) throws(NeatError) {
    guard case .overview = state.kind else { throw NeatError(.state, "the state is no overview") }
    state.kind = .overview(try options.checked())
    viewportTargetMoved(state)
  }

  /// Says where an own state wants the camera.
  package func setViewportCamera(_ state: LiveViewportState, _ change: CameraChange) throws(NeatError) {
    guard case .own = state.kind else { throw NeatError(.state, "the state finds its cameras by itself") }
    guard !isDestroyed else { throw NeatError(.state, "the map was destroyed") }
    guard change.roll == nil, change.fieldOfView == nil, change.anchor == nil else {
      throw NeatError(.invalidArgument, "a state's camera has neither roll nor field of view nor anchor")
    }
    _ = try target(of: change)
    state.camera = change
    viewportTargetMoved(state)
  }

  // MARK: Going

  /// Goes to a state; a transition of nil is the default one. `completion` hears once whether the way was gone to its
  /// end: at once where the state is there (true) or on its way (false).
  package func goTo(
    _ state: LiveViewportState, _ transition: LiveViewportTransition? = nil,
    completion: ((Bool) -> Void)? = nil
  ) throws(NeatError) {
    guard !isDestroyed else { throw NeatError(.state, "the map was destroyed") }
    guard state.map === self else { throw NeatError(.invalidArgument, "the state is another map's") }
    guard transition == nil || transition?.map === self else {
      throw NeatError(.invalidArgument, "the transition is another map's")
    }
    switch viewport.machine.go(to: state.id) {
    case .isThere: completion?(true)
    case .isOnItsWay: completion?(false)
    case .run(let run, _):
      endViewport()
      let transition =
        transition
        ?? LiveViewportTransition(self, .standard(maxDurationMS: ViewportFlight.longestMS))
      viewport.run = MapViewport.Run(
        number: run, target: state, transition: transition, completion: completion)
      viewport.told.append(.run(run))
      tellViewport()
      locationUseChanged()
    }
  }

  /// Nothing keeps the camera any more.
  package func idleViewport(_ reason: ViewportReason = .idleRequested) {
    let change = viewport.machine.idle(reason)
    // A run that has not begun yet has no status of its own.
    guard change != nil || viewport.run != nil else { return }
    endViewport()
    if let change { viewport.told.append(.changed(change)) }
    tellViewport()
    locationUseChanged()
  }

  /// A run of an own transition is over. Nothing where something else has taken its place.
  package func finishViewportRun(_ number: UInt64, isSuccess: Bool) {
    guard !isDestroyed, let run = viewport.run, run.number == number,
      let end = viewport.machine.finish(number, in: run.target.id, isSuccess: isSuccess)
    else { return }
    viewport.run = nil
    if isSuccess {
      viewport.state = run.target
      viewport.told.append(.start(run.target))
    }
    if let change = end.change { viewport.told.append(.changed(change)) }
    if let completion = run.completion { viewport.told.append(.completion(completion, isSuccess)) }
    tellViewport()
    locationUseChanged()
  }

  /// All that moves the camera by itself is cancelled: a default transition has failed.
  func cancelViewportFlight() {
    guard let run = viewport.run, run.flight != nil else { return }
    finishViewportRun(run.number, isSuccess: false)
  }

  /// Ends the state that is there, or the run under way.
  private func endViewport() {
    if let state = viewport.state {
      viewport.state = nil
      viewport.told.append(.stop(state))
    }
    guard let run = viewport.run else { return }
    viewport.run = nil
    viewport.told.append(.cancel(run.transition, run.number))
    if let completion = run.completion { viewport.told.append(.completion(completion, false)) }
  }

  /// The map ends: who waits hears that nothing comes of it.
  func destroyViewport() {
    viewport.told.removeAll { if case .completion = $0 { false } else { true } }
    if let completion = viewport.run?.completion { viewport.told.append(.completion(completion, false)) }
    (viewport.run, viewport.state) = (nil, nil)
    _ = viewport.machine.idle(.idleRequested)
    while !viewport.told.isEmpty {
      if case .completion(let completion, let isSuccess) = viewport.told.removeFirst() {
        completion(isSuccess)
      }
    }
  }

  private func tellViewport() {
    guard !viewport.isTelling else { return }
    viewport.isTelling = true
    while !viewport.told.isEmpty, !isDestroyed { tell(viewport.told.removeFirst()) }
    viewport.isTelling = false
    if !isDestroyed { stopWhereNothingMoves() }
  }

  private func tell(_ told: MapViewport.Told) {
    switch told {
    case .stop(let state): stop(state)
    case .cancel(let transition, let run):
      if case .own(let own) = transition.kind { own.cancel?(run) }
    case .completion(let completion, let isSuccess): completion(isSuccess)
    case .run(let number): begin(number)
    case .start(let state): start(state)
    case .changed(let change): send(.viewportStatusChanged(change))
    }
  }

  /// Begins a run, unless something has taken its place meanwhile.
  private func begin(_ number: UInt64) {
    guard let run = viewport.run, run.number == number else { return }
    if case .own(let own) = run.transition.kind { own.run(number, run.target) } else { aim(at: nil) }
    guard !isDestroyed, viewport.run?.number == number,
      let change = viewport.machine.begun(number, transition: run.transition.id, to: run.target.id)
    else { return }
    viewport.told.append(.changed(change))
  }

  // MARK: Cameras

  /// Whether a state that follows the puck is there or on its way.
  var isViewportFollowing: Bool {
    viewport.state?.followPuck != nil || viewport.run?.target.followPuck != nil
  }

  /// Whether a default transition moves the camera.
  var isViewportMoving: Bool { viewport.run?.flight != nil }

  /// Where a state wants the camera; nil while it cannot know.
  package func viewportTarget(_ state: LiveViewportState) -> CameraChange? {
    isDestroyed ? nil : target(state)
  }

  private func target(_ state: LiveViewportState) -> CameraChange? {
    switch state.kind {
    case .followPuck(let options): location.track.shown.map(options.camera)
    // A geometry that has no room in a view of this size is shown when there is.
    case .overview(let options): try? options.camera(from: camera, size: size, fit: fitted)
    case .own: state.camera
    }
  }

  /// A state wants the camera elsewhere: that of the puck, or another one.
  func viewportTargetMoved(_ state: LiveViewportState? = nil) {
    guard !isDestroyed else { return }
    if let run = viewport.run, state.map({ $0 === run.target }) ?? (run.target.followPuck != nil) {
      aim(at: run.number)
      return
    }
    guard let there = viewport.state, state.map({ $0 === there }) ?? (there.followPuck != nil) else { return }
    keep(there)
  }

  /// The view has another size.
  func viewportSizeChanged() {
    if let state = viewport.state ?? viewport.run?.target, state.overview != nil {
      viewportTargetMoved(state)
    }
  }

  /// Has a transition of the map's own begin, or gives it another aim.
  private func aim(at number: UInt64?) {
    guard var run = viewport.run, number == nil || run.number == number,
      let change = target(run.target)
    else { return }
    switch run.transition.kind {
    case .own: return
    case .immediate:
      jumpViewport(change)
      finishViewportRun(run.number, isSuccess: true)
    case .standard(let longest):
      if run.flight != nil {
        try? run.flight?.turn(to: change)
        viewport.run = run
        return
      }
      run.flight = try? ViewportFlight(
        from: camera, to: change, size: size, limits: limits(onWayTo: change), maxDurationMS: longest)
      run.lastMS = animationTime
      viewport.run = run
      guard let flight = run.flight else { return finishViewportRun(run.number, isSuccess: false) }
      if flight.durationMS == 0 {
        jumpViewport(change)
        finishViewportRun(run.number, isSuccess: true)
      } else {
        startFrames()
        invalidate()
      }
    }
  }

  /// Brings a default transition to a time of the frames' clock. Whether there is one.
  func advanceViewport(toMS time: Double) -> Bool {
    guard var run = viewport.run, var flight = run.flight else { return false }
    let last = run.lastMS ?? time
    run.doneMS += max(0, time - last)
    run.lastMS = max(last, time)
    let isOver = run.doneMS >= flight.durationMS
    let next = constrained(
      flight.camera(camera, atMS: isOver ? .infinity : run.doneMS, limits: limits(at: camera)))
    run.flight = flight
    viewport.run = run
    if next != camera { move(to: next, isStep: !isOver && !clock.isOfHost) }
    guard isOver, !isDestroyed else { return true }
    finishViewportRun(run.number, isSuccess: true)
    // The frame after it is one at rest, and says that it is.
    if !isDestroyed { invalidate() }
    return true
  }

  private func jumpViewport(_ change: CameraChange) {
    guard let next = try? target(of: change), next != camera else { return }
    move(to: next)
  }

  /// A state is there.
  private func start(_ state: LiveViewportState) {
    guard viewport.state === state else { return }
    if case .own(let own) = state.kind { own.start?() }
    guard !isDestroyed, viewport.state === state else { return }
    keep(state)
  }

  /// Has the camera where a state wants it.
  private func keep(_ state: LiveViewportState) {
    guard let change = target(state) else { return }
    switch state.kind {
    case .followPuck:
      guard let next = try? target(of: change), next != camera else { return }
      move(to: next, isStep: location.track.isMoving && !clock.isOfHost)
    case .overview(let options):
      let there = try? target(of: change)
      guard there.map({ !$0.isNear(camera) }) ?? false else { return }
      let animator = try? ease(
        to: change, durationMS: options.animationMS, curve: .linear, owner: LiveMap.viewportOwner)
      viewport.easing = animator?.id
    case .own(let own): if !own.movesItself { jumpViewport(change) }
    }
  }

  private func stop(_ state: LiveViewportState) {
    switch state.kind {
    case .followPuck: break
    case .overview:
      guard let easing = viewport.easing else { return }
      viewport.easing = nil
      stopAnimator(easing)
    case .own(let own): own.stop?()
    }
  }

  /// Who moves the camera in an overview.
  package static let viewportOwner = "viewport"
}

extension Camera {
  /// Whether it shows the same but for rounding.
  fileprivate func isNear(_ other: Camera) -> Bool {
    abs(center.lon - other.center.lon) < 1e-9 && abs(center.lat - other.center.lat) < 1e-9
      && abs(zoom - other.zoom) < 1e-6 && abs(Angle.wrapped(bearing - other.bearing)) < 1e-6
      && abs(pitch - other.pitch) < 1e-6 && padding == other.padding
  }
}
