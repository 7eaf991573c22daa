import NeatBase
import NeatLoop

// What a thread that has nothing else to do waits for.
extension ResourceLoader {
  /// Loads and waits, no longer than until the deadline.
  package func load(_ request: ResourceRequest, deadline: Deadline = .never) -> ResourceResult {
    load([request], deadline: deadline)[0]
  }

  /// Loads several at once: answers in the order of the requests. Servers are asked side by side, files read
  /// by the caller meanwhile.
  package func load(_ requests: [ResourceRequest], deadline: Deadline = .never) -> [ResourceResult] {
    let asked = ask(requests, deadline)
    var results = asked.results
    for index in requests.indices where results[index] == nil && !asked.isRemote(index) {
      results[index] = answerHere(asked, index, deadline)
    }
    if let batch = asked.batch {
      for (index, result) in zip(asked.remote, batch.wait()) { results[index] = result }
    }
    return results.enumerated().map { $0.element ?? ResourceLoader.late(requests[$0.offset]) }
  }

  /// Loads several at once, and calls `take` once with the place and the answer of each, on the executor's
  /// threads: what needs no server is read and taken in by all of them, beside other work, while servers are
  /// asked.
  /// - Parameter waiting: waits for servers.
  package func load(
    _ requests: [ResourceRequest], deadline: Deadline = .never, _ executor: Executor,
    besides: [@Sendable () -> Void] = [], waiting: (() -> [ResourceResult]) -> [ResourceResult] = { $0() },
    take: @Sendable (Int, ResourceResult) -> Void
  ) {
    let asked = ask(requests, deadline)
    let here = requests.indices.filter { asked.results[$0] != nil || !asked.isRemote($0) }
    executor.forEach(besides.count + here.count) { piece in
      guard piece >= besides.count else { return besides[piece]() }
      let index = here[piece - besides.count]
      take(index, asked.results[index] ?? answerHere(asked, index, deadline))
    }
    guard let batch = asked.batch else { return }
    let answers = waiting { batch.wait() }
    executor.forEach(asked.remote.count) { take(asked.remote[$0], answers[$0]) }
  }

  /// Requests on their way.
  private struct Asked: Sendable {
    let routes: [ResourceRoute]
    /// What is answered at once.
    var results: [ResourceResult?]
    /// Places of those that servers are asked, in the order of the batch.
    var remote: [Int] = [] {
      didSet { places = Set(remote) }
    }
    private var places: Set<Int> = []
    var batch: RemoteBatch?

    func isRemote(_ index: Int) -> Bool { batch != nil && places.contains(index) }

    init(routes: [ResourceRoute], results: [ResourceResult?]) {
      (self.routes, self.results) = (routes, results)
    }
  }

  private func ask(_ requests: [ResourceRequest], _ deadline: Deadline) -> Asked {
    var asked = Asked(
      routes: requests.map { route($0) }, results: [ResourceResult?](repeating: nil, count: requests.count))
    var looks = [ChainRequest.Look](repeating: .none, count: requests.count)
    for index in requests.indices {
      let route = asked.routes[index]
      asked.results[index] = route.refusal.map { .failed($0) } ?? freshCopy(route, &looks[index])
    }
    asked.remote = requests.indices.filter { asked.results[$0] == nil && isRemote(asked.routes[$0].url) }
    if !asked.remote.isEmpty {
      do throws(NeatError) {
        let thread = try backgroundThread()
        let routes = asked.remote.map { (asked.routes[$0], looks[$0]) }
        asked.batch = RemoteBatch(self, thread.loop, routes, deadline)
      } catch {
        for index in asked.remote { asked.results[index] = .failed(error.naming(requests[index].url)) }
      }
    }
    return asked
  }

  private func answerHere(_ asked: Asked, _ index: Int, _ deadline: Deadline) -> ResourceResult {
    let route = asked.routes[index]
    return deadline.isOver ? ResourceLoader.late(route.request) : loadLocal(route)
  }

  /// What the cache has that may be used as it is. Whoever blocks may as well read it by himself.
  /// `look`: what was found, for who asks on.
  private func freshCopy(_ route: ResourceRoute, _ look: inout ChainRequest.Look) -> ResourceResult? {
    guard let cache = options.cache, case .server = ResourceLoader.place(route.url) else { return nil }
    let copy = cache.find(route.key)
    look = .done(copy)
    guard let copy, copy.isFresh(cache.now()) else { return nil }
    return copy.result
  }

  static func late(_ request: ResourceRequest) -> ResourceResult {
    .failed(
      NeatError(.timeout, "not loaded in time", resource: Address.withoutCredentials(request.url)))
  }
}
