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
    camera = constrained(camera)
    // Before the event: its handler may draw.
    invalidate()
    send(.cameraChanged)
    if !isDestroyed { viewportSizeChanged() }
  }

  /// Moves the camera at once; an easing, a flight and a glide end.
  package func setCamera(_ camera: Camera) throws(NeatError) {
    var camera = try camera.checked()
    camera.north = self.camera.north
    jump(to: constrained(camera), asked: camera)
  }

  /// The same for what is named of it.
  package func setCamera(_ change: CameraChange) throws(NeatError) {
    var open = CameraLimits.none
    open.maxPitch = CameraRange.pitch.upperBound
    let asked = core == nil ? try change.camera(from: askedCamera ?? camera, size: size, limits: open) : nil
    jump(to: try target(of: change), asked: asked)
  }

  private func jump(to camera: Camera, asked: Camera?) {
    guard endGestureAnimation(), endReplaceable() else { return }
    stopWhereNothingMoves()
    move(to: camera, asked: core == nil ? asked : nil)
  }

  /// The limits on what a camera's pictures are laid onto, within the zooms that it may have. While another style is
  /// awaited, on what was there before.
  func limits(at camera: Camera) -> CameraLimits {
    guard let core else { return limits.on(lastProjection) }
    return limits.on(core.projection(zoom: min(max(camera.zoom, limits.minZoom), limits.maxZoom)))
  }

  /// A fit by what the map is laid onto where it ends.
  func fitted(
    _ options: FitOptions, _ fit: (FitOptions) throws(NeatError) -> Camera
  ) throws(NeatError) -> Camera {
    let plane = try fit(options.on(.mercator))
    guard limits(at: plane).projection == .globe else { return plane }
    let globe = try fit(options.on(.globe))
    return limits(at: globe).projection == .globe ? globe : plane
  }

  /// Where a change leads to.
  func target(of change: CameraChange) throws(NeatError) -> Camera {
    let limits = limits(onWayTo: change)
    let end = try change.camera(from: camera, size: size, limits: limits)
    return self.limits(at: end).projection == limits.projection ? end : constrained(end)
  }

  /// The limits on what a way lies on: the globe where it begins on one, or ends there with a place that is not taken
  /// from the view that it begins with.
  func limits(onWayTo change: CameraChange) -> CameraLimits {
    var end = camera
    if let zoom = change.zoom, change.center != nil { end.zoom = zoom }
    let (there, here) = (limits(at: end), limits(at: camera))
    return here.projection == .mercator && change.around == nil ? there : here
  }

  func constrained(_ camera: Camera) -> Camera { limits(at: camera).constrained(camera, size) }

  /// A style's own camera, which looks from the sea where it would be below it: in the reference no terrain is there yet
  /// when a style says where its camera is.
  func startingAboveSea(_ camera: Camera) -> Camera {
    guard limits(at: camera).projection == .mercator, let view = try? Transform(camera: camera, size: size),
      let raised = view.cameraAboveSea(centerElevation ?? 0)
    else { return camera }
    return constrained(raised)
  }

  /// Sets where the camera may be, and moves it there: with one event, where it has to move.
  package func setLimits(_ limits: CameraLimits) throws(NeatError) {
    let limits = try limits.checked()
    self.limits = limits
    holdCamera()
  }

  /// Moves the camera to where it may be now. False where a handler of that ended the style.
  @discardableResult func holdCamera() -> Bool {
    let held = constrained(camera)
    guard held != camera else { return true }
    // It is still the style's camera where it was.
    camera = held
    invalidate()
    return send(.cameraChanged)
  }

  /// Sets where north is at a bearing of 0, degrees clockwise from the top: the map turns, and the bearing stays.
  package func setNorth(_ degrees: Double) {
    guard degrees != camera.north else { return }
    camera.north = degrees
    camera = constrained(camera)
    invalidate()
    send(.cameraChanged)
  }

  /// `isStep`: of an animation, which goes on: frames of a moment ago will do. `asked`: see `askedCamera`.
  func move(to camera: Camera, isStep: Bool = false, asked: Camera? = nil) {
    hasCamera = true
    askedCamera = asked
    let north = self.camera.north
    self.camera = camera
    self.camera.north = north
    frames.movedAt = loop.nowMS
    let change = changeNumber
    invalidate()
    if isStep { changeNumber = change }
    send(.cameraChanged)
  }
}
