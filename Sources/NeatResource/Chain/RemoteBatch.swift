import NeatBase
import NeatLoop

/// Requests that a blocked thread waits for together, while the background loop works on them.
final class RemoteBatch: Sendable {
  private struct State: Sendable {
    var results: [ResourceResult?]
    var ids: [UInt64] = []
    var left: Int
  }
  private let state: Locked<State>
  private let routes: [ResourceRoute]
  private let deadline: Deadline
  private let loop: RunLoop
  private let signal = Signal()

  init(
    _ loader: ResourceLoader, _ loop: RunLoop, _ routes: [(route: ResourceRoute, look: ChainRequest.Look)],
    _ deadline: Deadline
  ) {
    state = Locked(State(results: Array(repeating: nil, count: routes.count), left: routes.count))
    self.routes = routes.map(\.route)
    self.deadline = deadline
    self.loop = loop
    let requests = routes.enumerated().map { index, entry in
      ChainRequest(
        id: RequestChain.nextID(), route: entry.route, options: LoadOptions(deadline: deadline),
        look: entry.look
      ) {
        [weak self] in self?.settle(index, $0.result)
      }
    }
    state.withLock { $0.ids = requests.map(\.id) }
    let isPosted = loop.post {
      let chain = RequestChain.of(loop)
      for request in requests { chain.begin(request, loader) }
    }
    if !isPosted { signal.set() }
  }

  private func settle(_ index: Int, _ result: ResourceResult) {
    let isDone = state.withLock { state -> Bool in
      guard state.results[index] == nil else { return false }
      state.results[index] = result
      state.left -= 1
      return state.left == 0
    }
    if isDone { signal.set() }
  }

  /// The answers; what has none at the deadline has run out of time, and is cancelled.
  func wait() -> [ResourceResult] {
    // A little later than the requests' own time, so that their own words about the delay arrive.
    let isDone = signal.wait(until: deadline.extended(byMS: 20))
    let results = state.withLock { state in
      let results = state.results
      for index in state.results.indices where state.results[index] == nil { state.results[index] = .missing }
      return results
    }
    if !isDone {
      let ids = state.withLock(\.ids)
      loop.post { [loop] in for id in ids { loop.attached(RequestChain.self)?.cancel(id) } }
    }
    return results.enumerated().map { $0.element ?? ResourceLoader.late(routes[$0.offset].request) }
  }
}
