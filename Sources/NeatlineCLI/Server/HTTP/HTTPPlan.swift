/// What takes its time: a picture, several tiles drawn as one, a tile of an archive, whatever reads files or draws.
struct Drawing: Sendable {
  /// Device pixels: what it costs.
  var pixels: Int
  /// Requests of the same key while it is under way share it.
  var key: String?
  var route: String
  /// Which of the answers is this request's.
  var part = 0
  /// Is told how many milliseconds it has. One answer is for all parts.
  var work: @Sendable (Int) -> [HTTPAnswer]

  init(pixels: Int, key: String? = nil, route: String, work: @escaping @Sendable (Int) -> HTTPAnswer) {
    (self.pixels, self.key, self.route) = (pixels, key, route)
    self.work = { [work($0)] }
  }

  /// Several answers at once.
  init(
    pixels: Int, key: String, route: String, part: Int, parts: @escaping @Sendable (Int) -> [HTTPAnswer]
  ) {
    (self.pixels, self.key, self.route, self.part, work) = (pixels, key, route, part, parts)
  }
}

/// How a request is to be answered.
enum HTTPPlan {
  case answer(HTTPAnswer)
  case draw(Drawing)
  /// At once with what is old, while the new is drawn.
  case stale(HTTPAnswer, Drawing)
  /// The connection goes on as something else than HTTP.
  case upgrade(HTTPUpgrade)
}

/// What the server is doing.
struct ServerState {
  var connections = 0
  var waiting = 0
  var drawing = 0
  var answerBytes = 0
  /// Requests answered, and refused for want of room, since the start.
  var answered = 0
  var refused = 0
  /// Pictures and files that were made, and requests that shared one that was under way.
  var drawn = 0
  var joined = 0
  var isStopping = false
}

/// What answers: a site behind the server. Any thread.
protocol HTTPHandler: AnyObject, Sendable {
  /// Takes no time: what does is left to the work.
  func plan(_ request: HTTPRequest, _ state: ServerState) -> HTTPPlan
  /// After every request.
  func note(_ record: RequestRecord)
  /// From time to time, and at once where a signal asks for it, on the server's thread.
  func refresh(isAsked: Bool)
  /// Ten times a second, on the server's thread.
  func tick(_ now: Int)
  /// Once, when the server begins to stop: connections that were upgraded are to end.
  func beginStop()
}

/// A request that is over, as logs and figures have it.
struct RequestRecord: Sendable {
  var request: HTTPRequest
  var route: String
  /// 0: the client went before it was answered.
  var status: Int
  var bytes: Int
  var milliseconds: Int
}
