/// What the server grants its clients; each is an option of `neatline serve`.
struct ServerLimits: Sendable {
  /// Device pixels of a picture, and of the longer of its edges.
  var pixels = 16 << 20
  var edge = 8192
  /// Device pixels a logical pixel.
  var ratio = 4.0
  /// Threads that draw.
  var workers = max(8, 2 * Platform.processorCount)
  /// Pictures that wait for one of them.
  var queue = 256
  /// Bytes of answers that are being sent, all together.
  var answerBytes = 256 << 20
  var connections = 1024
  /// Of one client; of IPv6 of one /64.
  var connectionsPerAddress = 64
  /// Milliseconds for the whole head of a request, for a whole answer, between two requests, and for a picture's resources.
  var headTime = 10_000
  var answerTime = 60_000
  var idleTime = 15_000
  var pictureTime = 30_000
  /// Milliseconds that a signal leaves for what is under way.
  var drainTime = 30_000

  /// A picture of more pixels than this waits behind those of fewer, and never has all threads.
  static let largePixels = 1 << 20
  /// Large pictures that are drawn at once.
  var largeWorkers: Int { max(1, workers / 4) }
}
