import NeatBase
import NeatLoop
import NeatNetwork
import NeatStore

// What a server answers, by way of the cache: a copy that is fresh is used, one that has expired is asked about
// with its validators, and used all the same where nobody answers, unless the server forbade that.
extension ResourceLoader {
  func loadServer(
    _ request: ResourceRequest, _ loop: RunLoop, _ load: LoadOptions, _ handle: CancelHandle
  ) {
    guard let cache = options.cache, load.usage != .networkOnly else {
      return ask(request, load.copy, loop, load, handle)
    }
    cache.find(ResourceCache.key(request), on: loop) { [self] copy in
      guard !handle.isSettled else { return }
      if let copy, copy.isFresh(cache.now()) { return handle.settle(copy.result, from: .cache) }
      ask(request, copy, loop, load, handle)
    }
  }

  /// Asks the server. `copy`: what is known, which has expired.
  private func ask(
    _ request: ResourceRequest, _ copy: DatabaseResponse?, _ loop: RunLoop, _ load: LoadOptions,
    _ handle: CancelHandle
  ) {
    do throws(NeatError) {
      var call = httpRequest(request.url, request.kind, load.deadline)
      call.headers += copy?.conditions ?? []
      let fetch = try client(loop).fetch(call) { [self] result in
        take(result, request, copy, loop, load, handle)
      }
      handle.onCancel = { fetch.cancel() }
    } catch {
      if let copy, !copy.mustRevalidate, load.usage != .networkOnly {
        return handle.settle(copy.result, from: .cache)
      }
      fail(error, request.url, loop, handle)
    }
  }

  private func take(
    _ result: HTTPResult, _ request: ResourceRequest, _ copy: DatabaseResponse?, _ loop: RunLoop,
    _ load: LoadOptions, _ handle: CancelHandle
  ) {
    switch result {
    case .failure(let error):
      if let copy, !copy.mustRevalidate, load.usage != .networkOnly {
        return handle.settle(copy.result, from: .cache)
      }
      handle.settle(.failed(error))
    case .success(let response):
      let stored = options.cache.flatMap {
        DatabaseResponse(response, request.kind, now: $0.now())
      }
      if let cache = options.cache, let stored, load.isStored {
        cache.put(ResourceCache.key(request), stored, on: loop)
      }
      if response.status == 304, let copy {
        return handle.settle(copy.result, from: .network, storedAs: stored)
      }
      handle.settle(
        response.isMissing ? .missing : response.status == 204 ? .empty : .data(response.bytes),
        from: .network, storedAs: stored)
    }
  }
}
