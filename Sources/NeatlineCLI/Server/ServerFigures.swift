import Neatline

/// `/health` and `/metrics`: how the server does. They are for who runs it, and not for pages of other origins.
final class ServerFigures: Sendable {
  static let paths = ["/health", "/metrics"]

  let metrics = Metrics()

  func health(_ request: HTTPRequest, _ state: ServerState) -> HTTPPlan {
    let numbers = [
      ("connections", state.connections), ("waiting", state.waiting), ("drawing", state.drawing),
      ("answerBytes", state.answerBytes),
      ("answered", state.answered), ("refused", state.refused),
    ]
    let members =
      [("status", JSONValue.string(state.isStopping ? "stopping" : "ok"))]
      + numbers.map { ($0, .number(Double($1))) }
    var answer = HTTPAnswer.json(.object(members.map { JSONValue.Member($0.0, $0.1) }))
    answer.etag = nil
    answer.status = state.isStopping ? 503 : 200
    if !state.isStopping { answer.headers.append(("Cache-Control", "no-store")) }
    return plan(request, answer.on("health"))
  }

  /// `live`: nil where there are no live maps.
  func metrics(
    _ request: HTTPRequest, _ state: ServerState, _ cache: TileCache.Figures, _ live: LiveFigures.Counts?
  ) -> HTTPPlan {
    plan(
      request,
      HTTPAnswer(
        status: 200, type: "text/plain; version=0.0.4; charset=utf-8",
        body: Array(metrics.text(state, cache, live).utf8), headers: [("Cache-Control", "no-store")]
      ).on("metrics"))
  }

  private func plan(_ request: HTTPRequest, _ answer: HTTPAnswer) -> HTTPPlan {
    .answer((request.refusal(known: []) ?? answer).closed())
  }
}

/// What answers at the address of `--metrics-listen`.
final class MetricsSite: HTTPHandler {
  private let site: Site
  /// Of the server whose figures these are.
  private let state: @Sendable () -> ServerState

  init(_ site: Site, _ state: @escaping @Sendable () -> ServerState) {
    (self.site, self.state) = (site, state)
  }

  func plan(_ request: HTTPRequest, _: ServerState) -> HTTPPlan {
    guard ServerFigures.paths.contains(request.path) else {
      return .answer(HTTPAnswer.text(404, "nothing here but /metrics and /health\n").closed())
    }
    if request.method == "OPTIONS" { return .answer(.closedOptions) }
    return request.path == "/health"
      ? site.figures.health(request, state())
      : site.figures.metrics(request, state(), site.cache.state, site.live?.figures.now)
  }

  func note(_ record: RequestRecord) {}
  func refresh(isAsked: Bool) {}
  func tick(_ now: Int) {}
  func beginStop() {}
}
