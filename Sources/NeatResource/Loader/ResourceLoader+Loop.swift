import NeatBase
import NeatLoop
import NeatNetwork
import NeatStore
import NeatTile

/// A load under way on a loop. Only for the loop's thread.
package final class CancelHandle {
  private var completion: ((ResourceAnswer) -> Void)?
  private let url: String
  private var facts = ResourceFacts()
  var onCancel: (() -> Void)?

  init(_ url: String, _ options: LoadOptions, _ completion: @escaping (ResourceAnswer) -> Void) {
    self.url = url
    self.completion = completion
    facts.priority = options.priority
    facts.usage = options.usage
    facts.beganAt = SystemClock.microseconds
  }

  /// Ends the load: its completion is called with `cancelled` now, unless it has been called.
  package func cancel() {
    let stop = onCancel
    settle(.failed(NeatError(.cancelled, "cancelled", resource: url)))
    stop?()
  }

  var isSettled: Bool { completion == nil }

  /// The first call counts.
  func settle(
    _ result: ResourceResult, from origin: ResourceFacts.Origin = .none,
    storedAs response: DatabaseResponse? = nil
  ) {
    guard let completion else { return }
    self.completion = nil
    onCancel = nil
    var answer = ResourceAnswer(result, facts)
    answer.response = response
    answer.facts.origin = origin
    answer.facts.endedAt = SystemClock.microseconds
    if case .data(let bytes) = result { answer.facts.byteCount = bytes.count }
    completion(answer)
  }
}

extension ResourceLoader {
  /// Loads over a loop: servers by the loop's HTTP client, files on its worker threads. The completion is
  /// called on the loop's thread, later than this call returns (but within `cancel`); with a last answer
  /// exactly once.
  @discardableResult
  package func load(
    _ request: ResourceRequest, on loop: RunLoop, _ options: LoadOptions = LoadOptions(),
    completion: @escaping (ResourceAnswer) -> Void
  ) -> CancelHandle {
    let deadline = options.deadline
    let handle = CancelHandle(request.url, options, completion)
    switch ResourceLoader.place(request.url) {
    case .server:
      loadServer(request, loop, options, handle)
    case .pmtilesServer(let url):
      var lookup = pmtiles(url).lookup(request.tile.map { .tile($0) } ?? .tileJSON)
      switch lookup.next() {
      case .done(let result):
        let timer = loop.timer(afterMS: 0) { handle.settle(result) }
        handle.onCancel = { timer.cancel() }
      case .read(let range):
        do throws(NeatError) {
          let read = RemoteLookup(
            lookup, url, PartReader.of(try client(loop), url), wantsTile: request.tile != nil, handle
          ) { [self] in httpRequest(url, request.kind, deadline) }
          read.get(range)
        } catch {
          fail(error, url, loop, handle)
        }
      }
    default:
      let box = ResultBox()
      loop.work({ [self] in box.result.withLock { $0 = self.loadLocal(request) } }) {
        handle.settle(box.result.withLock { $0 })
      }
    }
    return handle
  }

  private final class ResultBox: Sendable {
    let result = Locked<ResourceResult>(.missing)
  }

  func httpRequest(_ url: String, _ kind: ResourceKind, _ deadline: Deadline) -> HTTPRequest {
    var request = HTTPRequest(url)
    request.headers = options.headers
    request.byteLimit = ResourceLoader.byteLimit(kind)
    request.unpackedLimit = options.unpackedLimit
    request.timeoutMS = options.timeoutMS
    if let left = deadline.remainingMS {
      request.timeoutMS = min(max(left, 1), options.timeoutMS == 0 ? .max : options.timeoutMS)
    }
    return request
  }

  func client(_ loop: RunLoop) throws(NeatError) -> HTTPClient {
    guard options.allowsNetwork else { throw NeatError(.unsupported, "servers may not be asked") }
    guard isOnline else { throw NeatError(.network, "the network is switched off") }
    return try loop.http(options.http)
  }

  func fail(_ error: NeatError, _ url: String, _ loop: RunLoop, _ handle: CancelHandle) {
    let timer = loop.timer(afterMS: 0) { handle.settle(.failed(error.naming(url))) }
    handle.onCancel = { timer.cancel() }
  }

  /// Bytes a millisecond that a server must send at least, on top of the time that any request has.
  private static let slowestBytesPerMS: UInt64 = 16

  /// Reads parts of a file on a server, side by side, and waits for all of them. Any thread but a loop's.
  package func readParts(_ url: String, _ ranges: [ByteRange], deadline: Deadline = .never) throws(NeatError)
    -> [FilePart]
  {
    let thread = try backgroundThread()
    let late = Result<[FilePart], NeatError>.failure(NeatError(.timeout, "no answer in time", resource: url))
    let bytes = ranges.reduce(UInt64(0)) { $0 &+ min($1.count, 1 << 40) }
    let result = thread.run(deadline, late: late) { [self] loop, settle in
      let gathering = Gathering(ranges.count, settle)
      do throws(NeatError) {
        let reader = PartReader.of(try client(loop), url)
        gathering.reads = ranges.enumerated().map { index, range in
          var request = httpRequest(url, .tile, deadline)
          if request.timeoutMS > 0, deadline.nanoseconds == nil {
            request.timeoutMS += bytes / ResourceLoader.slowestBytesPerMS
          }
          return reader.read(range, request) { gathering.take(index, $0) }
        }
      } catch {
        settle(.failure(error))
      }
      return { for read in gathering.reads { read.cancel() } }
    }
    return try result.mapError { $0.naming(url) }.get()
  }

  /// Parts as they arrive; the first failure ends the others.
  private final class Gathering {
    private var parts: [FilePart?]
    private var left: Int
    private var settle: ((Result<[FilePart], NeatError>) -> Void)?
    var reads: [PartRead] = []

    init(_ count: Int, _ settle: @escaping (Result<[FilePart], NeatError>) -> Void) {
      parts = Array(repeating: nil, count: count)
      left = count
      self.settle = settle
      if count == 0 { settle(.success([])) }
    }

    func take(_ index: Int, _ result: Result<FilePart, NeatError>) {
      guard let settle else { return }
      switch result {
      case .success(let part):
        parts[index] = part
        left -= 1
        if left > 0 { return }
        self.settle = nil
        settle(.success(parts.compactMap { $0 }))
      case .failure(let error):
        self.settle = nil
        for read in reads { read.cancel() }
        settle(.failure(error))
      }
    }
  }
}

/// A lookup in an archive on a server: gets what it asks for, part after part, until it is done. Only for the
/// loop's thread.
private final class RemoteLookup {
  private var lookup: PMTilesArchive.Lookup
  private let url: String
  private let reader: PartReader
  private let wantsTile: Bool
  private let handle: CancelHandle
  /// What a part is asked for with, in the time that is left by then.
  private let makeRequest: () -> HTTPRequest

  init(
    _ lookup: PMTilesArchive.Lookup, _ url: String, _ reader: PartReader, wantsTile: Bool,
    _ handle: CancelHandle, makeRequest: @escaping () -> HTTPRequest
  ) {
    self.lookup = lookup
    self.url = url
    self.reader = reader
    self.wantsTile = wantsTile
    self.handle = handle
    self.makeRequest = makeRequest
  }

  func get(_ range: ByteRange) {
    guard !handle.isSettled else { return }
    let read = reader.read(range, makeRequest()) { result in
      do throws(NeatError) {
        try self.take(try result.get())
      } catch {
        self.handle.settle(.failed(error.naming(self.url)))
      }
    }
    handle.onCancel = { read.cancel() }
  }

  private func take(_ part: FilePart) throws(NeatError) {
    if part.isMissing {
      guard wantsTile else { return handle.settle(.missing) }
      throw NeatError(.archive, "the archive is not there")
    }
    try lookup.accept(part)
    switch lookup.next() {
    case .done(let result): handle.settle(result)
    case .read(let range): get(range)
    }
  }
}

/// Requests that a blocked thread waits for together, while the background loop works on them.
final class RemoteBatch: Sendable {
  private struct State: Sendable {
    var results: [ResourceResult?]
    var handles: [LoopBound<CancelHandle>] = []
    var left: Int
  }
  private let state: Locked<State>
  private let requests: [ResourceRequest]
  private let deadline: Deadline
  private let loop: RunLoop
  private let signal = Signal()

  init(_ loader: ResourceLoader, _ loop: RunLoop, _ requests: [ResourceRequest], _ deadline: Deadline) {
    state = Locked(State(results: Array(repeating: nil, count: requests.count), left: requests.count))
    self.requests = requests
    self.deadline = deadline
    self.loop = loop
    let isPosted = loop.post { [self] in
      for (index, request) in requests.enumerated() {
        let handle = loader.load(request, on: loop, LoadOptions(deadline: deadline)) {
          self.settle(index, $0.result)
        }
        let bound = LoopBound(handle, loop)
        state.withLock { $0.handles.append(bound) }
      }
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
      loop.post { [self] in
        for handle in state.withLock(\.handles) { handle.value.cancel() }
      }
    }
    return results.enumerated().map { $0.element ?? ResourceLoader.late(requests[$0.offset]) }
  }
}
