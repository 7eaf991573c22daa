import CNeatline

/// How requests reach servers, in the place of libcurl: given to `HttpServiceFactory.setUserDefinedForCustom`.
/// Called by threads of the engine's, several at once too. Retries, priorities, limits and the cache stand
/// above it. It follows redirects, and unpacks what is compressed for transfer, as `URLSession` does.
///
/// `supportsKeepCompression` and `download` of the mobile SDKs are not asked for and may stay in a class, as
/// far as its types are its own.
public protocol HttpServiceInterface: AnyObject {
  /// Begins a request and returns without waiting; the number names it to `cancelRequest`. The callback takes
  /// the answer, now or later, on any thread; a second answer is ignored.
  func request(for request: HttpRequest, callback: @escaping HttpResponseCallback) -> UInt64

  /// Nobody waits for the answer to a request any more; the callback is told whether it could be ended.
  func cancelRequest(forId id: UInt64, callback: @escaping ResultCallback)

  /// Requests to one host at most, of which the engine has 20 under way; what is above waits.
  func setMaxRequestsPerHostForMax(_ max: UInt8)

  /// Has an interceptor look at all requests; nil: none does.
  func setInterceptorForInterceptor(_ interceptor: (any HttpServiceInterceptorInterface)?)
}

extension HttpServiceInterface {
  /// Leaves the request alone: it goes on, and its answer is ignored.
  public func cancelRequest(forId id: UInt64, callback: @escaping ResultCallback) { callback(false) }

  /// Nothing: `Resources.Options.connectionsPerHost` says how many there are.
  public func setMaxRequestsPerHostForMax(_ max: UInt8) {}

  /// Hands it to the engine, which has all requests and answers pass through it, whoever sends them.
  public func setInterceptorForInterceptor(_ interceptor: (any HttpServiceInterceptorInterface)?) {
    HttpServiceFactory.setHttpServiceInterceptorForInterceptor(interceptor)
  }
}

/// Looks at requests before they are sent and at answers before anyone uses them, and may give others in their
/// place. Called by threads of the engine's, several at once too; each try of a request passes through it.
public protocol HttpServiceInterceptorInterface: AnyObject {
  /// What is sent in the place of a request: another address (http or https), method, headers or body.
  func onRequest(for request: HttpRequest) -> HttpRequest

  /// What is used in the place of an answer: another status, headers or body; or a failure.
  func onResponse(for response: HttpResponse) -> HttpResponse
}

extension HttpServiceInterceptorInterface {
  /// The request as it is.
  public func onRequest(for request: HttpRequest) -> HttpRequest { request }

  /// The answer as it is.
  public func onResponse(for response: HttpResponse) -> HttpResponse { response }
}

/// The HTTP service of the process.
public enum HttpServiceFactory {
  private static let custom = CustomService()

  /// Replaces libcurl in all of the process, for as long as it lives: early, before any request, and once. A
  /// failure, which is `state`, tells that it was done before or that a server was asked before; then
  /// nothing changes.
  @discardableResult
  public static func setUserDefinedForCustom(_ custom: any HttpServiceInterface)
    -> Result<Void, NeatlineError>
  {
    let bridge = Unmanaged.passRetained(HttpServiceBridge(custom))
    var service = neat_http_service()
    service.struct_size = UInt32(MemoryLayout<neat_http_service>.size)
    service.context = bridge.toOpaque()
    service.request = { context, request in
      guard let context, let request else { return }
      HttpServiceBridge.at(context).begin(HttpRequest(request.pointee), id: request.pointee.id)
    }
    service.cancel = { context, id in
      guard let context else { return }
      HttpServiceBridge.at(context).cancel(id)
    }
    do throws(NeatlineError) {
      try check(neat_set_http_service(&service))
      self.custom.set(custom)
      return .success(())
    } catch {
      bridge.release()
      return .failure(error)
    }
  }

  /// The service that `setUserDefinedForCustom` was given, else one that stands for libcurl, which only maps
  /// and renderers ask: its interceptor can be set, and requests to it fail.
  public static func getInstance() -> any HttpServiceInterface { custom.service ?? EngineService.shared }

  /// Has an interceptor look at all requests from now on, in place of the one before; nil: none does.
  public static func setHttpServiceInterceptorForInterceptor(
    _ interceptor: (any HttpServiceInterceptorInterface)?
  ) {
    HttpInterceptorBridge.set(interceptor)
  }
}

/// What `getInstance` gives while libcurl does the work.
private final class EngineService: HttpServiceInterface, Sendable {
  static let shared = EngineService()

  func request(for request: HttpRequest, callback: @escaping HttpResponseCallback) -> UInt64 {
    let error = HttpRequestError(
      type: .otherError, message: "the built-in HTTP service is asked by maps and renderers alone")
    callback(HttpResponse(request: request, result: .failure(error)))
    return 0
  }
}
