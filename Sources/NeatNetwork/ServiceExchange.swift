import NeatBase
import NeatLoop

/// An exchange by the service of the process: what it says comes to the loop, once, in time, and within the
/// limits.
enum ServiceExchange {
  /// Milliseconds that a service has beyond the exchange's own time to say that it is over.
  private static let grace: UInt64 = 250

  /// Gives back what ends it; nothing is told of it then. The completion is never called from within this
  /// call.
  static func begin(
    _ exchange: HTTPExchange, _ service: any HTTPService, _ loop: RunLoop, byteLimit: Int,
    _ completion: @escaping (HTTPOutcome) -> Void
  ) -> () -> Void {
    let pending = Pending(completion)
    let bound = LoopBound(pending, loop)
    let id = service.begin(exchange) { [weak loop] result in
      let outcome = checked(result, exchange, byteLimit)
      // A loop that is closed takes nothing more.
      loop?.post { bound.value.settle(outcome) }
    }
    if exchange.timeoutMS > 0 {
      pending.timer = loop.timer(afterMS: exchange.timeoutMS + grace) {
        service.cancel(id)
        pending.settle(.failed(HTTPFailure(.timeout, "no answer in time")))
      }
    }
    return {
      guard pending.end() else { return }
      service.cancel(id)
    }
  }

  private final class Pending {
    private var completion: ((HTTPOutcome) -> Void)?
    var timer: LoopTimer?

    init(_ completion: @escaping (HTTPOutcome) -> Void) { self.completion = completion }

    func settle(_ outcome: HTTPOutcome) {
      let completion = self.completion
      if end() { completion?(outcome) }
    }

    /// False where it was over already.
    func end() -> Bool {
      timer?.cancel()
      timer = nil
      defer { completion = nil }
      return completion != nil
    }
  }

  private static func checked(
    _ result: Result<HTTPAnswer, HTTPFailure>, _ exchange: HTTPExchange, _ byteLimit: Int
  ) -> HTTPOutcome {
    switch result {
    case .failure(let failure): return .failed(failure)
    case .success(let answer):
      func refused(_ what: String) -> HTTPOutcome {
        .refused(NeatError(.limitExceeded, what, resource: exchange.url))
      }
      guard answer.body.count <= byteLimit else {
        return refused("the answer is longer than the limit of \(byteLimit) bytes")
      }
      let size = answer.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
      guard size <= CurlTransfer.headerLimit else {
        return refused("the answer's headers are longer than \(CurlTransfer.headerLimit) bytes")
      }
      guard (100..<600).contains(answer.status) else {
        return .failed(HTTPFailure(.other, "HTTP status \(answer.status)"))
      }
      var answer = answer
      for index in answer.headers.indices {
        answer.headers[index].name = answer.headers[index].name.lowercased()
      }
      return .answered(answer)
    }
  }
}
