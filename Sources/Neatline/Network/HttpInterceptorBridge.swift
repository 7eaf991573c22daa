import CNeatline

/// Hands the engine's requests and answers to an interceptor, and its changes back.
final class HttpInterceptorBridge {
  private let interceptor: any HttpServiceInterceptorInterface

  private init(_ interceptor: any HttpServiceInterceptorInterface) { self.interceptor = interceptor }

  private static func at(_ context: UnsafeMutableRawPointer) -> HttpInterceptorBridge {
    Unmanaged.fromOpaque(context).takeUnretainedValue()
  }

  static func set(_ interceptor: (any HttpServiceInterceptorInterface)?) {
    var status = NEAT_STATUS_OK
    if let interceptor {
      var given = neat_http_interceptor()
      given.struct_size = UInt32(MemoryLayout<neat_http_interceptor>.size)
      given.context = Unmanaged.passRetained(HttpInterceptorBridge(interceptor)).toOpaque()
      given.send = { context, request, exchange in
        guard let context, let request, let exchange else { return }
        HttpInterceptorBridge.at(context).send(HttpRequest(request.pointee), exchange)
      }
      given.receive = { context, request, response, exchange in
        guard let context, let request, let response, let exchange else { return }
        HttpInterceptorBridge.at(context).receive(
          HttpRequest(request.pointee), HttpResponseData(response.pointee), exchange)
      }
      given.destroy = { context in
        guard let context else { return }
        Unmanaged<HttpInterceptorBridge>.fromOpaque(context).release()
      }
      status = neat_set_http_interceptor(&given)
    } else {
      status = neat_set_http_interceptor(nil)
    }
    // Nothing that a host gives can be wrong.
    assert(status == NEAT_STATUS_OK)
  }

  private func send(_ request: HttpRequest, _ exchange: OpaquePointer) {
    let wish = interceptor.onRequest(for: request)
    fail(exchange) { () throws(NeatlineError) in
      if wish.url != request.url {
        try check(wish.url.withText { neat_http_exchange_set_url(exchange, $0, $1) })
      }
      if wish.method != request.method {
        try check(neat_http_exchange_set_method(exchange, neat_http_method(wish.method.rawValue)))
      }
      try setHeaders(from: request.headers, to: wish.headers, exchange)
      if wish.bodyBytes != request.bodyBytes { try setBody(wish.bodyBytes ?? [], exchange) }
    }
  }

  private func receive(_ request: HttpRequest, _ data: HttpResponseData, _ exchange: OpaquePointer) {
    let response = interceptor.onResponse(for: HttpResponse(request: request, result: .success(data)))
    fail(exchange) { () throws(NeatlineError) in
      switch response.result {
      case .success(let wish):
        if wish.code != data.code {
          try check(neat_http_exchange_set_status(exchange, UInt32(exactly: wish.code) ?? 0))
        }
        try setHeaders(from: data.headers, to: wish.headers, exchange)
        if wish.dataBytes != data.dataBytes { try setBody(wish.dataBytes, exchange) }
      case .failure(let error):
        try check(error.message.withText { neat_http_exchange_fail(exchange, error.type.c, $0, $1) })
      }
    }
  }

  private func setHeaders(
    from old: [String: String], to new: [String: String], _ exchange: OpaquePointer
  ) throws(NeatlineError) {
    for name in old.keys where new[name] == nil {
      try check(name.withText { neat_http_exchange_set_header(exchange, $0, $1, nil, 0) })
    }
    for (name, value) in new where old[name] != value {
      try check(
        name.withText { name, size in
          value.withText { neat_http_exchange_set_header(exchange, name, size, $0, $1) }
        })
    }
  }

  private func setBody(_ body: [UInt8], _ exchange: OpaquePointer) throws(NeatlineError) {
    try check(
      body.withUnsafeBufferPointer { neat_http_exchange_set_body(exchange, $0.baseAddress, $0.count) })
  }

  /// What an interceptor gave is wrong: the exchange fails with words that say so, as nobody else would hear.
  private func fail(_ exchange: OpaquePointer, _ body: () throws(NeatlineError) -> Void) {
    do throws(NeatlineError) { try body() } catch {
      let message = "the interceptor: \(error.message)"
      message.withText { _ = neat_http_exchange_fail(exchange, NEAT_HTTP_ERROR_OTHER, $0, $1) }
    }
  }
}
