import NeatBase

/// Some of a camera's values on their way, started and stopped by hand: a state machine of time and input.
///
/// A value that has an end is written, others are left alone, so that animators of different values run side by
/// side. Where it begins is said, or is the camera's at the moment when it starts to move.
package struct CameraAnimator: Sendable {
  package enum State: Sendable, Hashable {
    case inactive
    case active
    case paused
    case finished
  }

  /// Where an animator ended.
  package enum Position: Sendable, Hashable {
    /// Where it came from: it was reversed.
    case start
    /// Where it was stopped.
    case current
    case end
  }

  /// Where a value comes from and goes; `from` nil: from where it is.
  package struct Way<Value: Sendable & Hashable>: Sendable, Hashable {
    package var from: Value?
    package var to: Value

    package init(from: Value? = nil, to: Value) {
      self.from = from
      self.to = to
    }
  }

  /// What is animated.
  package struct Values: Sendable, Hashable {
    package var center: Way<LonLat>?
    package var zoom: Way<Double>?
    package var bearing: Way<Double>?
    package var pitch: Way<Double>?
    package var padding: Way<EdgeInsets>?
    /// A point of the screen; the place under it at the start stays under it. Not where the centre is animated.
    package var anchor: Way<SIMD2<Double>>?

    package init() {}

    fileprivate func checked() throws(NeatError) -> Values {
      func check(_ set: (inout Camera) -> Void) throws(NeatError) {
        var camera = Camera()
        set(&camera)
        _ = try camera.checked()
      }
      if let center {
        try check { $0.center = center.to }
        if let from = center.from { try check { $0.center = from } }
      }
      for (way, field) in [(zoom, \Camera.zoom), (bearing, \.bearing), (pitch, \.pitch)] {
        guard let way else { continue }
        try check { $0[keyPath: field] = way.to }
        if let from = way.from { try check { $0[keyPath: field] = from } }
      }
      if let padding {
        try check { $0.padding = padding.to }
        if let from = padding.from { try check { $0.padding = from } }
      }
      if let anchor {
        for point in [anchor.from ?? anchor.to, anchor.to] { try CameraView.check(point, "anchor") }
      }
      return self
    }
  }

  /// What it goes along.
  private enum Course {
    /// Each value by itself.
    case values(Values)
    /// What the change names goes straight.
    case ease(CameraEase, CameraChange)
    /// Centre and zoom go along an arc, and what else the change names straight.
    case flight(CameraFlight, CameraChange)
  }

  private let course: Course
  package let durationMS: Double
  package let curve: AnimationCurve
  /// Who made it: `gestures`, `unspecified`, or a name of the host's.
  package let owner: String
  package private(set) var state = State.inactive
  package private(set) var isReversed = false
  package private(set) var wasStarted = false
  /// Where it ended; nil until it has.
  package private(set) var end: Position?

  /// Milliseconds of the way that are done, as of `lastMS`.
  private var doneMS = 0.0
  /// Nil: its time begins with the next frame.
  private var lastMS: Double?
  /// Milliseconds of a delay that are left.
  private var delayMS = 0.0
  /// What the camera was when it started to move.
  private var start: Camera?
  private var animated: AnimatedValues?

  /// Throws `invalidArgument` for values that no camera may have, curves out of their range and a duration that is
  /// not within 0 to a day.
  package init(
    _ values: Values, durationMS: Double, curve: AnimationCurve = .easeInOut, owner: String = "unspecified"
  ) throws(NeatError) {
    try self.init(.values(try values.checked()), durationMS, curve, owner)
  }

  /// An easing to another view. Throws `invalidArgument` as `CameraEase` does.
  package init(
    easingTo change: CameraChange, from camera: Camera, size: ViewSize, limits: CameraLimits = .none,
    durationMS: Double, curve: AnimationCurve = .ease, owner: String = "unspecified"
  ) throws(NeatError) {
    let ease = try CameraEase(from: camera, to: change, size: size, limits: limits)
    try self.init(.ease(ease, change), durationMS, curve, owner)
  }

  /// A flight to another view; `durationMS` nil: as long as it takes at its speed. Throws `invalidArgument` as
  /// `CameraFlight` does.
  package init(
    flyingTo change: CameraChange, from camera: Camera, size: ViewSize, limits: CameraLimits = .none,
    options: CameraFlight.Options = CameraFlight.Options(), durationMS: Double? = nil,
    curve: AnimationCurve = .ease, owner: String = "unspecified"
  ) throws(NeatError) {
    let flight = try CameraFlight(from: camera, to: change, size: size, limits: limits, options: options)
    let duration = durationMS ?? min(flight.durationMS, CameraAnimator.longest)
    try self.init(.flight(flight, change), duration, curve, owner)
  }

  private init(_ course: Course, _ durationMS: Double, _ curve: AnimationCurve, _ owner: String)
    throws(NeatError)
  {
    guard (0...CameraAnimator.longest).contains(durationMS) else {
      throw NeatError(.invalidArgument, "duration \(durationMS) is not within 0...86400000 milliseconds")
    }
    guard owner.utf8.count <= CameraAnimator.longestOwner else {
      throw NeatError(.invalidArgument, "owner has \(owner.utf8.count) bytes, and 256 are the most")
    }
    self.course = course
    self.durationMS = durationMS
    self.curve = try curve.checked()
    self.owner = owner
  }

  private static let longest = 86_400_000.0
  private static let longestOwner = 256

  /// How much of its time is over, 0 to 1; it falls while the animator runs back.
  package var fractionComplete: Double {
    if end == .end { return 1 }
    return durationMS == 0 ? 0 : min(max(doneMS / durationMS, 0), 1)
  }

  /// Starts, after a delay. Throws `state` for an animator that has been started or has ended.
  /// - Parameter now: here and below nil where time is that of frames alone: the next one's counts.
  package mutating func start(atMS now: Double?, delayMS: Double = 0) throws(NeatError) {
    guard state == .inactive else {
      throw NeatError(.state, state == .finished ? "the animator has ended" : "the animator has been started")
    }
    guard (0...CameraAnimator.longest).contains(delayMS) else {
      throw NeatError(.invalidArgument, "delay \(delayMS) is not within 0...86400000 milliseconds")
    }
    if let now, !now.isFinite { throw NeatError(.invalidArgument, "time \(now) is no time") }
    state = .active
    wasStarted = true
    lastMS = now
    self.delayMS = delayMS
  }

  /// Stays where it is; nothing for one that does not move.
  package mutating func pause(atMS now: Double?) {
    guard state == .active else { return }
    pass(now)
    state = .paused
  }

  /// Goes on after a pause.
  package mutating func resume(atMS now: Double?) {
    guard state == .paused, now?.isFinite != false else { return }
    state = .active
    lastMS = now
  }

  /// Runs back to where it came from, or forth again.
  package mutating func reverse(atMS now: Double?) {
    guard state == .active || state == .paused else { return }
    if state == .active { pass(now) }
    isReversed.toggle()
  }

  /// Ends where it is: the camera stays.
  package mutating func stop() {
    guard state != .finished else { return }
    state = .finished
    end = .current
  }

  /// Time goes on; one that goes back counts for nothing.
  private mutating func pass(_ now: Double?) {
    guard let now, now.isFinite else { return }
    let last = lastMS ?? now
    var passed = max(0, now - last)
    lastMS = max(last, now)
    let waited = min(delayMS, passed)
    delayMS -= waited
    passed -= waited
    doneMS = min(max(doneMS + (isReversed ? -passed : passed), 0), durationMS)
  }

  /// Whether it has a say in the zoom at a time.
  func writesZoom(atMS now: Double?) -> Bool {
    let passed = now.map { max(0, $0 - (lastMS ?? $0)) } ?? 0
    guard state == .active, delayMS <= passed else { return false }
    switch course {
    case .values(let values): return values.zoom != nil
    case .ease(_, let change): return change.zoom != nil
    case .flight: return true
    }
  }

  /// The camera with the animator's values of a time. Ends the animator where its time is over.
  /// - Parameters:
  ///   - limits: on what the map lies on. Those of the globe's zooms and bounds count here already.
  ///   - followsLatitude: whether no other animator writes the zoom. On the globe it then follows the centre's latitude,
  ///     so that the globe stays as large as it is.
  package mutating func advance(
    _ camera: Camera, toMS now: Double?, size: ViewSize, limits: CameraLimits = .none,
    followsLatitude: Bool = true
  ) -> Camera {
    guard state == .active else { return camera }
    pass(now)
    guard delayMS == 0 else { return camera }
    if start == nil { begin(camera, limits) }
    let isOver = isReversed ? doneMS == 0 : doneMS == durationMS
    if isOver {
      state = .finished
      end = isReversed ? .start : .end
    }
    let part = isOver ? (isReversed ? 0 : 1) : curve.value(at: doneMS / durationMS)
    return written(camera, part, size, limits, followsLatitude: followsLatitude).held()
  }

  private mutating func begin(_ camera: Camera, _ limits: CameraLimits) {
    start = camera
    guard case .values(let values) = course else { return }
    animated = AnimatedValues(values, from: camera, limits: limits)
  }

  private mutating func written(
    _ camera: Camera, _ part: Double, _ size: ViewSize, _ limits: CameraLimits, followsLatitude: Bool
  ) -> Camera {
    guard let start else { return camera }
    var first = start
    if abs(first.center.lon) > 180 { first.center.lon = Angle.wrapped(first.center.lon) }
    switch course {
    case .ease(let ease, let change):
      var next =
        part == 0
        ? change.written(into: camera, first, at: 0) : ease.written(change, into: camera, at: part)
      if change.zoom == nil, !followsLatitude { next.zoom = camera.zoom }
      return next
    case .flight(let flight, let change):
      return change.written(
        into: camera, part == 0 ? first : flight.camera(at: part), at: part, always: true)
    case .values:
      return animated?.written(
        into: camera, at: part, size: size, limits: limits, followsLatitude: followsLatitude) ?? camera
    }
  }
}
