import NeatBase
import NeatLoop
import NeatNetwork
import NeatStore

// What a server answers, by way of the cache: a copy that is fresh is used, one that has expired is asked about
// with its validators, and used all the same where nobody answers, unless the server forbade that.
extension ResourceLoader {
  func loadServer(
    _ request: ResourceRequest, _ loop: RunLoop, _ deadline: Deadline, _ handle: CancelHandle
  ) {
    guard let cache = options.cache else { return ask(request, nil, loop, deadline, handle) }
    cache.find(ResourceCache.key(request), on: loop) { [self] copy in
      guard !handle.isSettled else { return }
      if let copy, copy.isFresh(cache.now()) { return handle.settle(copy.result) }
      ask(request, copy, loop, deadline, handle)
    }
  }

  /// Asks the server. `copy`: what is known, which has expired.
  private func ask(
    _ request: ResourceRequest, _ copy: DatabaseResponse?, _ loop: RunLoop, _ deadline: Deadline,
    _ handle: CancelHandle
  ) {
    do throws(NeatError) {
      var call = httpRequest(request.url, request.kind, deadline)
      call.headers += copy?.conditions ?? []
      let fetch = try client(loop).fetch(call) { [self] result in
        take(result, request, copy, loop, handle)
      }
      handle.onCancel = { fetch.cancel() }
    } catch {
      if let copy, !copy.mustRevalidate { return handle.settle(copy.result) }
      fail(error, request.url, loop, handle)
    }
  }

  private func take(
    _ result: HTTPResult, _ request: ResourceRequest, _ copy: DatabaseResponse?, _ loop: RunLoop,
    _ handle: CancelHandle
  ) {
    switch result {
    case .failure(let error):
      if let copy, !copy.mustRevalidate { return handle.settle(copy.result) }
      handle.settle(.failed(error))
    case .success(let response):
      if let cache = options.cache,
        let stored = DatabaseResponse(response, request.kind, now: cache.now())
      {
        cache.put(ResourceCache.key(request), stored, on: loop)
      }
      if response.status == 304, let copy { return handle.settle(copy.result) }
      handle.settle(
        response.isMissing ? .missing : response.status == 204 ? .empty : .data(response.bytes))
    }
  }
}
