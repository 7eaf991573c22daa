import NeatBase

/// Why a request is tried again.
enum RetryReason: Equatable {
  case connection, server
  /// 429 and 503, after what the server asks for in milliseconds.
  case busy(askedMS: UInt64?)
}

/// When a patient request is tried again: server errors after one unit three times, then 2, 4, 8 …; connection
/// errors after 1, 2, 4 …; where there are too many requests after what the server asks for, else 5.
package struct RetryPolicy: Sendable {
  /// A second; tests have shorter ones.
  package var unitMS: UInt64 = 1000
  /// The longest wait, in units.
  package var cap: UInt64 = 30

  package init() {}

  /// `failures`: in a row, this one included.
  func delayMS(_ reason: RetryReason, failures: Int) -> UInt64 {
    func doubled(_ times: Int) -> UInt64 { unitMS << UInt64(min(max(times, 0), 10)) }
    let delay =
      switch reason {
      case .connection: doubled(failures - 1)
      case .server: doubled(failures - 3)
      case .busy(let asked): max(asked ?? 5 * unitMS, unitMS)
      }
    return min(delay, cap * unitMS)
  }
}
