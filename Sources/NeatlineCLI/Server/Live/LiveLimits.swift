import Neatline

/// What live maps may take.
struct LiveLimits: Sendable {
  /// At once: of all clients together, and of one (of IPv6 of one /64).
  var sessions: Int
  var sessionsPerAddress: Int
  /// Milliseconds without any input.
  var idleTime: Int
  /// Milliseconds for the first message, and for the closing.
  var greetingTime: Int
  static let closingTime = 1000
  /// Milliseconds of silence after which a client is asked whether it is there; twice that, and it is gone.
  var pingTime: Int
  /// Milliseconds for a client to take what was written, and to say that it has shown a frame.
  var answerTime: Int
  /// Device pixels of a view, of an edge, and of a logical pixel: as those of pictures.
  var pixels: Int
  var edge: Int
  var ratio: Double
  /// Origins of other hosts whose pages may open live maps; `*`: all.
  var origins: [String]
  /// Hosts that they are opened by.
  var hosts: AllowedHosts

  /// Bytes of one message of a client.
  static let messageBytes = 64 << 10
  /// Things in one message that is a list.
  static let batch = 256
  /// Frames that a client has not said to have shown.
  static let framesInFlight = 2
  /// Milliseconds between two frames.
  static let frameTime = 16
  /// Milliseconds without a new frame, after which what is shown roughly is sent exactly.
  static let restTime = 150
  /// Milliseconds between two changes of a view's ratio.
  static let viewTime = 200
  /// Milliseconds after which a picture that could not be drawn is tried again.
  static let retryTime = 2000
  /// Bytes that wait to be written, past which a client is too slow for a live map. A frame is begun only where
  /// none wait, so that there is one of it at most, and messages.
  static let messagesWaiting = 1 << 20
  /// Requests of one client that are refused, before it is told to go.
  static let refusals = 100
  /// What failed to load is told so often for one style.
  static let problems = 100

  /// Why a view cannot be; nil: it can.
  func refusal(_ view: LiveMessage.View) -> String? {
    guard view.ratio <= ratio else { return "a ratio of \(view.ratio) is over the limit of \(ratio)" }
    let (width, height) = (Double(view.width) * view.ratio, Double(view.height) * view.ratio)
    guard max(width, height) <= Double(edge) else {
      return "a view of \(width) x \(height) device pixels is over the limit of \(edge) an edge"
    }
    guard width * height <= Double(pixels) else {
      return "a view of \(width) x \(height) device pixels is over the limit of \(pixels) in all"
    }
    return nil
  }
}
