import CNeatline

/// Hears of what moves a map's camera.
public protocol CameraAnimationsManagerDelegate: AnyObject {
  /// An animator was started.
  func cameraAnimationsManager(_ manager: CameraAnimationsManager, didBegin animation: CameraAnimationBegin)
  /// An animator that had been started ended.
  func cameraAnimationsManager(_ manager: CameraAnimationsManager, didEnd animation: CameraAnimationEnd)
}

/// What moves a map's camera: easings, flights and animators. `Map.cameraAnimations`. Belongs to the map's
/// thread.
public final class CameraAnimationsManager {
  /// Hears of begins and ends. Not kept alive.
  public weak var delegate: (any CameraAnimationsManagerDelegate)?
  private weak var map: Map?

  init(_ map: Map) {
    self.map = map
    map.listeners.add([.animationBegan, .animationEnded], for: self) { $0.tell($1) }
  }

  private func tell(_ event: MapEvent) {
    switch event {
    case .animationBegan(let begin): delegate?.cameraAnimationsManager(self, didBegin: begin)
    case .animationEnded(let end): delegate?.cameraAnimationsManager(self, didEnd: end)
    default: break
    }
  }

  /// Moves the camera in a straight way, in `duration` seconds; the easing, flight or glide under way ends. The
  /// completion hears `end` when it is there, `current` where something else took over, it was cancelled, or the
  /// map ended; within this call where the duration is 0. `around`: a place that stays where it is seen, from
  /// which the centre follows. `offset`: where the centre goes, in logical pixels right of and below the middle of
  /// what the paddings leave. Throws `invalidArgument` for what no camera may be.
  @discardableResult
  public func ease(
    to camera: CameraOptions, duration: Double, curve: AnimationCurve = .ease,
    owner: AnimationOwner = .unspecified, around: Coordinate? = nil, offset: ScreenPoint = ScreenPoint(0, 0),
    completion: AnimationCompletion? = nil
  ) throws(NeatlineError) -> any Cancelable {
    try start(duration, curve, owner, completion) { map, animation, callback, context, out in
      var (change, course) = (camera.c, neat_camera_course(around, offset))
      return neat_map_ease(map, &change, &course, animation, callback, context, out)
    }
  }

  /// The same to all of a camera, as `Map.camera(for:)` gives it.
  @discardableResult
  public func ease(
    to camera: Camera, duration: Double, curve: AnimationCurve = .ease, owner: AnimationOwner = .unspecified,
    completion: AnimationCompletion? = nil
  ) throws(NeatlineError) -> any Cancelable {
    try ease(
      to: CameraOptions(camera), duration: duration, curve: curve, owner: owner, completion: completion)
  }

  /// Moves the camera along an arc, out, over and in, after van Wijk and Nuij (2003). `duration`: seconds;
  /// nil: as long as it takes at `speed` screens along the arc in a second, or at `screenSpeed` screens of the view
  /// as they go by, which counts first; none where that is more than `maxDuration`. `arc`: how far out it goes, 0.01
  /// to 100; `minZoom`: the zoom of its top, in the place of that. Else as `ease`.
  @discardableResult
  public func fly(
    to camera: CameraOptions, duration: Double? = nil, curve: AnimationCurve = .ease,
    owner: AnimationOwner = .unspecified, offset: ScreenPoint = ScreenPoint(0, 0), arc: Double = 1.42,
    minZoom: Double? = nil, speed: Double = 1.2, screenSpeed: Double? = nil, maxDuration: Double? = nil,
    completion: AnimationCompletion? = nil
  ) throws(NeatlineError) -> any Cancelable {
    try start(duration, curve, owner, completion) { map, animation, callback, context, out in
      var (change, course) = (camera.c, neat_camera_course(nil, offset))
      course.setArc(arc, minZoom, speed, screenSpeed, maxDuration)
      return neat_map_fly(map, &change, &course, animation, callback, context, out)
    }
  }

  /// The same to all of a camera, as `Map.camera(for:)` gives it.
  @discardableResult
  public func fly(
    to camera: Camera, duration: Double? = nil, curve: AnimationCurve = .ease,
    owner: AnimationOwner = .unspecified, completion: AnimationCompletion? = nil
  ) throws(NeatlineError) -> any Cancelable {
    try fly(
      to: CameraOptions(camera), duration: duration, curve: curve, owner: owner, completion: completion)
  }

  /// Makes an animator, which moves when it is started:
  ///
  ///     let animator = try map.cameraAnimations.makeAnimator(duration: 5, curve: .easeInOut) {
  ///       $0.zoom.fromValue = 10
  ///       $0.zoom.toValue = 7
  ///       $0.bearing.toValue = 180
  ///     }
  ///     try animator.startAnimation()
  ///
  /// `duration`: seconds. Hold it: one that nobody holds stops. Throws `invalidArgument` for values past their range and for a
  /// `fromValue` without a `toValue`, `limitExceeded` where the map has 1,000.
  public func makeAnimator(
    duration: Double, curve: AnimationCurve = .easeInOut, owner: AnimationOwner = .unspecified,
    animations: (inout CameraTransition) -> Void
  ) throws(NeatlineError) -> BasicCameraAnimator {
    let map = try living
    var transition = CameraTransition()
    animations(&transition)
    var (from, to) = (transition.from.c, transition.to.c)
    let pointer = try handle { out in
      curve.withC(duration: duration, owner) { neat_map_make_animator(map.pointer, &from, &to, $0, out) }
    }
    return BasicCameraAnimator(adopting: pointer, transition, owner)
  }

  /// Ends all that moves the camera by itself, the glide of a gesture too. The camera stays.
  public func cancelAnimations() {
    if let map { _ = neat_map_cancel_animations(map.pointer) }
  }

  /// An animator that is alive.
  public struct Alive: Hashable, Sendable {
    /// Its number among the map's animators; 0 for the glide of a gesture.
    public var id: UInt64
    /// Who made it.
    public var owner: AnimationOwner
    /// What it does.
    public var state: CameraAnimatorState
  }

  /// Those alive, in the order in which they were made: easings, flights, animators and the glide of a gesture.
  public var cameraAnimators: [Alive] {
    guard let map, let json = try? jsonValue({ neat_map_animators(map.pointer, $0) }) else { return [] }
    return (json.array ?? []).compactMap { each in
      guard let id = each["id"]?.number, let owner = each["owner"]?.string,
        let state = each["state"]?.string.flatMap(CameraAnimatorState.init)
      else { return nil }
      return Alive(id: UInt64(exactly: id) ?? 0, owner: AnimationOwner(rawValue: owner), state: state)
    }
  }

  private func start(
    _ duration: Double?, _ curve: AnimationCurve, _ owner: AnimationOwner,
    _ completion: AnimationCompletion?,
    _ begin: (
      OpaquePointer, UnsafePointer<neat_animation>, neat_animation_callback?, UnsafeMutableRawPointer?,
      OutPointer
    ) -> neat_status
  ) throws(NeatlineError) -> any Cancelable {
    let map = try living
    let pointer = try handle { out in
      curve.withC(duration: duration, owner) { animation in
        AnimationWaiter.pass(completion) { begin(map.pointer, animation, $0, $1, out) }
      }
    }
    return RunningAnimation(pointer)
  }

  private var living: Map {
    get throws(NeatlineError) {
      guard let map else { throw NeatlineError(.state, "the map is gone") }
      return map
    }
  }
}

/// An easing or flight, to be ended before its time.
private final class RunningAnimation: Cancelable {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { neat_animator_destroy(pointer) }

  func cancel() { _ = neat_animator_stop(pointer) }
}
