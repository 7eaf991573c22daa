/// What the server grants its clients; each is an option of `neatline serve`.
struct ServerLimits: Sendable {
  /// Device pixels of a picture, and of the longer of its edges.
  var pixels = 16 << 20
  var edge = 8192
  /// Device pixels a logical pixel.
  var ratio = 4.0
  /// Threads that draw.
  var workers = max(8, 2 * Platform.processorCount)
  /// Tiles an edge of the blocks that are drawn at once; 1: each alone.
  var metatile = 2
  /// Pictures that wait for one of them.
  var queue = 256
  /// Bytes of answers that are being sent, all together.
  var answerBytes = 256 << 20
  var connections = 1024
  /// Of one client; of IPv6 of one /64.
  var connectionsPerAddress = 64
  /// Whose word on the host and scheme that a client asked for counts.
  var trustedProxies = AddressRange.loopback
  /// Milliseconds for the whole head of a request, for a whole answer, between two requests, and for a
  /// picture: its turn, and what it needs.
  var headTime = 10_000
  var answerTime = 60_000
  var idleTime = 15_000
  var pictureTime = 30_000
  /// Milliseconds that a signal leaves for what is under way.
  var drainTime = 30_000
  /// Live maps at once; 0: there are none. And milliseconds without any input, after which one ends.
  var liveSessions = 0
  var liveSessionsPerAddress = 4
  var liveIdleTime = 300_000

  /// Of a server of figures beside another one: few clients, and nothing to draw.
  static func ofMetrics(_ other: ServerLimits) -> ServerLimits {
    var limits = other
    limits.workers = 1
    limits.connections = min(other.connections, 64)
    limits.liveSessions = 0
    return limits
  }

  /// Whether connections may go on as something else than HTTP.
  var allowsUpgrades: Bool { liveSessions > 0 }
  /// Milliseconds after which no further style is drawn before all are served.
  static let warmUpTime = 2000
  /// Live maps at once, where there are any.
  static let standardLiveSessions = 8

  /// A picture of more pixels than this waits behind those of fewer, and never has all threads.
  static let largePixels = 1 << 20
  /// Large pictures that are drawn at once, and that wait.
  var largeWorkers: Int { max(1, workers / 4) }
  var largeQueue: Int { max(1, queue / 4) }
  /// A large picture that has waited this many milliseconds goes before smaller ones.
  static let largePatience = 5000

  /// An answer of no more bytes is small: what a picture that is not large has without any compression.
  static let smallBytes = 4 * largePixels
  /// Bytes of answers under way: of all clients, and of one. Small ones have as much again for themselves, so
  /// that posters that nobody takes leave room for tiles.
  func answerBytes(isSmall: Bool) -> (all: Int, own: Int) {
    let all = isSmall ? 2 * answerBytes : answerBytes
    return (all, all / 4)
  }
}
