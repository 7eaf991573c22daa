import NeatBase
import NeatMap

/// The clock that a map's frames follow: the loop's, or that of a host which paces them.
struct FrameClock {
  /// Whether frames are the host's.
  var isOfHost = false
  /// The host's time as of the last frame, and what that is on the map's own clock, which never goes back.
  private var given: Double?
  private(set) var now: Double?

  /// Takes a time of the host's. One a little before the last counts as the last; more than a second before, it
  /// is another clock, which goes on from here.
  mutating func take(_ time: Double) {
    guard let given, let now else {
      (self.given, self.now) = (time, time)
      return
    }
    if time >= given {
      self.now = now + (time - given)
      self.given = time
    } else if time < given - 1000 {
      self.given = time
    }
  }
}

extension LiveMap {
  /// Says who paces frames. Throws `state` once there is a style, or one on its way.
  package func setPacing(byHost isOfHost: Bool) throws(NeatError) {
    guard styleNumber == 0 else { throw NeatError(.state, "pacing is set before the first style") }
    guard animators.all.alive.isEmpty, !isGliding, !isHeld, !location.track.isMoving, !isReplaying,
      viewport.run == nil
    else {
      throw NeatError(.state, "pacing is set before anything moves the camera")
    }
    clock.isOfHost = isOfHost
  }

  /// Whether what the host has drawn last is not what there is, or moves.
  package var isFrameDue: Bool {
    core != nil && lifecycle.isStyleLoaded && !isDestroyed && (drawnNumber != changeNumber || isMoving)
  }

  /// Begins a frame of the host's: what moves goes to its time, events come within the call, and workers begin
  /// with the frame. Throws `state` for a map that the loop paces, `invalidArgument` for what is no time.
  package func beginFrame(atMS time: Double) throws(NeatError) {
    guard !isDestroyed else { throw NeatError(.state, "the map was destroyed") }
    guard clock.isOfHost else { throw NeatError(.state, "the loop paces the frames of this map") }
    guard abs(time) <= 1e15 else {
      throw NeatError(.invalidArgument, "time \(time) is not within -1e15...1e15 milliseconds")
    }
    clock.take(time)
    gestures.timeMS = time
    pressIfLong(atMS: time)
    guard !isDestroyed else { return }
    advanceReplay(toMS: frameTime)
    guard !isDestroyed else { return }
    step()
    guard !isDestroyed else { return }
    let isFading = advanceCompass()
    if let core, isTransitioning || core.isTransitioning {
      isTransitioning = core.advanceTransitions(to: frameTime)
      invalidate()
    } else if isFading || frames.isMoving {
      invalidate()
    }
    beginDueTurn()
  }

  /// Milliseconds of the clock that frames follow.
  var frameTime: Double { clock.isOfHost ? clock.now ?? 0 : Double(loop.nowMS) }

  /// The same for what begins now; nil: its time begins with the next frame.
  var animationTime: Double? { clock.isOfHost ? nil : Double(loop.updateNowMS()) }

  /// A frame of what moves.
  func step() {
    let isGliding = gestures.recognizer.isAnimating
    if isGliding { advanceGestures() }
    guard !isDestroyed else { return }
    let isAnimating = animators.all.isMoving
    if isAnimating { advanceAnimators(toMS: frameTime) }
    guard !isDestroyed else { return }
    let isFlying = advanceViewport(toMS: frameTime)
    guard !isDestroyed else { return }
    let isTravelling = advanceLocation(toMS: frameTime)
    guard !isDestroyed else { return }
    guard !clock.isOfHost else { return }
    let isFading = advanceCompass()
    if isGliding || isAnimating || isFlying || isTravelling {
      if isTransitioning || frames.isFading { invalidate() }
    } else if isFading || isTransitioning || !hasJustMoved {
      // Where the host moves the camera there are frames anyhow.
      invalidate()
    }
  }

  /// Sees to it that there are frames as long as something moves.
  func startFrames() {
    guard !clock.isOfHost else { return noteFrameDue() }
    guard frameTimer == nil else { return }
    frameTimer = loop.timer(afterMS: LiveMap.frameMS, repeatMS: LiveMap.frameMS) { [weak self] in
      self?.step()
    }
  }

  func stopWhereNothingMoves() {
    guard !needsFrames else { return }
    frameTimer?.cancel()
    frameTimer = nil
  }

  /// Between frames of what moves.
  static let frameMS: UInt64 = 16

  /// Tells the host that a frame is due: once for each that it begins, in a turn of its own.
  func noteFrameDue() {
    guard clock.isOfHost, dueTimer == nil, !isDueTold, !isDestroyed else { return }
    dueTimer = loop.timer(afterMS: 0) { [weak self] in
      guard let self else { return }
      self.dueTimer = nil
      guard self.isFrameDue else { return }
      self.isDueTold = true
      self.send(.frameDue)
    }
  }

  /// The host has what there is.
  /// - Parameter change: `changeNumber` of what it was made of.
  func noteDrawn(since began: UInt64, change: UInt64) {
    statistics.add(frame: Double(MonotonicClock.nanoseconds - began) / 1e6)
    drawnNumber = change
    isDueTold = false
    if isMoving || change != changeNumber { noteFrameDue() }
    // Pulses begin with the first frame that somebody takes.
    if isPulsing { startFrames() }
  }
}
