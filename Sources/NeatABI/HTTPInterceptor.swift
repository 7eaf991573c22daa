import CNeatline
import NeatBase
import NeatNetwork

/// What a host gave along with callbacks; it is told when nothing uses that any more.
final class HostContext: Sendable {
  /// For any thread, as the header says.
  nonisolated(unsafe) let pointer: UnsafeMutableRawPointer?
  private let destroy: neat_destroy_callback?

  init(_ pointer: UnsafeMutableRawPointer?, _ destroy: neat_destroy_callback?) {
    self.pointer = pointer
    self.destroy = destroy
  }

  deinit { destroy?(pointer) }
}

/// An exchange within an interceptor's callback. Only for the thread of that call.
private final class OpenExchange {
  var request: HTTPExchange
  /// Nil while the request is sent.
  var answer: HTTPAnswer?
  var failure: HTTPFailure?

  init(_ request: HTTPExchange, _ answer: HTTPAnswer? = nil) {
    self.request = request
    self.answer = answer
  }

  var handle: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }
}

private final class HostInterceptor: HTTPInterceptor {
  private let context: HostContext
  private let send: neat_http_send_callback?
  private let receive: neat_http_receive_callback?

  init(_ given: neat_http_interceptor) {
    context = HostContext(given.context, given.destroy)
    send = given.send
    receive = given.receive
  }

  func willSend(_ exchange: HTTPExchange) throws(HTTPFailure) -> HTTPExchange {
    guard let send else { return exchange }
    let open = OpenExchange(exchange)
    withExtendedLifetime(open) {
      exchange.lent(id: 0) { send(context.pointer, $0, open.handle) }
    }
    if let failure = open.failure { throw failure }
    return open.request
  }

  func didReceive(_ answer: HTTPAnswer, to exchange: HTTPExchange) throws(HTTPFailure) -> HTTPAnswer {
    guard let receive else { return answer }
    let open = OpenExchange(exchange, answer)
    withExtendedLifetime(open) {
      exchange.lent(id: 0) { request in
        answer.lent { receive(context.pointer, request, $0, open.handle) }
      }
    }
    if let failure = open.failure { throw failure }
    return open.answer ?? answer
  }
}

@c @implementation
public func neat_set_http_interceptor(_ interceptor: UnsafePointer<neat_http_interceptor>!) -> neat_status {
  attempt { () throws(NeatError) in
    HTTPServices.setInterceptor(try received(interceptor).map(HostInterceptor.init))
  }
}

private func opened(_ exchange: OpaquePointer?) throws(NeatError) -> OpenExchange {
  Handle.object(try required(exchange, "exchange"))
}

private func sending(_ exchange: OpaquePointer?) throws(NeatError) -> OpenExchange {
  let open = try opened(exchange)
  guard open.answer == nil else { throw NeatError(.state, "the request was sent") }
  return open
}

@c @implementation
public func neat_http_exchange_set_url(
  _ exchange: OpaquePointer!, _ url: UnsafePointer<CChar>!, _ url_size: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    try sending(exchange).request.url = try serverAddress(url, url_size)
  }
}

@c @implementation
public func neat_http_exchange_set_method(_ exchange: OpaquePointer!, _ method: neat_http_method)
  -> neat_status
{
  attempt { () throws(NeatError) in
    guard let method = UInt8(exactly: method.rawValue).flatMap(HTTPMethod.init(rawValue:)) else {
      throw NeatError(.invalidArgument, "method \(method.rawValue) is none of neat_http_method")
    }
    try sending(exchange).request.method = method
  }
}

@c @implementation
public func neat_http_exchange_set_status(_ exchange: OpaquePointer!, _ status: UInt32) -> neat_status {
  attempt { () throws(NeatError) in
    let open = try opened(exchange)
    guard open.answer != nil else { throw NeatError(.state, "there is no answer yet") }
    open.answer?.status = try answerStatus(status)
  }
}

@c @implementation
public func neat_http_exchange_set_header(
  _ exchange: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_size: Int,
  _ value: UnsafePointer<CChar>!, _ value_size: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let open = try opened(exchange)
    let name = try headerName(name, name_size)
    // NULL removes, but only with size 0: else it is a mistake.
    let header: HTTPHeaders =
      value == nil && value_size == 0 ? [] : [(name, try headerValue(value, value_size, of: name))]
    func change(_ headers: inout HTTPHeaders, _ name: String) {
      headers.removeAll { $0.name.lowercased() == name.lowercased() }
      headers += header.map { (name, $0.value) }
    }
    if open.answer == nil {
      change(&open.request.headers, name)
    } else if var answer = open.answer {
      change(&answer.headers, name.lowercased())
      open.answer = answer
    }
  }
}

@c @implementation
public func neat_http_exchange_set_body(
  _ exchange: OpaquePointer!, _ body: UnsafePointer<UInt8>!, _ body_size: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let open = try opened(exchange)
    let bytes = try bytes(body, body_size, "body")
    if open.answer == nil { open.request.body = bytes } else { open.answer?.body = bytes }
  }
}

@c @implementation
public func neat_http_exchange_fail(
  _ exchange: OpaquePointer!, _ error: neat_http_error, _ message: UnsafePointer<CChar>!, _ message_size: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let open = try opened(exchange)
    guard let kind = HTTPFailure.Kind(error) else {
      throw NeatError(.invalidArgument, "error \(error.rawValue) is none of neat_http_error")
    }
    let message = try text(message, message_size, "message")
    open.failure = HTTPFailure(kind, message.isEmpty ? "refused by the interceptor" : message)
  }
}
