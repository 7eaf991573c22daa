import CNeatline
import NeatBase
import NeatNetwork
import Synchronization

/// A service of the host's: its callbacks, and who waits for its answers.
///
/// The requests are kept by their ids in a table of the process, not of the service: an answer names no more
/// than an id, and may come when everything that asked is gone.
private final class HostHTTPService: HTTPService {
  /// Callbacks and context are for any thread, as the header says.
  private nonisolated(unsafe) let callbacks: neat_http_service

  init(_ callbacks: neat_http_service) { self.callbacks = callbacks }

  func begin(
    _ exchange: HTTPExchange, _ answer: @escaping @Sendable (Result<HTTPAnswer, HTTPFailure>) -> Void
  ) -> UInt64 {
    let id = WaitingRequests.add(answer)
    exchange.lent(id: id) { callbacks.request?(callbacks.context, $0) }
    return id
  }

  func cancel(_ id: UInt64) {
    guard WaitingRequests.take(id) != nil else { return }
    callbacks.cancel?(callbacks.context, id)
  }
}

/// Requests that wait for a host's answer, by id.
private enum WaitingRequests {
  typealias Answer = @Sendable (Result<HTTPAnswer, HTTPFailure>) -> Void

  final class Table: Sendable {
    let answers = Locked<[UInt64: Answer]>([:])
  }

  /// Never given twice in a process, nor in those forked from it.
  private static let next = Atomic<UInt64>(1)
  private static let current = PerProcess(Table())

  private static var table: Table { current.get { _ in Table() } }

  static func add(_ answer: @escaping Answer) -> UInt64 {
    let id = next.wrappingAdd(1, ordering: .relaxed).oldValue
    table.answers.withLock { $0[id] = answer }
    return id
  }

  /// Whoever takes it out answers, so that this happens once.
  static func take(_ id: UInt64) -> Answer? { table.answers.withLock { $0.removeValue(forKey: id) } }

  static func required(_ id: UInt64) throws(NeatError) -> Answer {
    guard let answer = take(id) else {
      throw NeatError(
        .notFound,
        "nobody waits for an answer to request \(id): it was answered, was cancelled, or never was")
    }
    return answer
  }
}

@c @implementation
public func neat_set_http_service(_ service: UnsafePointer<neat_http_service>!) -> neat_status {
  attempt { () throws(NeatError) in
    let service = try required(try received(service), "service")
    guard service.request != nil else { throw NeatError(.invalidArgument, "service->request is NULL") }
    try HTTPServices.setService(HostHTTPService(service))
  }
}

@c @implementation
public func neat_http_respond(
  _ id: UInt64, _ status: UInt32, _ headers: UnsafePointer<neat_http_header>!, _ header_count: Int,
  _ body: UnsafePointer<UInt8>!, _ body_size: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let answer = try WaitingRequests.required(id)
    do throws(NeatError) {
      answer(
        .success(
          HTTPAnswer(
            status: try answerStatus(status), headers: try answerHeaders(headers, header_count),
            body: try bytes(body, body_size, "body"))))
    } catch {
      answer(.failure(HTTPFailure(.other, "the HTTP service's answer is refused: \(error.message)")))
      throw error
    }
  }
}

@c @implementation
public func neat_http_fail(
  _ id: UInt64, _ error: neat_http_error, _ message: UnsafePointer<CChar>!, _ message_size: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let answer = try WaitingRequests.required(id)
    let kind = HTTPFailure.Kind(error)
    do throws(NeatError) {
      let message = try text(message, message_size, "message")
      answer(
        .failure(HTTPFailure(kind ?? .other, message.isEmpty ? "the HTTP service does not say why" : message))
      )
    } catch {
      answer(.failure(HTTPFailure(kind ?? .other, "the HTTP service does not say why")))
      throw error
    }
    guard kind != nil else {
      throw NeatError(.invalidArgument, "error \(error.rawValue) is none of neat_http_error")
    }
  }
}

extension HTTPFailure.Kind {
  /// Nil for a number that the header does not have.
  init?(_ error: neat_http_error) {
    switch error {
    case NEAT_HTTP_ERROR_CONNECTION: self = .connection
    case NEAT_HTTP_ERROR_TLS: self = .tls
    case NEAT_HTTP_ERROR_TIMEOUT: self = .timeout
    case NEAT_HTTP_ERROR_CANCELLED: self = .cancelled
    case NEAT_HTTP_ERROR_OTHER: self = .other
    default: return nil
    }
  }
}
