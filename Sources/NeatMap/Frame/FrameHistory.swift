/// The time of a map's frames: milliseconds that go forward, whatever times frames are given. A time that lies
/// before the last one, or is no number, lets none pass.
package struct FrameClock: Sendable, Equatable {
  /// Longer than anything fades: a longer gap passes as this.
  static let longestStep = 120_000.0

  private var last: Double?
  private(set) var now = 0.0

  package init() {}

  mutating func advance(to time: Double) {
    guard time.isFinite else { return }
    // The difference of two finite times may be infinite, and is not NaN.
    if let last, time > last { now += min(time - last, FrameClock.longestStep) }
    last = time
  }
}

/// What a map that is drawn again and again remembers of its frames: handed to each one, and taken back from those that
/// are shown. A value; a frame that nobody took has left nothing behind.
package struct FrameHistory: Sendable {
  var clock = FrameClock()
  package internal(set) var labels: LabelHistory?
  var tiles = TileFades()
  var zooms = ZoomHistory()

  package init() {}

  /// Forgets what was shown: another style.
  package mutating func forget() {
    labels = nil
    tiles = TileFades()
    zooms = ZoomHistory()
  }

  /// Ends what takes the fade duration: the fading of labels, and of patterns.
  package mutating func arrive() {
    labels?.arrive()
    zooms.arrive()
  }
}
