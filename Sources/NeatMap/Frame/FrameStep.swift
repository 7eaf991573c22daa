import NeatBase

/// How a frame follows those before.
package struct FrameStep: Sendable {
  /// Who looks on.
  package enum Audience: Sendable {
    /// Nobody has seen a frame yet: labels and tiles are there at once, and where labels stood does not count.
    case none
    /// Nobody looks at the moment: labels and tiles are there at once.
    case away
    case present
  }

  /// Milliseconds between placements of a map that moves, at least.
  package static let placementMS = 300.0

  package var history: FrameHistory
  /// The frame's time in milliseconds, of any clock.
  package var timeMS: Double
  /// Milliseconds that labels take to come and go, and patterns to go over to those of another whole zoom; 0: none,
  /// labels are placed with every frame, and tiles and patterns are there at once.
  package var fadeMS: Double
  package var audience: Audience
  package var obstacles = LabelObstacles()
  /// Whether tiles of the frame are still coming in.
  var fadesTiles = false
  /// Whether patterns of the frame are still going over.
  var fadesPatterns = false

  package init(history: FrameHistory, timeMS: Double, fadeMS: Double, audience: Audience = .present) {
    assert(fadeMS >= 0, "time does not go back")
    (self.history, self.timeMS, self.fadeMS, self.audience) = (history, timeMS, fadeMS, audience)
  }

  /// Lets the time pass.
  mutating func begin() { history.clock.advance(to: timeMS) }
}

/// What a frame leaves to the next one.
package struct FrameOutcome: Sendable {
  package let history: FrameHistory
  /// Milliseconds for which a frame of the same view is the same: 0 while labels, tiles or patterns fade; until a
  /// placement is due where one is owed. Nil: it stays the same.
  package let waitMS: Double?

  package var isAtRest: Bool { waitMS == nil }
}
