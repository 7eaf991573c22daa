import NeatBase
import NeatCamera

/// How far a compass that is only there where the map is turned has come in or gone out.
package struct CompassFade: Sendable, Equatable {
  /// Milliseconds that it takes.
  package static let durationMS = 300.0
  /// Degrees off north below which a map is not turned.
  static let leastBearing = 0.001

  /// Where it leads.
  package private(set) var isShown = false
  private var from = 0.0
  /// When it began; nil: with the next frame.
  private var since: Double?
  package private(set) var isMoving = false
  package private(set) var opacity = 0.0

  package init() {}

  /// Whether an adaptive compass is there.
  package static func isWanted(bearing: Double) -> Bool {
    let turn = abs(bearing.truncatingRemainder(dividingBy: 360))
    return min(turn, 360 - turn) >= leastBearing
  }

  /// Leads it there: at once where nobody looks.
  package mutating func lead(to shown: Bool, isWatched: Bool) {
    if !isWatched {
      (isShown, isMoving, opacity) = (shown, false, shown ? 1 : 0)
    } else if shown != isShown {
      (isShown, isMoving, from, since) = (shown, true, opacity, nil)
    }
  }

  /// Brings it to a time of the frames' clock.
  package mutating func advance(toMS time: Double) {
    guard isMoving else { return }
    let began = since ?? time
    since = began
    let goal = isShown ? 1.0 : 0
    // Turned back halfway, it takes half the time.
    let duration = CompassFade.durationMS * abs(goal - from)
    let share = duration > 0 ? (time - began) / duration : 1
    guard share < 1 else {
      (isMoving, opacity) = (false, goal)
      return
    }
    opacity = from + (goal - from) * AnimationCurve.easeInOut.value(at: max(0, share))
  }
}
