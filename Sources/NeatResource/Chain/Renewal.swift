import NeatBase

/// When what a live map shows is asked for again, by the times that its server says.
struct Renewal {
  private var prior: Int64?
  /// Answers in a row that had expired when they came.
  private var expiredCount = 0

  /// Seconds that a clock may be off without harm.
  private static let clockSkew: Int64 = 30
  /// The longest wait.
  private static let longest: Int64 = 7 * 86_400

  /// Seconds to wait after an answer that expires. One that has expired already: where the times of two answers
  /// lie apart one of the clocks is wrong, and the difference counts; else 1, 2, 4 … s.
  mutating func delay(expires: Int64, now: Int64) -> Int64 {
    let before = prior
    prior = expires
    if expires > now {
      expiredCount = 0
      return min(expires - now, Renewal.longest)
    }
    if let before, expires > before {
      expiredCount = 0
      return min(max(expires - before, Renewal.clockSkew), Renewal.longest)
    }
    expiredCount += 1
    return 1 << Int64(min(expiredCount - 1, 9))
  }
}
