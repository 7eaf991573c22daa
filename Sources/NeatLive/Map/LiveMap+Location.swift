import NeatBase
import NeatCamera
import NeatLoop
import NeatMap

// The user's location: what is given is told, what is shown follows it on the frames' clock.
extension LiveMap {
  package var locationOptions: LocationOptions { location.options }
  package var accuracyAuthorization: AccuracyAuthorization { location.authorization }
  /// The last ones that were given.
  package var latestLocation: Location? { location.track.location }
  package var latestHeading: Heading? { location.track.heading }
  /// What the puck shows at the moment; nil before the first location.
  package var shownLocation: ShownLocation? { location.track.shown }

  /// Changes what the map does with the user's location.
  package func setLocationOptions(_ options: LocationOptions) throws(NeatError) {
    try checkLocation()
    location.options = options
    if options.puck == nil { (location.model, location.modelHold) = (nil, nil) }
    location.pulseStart = nil
    locationUseChanged()
    guard !isDestroyed else { return }
    if core != nil { invalidate() }
  }

  /// Sets one of the puck's pictures; nil: its own again.
  package func setPuckImage(_ kind: PuckImageKind, _ image: PuckImage?) throws(NeatError) {
    try checkLocation()
    guard location.options.puck != nil else {
      throw NeatError(.state, "there is no puck: set one with the location's options first")
    }
    var image = image
    if let bytes = image?.byteCount {
      image?.hold = try environment.memory.take(bytes, for: "an image of the puck")
    }
    location.options.puck?.images[kind] = image
    if core != nil { invalidate() }
  }

  /// Sets the model that stands in the place of the puck's pictures; nil: none does.
  package func setPuckModel(_ model: PuckModelHolder?) throws(NeatError) {
    try checkLocation()
    guard location.options.puck != nil || model == nil else {
      throw NeatError(.state, "there is no puck: set one with the location's options first")
    }
    location.modelHold = try model.map { model throws(NeatError) in
      try environment.memory.take(model.byteCount, for: "the model of the puck")
    }
    location.model = model
    if core != nil { invalidate() }
  }

  /// Takes where the user is.
  package func push(_ given: Location) throws(NeatError) {
    try checkLocation()
    try location.track.take(given, atMS: animationTime)
    guard let taken = location.track.location else { return }
    changed(by: .locationChanged(taken))
  }

  /// Takes where the device points.
  package func push(_ given: Heading) throws(NeatError) {
    try checkLocation()
    try location.track.take(given, atMS: animationTime)
    guard let taken = location.track.heading else { return }
    changed(by: .headingChanged(taken))
  }

  /// Nobody knows any more where the user is: the puck goes.
  package func forgetLocation() throws(NeatError) {
    try checkLocation()
    location.track.forget()
    (location.told, location.pulseStart) = (nil, nil)
    stopWhereNothingMoves()
    if core != nil { invalidate() }
  }

  /// Takes how exactly the user lets the host know where they are.
  package func setAccuracyAuthorization(_ authorization: AccuracyAuthorization) throws(NeatError) {
    try checkLocation()
    guard authorization != location.authorization else { return }
    location.authorization = authorization
    location.pulseStart = nil
    if core != nil { invalidate() }
    send(.accuracyAuthorizationChanged(authorization))
  }

  /// A provider could not say where the user is.
  package func failLocation(_ error: NeatError) throws(NeatError) {
    try checkLocation()
    send(.locationFailed(error))
  }

  private func checkLocation() throws(NeatError) {
    guard !isDestroyed else { throw NeatError(.state, "the map was destroyed") }
  }

  private func changed(by event: MapEvent) {
    guard send(event) || !isDestroyed else { return }
    // The first is there at once, and so is one that nobody looks at.
    if !location.track.isMoving || !isLocationUsed { showLocation() }
    guard !isDestroyed, isLocationMoving else { return }
    startFrames()
  }

  // MARK: Frames

  /// Whether anybody looks at what is shown.
  var isLocationUsed: Bool { location.options.puck != nil || isViewportFollowing }

  /// Whether what is shown is another one a moment later.
  var isLocationMoving: Bool { location.track.isMoving && isLocationUsed || isPulsing }

  /// A host that takes no frames sees no pulse: for it the map comes to rest.
  var isPulsing: Bool {
    location.options.puck?.pulsing != nil && location.track.location != nil && location.authorization == .full
      && takesFrames && !isDestroyed
  }

  /// What a frame shows of it.
  func puckScene() -> PuckScene? {
    if isPulsing, location.pulseStart == nil { location.pulseStart = frameTime }
    return PuckScene(location, atMS: frameTime)
  }

  /// Brings what is shown to a time of the frames' clock. Whether it moved or pulses.
  func advanceLocation(toMS time: Double) -> Bool {
    guard isLocationMoving else { return false }
    location.track.pass(time)
    let change = changeNumber
    if core != nil { invalidate() }
    // Frames of a moment ago will do while it goes on.
    if isLocationMoving, !clock.isOfHost { changeNumber = change }
    showLocation(isStep: true)
    if !isDestroyed { stopWhereNothingMoves() }
    return true
  }

  /// Tells what is shown, and moves what follows it.
  private func showLocation(isStep: Bool = false) {
    guard isLocationUsed, let shown = location.track.shown, shown != location.told else { return }
    location.told = shown
    if !isStep, core != nil { invalidate() }
    guard send(.puckMoved(shown)) || !isDestroyed else { return }
    viewportTargetMoved()
  }

  // MARK: Providers

  /// Has locations come from a provider; nil: they are pushed by the host as it likes. The one before is told that
  /// nothing is wanted any more.
  package func setLocationProvider(_ provider: LocationProvider?) throws(NeatError) {
    try checkLocation()
    let (old, wanted) = (location.provider, location.wanted)
    location.provider = nil
    location.wanted = (false, false)
    if wanted.locations || wanted.headings { old?.update(false, false) }
    // That may have destroyed the map.
    guard !isDestroyed else { return }
    location.provider = provider
    locationUseChanged()
  }

  /// Asks the provider to ask the user for full accuracy. Throws `state` where there is none.
  package func requestFullAccuracy(purposeKey: String) throws(NeatError) {
    try checkLocation()
    guard let provider = location.provider else {
      throw NeatError(.state, "there is no location provider that could ask for full accuracy")
    }
    provider.requestFullAccuracy(purposeKey)
  }

  /// Tells the provider what is wanted, where that is something else than before.
  func locationUseChanged() {
    guard !isDestroyed else { return }
    let isWanted = (isLocationUsed || location.options.updates == .always) && location.replay == nil
    let wantsHeading =
      isWanted
      && (location.options.updates == .always || isViewportFollowing
        || location.options.puckBearingEnabled && location.options.puckBearing == .heading)
    guard let provider = location.provider, location.wanted != (isWanted, wantsHeading) else { return }
    location.wanted = (isWanted, wantsHeading)
    provider.update(isWanted, wantsHeading)
  }

  // MARK: Replays

  package static let replaySpeeds = 0.001...10_000.0

  /// Replays a recording from its start, in the place of the one that is replayed and of what a provider gives.
  /// - Parameter completion: hears once of the end, or `cancelled`; not where this throws.
  package func replay(_ recording: LocationRecording, speed: Double, completion: ReplayCompletion?)
    throws(NeatError)
  {
    try checkLocation()
    guard LiveMap.replaySpeeds.contains(speed) else {
      throw NeatError(.invalidArgument, "a speed of \(speed): not within 0.001 to 10000")
    }
    endReplay(NeatError(.cancelled, "another recording is replayed"))
    guard !isDestroyed else {
      completion?(NeatError(.cancelled, "the map was destroyed"))
      return
    }
    var replay = MapLocation.Replay(recording: recording, speed: speed, completion: completion)
    replay.lastMS = animationTime
    location.replay = replay
    locationUseChanged()
    advanceReplay(toMS: animationTime)
  }

  /// Ends a replay where it is; nothing where there is none.
  package func stopReplay() { endReplay(NeatError(.cancelled, "the replay was stopped")) }

  /// The map ends.
  func destroyLocation() {
    endReplay(NeatError(.cancelled, "the map was destroyed"))
    let (provider, wanted) = (location.provider, location.wanted)
    location.provider = nil
    location.wanted = (false, false)
    if wanted.locations || wanted.headings { provider?.update(false, false) }
  }

  /// Whether a recording is replayed.
  package var isReplaying: Bool { location.replay != nil }

  func endReplay(_ error: NeatError?) {
    guard let replay = location.replay else { return }
    replay.timer?.cancel()
    location.replay = nil
    replay.completion?(error)
    locationUseChanged()
  }

  /// Gives what is due by a time, and has a timer wait for what comes next where the loop paces frames. Nil: no
  /// time has passed.
  func advanceReplay(toMS time: Double?) {
    guard var replay = location.replay else { return }
    if let time {
      let last = replay.lastMS ?? time
      replay.doneMS += max(0, time - last) * replay.speed
      replay.lastMS = max(last, time)
      location.replay = replay
    }
    let recording = replay.recording
    while let now = location.replay, now.next < recording.entries.count {
      let entry = recording.entries[now.next]
      guard entry.atMS <= now.doneMS else { break }
      location.replay?.next += 1
      if let heading = entry.heading { try? push(heading) }
      guard location.replay != nil, !isDestroyed else { return }
      // The recording was checked when it was read.
      try? push(entry.location)
      guard !isDestroyed else { return }
    }
    // A handler may have stopped it, or begun another.
    guard let now = location.replay else { return }
    guard now.next < now.recording.entries.count else { return endReplay(nil) }
    guard !clock.isOfHost else { return }
    now.timer?.cancel()
    let wait = (now.recording.entries[now.next].atMS - now.doneMS) / now.speed
    let held = UInt64(saturating: min(max(wait.rounded(.up), 1), LiveMap.longestReplayWait))
    location.replay?.timer = loop.timer(afterMS: held) { [weak self] in
      guard let self else { return }
      self.advanceReplay(toMS: Double(self.loop.updateNowMS()))
    }
  }

  /// A timer's; after it the rest is waited for again.
  private static let longestReplayWait = 3_600_000.0
}
