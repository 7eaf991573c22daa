import NeatBase

/// Holds requests back so that the mean of what is received stays at a number of bytes a second.
struct SpeedLimit {
  let bytesPerSecond: Int64
  /// Milliseconds of the monotonic clock by which all that was received is paid for.
  private var paidBy: UInt64 = 0

  init(bytesPerSecond: Int64) { self.bytesPerSecond = max(0, bytesPerSecond) }

  mutating func received(_ bytes: Int, now: UInt64) {
    guard bytesPerSecond > 0 else { return }
    paidBy = max(paidBy, now) + UInt64(saturating: Double(bytes) * 1000 / Double(bytesPerSecond))
  }

  /// Milliseconds until the next request may be made.
  func delay(now: UInt64) -> UInt64 { paidBy > now ? paidBy - now : 0 }
}
