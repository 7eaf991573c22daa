import NeatBase
import NeatPlacement

/// The time of a map's labels: milliseconds that go forward, whatever times frames are given. A time that lies
/// before the last one, or is no number, lets none pass.
package struct LabelClock: Sendable, Equatable {
  /// More than any fading takes: a longer gap passes as this.
  static let longestStep = 120_000.0

  private var last: Double?
  private(set) var now = 0.0

  package init() {}

  mutating func advance(to time: Double) {
    guard time.isFinite else { return }
    // The difference of two finite times may be infinite, and is not NaN.
    if let last, time > last { now += min(time - last, LabelClock.longestStep) }
    last = time
  }
}

/// What a map that is drawn again and again remembers of its labels: handed to each frame, and taken back from
/// those that are shown. A value; a frame that nobody took has left nothing behind.
package struct LabelMemory: Sendable {
  var clock = LabelClock()
  var history: LabelHistory?

  package init() {}

  /// Forgets the labels: another style.
  package mutating func forget() { history = nil }

  /// Ends the fading.
  package mutating func arrive() { history?.arrive() }
}

/// Rectangles of the view that labels make room for.
package struct LabelObstacles: Sendable {
  /// Logical pixels.
  private(set) var boxes: [CollisionRect] = []
  /// The same for the same ones at the same places of the ground; 0 for none.
  package private(set) var number = 0

  package init() {}

  /// `box`: nil for one that lies outside.
  mutating func add(
    _ box: CollisionRect?, _ place: SIMD2<Double>, _ corner: SIMD2<Double>, _ size: SIMD2<Double>
  ) {
    var hasher = Hasher()
    for values in [place, corner, size] { hasher.combine(values) }
    number &+= hasher.finalize()
    if let box { boxes.append(box) }
  }
}

/// How the labels of a frame follow those of the frames before.
package struct LabelStep: Sendable {
  /// Who looks on.
  package enum Audience: Sendable {
    /// Nobody has seen a frame yet: labels are there at once, and where they stood before does not count.
    case none
    /// Nobody looks at the moment: labels are there at once.
    case away
    case present
  }

  /// Milliseconds between placements of a map that moves, at least.
  package static let placementMS = 300.0

  package var memory: LabelMemory
  /// The frame's time in milliseconds, of any clock.
  package var timeMS: Double
  /// Milliseconds that labels take to come and go; 0: none, and labels are placed with every frame.
  package var fadeMS: Double
  package var audience: Audience
  package var obstacles = LabelObstacles()

  package init(memory: LabelMemory, timeMS: Double, fadeMS: Double, audience: Audience = .present) {
    assert(fadeMS >= 0, "time does not go back")
    (self.memory, self.timeMS, self.fadeMS, self.audience) = (memory, timeMS, fadeMS, audience)
  }
}

/// What a frame leaves of its labels.
package struct LabelResult: Sendable {
  package let memory: LabelMemory
  /// Milliseconds for which a frame of the same view is the same: 0 while labels fade; until a placement is due
  /// where one is owed. Nil: it stays the same.
  package let waitMS: Double?

  package var isAtRest: Bool { waitMS == nil }
}
