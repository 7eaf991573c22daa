import NeatBase
import NeatLoop

/// A load under way on a loop. Only for the loop's thread.
package final class CancelHandle {
  private var completion: ((ResourceAnswer) -> Void)?
  private let url: String
  private var facts: ResourceFacts
  var onCancel: (() -> Void)?

  init(_ url: String, _ options: LoadOptions, _ completion: @escaping (ResourceAnswer) -> Void) {
    self.url = url
    self.completion = completion
    facts = ResourceFacts(options)
  }

  /// Of what a host loads: `stop` is called where it is cancelled.
  package init(stop: @escaping () -> Void) {
    url = ""
    facts = ResourceFacts()
    onCancel = stop
  }

  /// Ends the load: its completion is called with `cancelled` now, unless its last answer has come.
  package func cancel() {
    let stop = onCancel
    settle(.failed(NeatError(.cancelled, "cancelled", resource: url)))
    stop?()
  }

  package var isSettled: Bool { completion == nil }

  /// Nothing follows the first answer that is the last.
  func take(_ answer: ResourceAnswer) {
    guard let completion else { return }
    if answer.isFinal {
      self.completion = nil
      onCancel = nil
    }
    completion(answer)
  }

  func settle(_ result: ResourceResult, from origin: ResourceFacts.Origin = .none) {
    take(ResourceAnswer(result, facts.ended(origin, result)))
  }
}

/// The loads of a loop that others work on, by their numbers. Only for the loop's thread.
private final class LoopLoads {
  private var handles: [UInt64: CancelHandle] = [:]
  private var isClosed = false

  static func of(_ loop: RunLoop) -> LoopLoads {
    if let known = loop.attached(LoopLoads.self) { return known }
    let made = LoopLoads()
    loop.attach(made) { [unowned made] in made.close() }
    return made
  }

  func add(_ handle: CancelHandle, _ id: UInt64) { handles[id] = handle }
  func remove(_ id: UInt64) { handles[id] = nil }

  func take(_ id: UInt64, _ answer: ResourceAnswer) {
    guard let handle = handles[id] else { return }
    if answer.isFinal { handles[id] = nil }
    handle.take(answer)
  }

  private func close() { for handle in Array(handles.values) { handle.cancel() } }
}

extension ResourceLoader {
  /// Loads over a loop: what needs no server on its worker threads, all else on the loader's own. The
  /// completion is called on the loop's thread, later than this call returns (but within `cancel`); with a
  /// last answer exactly once.
  @discardableResult
  package func load(
    _ request: ResourceRequest, on loop: RunLoop, _ options: LoadOptions = LoadOptions(),
    completion: @escaping (ResourceAnswer) -> Void
  ) -> CancelHandle {
    let handle = CancelHandle(Address.withoutCredentials(request.url), options, completion)
    let route = route(request)
    if let refusal = route.refusal {
      let timer = loop.timer(afterMS: 0) { handle.settle(.failed(refusal)) }
      handle.onCancel = { timer.cancel() }
    } else if isRemote(route.url) {
      loadRemote(route, on: loop, options, handle)
    } else {
      let box = ResultBox()
      let origin = ResourceLoader.origin(route.url)
      loop.work({ [self] in box.result.withLock { $0 = self.loadLocal(route) } }) {
        handle.settle(box.result.withLock { $0 }, from: origin)
      }
    }
    return handle
  }

  private func loadRemote(
    _ route: ResourceRoute, on loop: RunLoop, _ options: LoadOptions, _ handle: CancelHandle
  ) {
    do throws(NeatError) {
      let chain = try backgroundThread().loop
      let id = RequestChain.nextID()
      let loads = LoopLoads.of(loop)
      loads.add(handle, id)
      let ask = ChainRequest(id: id, route: route, options: options) { [weak loop] answer in
        loop?.post { [weak loop] in loop?.attached(LoopLoads.self)?.take(id, answer) }
      }
      chain.post { [self] in RequestChain.of(chain).begin(ask, self) }
      handle.onCancel = {
        loads.remove(id)
        chain.post { chain.attached(RequestChain.self)?.cancel(id) }
      }
    } catch {
      let timer = loop.timer(afterMS: 0) { handle.settle(.failed(error.naming(route.request.url))) }
      handle.onCancel = { timer.cancel() }
    }
  }

  private final class ResultBox: Sendable {
    let result = Locked<ResourceResult>(.missing)
  }

  private static func origin(_ url: String) -> ResourceFacts.Origin {
    switch place(url) {
    case .inline: .data
    case .file: .file
    case .mbtiles, .pmtilesFile, .pmtilesServer: .archive
    case .server: .network
    case .unknown: .none
    }
  }
}
