import NeatBase

/// Why something could not be had, and since when, in milliseconds of the map's clock.
struct PastFault: Sendable {
  let problem: MapProblem
  let since: UInt64

  init(_ problem: MapProblem, since: UInt64) {
    self.problem = problem
    self.since = since
  }

  /// Whether it is so old that asking again may help.
  func isOver(by time: UInt64) -> Bool { since <= time && problem.isPassing }
}
