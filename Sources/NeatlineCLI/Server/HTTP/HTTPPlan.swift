/// What takes its time: a picture, a tile of an archive, whatever reads files or draws.
struct Drawing: Sendable {
  /// Device pixels: what it costs.
  var pixels: Int
  /// Requests of the same key while it is under way share its answer.
  var key: String?
  var route = "other"
  /// Is told how many milliseconds it has.
  var work: @Sendable (Int) -> HTTPAnswer
}

/// How a request is to be answered.
enum HTTPPlan {
  case answer(HTTPAnswer)
  case draw(Drawing)
  /// At once with what is old, while the new is drawn.
  case stale(HTTPAnswer, Drawing)
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
