import NeatBase
import NeatLoop

/// The requests of a loop: at most so many at once to a host, the important ones first, tried again where a
/// failure may pass. They go through libcurl, or the service of the process. Only for the loop's thread.
package final class HTTPClient {
  unowned let loop: RunLoop
  let options: HTTPOptions
  private let service: (any HTTPService)?
  private let curl: CurlMulti?
  /// Requests that have not settled, by the address of their object.
  private var calls: [ObjectIdentifier: HTTPCall] = [:]
  private var hosts: [String: HostQueue] = [:]
  private var runningCount = 0
  private var nextNumber: UInt64 = 0
  /// Parts of files being read, by address.
  var partReaders: [String: PartReader] = [:]
  private var isClosed = false

  /// Throws `network` where libcurl cannot be used.
  init(loop: RunLoop, options: HTTPOptions = .init()) throws(NeatError) {
    self.loop = loop
    self.options = options
    service = HTTPServices.use()
    curl = service == nil ? try CurlMulti(loop, options) : nil
  }

  deinit { close() }

  /// Requests that have not settled.
  package var pendingCount: Int { calls.count }

  /// Whether servers are asked. Where that ends, what is under way fails as a connection does, and no socket
  /// is opened; patient requests wait. Where it begins, also when it was so before, those that wait since no
  /// server could be reached are tried at once, the others when their wait is over.
  package private(set) var isOnline = true

  package func setOnline(_ isOnline: Bool) {
    guard isOnline || self.isOnline else { return }
    self.isOnline = isOnline
    let waiting = calls.values.sorted { ($0.priority, $0.number) < ($1.priority, $1.number) }
    for call in waiting where !call.isSettled {
      if isOnline {
        guard call.awaitsNetwork, case .resting(let timer) = call.phase else { continue }
        timer?.cancel()
        enqueue(call)
      } else if call.request.isPatient, case .resting = call.phase {
        continue
      } else {
        stop(call)
        conclude(call, .failed(HTTPClient.offline))
      }
    }
    startDue()
  }

  private static let offline = HTTPFailure(.connection, "the network is switched off")

  /// Begins a request. The completion is called exactly once, on the loop's thread, never from within this
  /// call.
  @discardableResult
  package func fetch(_ request: HTTPRequest, _ completion: @escaping (HTTPResult) -> Void) -> HTTPCall {
    nextNumber += 1
    let call = HTTPCall(request, self, number: nextNumber, completion)
    let scheme = Address.scheme(request.url)
    if isClosed {
      later(call, .cancelled, "the loop is closed")
    } else if scheme != "http" && scheme != "https" {
      later(call, .invalidArgument, "not an http or https address")
    } else if calls.count >= options.queueLimit {
      later(call, .limitExceeded, "more than \(options.queueLimit) requests at once")
    } else {
      calls[ObjectIdentifier(call)] = call
      enqueue(call)
      wantStart()
    }
    return call
  }

  private func later(_ call: HTTPCall, _ code: ErrorCode, _ message: String) {
    call.phase = .resting(loop.timer(afterMS: 0) { call.settle(.failure(call.fault(code, message))) })
  }

  /// Ends everything: what is under way settles as cancelled.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    for call in Array(calls.values) { call.cancel() }
    for reader in Array(partReaders.values) { reader.close() }
    startTimer?.cancel()
    curl?.close()
  }

  // MARK: The queue

  private func enqueue(_ call: HTTPCall) {
    call.phase = .waiting
    hosts[call.host, default: HostQueue()].add(call)
  }

  /// The priority of a call has changed.
  func moved(_ call: HTTPCall) { if case .waiting = call.phase { enqueue(call) } }

  private var startTimer: LoopTimer?

  /// Starts what may start later in this turn, when all that it brings is known.
  private func wantStart() {
    guard startTimer == nil, !isClosed else { return }
    startTimer = loop.timer(afterMS: 0) { [weak self] in
      self?.startTimer = nil
      self?.startDue()
    }
  }

  private func startDue() {
    while !isClosed, runningCount < options.connections, let call = takeNext() { start(call) }
  }

  /// The first of those that wait for a host with room.
  private func takeNext() -> HTTPCall? {
    var best: HTTPCall?
    var idle: [String] = []
    for host in hosts.keys {
      if hosts[host]?.runningCount ?? 0 >= options.connectionsPerHost { continue }
      guard let call = hosts[host]?.first() else {
        if hosts[host]?.isIdle == true { idle.append(host) }
        continue
      }
      if let found = best, (found.priority, found.number) < (call.priority, call.number) { continue }
      best = call
    }
    for host in idle { hosts[host] = nil }
    if let best { hosts[best.host]?.removeFirst(best) }
    return best
  }

  // MARK: One try

  private func start(_ call: HTTPCall) {
    guard isOnline else { return conclude(call, .failed(HTTPClient.offline)) }
    if !call.request.isPatient, call.deadline.isOver {
      return finish(call, .failure(call.fault(.timeout, "no answer in time")))
    }
    call.tries += 1
    runningCount += 1
    hosts[call.host, default: HostQueue()].runningCount += 1
    // Until there is something to end.
    call.phase = .running(end: {})
    let tries = call.tries
    var exchange = call.exchange
    exchange.headers.add([("User-Agent", options.userAgent)])
    if let interceptor = HTTPServices.interceptor {
      do throws(HTTPFailure) { exchange = try interceptor.willSend(exchange) } catch {
        release(call)
        call.phase = .resting(loop.timer(afterMS: 0) { [weak self] in self?.conclude(call, .failed(error)) })
        return
      }
    }
    do throws(NeatError) {
      let end = try send(exchange, call) { [weak self, exchange] outcome in
        guard let self, call.tries == tries, case .running = call.phase else { return }
        self.release(call)
        self.conclude(call, HTTPClient.intercepted(outcome, exchange))
        self.startDue()
      }
      if case .running = call.phase, call.tries == tries { call.phase = .running(end: end) }
    } catch {
      release(call)
      call.phase = .resting(loop.timer(afterMS: 0) { [weak self] in self?.finish(call, .failure(error)) })
    }
  }

  private static func intercepted(_ outcome: HTTPOutcome, _ exchange: HTTPExchange) -> HTTPOutcome {
    guard let interceptor = HTTPServices.interceptor, case .answered(let answer) = outcome else {
      return outcome
    }
    do throws(HTTPFailure) {
      return .answered(try interceptor.didReceive(answer, to: exchange))
    } catch {
      return .failed(error)
    }
  }

  /// Gives back what ends the exchange.
  private func send(_ exchange: HTTPExchange, _ call: HTTPCall, _ completion: @escaping (HTTPOutcome) -> Void)
    throws(NeatError) -> () -> Void
  {
    let request = call.request
    if let curl {
      return try curl.begin(
        CurlTransfer(
          exchange, byteLimit: request.byteLimit, unpackedLimit: request.unpackedLimit, completion))
    }
    guard let service else { throw NeatError(.state, "there is no HTTP service", resource: request.url) }
    return ServiceExchange.begin(exchange, service, loop, byteLimit: request.byteLimit, completion)
  }

  /// Takes a call out of those that run.
  private func release(_ call: HTTPCall) {
    guard case .running = call.phase else { return }
    call.phase = .waiting
    runningCount -= 1
    hosts[call.host]?.runningCount -= 1
  }

  /// Ends the try of a call, if there is one.
  private func stop(_ call: HTTPCall) {
    switch call.phase {
    case .running(let end):
      release(call)
      end()
    case .resting(let timer): timer?.cancel()
    case .waiting, .over: break
    }
  }

  /// Forgets a call and its try.
  func drop(_ call: HTTPCall) {
    guard calls.removeValue(forKey: ObjectIdentifier(call)) != nil else { return }
    stop(call)
    call.phase = .over
    if !isClosed { wantStart() }
  }

  private func finish(_ call: HTTPCall, _ result: HTTPResult) {
    drop(call)
    call.settle(result)
  }

  // MARK: What comes of it

  private func conclude(_ call: HTTPCall, _ outcome: HTTPOutcome) {
    let (result, reason) = HTTPVerdict.of(outcome, call.request)
    guard case .failure(let error) = result, let reason else { return finish(call, result) }
    call.failures += 1
    if call.request.isPatient {
      rest(call, reason, error)
      call.onFailure?(error)
      return
    }
    guard isOnline, call.tries < options.attempts else { return finish(call, result) }
    let delay = boundedDelay(call, reason)
    if let left = call.deadline.remainingMS, left <= delay { return finish(call, result) }
    call.phase = .resting(again(call, afterMS: delay, error))
  }

  private func rest(_ call: HTTPCall, _ reason: RetryReason, _ error: NeatError) {
    call.awaitsNetwork = reason == .connection
    guard isOnline else {
      call.phase = .resting(nil)
      return
    }
    call.phase = .resting(
      again(call, afterMS: options.patience.delayMS(reason, failures: call.failures), error))
  }

  private func again(_ call: HTTPCall, afterMS delay: UInt64, _ error: NeatError) -> LoopTimer {
    // No more of the address than the host: members of its query may be credentials of any name.
    Log.write(
      .info, .network,
      "\(Address.host(call.request.url) ?? "a server"): \(error.message); asked again in \(delay) ms")
    return loop.timer(afterMS: delay) { [weak self] in
      self?.enqueue(call)
      self?.startDue()
    }
  }

  private func boundedDelay(_ call: HTTPCall, _ reason: RetryReason) -> UInt64 {
    if case .busy(let asked?) = reason {
      return min(max(asked, options.retryDelayMS), options.retryAfterCapMS)
    }
    let times = UInt64(min(max(call.tries - 1, 0), 20))
    let delay = min(options.retryDelayMS << times, options.retryDelayCapMS)
    return delay - delay / 8 + UInt64.random(in: 0...delay / 4)
  }
}
