import NeatBase

/// Why something could not be had, and since when, in milliseconds of the map's clock.
struct PastFault: Sendable {
  let problem: MapProblem
  let since: UInt64

  init(_ problem: MapProblem, since: UInt64) {
    self.problem = problem
    self.since = since
  }

  /// Whether it is so old that asking again may help, of those with such a code.
  func isOver(by time: UInt64, where isSuch: (ErrorCode) -> Bool) -> Bool {
    since <= time && problem.isPassing && isSuch(problem.code)
  }
}
