/// Counts of live maps, for the server's figures. Any thread.
final class LiveFigures: @unchecked Sendable {  // everything that changes is under `lock`
  struct Counts: Sendable {
    var sessions = 0
    var begun = 0
    var refused = 0
    var frames = 0
    var frameBytes = 0
    var sentBytes = 0
    var receivedBytes = 0
    /// Closings by code.
    var closings: [Int: Int] = [:]
  }

  private let lock = Lock()
  private var counts = Counts()

  var now: Counts { lock.locked { counts } }

  func note(_ change: (inout Counts) -> Void) { lock.locked { change(&counts) } }
}
