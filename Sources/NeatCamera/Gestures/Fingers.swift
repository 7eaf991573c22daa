import NeatBase

/// Two fingers: pinch (zoom and pan), rotation, or pitch. What they do since they began is done to the camera that
/// there was then.
struct Fingers: Sendable {
  /// Where both are at a moment.
  struct Pose: Sendable {
    var a: SIMD2<Double>
    var b: SIMD2<Double>

    var middle: SIMD2<Double> { (a + b) / 2 }
    /// At least a pixel, so that it has a logarithm.
    var distance: Double { max(1, length(b - a)) }
    /// In degrees, clockwise.
    var angle: Double { atan2(b.y - a.y, b.x - a.x) * 180 / .pi }
    /// Whether the line between them is within 45° of level.
    var isLevel: Bool { abs(b.y - a.y) < abs(b.x - a.x) }
  }

  private(set) var start: Pose
  var pose: Pose
  private(set) var camera: Camera
  /// What the fingers made of it.
  var made: Camera
  /// When one of them moved first.
  private var firstMoveMS: Double?
  var isPinching = false
  /// The angle that rotation counts from, where it has begun.
  var rotationStart: Double?
  /// The height of the middle that pitch counts from, where it has begun.
  var pitchStart: Double?

  /// The angle as it was at the end of the moment before, and now: what happens at one time is one move.
  private var angleBefore: (degrees: Double, timeMS: Double)
  private var angleNow: (degrees: Double, timeMS: Double)
  /// Degrees in a millisecond between the last two moments that are over: at the latest one the other finger may
  /// still have to come.
  private var speedBefore = 0.0

  init(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ camera: Camera, atMS time: Double) {
    start = Pose(a: a, b: b)
    pose = start
    self.camera = camera
    made = camera
    angleNow = (start.angle, time)
    angleBefore = angleNow
  }

  var hasBegun: Bool { isPinching || rotationStart != nil || pitchStart != nil }

  var kinds: [GestureKind] {
    (isPinching ? [.pinch] : []) + (rotationStart != nil ? [.rotation] : [])
      + (pitchStart != nil ? [.pitch] : [])
  }

  mutating func take(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ camera: Camera, atMS time: Double) {
    if camera != made {
      // Something else moved it: that stays.
      if hasBegun { start = pose }
      self.camera = camera
      made = camera
      if rotationStart != nil { rotationStart = pose.angle }
      if pitchStart != nil { pitchStart = pose.middle.y }
    }
    pose = Pose(a: a, b: b)
    if time > angleNow.timeMS {
      speedBefore = speed
      angleBefore = angleNow
    }
    angleNow = (pose.angle, time)
    if firstMoveMS == nil, length(a - start.a) >= Fingers.still || length(b - start.b) >= Fingers.still {
      firstMoveMS = time
    }
  }

  /// A finger that moved by less is still where it was, in logical pixels.
  private static let still = 2.0
  /// How long the second finger may take to follow the first one upwards, in milliseconds.
  private static let follow = 100.0

  /// How far they have turned since a pose, -180 to 180.
  func turned(from angle: Double) -> Double { GroundView.wrapped(pose.angle - angle) }

  /// Degrees in a millisecond.
  private var speed: Double {
    let time = angleNow.timeMS - angleBefore.timeMS
    let way = abs(GroundView.wrapped(angleNow.degrees - angleBefore.degrees))
    return time > 0 ? way / time : 0
  }

  /// The faster they turn, the farther they have to: 3°, 5°, 7° or 15°.
  var hasTurnedEnough: Bool {
    let speed = max(speed, speedBefore)
    let threshold = speed > 0.5 ? 15.0 : speed > 0.15 ? 7 : speed > 0.07 ? 5 : 3
    return abs(turned(from: start.angle)) >= threshold
  }

  var hasSpread: Bool { abs(pose.distance - start.distance) >= GestureRecognizer.touchSlop }
  var hasMoved: Bool { length(pose.middle - start.middle) >= GestureRecognizer.touchSlop }

  /// What the first moves look like.
  enum Intent { case pitch, other, undecided }

  var intent: Intent {
    let (a, b) = (pose.a - start.a, pose.b - start.b)
    func isUpright(_ way: SIMD2<Double>) -> Bool { abs(way.y) > 1.732 * abs(way.x) }
    guard start.isLevel, let firstMoveMS else { return .other }
    let (movesA, movesB) = (length(a) >= Fingers.still, length(b) >= Fingers.still)
    if movesA, movesB {
      guard isUpright(a), isUpright(b), (a.y < 0) == (b.y < 0) else { return .other }
      return abs(pose.middle.y - start.middle.y) >= GestureRecognizer.touchSlop ? .pitch : .undecided
    }
    guard isUpright(movesA ? a : b), angleNow.timeMS - firstMoveMS <= Fingers.follow else { return .other }
    return .undecided
  }
}

extension GestureRecognizer {
  mutating func moveFingers(_ scene: inout Scene) {
    guard case .fingers(var fingers) = phase else { return }
    fingers.take(pointers[0].position, pointers[1].position, scene.camera, atMS: timeMS)
    if pointers.contains(where: \.hasMoved) { sequence.doubleTouch = nil }
    beginFingers(&fingers, &scene)
    if fingers.pitchStart != nil {
      pitch(&fingers, &scene)
    } else if fingers.hasBegun {
      pinch(&fingers, &scene)
    }
    phase = .fingers(fingers)
  }

  private mutating func beginFingers(_ fingers: inout Fingers, _ scene: inout Scene) {
    guard fingers.pitchStart == nil else { return }
    let middle = fingers.start.middle
    func began(_ kind: GestureKind) {
      scene.outputs.append(.began(kind, position: middle))
      sequence.doubleTouch = nil
    }
    if !fingers.hasBegun, options.pitchEnabled {
      switch fingers.intent {
      case .undecided: return
      case .other: break
      case .pitch:
        stopAnimation(&scene)
        fingers.pitchStart = fingers.pose.middle.y
        return began(.pitch)
      }
    }
    func isFree() -> Bool { options.simultaneousRotateAndPinchZoomEnabled || !fingers.hasBegun }
    if !fingers.isPinching, options.pinchEnabled, isFree(),
      options.pinchZoomEnabled && fingers.hasSpread || options.pinchPanEnabled && fingers.hasMoved
    {
      stopAnimation(&scene)
      fingers.isPinching = true
      began(.pinch)
    }
    if fingers.rotationStart == nil, options.rotateEnabled, fingers.hasTurnedEnough, isFree() {
      stopAnimation(&scene)
      // It goes on from where it has come past the threshold, without a jump.
      fingers.rotationStart = fingers.pose.angle
      began(.rotation)
    }
  }

  private func pitch(_ fingers: inout Fingers, _ scene: inout Scene) {
    guard let start = fingers.pitchStart else { return }
    var camera = fingers.camera
    camera.pitch = limits.pitch(camera.pitch - 0.5 * (fingers.pose.middle.y - start), from: camera)
    scene.turn(from: fingers.camera, to: camera, around: options.focalPoint, limits)
    fingers.made = scene.camera
  }

  private func pinch(_ fingers: inout Fingers, _ scene: inout Scene) {
    let (start, pose) = (fingers.start, fingers.pose)
    let pans = fingers.isPinching && options.pinchPanEnabled
    var camera = fingers.camera
    if pans {
      let view = GroundView(camera, scene.size, on: limits.projection)
      camera = view.camera(showing: view.ground(start.middle), at: pose.middle)
    }
    let panned = camera
    if fingers.isPinching, options.pinchZoomEnabled {
      // A globe has another zoom where it has been turned to another latitude.
      camera.zoom = limits.zoom(
        camera.zoom + log2(pose.distance / start.distance),
        from: limits.projection == .globe ? panned : fingers.camera, scene.size)
    }
    if let angle = fingers.rotationStart {
      camera.bearing = GroundView.wrapped(camera.bearing - fingers.turned(from: angle))
    }
    // Of what the pan could not do at the world's edge nothing is done twice: the ground is taken anew.
    let anchor = options.focalPoint ?? (pans ? pose.middle : start.middle)
    scene.turn(from: panned, to: camera, around: anchor, limits, first: fingers.camera)
    fingers.made = scene.camera
  }
}
