import CNeatline

/// A service of the host's, which any thread may call: the protocol says so in words, as classes written for
/// the mobile SDKs are not `Sendable`.
private struct SharedService: @unchecked Sendable {
  let service: any HttpServiceInterface
}

/// The service that replaced libcurl, which stays for good.
final class CustomService: Sendable {
  private let shared = Guarded<SharedService?>(nil)

  var service: (any HttpServiceInterface)? { shared.withLock { $0 }?.service }

  func set(_ service: any HttpServiceInterface) {
    let new = SharedService(service: service)
    shared.withLock { $0 = new }
  }
}

/// Hands the engine's requests to a service, and its answers back. The engine names requests by numbers of its
/// own; the service's number is known when its `request` has returned, which may be after the answer, or after
/// the engine has lost interest.
final class HttpServiceBridge: Sendable {
  private enum State {
    case beginning
    case begun(UInt64)
    case cancelled
  }

  private let shared: SharedService
  private let states = Guarded<[UInt64: State]>([:])

  init(_ service: any HttpServiceInterface) { shared = SharedService(service: service) }

  private var service: any HttpServiceInterface { shared.service }

  static func at(_ context: UnsafeMutableRawPointer) -> HttpServiceBridge {
    Unmanaged.fromOpaque(context).takeUnretainedValue()
  }

  func begin(_ request: HttpRequest, id: UInt64) {
    states.withLock { $0[id] = .beginning }
    let own = service.request(for: request) { [self] response in
      forget(id)
      respond(to: id, response.result)
    }
    let isCancelled = states.withLock { states in
      switch states[id] {
      case .beginning:
        states[id] = .begun(own)
        return false
      case .cancelled:
        states[id] = nil
        return true
      case .begun, nil: return false
      }
    }
    if isCancelled { service.cancelRequest(forId: own) { _ in } }
  }

  private func forget(_ id: UInt64) { states.withLock { _ = $0.removeValue(forKey: id) } }

  func cancel(_ id: UInt64) {
    let own = states.withLock { states -> UInt64? in
      switch states[id] {
      case .begun(let own):
        states[id] = nil
        return own
      case .beginning:
        states[id] = .cancelled
        return nil
      case .cancelled, nil: return nil
      }
    }
    if let own { service.cancelRequest(forId: own) { _ in } }
  }
}

/// Gives an answer to the engine. One that it refuses fails its request with words that say why; one that
/// nobody waits for is ignored.
private func respond(to id: UInt64, _ result: Result<HttpResponseData, HttpRequestError>) {
  switch result {
  case .success(let data):
    // What does not fit is no status of HTTP's either.
    let status = UInt32(exactly: data.code) ?? 0
    data.headers.withHeaders { headers in
      data.dataBytes.withUnsafeBufferPointer {
        _ = neat_http_respond(id, status, headers.baseAddress, headers.count, $0.baseAddress, $0.count)
      }
    }
  case .failure(let error):
    error.message.withText { _ = neat_http_fail(id, error.type.c, $0, $1) }
  }
}

extension HttpRequestErrorType {
  var c: neat_http_error {
    switch self {
    case .connectionError: NEAT_HTTP_ERROR_CONNECTION
    case .sslError: NEAT_HTTP_ERROR_TLS
    case .requestCancelled: NEAT_HTTP_ERROR_CANCELLED
    case .requestTimedOut: NEAT_HTTP_ERROR_TIMEOUT
    case .rangeError, .otherError: NEAT_HTTP_ERROR_OTHER
    }
  }
}

extension HttpRequest {
  /// A request of the engine's, copied.
  init(_ request: neat_http_request) {
    self.init(
      method: HttpMethod(rawValue: request.method.rawValue) ?? .get,
      url: copiedText(request.url, request.url_size),
      headers: copiedHeaders(request.headers, request.header_count),
      timeout: request.timeout_ms / 1000 + (request.timeout_ms % 1000 > 0 ? 1 : 0),
      body: request.body.map { [UInt8](UnsafeBufferPointer(start: $0, count: request.body_size)) })
  }
}

extension HttpResponseData {
  /// An answer of the engine's, copied.
  init(_ response: neat_http_response) {
    self.init(
      headers: copiedHeaders(response.headers, response.header_count), code: Int64(response.status),
      data: [UInt8](UnsafeBufferPointer(start: response.body, count: response.body_size)))
  }
}

/// Text of the engine's, copied.
func copiedText(_ pointer: UnsafePointer<CChar>?, _ size: Int) -> String {
  String(decoding: UnsafeRawBufferPointer(start: pointer, count: size), as: UTF8.self)
}

/// Headers of the engine's, copied: those of one name with commas between their values.
private func copiedHeaders(_ headers: UnsafePointer<neat_http_header>?, _ count: Int) -> [String: String] {
  var result: [String: String] = [:]
  for header in UnsafeBufferPointer(start: headers, count: count) {
    let name = copiedText(header.name, header.name_size)
    let value = copiedText(header.value, header.value_size)
    result[name] = result[name].map { "\($0), \(value)" } ?? value
  }
  return result
}

extension [String: String] {
  /// The headers as the C header takes them, by name.
  func withHeaders<R>(_ body: (UnsafeBufferPointer<neat_http_header>) -> R) -> R {
    var bytes: [UInt8] = []
    var sizes: [(Int, Int)] = []
    for (name, value) in sorted(by: { $0.key < $1.key }) {
      bytes += Array(name.utf8) + Array(value.utf8)
      sizes.append((name.utf8.count, value.utf8.count))
    }
    return bytes.withUnsafeBytes { bytes in
      var place = 0
      let headers = sizes.map { size in
        defer { place += size.0 + size.1 }
        let name = bytes.baseAddress.map { ($0 + place).assumingMemoryBound(to: CChar.self) }
        return neat_http_header(
          name: name, name_size: size.0, value: name.map { $0 + size.0 }, value_size: size.1)
      }
      return headers.withUnsafeBufferPointer(body)
    }
  }
}
