import NeatBase
import NeatCamera
import NeatMap

/// What a map knows of its gestures.
struct MapGestures {
  var recognizer = GestureRecognizer()
  /// How far the clock of the host's input is ahead of the loop's, as of the last input.
  var aheadMS = 0.0
  /// The host's time, where it paces frames.
  var timeMS = 0.0
  /// What is still to be done and told: a handler that hands over more input has its turn when this is done.
  var outputs: [GestureOutput] = []
  var isTelling = false
  /// Whether a gesture held the camera since the last frame at rest was asked for.
  var wasHeld = false
  /// Whether one that has ended moved the camera when it was looked last.
  var wasAnimating = false
}

// Gestures: input comes in with the host's times, and what goes on by itself follows the clock of the frames.
extension LiveMap {
  package var gestureOptions: GestureOptions { gestures.recognizer.options }

  /// Gestures that are under way keep what they began with as far as they can.
  package func setGestureOptions(_ options: GestureOptions) throws(NeatError) {
    try gestures.recognizer.setOptions(options)
  }

  package func handle(_ pointer: GestureInput.Pointer) throws(NeatError) {
    guard !isDestroyed else { throw NeatError(.state, "the map was destroyed") }
    guard try !ornamentsTake(pointer), !isDestroyed else { return }
    guard try !takeForAnnotations(pointer), !isDestroyed else { return }
    try takeForCamera(pointer)
  }

  func takeForCamera(_ pointer: GestureInput.Pointer) throws(NeatError) {
    try take(atMS: pointer.timeMS) { recognizer, camera, size throws(NeatError) in
      try recognizer.handle(pointer, camera, size)
    }
  }

  package func handle(_ wheel: GestureInput.Wheel) throws(NeatError) {
    try take(atMS: wheel.timeMS) { recognizer, camera, size throws(NeatError) in
      try recognizer.handle(wheel, camera, size)
    }
  }

  package func handle(_ key: GestureInput.Key, modifiers: GestureInput.Modifiers, atMS time: Double)
    throws(NeatError)
  {
    try take(atMS: time) { recognizer, camera, size throws(NeatError) in
      try recognizer.handle(key, modifiers: modifiers, atMS: time, camera, size)
    }
  }

  /// Ends all that is under way, as where a window loses its pointers.
  package func cancelGestures() {
    ornaments.press = nil
    cancelAnnotationPress()
    guard !isDestroyed else { return }
    tell(wasHeld: isHeld, gestures.recognizer.cancel())
  }

  /// Whether fingers or the wheel hold the camera.
  var isHeld: Bool { gestures.recognizer.isInProgress }

  /// Whether a gesture that has ended moves the camera.
  package var isGliding: Bool { gestures.recognizer.isAnimating }

  /// Whether the camera moves, or is about to.
  var isCameraMoving: Bool {
    animators.all.isMoving || gestures.recognizer.isAnimating || isHeld || isViewportMoving
      || isViewportFollowing && location.track.isMoving
  }

  /// Something else moves the camera from now on. False where a handler destroyed the map.
  func endGestureAnimation() -> Bool {
    gestures.outputs.removeAll { if case .camera = $0 { true } else { false } }
    tell(wasHeld: isHeld, gestures.recognizer.endAnimation())
    return !isDestroyed
  }

  /// A frame of a glide or a zoom.
  func advanceGestures() {
    let time = clock.isOfHost ? gestures.timeMS : Double(loop.nowMS) + gestures.aheadMS
    let (camera, wasHeld) = (latestCamera, isHeld)
    gestures.recognizer.limits = limits(at: camera)
    // Camera and size were checked when they were set.
    let outputs = try? gestures.recognizer.update(atMS: time, camera, size)
    tell(wasHeld: wasHeld, outputs ?? gestures.recognizer.cancel())
  }

  private func take(
    atMS time: Double,
    _ body: (inout GestureRecognizer, Camera, ViewSize) throws(NeatError) -> [GestureOutput]
  ) throws(NeatError) {
    guard !isDestroyed else { throw NeatError(.state, "the map was destroyed") }
    let (camera, wasHeld) = (latestCamera, isHeld)
    gestures.recognizer.limits = limits(at: camera)
    let outputs = try body(&gestures.recognizer, camera, size)
    gestures.aheadMS = time - Double(loop.updateNowMS())
    tell(wasHeld: wasHeld, outputs)
  }

  /// The camera when all is done that is still to be done.
  private var latestCamera: Camera {
    for case .camera(let camera) in gestures.outputs.reversed() { return camera }
    return camera
  }

  /// Moves the camera and tells what happened, in order.
  private func tell(wasHeld: Bool, _ outputs: [GestureOutput]) {
    gestures.outputs += outputs
    gestures.wasHeld = gestures.wasHeld || wasHeld || isHeld
    guard !gestures.isTelling else { return }
    gestures.isTelling = true
    while !gestures.outputs.isEmpty, !isDestroyed { tell(gestures.outputs.removeFirst()) }
    guard !isDestroyed else { return }
    gestures.isTelling = false
    if gestures.recognizer.isAnimating { startFrames() } else { stopWhereNothingMoves() }
    // The frame after it is one at rest, and says that it is.
    if gestures.wasHeld && !isHeld || gestures.wasAnimating && !isGliding { invalidate() }
    (gestures.wasHeld, gestures.wasAnimating) = (isHeld, isGliding)
  }

  private func tell(_ output: GestureOutput) {
    switch output {
    case .began(let kind, let position):
      if kind != .singleTap {
        guard endReplaceable() else { return }
        if viewport.idlesUponInteraction { idleViewport(.userInteraction) }
      }
      guard send(.gestureBegan(kind, position: position)) else { return }
      if kind == .singleTap { tapAnnotations(at: position) }
    // A handler may have set limits.
    case .camera(let camera): move(to: constrained(camera))
    case .ended(let kind, let willAnimate): send(.gestureEnded(kind, willAnimate: willAnimate))
    case .endedAnimating(let kind): send(.gestureEndedAnimating(kind))
    }
  }
}
