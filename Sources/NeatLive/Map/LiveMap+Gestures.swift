import NeatBase
import NeatCamera
import NeatMap

/// What a map knows of its gestures.
struct MapGestures {
  var recognizer = GestureRecognizer()
  /// How far the clock of the host's input is ahead of the loop's, as of the last input.
  var aheadMS = 0.0
}

// Gestures: input comes in with the host's times, and what goes on by itself follows the loop's clock, unless the
// host asks with its own.
extension LiveMap {
  package var gestureOptions: GestureOptions { gestures.recognizer.options }

  /// Gestures that are under way keep what they began with as far as they can.
  package func setGestureOptions(_ options: GestureOptions) throws(NeatError) {
    try gestures.recognizer.setOptions(options)
  }

  package func handle(_ pointer: GestureInput.Pointer) throws(NeatError) {
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

  /// Brings glides and zooms to a time of the host's: for one that paces frames by its own clock.
  package func updateGestures(atMS time: Double) throws(NeatError) {
    try take(atMS: time) { recognizer, camera, size throws(NeatError) in
      try recognizer.update(atMS: time, camera, size)
    }
  }

  /// Ends all that is under way, as where a window loses its pointers.
  package func cancelGestures() { tell(wasHeld: isHeld, gestures.recognizer.cancel()) }

  /// Whether fingers or the wheel hold the camera.
  var isHeld: Bool { gestures.recognizer.isInProgress }

  /// Whether the camera moves, or is about to.
  var isCameraMoving: Bool { animation != nil || gestures.recognizer.isAnimating || isHeld }

  /// Something else moves the camera from now on. False where a handler destroyed the map.
  func endGestureAnimation() -> Bool {
    tell(wasHeld: isHeld, gestures.recognizer.endAnimation())
    return !isDestroyed
  }

  /// A frame of a glide or a zoom.
  func advanceGestures() {
    let time = Double(loop.nowMS) + gestures.aheadMS
    let wasHeld = isHeld
    // Camera and size were checked when they were set.
    let outputs = try? gestures.recognizer.update(atMS: time, camera, size)
    tell(wasHeld: wasHeld, outputs ?? gestures.recognizer.cancel())
  }

  private func take(
    atMS time: Double,
    _ body: (inout GestureRecognizer, Camera, ViewSize) throws(NeatError) -> [GestureOutput]
  ) throws(NeatError) {
    guard !isDestroyed else { throw NeatError(.state, "the map was destroyed") }
    let wasHeld = isHeld
    let outputs = try body(&gestures.recognizer, camera, size)
    gestures.aheadMS = time - Double(loop.updateNowMS())
    tell(wasHeld: wasHeld, outputs)
  }

  /// Moves the camera and tells what happened, in order. What a handler did to the camera stays.
  private func tell(wasHeld: Bool, _ outputs: [GestureOutput]) {
    var last = camera
    for output in outputs {
      guard !isDestroyed else { return }
      switch output {
      case .began(let kind, let position):
        if kind != .singleTap { animation = nil }
        send(.gestureBegan(kind, position: position))
      case .camera(let camera):
        guard self.camera == last else { break }
        last = camera
        move(to: camera)
      case .ended(let kind, let willAnimate): send(.gestureEnded(kind, willAnimate: willAnimate))
      case .endedAnimating(let kind): send(.gestureEndedAnimating(kind))
      }
    }
    guard !isDestroyed else { return }
    if gestures.recognizer.isAnimating { startFrames() } else { stopWhereNothingMoves() }
    // The frame after it is one at rest, and says that it is.
    if wasHeld, !isHeld { invalidate() }
  }
}
