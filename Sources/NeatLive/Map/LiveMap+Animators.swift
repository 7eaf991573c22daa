import NeatBase
import NeatCamera
import NeatLoop
import NeatMap

/// Called once, with where an animator ended.
package typealias AnimatorCompletion = (CameraAnimator.Position) -> Void

/// An animator of a map's, as its maker holds it. One of `makeAnimator` stops when nobody holds it any more; an
/// easing and a flight go on. Only for the loop's thread.
package final class LiveAnimator {
  private weak var map: LiveMap?
  private let loop: RunLoop
  let id: CameraAnimators.ID
  private let stopsAlone: Bool
  /// As it was when it ended.
  fileprivate(set) var last: CameraAnimator?

  init(_ map: LiveMap, _ id: CameraAnimators.ID, stopsAlone: Bool) {
    (self.map, loop, self.id, self.stopsAlone) = (map, map.loop, id, stopsAlone)
  }

  deinit {
    if stopsAlone, last == nil { map?.stopAnimator(id) }
  }

  /// Its number among the map's animators, from 1.
  package var number: UInt64 { id.number }

  /// As it stands.
  package var animator: CameraAnimator? { last ?? map?.animators.all[id] }

  /// Starts it, after a delay. Throws `state` for one that has been started or has ended.
  package func start(delayMS: Double = 0) throws(NeatError) {
    try change { animator, now throws(NeatError) in try animator.start(atMS: now, delayMS: delayMS) }
  }

  package func pause() throws(NeatError) { try change { animator, now in animator.pause(atMS: now) } }
  package func resume() throws(NeatError) { try change { animator, now in animator.resume(atMS: now) } }
  package func reverse() throws(NeatError) { try change { animator, now in animator.reverse(atMS: now) } }
  package func stop() { if last == nil { map?.stopAnimator(id) } }

  /// Has somebody told where it ends; where it has ended, in a later turn of the loop.
  package func whenEnded(_ completion: @escaping AnimatorCompletion) {
    if let position = last?.end {
      let inLoop = LoopBound(completion, loop)
      loop.post { inLoop.value(position) }
    } else {
      map?.animators.waiting[id, default: AnimatorWaiting()].completions.append(completion)
    }
  }

  private func change(_ body: (inout CameraAnimator, Double?) throws(NeatError) -> Void) throws(NeatError) {
    guard last == nil else { throw NeatError(.state, "the animator has ended") }
    guard let map else { throw NeatError(.state, "the map was destroyed") }
    try map.changeAnimator(id, body)
  }
}

/// Who hears of an animator.
struct AnimatorWaiting {
  weak var holder: LiveAnimator?
  var completions: [AnimatorCompletion] = []
}

/// What a map knows of its animators.
struct MapAnimators {
  var all = CameraAnimators()
  var waiting: [CameraAnimators.ID: AnimatorWaiting] = [:]
  /// What is still to be told: a handler that starts or stops others has its turn when this is done.
  var told: [Told] = []
  var isTelling = false
  /// Whether any moved the camera when it was looked last.
  var wasMoving = false

  enum Told {
    case began(CameraAnimators.ID, owner: String)
    case ended(CameraAnimators.Ended)
  }
}

extension LiveMap {
  /// Moves the camera in a straight way; an easing, a flight and a glide that are under way end, and so does this
  /// one with the next. `completion` may be called within the call.
  @discardableResult package func ease(
    to change: CameraChange, durationMS: Double, curve: AnimationCurve = .ease,
    owner: String = "unspecified", completion: AnimatorCompletion? = nil
  ) throws(NeatError) -> LiveAnimator {
    try begin(
      try CameraAnimator(
        easingTo: change, from: camera, size: size, limits: limits(onWayTo: change), durationMS: durationMS,
        curve: curve, owner: owner), completion)
  }

  /// Moves the camera along an arc; `durationMS` nil: as long as it takes at its speed.
  @discardableResult package func fly(
    to change: CameraChange, options: CameraFlight.Options = CameraFlight.Options(),
    durationMS: Double? = nil, curve: AnimationCurve = .ease, owner: String = "unspecified",
    completion: AnimatorCompletion? = nil
  ) throws(NeatError) -> LiveAnimator {
    try begin(
      try CameraAnimator(
        flyingTo: change, from: camera, size: size, limits: limits(onWayTo: change), options: options,
        durationMS: durationMS, curve: curve, owner: owner), completion)
  }

  private func begin(_ animator: CameraAnimator, _ completion: AnimatorCompletion?) throws(NeatError)
    -> LiveAnimator
  {
    try checkAlive()
    var animator = animator
    try animator.start(atMS: animationTime)
    // What it takes the place of hears first.
    let isEndedByHandler = !endGestureAnimation() || !endReplaceable()
    let id = animators.all.add(animator, replaces: true)
    let holder = LiveAnimator(self, id, stopsAlone: false)
    animators.waiting[id] = AnimatorWaiting(holder: holder, completions: completion.map { [$0] } ?? [])
    animators.told.append(.began(id, owner: animator.owner))
    if isEndedByHandler { animators.all.stop(id) }
    animationsChanged()
    if !isDestroyed { advanceAnimators(toMS: animationTime) }
    return holder
  }

  /// An animator that is started by hand.
  package func makeAnimator(
    _ values: CameraAnimator.Values, durationMS: Double, curve: AnimationCurve = .easeInOut,
    owner: String = "unspecified"
  ) throws(NeatError) -> LiveAnimator {
    try checkAlive()
    guard animators.all.alive.count < LiveMap.animatorLimit else {
      throw NeatError(.limitExceeded, "the map has \(LiveMap.animatorLimit) animators")
    }
    let id = animators.all.add(
      try CameraAnimator(values, durationMS: durationMS, curve: curve, owner: owner))
    let holder = LiveAnimator(self, id, stopsAlone: true)
    animators.waiting[id] = AnimatorWaiting(holder: holder)
    return holder
  }

  /// Animators of a map that are alive at once.
  package static let animatorLimit = 1000

  /// Ends all that moves the camera by itself, where it is.
  package func cancelAnimations() {
    guard endGestureAnimation() else { return }
    animators.all.cancelAll()
    animationsChanged()
    if !isDestroyed { cancelViewportFlight() }
  }

  /// Those alive, in the order in which they were made.
  package var aliveAnimators: [(id: UInt64, animator: CameraAnimator)] {
    animators.all.alive.map { ($0.id.number, $0.animator) }
  }

  func stopAnimator(_ id: CameraAnimators.ID) {
    animators.all.stop(id)
    animationsChanged()
  }

  func changeAnimator(
    _ id: CameraAnimators.ID, _ body: (inout CameraAnimator, Double?) throws(NeatError) -> Void
  ) throws(NeatError) {
    let now = animationTime
    var starts: String?
    try animators.all.change(id) { animator throws(NeatError) in
      let state = animator.state
      try body(&animator, now)
      if state == .inactive, animator.state == .active { starts = animator.owner }
    }
    if let starts { animators.told.append(.began(id, owner: starts)) }
    animationsChanged()
    // What a start says of values applies at once.
    if starts != nil, !isDestroyed { advanceAnimators(toMS: animationTime) }
  }

  /// Ends what one of its kind takes the place of. False where a handler destroyed the map.
  func endReplaceable() -> Bool {
    animators.all.stopReplaceable()
    animationsChanged()
    return !isDestroyed
  }

  /// Brings the camera to a time of the frames' clock; nil: no time has passed.
  func advanceAnimators(toMS time: Double?) {
    let next = constrained(
      animators.all.advance(camera, toMS: time, size: size, limits: limits(at: camera)))
    // A host that paces frames gets those of the times that it says.
    if next != camera { move(to: next, isStep: animators.all.isMoving && !clock.isOfHost) }
    animationsChanged()
  }

  /// Tells what has begun and ended, and sees to frames.
  func animationsChanged() {
    let ended = animators.all.takeEnded()
    for end in ended { animators.waiting[end.id]?.holder?.last = end.animator }
    animators.told += ended.map { .ended($0) }
    if !isDestroyed {
      if animators.all.isMoving { startFrames() } else { stopWhereNothingMoves() }
      // The frame after it is one at rest, and says that it is.
      if animators.wasMoving, !animators.all.isMoving { invalidate() }
      animators.wasMoving = animators.all.isMoving
    }
    guard !animators.isTelling else { return }
    animators.isTelling = true
    tellAnimations()
    animators.isTelling = false
  }

  func tellAnimations() {
    while !animators.told.isEmpty { tell(animators.told.removeFirst()) }
  }

  private func tell(_ told: MapAnimators.Told) {
    switch told {
    case .began(let id, let owner): send(.animationBegan(id.number, owner: owner))
    case .ended(let end):
      let waiting = animators.waiting.removeValue(forKey: end.id)
      if end.animator.wasStarted { send(.animationEnded(end.id.number, owner: end.owner, end.position)) }
      for completion in waiting?.completions ?? [] { completion(end.position) }
    }
  }

  private func checkAlive() throws(NeatError) {
    guard !isDestroyed else { throw NeatError(.state, "the map was destroyed") }
  }
}
