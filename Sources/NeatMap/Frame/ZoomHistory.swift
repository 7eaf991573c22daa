import NeatBase

/// Which whole zoom a map has passed last, and when: there patterns and dashes begin to go over to those of the new
/// zoom. After MapLibre's `ZoomHistory`.
struct ZoomHistory: Sendable, Equatable {
  /// The whole zoom below that of the last frame; nil before there is one.
  private var floor: Double?
  private var passed = 0.0
  /// In the time of the frames. Infinitely long ago where nobody saw it.
  private var passedAt = -Double.infinity

  /// Takes the zoom of a frame.
  /// - Parameter isSeen: false: what is passed now goes over at once, and what was on its way has gone.
  mutating func note(_ zoom: Double, now: Double, isSeen: Bool) {
    let now = isSeen ? now : -.infinity
    let next = zoom.rounded(.down)
    let last = floor
    floor = next
    guard let last else {
      (passed, passedAt) = (next, -.infinity)
      return
    }
    if !isSeen { passedAt = -.infinity }
    if next == last { return }
    (passed, passedAt) = (next < last ? next + 1 : next, now)
  }

  /// Ends what is on its way.
  mutating func arrive() { passedAt = -.infinity }

  /// How a frame at a zoom mixes patterns; nil: it shows those of its zoom alone.
  func crossFade(_ zoom: Double, now: Double, fadeMS: Double) -> CrossFade? {
    guard fadeMS > 0, now - passedAt < fadeMS else { return nil }
    let (share, fraction) = ((now - passedAt) / fadeMS, zoom - zoom.rounded(.down))
    // What was seen just before goes over to it as far as the zoom has left it already.
    let isIn = zoom > passed
    return CrossFade(isIn: isIn, share: isIn ? fraction + (1 - fraction) * share : 1 - (1 - share) * fraction)
  }
}

/// How a frame mixes patterns and dashes of two whole zooms.
struct CrossFade: Sendable, Equatable {
  /// From the zoom of the frame to the one whose patterns go: -1 or 1.
  let step: Double
  /// How far those of the frame's zoom have come, in 256ths; below 256.
  let share: UInt32

  /// Nil where nothing is seen of those that go.
  init?(isIn: Bool, share: Double) {
    let whole = UInt32(saturating: (share * 256).rounded())
    guard whole < 256 else { return nil }
    (step, self.share) = (isIn ? -1 : 1, whole)
  }
}
