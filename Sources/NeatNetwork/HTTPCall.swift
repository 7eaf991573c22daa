import NeatBase
import NeatLoop

/// What came of one try.
enum HTTPOutcome {
  case answered(HTTPAnswer)
  case failed(HTTPFailure)
  /// The answer is past a limit of ours.
  case refused(NeatError)
}

/// One request: its place in the queue, its tries, and who waits. Only for the loop's thread.
package final class HTTPCall {
  enum Phase {
    case waiting
    case running(end: () -> Void)
    /// Until the timer, or until the network is back.
    case resting(LoopTimer?)
    case over
  }

  let request: HTTPRequest
  /// For all tries of a request that is not patient.
  package private(set) var deadline: Deadline
  package private(set) var priority: UInt8
  let host: String
  private weak var client: HTTPClient?
  /// Nil once settled: whoever takes it out settles the call, so that happens once.
  private var completion: ((HTTPResult) -> Void)?
  /// Told of each failure of a patient request after which it is tried again.
  package var onFailure: ((NeatError) -> Void)?
  var phase = Phase.waiting
  /// Of all requests of the client; the older goes first.
  let number: UInt64
  /// Tries begun; an answer that belongs to an earlier one is not used.
  var tries = 0
  /// Failures in a row.
  var failures = 0
  /// Whether the network being back is a reason to try again at once. A server that asked for time has it.
  var awaitsNetwork = false

  init(
    _ request: HTTPRequest, _ client: HTTPClient, number: UInt64, _ completion: @escaping (HTTPResult) -> Void
  ) {
    self.request = request
    self.client = client
    self.number = number
    self.completion = completion
    priority = min(request.priority, UInt8(HTTPRequest.priorityCount - 1))
    host = Address.host(request.url) ?? ""
    deadline = request.timeoutMS == 0 || request.isPatient ? .never : .after(ms: request.timeoutMS)
  }

  /// Ends the request; it settles as cancelled at once, unless it has settled.
  package func cancel() {
    guard completion != nil else { return }
    client?.drop(self)
    settle(.failure(fault(.cancelled, "cancelled")))
  }

  /// Another one waits for the same: the higher priority and the later deadline hold.
  package func join(priority: UInt8, deadline: Deadline) {
    guard !isSettled else { return }
    if let mine = self.deadline.nanoseconds, deadline.nanoseconds.map({ $0 > mine }) ?? true {
      self.deadline = deadline
    }
    guard priority < self.priority else { return }
    self.priority = priority
    client?.moved(self)
  }

  var isSettled: Bool { completion == nil }

  func settle(_ result: HTTPResult) {
    if case .resting(let timer) = phase { timer?.cancel() }
    phase = .over
    let completion = self.completion
    self.completion = nil
    onFailure = nil
    completion?(result)
  }

  func fault(_ code: ErrorCode, _ message: String) -> NeatError {
    NeatError(code, message, resource: request.url)
  }

  /// What is sent with one try.
  var exchange: HTTPExchange {
    var exchange = HTTPExchange(request.url)
    exchange.method = request.method
    exchange.headers = request.headers
    exchange.body = request.body
    if let range = request.range {
      let last = range.offset + max(range.count, 1) - 1
      exchange.headers.append(("Range", "bytes=\(range.offset)-\(last)"))
    }
    exchange.timeoutMS = request.isPatient ? request.timeoutMS : deadline.remainingMS.map { max($0, 1) } ?? 0
    return exchange
  }
}
