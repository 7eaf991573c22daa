import NeatBase
import NeatCamera
import NeatMap

// Where the camera is, and where it may be. Whatever moves it, it stays within the map's limits.
extension LiveMap {
  package func setSize(_ size: ViewSize) throws(NeatError) {
    let size = try size.checked()
    guard size.pixelRatio == self.size.pixelRatio || core == nil else {
      throw NeatError(.state, "the pixel ratio cannot change once a style is set")
    }
    guard size != self.size else { return }
    self.size = size
    camera = limits.constrained(camera, size)
    // Before the event: its handler may draw.
    invalidate()
    send(.cameraChanged)
    if !isDestroyed { viewportSizeChanged() }
  }

  /// Moves the camera at once; an easing, a flight and a glide end.
  package func setCamera(_ camera: Camera) throws(NeatError) {
    var camera = try camera.checked()
    camera.north = self.camera.north
    jump(to: limits.constrained(camera, size))
  }

  /// The same for what is named of it.
  package func setCamera(_ change: CameraChange) throws(NeatError) {
    jump(to: try change.camera(from: camera, size: size, limits: limits))
  }

  private func jump(to camera: Camera) {
    guard endGestureAnimation(), endReplaceable() else { return }
    stopWhereNothingMoves()
    move(to: camera)
  }

  /// Sets where the camera may be, and moves it there: with one event, where it has to move.
  package func setLimits(_ limits: CameraLimits) throws(NeatError) {
    let limits = try limits.checked()
    self.limits = limits
    gestures.recognizer.limits = limits
    let held = limits.constrained(camera, size)
    guard held != camera else { return }
    // It is still the style's camera where it was.
    camera = held
    invalidate()
    send(.cameraChanged)
  }

  /// Sets where north is at a bearing of 0, degrees clockwise from the top: the map turns, and the bearing stays.
  package func setNorth(_ degrees: Double) {
    guard degrees != camera.north else { return }
    camera.north = degrees
    camera = limits.constrained(camera, size)
    invalidate()
    send(.cameraChanged)
  }

  /// `isStep`: of an animation, which goes on: frames of a moment ago will do.
  func move(to camera: Camera, isStep: Bool = false) {
    hasCamera = true
    let north = self.camera.north
    self.camera = camera
    self.camera.north = north
    labels.movedAt = loop.nowMS
    let change = changeNumber
    invalidate()
    if isStep { changeNumber = change }
    send(.cameraChanged)
  }
}
