import NeatBase

/// Gestures from pointers, wheel and keys, as a value: input with its time and the camera as it is come in, what
/// the camera becomes comes out. It has no clock: whoever holds it calls `update` while `isAnimating`, as often
/// as there are frames. The same input at the same times gives the same cameras, however often that is.
///
/// Behaviour and numbers after version 10 of Mapbox's mobile SDKs; wheel, keys and the second button after MapLibre
/// GL JS. The camera may be changed by others at any time: a gesture goes on from there; what goes on by itself
/// does not, and is to be ended by them with `endAnimation`.
///
/// Time does not go back: what comes with an earlier time than what came before happens at that one's. More than
/// `clockReset` earlier is another clock: what was under way ends, and all begins anew.
package struct GestureRecognizer: Sendable {
  package private(set) var options = GestureOptions()
  /// Where the camera may go, and over what.
  package var limits = CameraLimits()

  /// Pointers that are down, in the order in which they came.
  var pointers: [GesturePointer] = []
  var phase = GesturePhase.none
  /// What the pointers that are down may still become together.
  var sequence = TapSequence()
  /// Where and when a finger tapped last.
  var lastTap: (position: SIMD2<Double>, timeMS: Double)?
  var animation: GestureAnimation?
  /// When the latest input happened.
  private(set) var timeMS = -Double.infinity

  /// As many fingers as two hands have. One more: `limitExceeded`, and none is down any more, since a host that
  /// loses the ends of pointers would otherwise have no gestures for ever.
  package static let maxPointers = 10
  /// Milliseconds.
  package static let clockReset = 1000.0
  /// A finger that moves less than this, in logical pixels, holds still.
  static let touchSlop = 8.0
  static let mouseSlop = 3.0
  /// A tap is over within this, in milliseconds; so is the wait for a second one.
  static let tapMS = 500.0
  static let doubleTapMS = 300.0
  /// Two taps are one double tap within this, in logical pixels.
  static let doubleTapDistance = 30.0
  static let moveMS = 300.0
  /// A wheel's step is spread over this, and without one for as long it has stopped.
  static let wheelMS = 200.0

  package init() {}

  package mutating func setOptions(_ options: GestureOptions) throws(NeatError) {
    self.options = try options.checked()
  }

  /// Whether the fingers or the wheel hold the camera.
  package var isInProgress: Bool {
    switch phase {
    case .none, .pressed: isWheeling
    case .panning, .quickZooming, .turning, .boxing: true
    case .fingers(let fingers): fingers.hasBegun || isWheeling
    }
  }

  /// Whether no pointer is down.
  package var isUntouched: Bool { pointers.isEmpty }

  /// Whether the camera goes on by itself, so that `update` has to be called.
  package var isAnimating: Bool { animation != nil }

  private var isWheeling: Bool { animation?.kind == .wheel }

  // MARK: Input

  /// Takes a pointer. Throws `invalidArgument` for positions and times that are none, which changes nothing, and
  /// `limitExceeded` for one pointer too many. A pointer that goes down while it is down is another one of that
  /// number; one that moves or ends without having come down is ignored.
  package mutating func handle(_ input: GestureInput.Pointer, _ camera: Camera, _ size: ViewSize)
    throws(NeatError) -> [GestureOutput]
  {
    try input.check()
    var scene = try Scene(camera, size)
    if input.phase == .down, pointers.count == GestureRecognizer.maxPointers, index(of: input.id) == nil {
      forgetPointers()
      throw NeatError(
        .limitExceeded,
        "gesture: pointer \(input.id) is one more than \(GestureRecognizer.maxPointers); none is down any more"
      )
    }
    advance(to: input.timeMS, &scene)
    switch input.phase {
    case .down: down(input, &scene)
    case .move: move(input, &scene)
    case .up: up(input, &scene)
    case .cancel: cancelPointer(input.id, &scene)
    }
    return scene.outputs
  }

  package mutating func handle(_ input: GestureInput.Wheel, _ camera: Camera, _ size: ViewSize)
    throws(NeatError) -> [GestureOutput]
  {
    try GestureInput.check(time: input.timeMS)
    try GestureInput.check(position: input.position)
    try GestureInput.check("wheel delta", input.delta, GestureInput.positions)
    var scene = try Scene(camera, size)
    advance(to: input.timeMS, &scene)
    turnWheel(input, &scene)
    return scene.outputs
  }

  /// A key went down, or repeats itself while it is.
  package mutating func handle(
    _ key: GestureInput.Key, modifiers: GestureInput.Modifiers = [], atMS time: Double, _ camera: Camera,
    _ size: ViewSize
  ) throws(NeatError) -> [GestureOutput] {
    try GestureInput.check(time: time)
    var scene = try Scene(camera, size)
    advance(to: time, &scene)
    press(key, modifiers, &scene)
    return scene.outputs
  }

  /// Brings what goes on by itself to a time.
  package mutating func update(atMS time: Double, _ camera: Camera, _ size: ViewSize) throws(NeatError)
    -> [GestureOutput]
  {
    try GestureInput.check(time: time)
    var scene = try Scene(camera, size)
    advance(to: time, &scene)
    return scene.outputs
  }

  /// Ends all that is under way, as where a window loses its pointers. The camera stays.
  package mutating func cancel() -> [GestureOutput] {
    var outputs = phase.ended
    forgetPointers()
    outputs += endAnimation()
    return outputs
  }

  /// Ends what goes on by itself where it is: something else moves the camera now.
  package mutating func endAnimation() -> [GestureOutput] {
    guard let animation else { return [] }
    self.animation = nil
    return [animation.kind == .wheel ? .ended(.wheel, willAnimate: false) : .endedAnimating(animation.kind)]
  }

  // MARK: Time

  private mutating func advance(to time: Double, _ scene: inout Scene) {
    guard time >= timeMS else {
      if timeMS - time > GestureRecognizer.clockReset {
        scene.outputs += cancel()
        timeMS = time
      }
      return
    }
    timeMS = time
    guard let animation else { return }
    let (camera, isOver) = animation.camera(atMS: time, scene.size, on: limits.projection)
    scene.move(to: limits.camera(camera, from: animation.start, scene.size))
    if isOver { scene.outputs += endAnimation() }
  }

  func index(of id: Int64) -> Int? { pointers.firstIndex { $0.id == id } }

  mutating func forgetPointers() {
    pointers = []
    phase = .none
    sequence = TapSequence()
    lastTap = nil
  }
}

/// The camera that a call is for, and what comes of it.
struct Scene {
  private(set) var camera: Camera
  let size: ViewSize
  var outputs: [GestureOutput] = []

  init(_ camera: Camera, _ size: ViewSize) throws(NeatError) {
    self.camera = try camera.checked()
    self.size = try size.checked()
  }

  mutating func move(to camera: Camera) {
    guard camera != self.camera else { return }
    self.camera = camera
    outputs.append(.camera(camera))
  }

  func view(on projection: MapProjection) -> GroundView { GroundView(camera, size, on: projection) }
}
