// The names of version 10 of the mobile SDKs (MapboxCommon 21), for services that were written for them.

/// How a server is asked.
public enum HttpMethod: UInt32, Hashable, Sendable, CaseIterable {
  /// For a resource.
  case get
  /// For the headers of a resource.
  case head
  /// With a body.
  case post
}

/// What a server is asked.
public struct HttpRequest: Hashable, Sendable {
  /// GET, HEAD or POST.
  public var method: HttpMethod
  /// An http or https address.
  public var url: String
  /// By name; credentials may be among them. Several of one name are one, with commas between the values.
  public var headers: [String: String]
  /// Seconds that the exchange may take; 0: any. The engine gives up by itself, and cancels.
  public var timeout: UInt64
  /// The body, for NeatlineFoundation, whose `body` is `Data`.
  package var bodyBytes: [UInt8]?

  /// What is sent, for POST. With NeatlineFoundation there is one as `Data` too.
  @_disfavoredOverload
  public var body: [UInt8]? {
    get { bodyBytes }
    set { bodyBytes = newValue }
  }

  /// A request of an address.
  public init(
    method: HttpMethod = .get, url: String, headers: [String: String] = [:], timeout: UInt64 = 0,
    body: [UInt8]? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.timeout = timeout
    bodyBytes = body
  }
}

/// What a server answered.
public struct HttpResponseData: Hashable, Sendable {
  /// By name, in lower case.
  public var headers: [String: String]
  /// The status: 200, 404 …
  public var code: Int64
  /// The body, for NeatlineFoundation, whose `data` is `Data`.
  package var dataBytes: [UInt8]

  /// The body, unpacked. With NeatlineFoundation there is one as `Data` too.
  @_disfavoredOverload
  public var data: [UInt8] {
    get { dataBytes }
    set { dataBytes = newValue }
  }

  /// An answer of any status.
  public init(headers: [String: String], code: Int64, data: [UInt8]) {
    self.headers = headers
    self.code = code
    dataBytes = data
  }
}

/// Why there is no answer.
public enum HttpRequestErrorType: Hashable, Sendable, CaseIterable {
  /// No connection, or it broke.
  case connectionError
  /// No connection that can be trusted.
  case sslError
  /// Somebody ended the exchange.
  case requestCancelled
  /// No answer in time.
  case requestTimedOut
  /// Another part of a file than the one that was asked for.
  case rangeError
  /// Anything else: the message says what.
  case otherError
}

/// A request without an answer.
public struct HttpRequestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public var type: HttpRequestErrorType
  /// What is wrong. Goes into the error of what asked: no credentials may be in it.
  public var message: String

  /// A failure of a kind.
  public init(type: HttpRequestErrorType, message: String) {
    self.type = type
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

/// The end of a request: an answer, or why there is none.
public struct HttpResponse: Sendable {
  /// What was asked.
  public var request: HttpRequest
  /// What came of it.
  public var result: Result<HttpResponseData, HttpRequestError>

  /// The end of a request.
  public init(request: HttpRequest, result: Result<HttpResponseData, HttpRequestError>) {
    self.request = request
    self.result = result
  }
}

/// Takes the end of a request; any thread, once.
public typealias HttpResponseCallback = @Sendable (HttpResponse) -> Void

/// Takes whether something could be done.
public typealias ResultCallback = @Sendable (Bool) -> Void
