import CNeatline

/// How a camera goes along in time.
public enum AnimationCurve: Hashable, Sendable {
  /// As time goes.
  case linear
  /// Slow at the start, at the end, or at both.
  case easeIn, easeOut, easeInOut
  /// `ease` of CSS.
  case ease
  /// A cubic Bézier curve from (0, 0) to (1, 1) by its control points; x within 0...1, y within -10...10.
  case bezier(x1: Double, y1: Double, x2: Double, y2: Double)
  /// A spring that has come to rest at the end. 1: it does not swing; less, to 0.1: it swings.
  case spring(dampingRatio: Double)
}

/// Who moves the camera.
public struct AnimationOwner: RawRepresentable, Hashable, Sendable {
  /// The name.
  public var rawValue: String

  /// An owner of this name, of 256 bytes at most.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Gestures.
  public static let gestures = AnimationOwner(rawValue: "gestures")
  /// The compass, which a tap turns to the north.
  public static let compass = AnimationOwner(rawValue: "compass")
  /// Nobody in particular.
  public static let unspecified = AnimationOwner(rawValue: "unspecified")
}

/// Where an animator ended.
public enum AnimationPosition: Hashable, Sendable {
  /// Where it came from: it was reversed.
  case start
  /// On its way: it was stopped.
  case current
  /// Where it was to go.
  case end

  init(_ c: neat_animation_position) {
    switch c {
    case NEAT_ANIMATION_POSITION_START: self = .start
    case NEAT_ANIMATION_POSITION_END: self = .end
    default: self = .current
    }
  }
}

/// Hears of where an animator ended, once.
public typealias AnimationCompletion = (AnimationPosition) -> Void

/// What an animator does.
public enum CameraAnimatorState: String, Hashable, Sendable {
  /// It was not started.
  case inactive
  /// It moves, or waits for its delay.
  case active
  /// It stays where it is.
  case paused
  /// It has ended.
  case finished
}

/// What of a camera an animator changes, from where to where.
public struct CameraTransition: Hashable, Sendable {
  /// The way of one value. It is animated where `toValue` is set.
  public struct Change<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Where it begins, which applies as soon as the animator moves; nil: where the camera is then.
    public var fromValue: Value?
    /// Where it goes; nil: it is left alone.
    public var toValue: Value?
  }

  /// The centre of the view.
  public var center = Change<Coordinate>()
  /// The zoom.
  public var zoom = Change<Double>()
  /// Logical pixels kept free along the edges.
  public var padding = Change<Camera.Padding>()
  /// A point of the view whose place stays under it, where the centre is not animated.
  public var anchor = Change<ScreenPoint>()
  /// Degrees clockwise from north; turns the shorter way.
  public var bearing = Change<Double>()
  /// Degrees from straight down.
  public var pitch = Change<Double>()

  /// Nothing is animated.
  public init() {}

  var to: CameraOptions {
    CameraOptions(
      center: center.toValue, padding: padding.toValue, anchor: anchor.toValue, zoom: zoom.toValue,
      bearing: bearing.toValue, pitch: pitch.toValue)
  }

  var from: CameraOptions {
    CameraOptions(
      center: center.fromValue, padding: padding.fromValue, anchor: anchor.fromValue, zoom: zoom.fromValue,
      bearing: bearing.fromValue, pitch: pitch.fromValue)
  }
}

/// Some of a camera's values on their way, started and stopped by hand. One that nobody holds any more stops at
/// once. Belongs to the map's thread; it may outlive the map, and has ended then.
public final class BasicCameraAnimator {
  private let pointer: OpaquePointer
  /// What it changes.
  public let transition: CameraTransition
  /// Who made it.
  public let owner: AnimationOwner

  init(adopting pointer: OpaquePointer, _ transition: CameraTransition, _ owner: AnimationOwner) {
    (self.pointer, self.transition, self.owner) = (pointer, transition, owner)
  }

  deinit { neat_animator_destroy(pointer) }

  private var info: neat_animator_info {
    var info = neat_animator_info()
    info.struct_size = UInt32(MemoryLayout<neat_animator_info>.size)
    _ = neat_animator_describe(pointer, &info)
    return info
  }

  /// What it does.
  public var state: CameraAnimatorState {
    switch info.state {
    case NEAT_ANIMATOR_STATE_INACTIVE: .inactive
    case NEAT_ANIMATOR_STATE_ACTIVE: .active
    case NEAT_ANIMATOR_STATE_PAUSED: .paused
    default: .finished
    }
  }

  /// How much of its time is over, 0 to 1; it falls while the animator runs back.
  public var fractionComplete: Double { info.fraction_complete }

  /// Its number among the map's animators, which events name.
  public var id: UInt64 { info.id }

  /// Whether it runs back to where it came from. Setting it turns it around; an animator that does not move
  /// stays as it is.
  public var isReversed: Bool {
    get { info.is_reversed != 0 }
    set { if newValue != isReversed { _ = neat_animator_reverse(pointer) } }
  }

  /// Starts it. Throws `state` where it was started, has ended, or its map is gone.
  public func startAnimation() throws(NeatlineError) { try check(neat_animator_start(pointer, 0)) }

  /// Starts it after some seconds, 0 to a day. Throws `invalidArgument` too.
  public func startAnimation(afterDelay delay: Double) throws(NeatlineError) {
    try check(neat_animator_start(pointer, delay * 1000))
  }

  /// Lets it stay where it is. Throws `state` where it has ended.
  public func pauseAnimation() throws(NeatlineError) { try check(neat_animator_pause(pointer)) }

  /// Lets it go on after a pause. Throws `state` where it has ended.
  public func continueAnimation() throws(NeatlineError) { try check(neat_animator_resume(pointer)) }

  /// Ends it where it is: the camera stays.
  public func stopAnimation() { _ = neat_animator_stop(pointer) }

  /// Has somebody told where it ends; where it has ended already, in a later turn of the loop.
  public func addCompletion(_ completion: @escaping AnimationCompletion) {
    AnimationWaiter.pass(completion) { neat_animator_when_ended(pointer, $0, $1) }
  }
}

/// Who waits for an animator's end, behind a C context.
final class AnimationWaiter {
  private let body: AnimationCompletion
  private init(_ body: @escaping AnimationCompletion) { self.body = body }

  /// Hands a completion to a function of C, which calls it once where it succeeds.
  @discardableResult static func pass(
    _ body: AnimationCompletion?,
    _ begin: (neat_animation_callback?, UnsafeMutableRawPointer?) -> neat_status
  ) -> neat_status {
    guard let body else { return begin(nil, nil) }
    let context = Unmanaged.passRetained(AnimationWaiter(body))
    let status = begin(
      { context, position in
        guard let context else { return }
        Unmanaged<AnimationWaiter>.fromOpaque(context).takeRetainedValue().body(AnimationPosition(position))
      }, context.toOpaque())
    if status != NEAT_STATUS_OK { context.release() }
    return status
  }
}

extension AnimationCurve {
  /// Calls with an animation of C.
  func withC<Result>(
    duration: Double?, _ owner: AnimationOwner, _ body: (UnsafePointer<neat_animation>) -> Result
  ) -> Result {
    var animation = neat_animation()
    animation.struct_size = UInt32(MemoryLayout<neat_animation>.size)
    if let duration { (animation.has_duration, animation.duration_ms) = (1, duration * 1000) }
    switch self {
    case .ease: animation.curve = NEAT_CURVE_EASE
    case .linear: animation.curve = NEAT_CURVE_LINEAR
    case .easeIn: animation.curve = NEAT_CURVE_EASE_IN
    case .easeOut: animation.curve = NEAT_CURVE_EASE_OUT
    case .easeInOut: animation.curve = NEAT_CURVE_EASE_IN_OUT
    case .bezier(let x1, let y1, let x2, let y2):
      animation.curve = NEAT_CURVE_BEZIER
      (animation.x1, animation.y1, animation.x2, animation.y2) = (x1, y1, x2, y2)
    case .spring(let ratio):
      animation.curve = NEAT_CURVE_SPRING
      animation.damping_ratio = ratio
    }
    return owner.rawValue.withText { owner, size in
      (animation.owner, animation.owner_size) = (owner, size)
      return withUnsafePointer(to: animation, body)
    }
  }
}
