import NeatBase
import Synchronization

package enum HTTPMethod: UInt8, Sendable, CaseIterable {
  case get, head, post

  package var name: String {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    }
  }
}

/// One exchange with a server, as a service sees it.
package struct HTTPExchange: Sendable {
  package var method = HTTPMethod.get
  package var url: String
  /// Headers of the request, those of parts (`range`) among them.
  package var headers: [(name: String, value: String)] = []
  package var body: [UInt8] = []
  /// Milliseconds that the exchange may take; 0: no end.
  package var timeoutMS: UInt64 = 0

  package init(_ url: String) { self.url = url }
}

/// What a server answered, whatever its status.
package struct HTTPAnswer: Sendable {
  package var status: Int
  /// Names in lower case.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  /// Bytes of an answer's headers at most, names and values.
  package static let headerByteLimit = 1 << 20

  package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Why there is no answer.
package struct HTTPFailure: Error, Sendable, Equatable {
  package enum Kind: UInt8, Sendable, CaseIterable { case connection, tls, timeout, cancelled, other }

  package var kind: Kind
  package var message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

/// How requests reach servers, where it is not libcurl. Retries, limits, priorities and the cache stand above
/// it. Redirects and compression (`content-encoding`) are its own: it gives the last answer, unpacked.
package protocol HTTPService: AnyObject, Sendable {
  /// Begins an exchange; the number names it to `cancel`. `answer` may be called on any thread, also before
  /// this returns; the first call counts, and one after `cancel` does not.
  func begin(
    _ exchange: HTTPExchange, _ answer: @escaping @Sendable (Result<HTTPAnswer, HTTPFailure>) -> Void
  )
    -> UInt64
  func cancel(_ id: UInt64)
}

/// Sees requests before they are sent, and answers before anyone uses them; both may be changed. Called on the
/// threads of the requests, several at once. What it throws is what comes of the exchange.
package protocol HTTPInterceptor: AnyObject, Sendable {
  func willSend(_ exchange: HTTPExchange) throws(HTTPFailure) -> HTTPExchange
  func didReceive(_ answer: HTTPAnswer, to exchange: HTTPExchange) throws(HTTPFailure) -> HTTPAnswer
}

/// The service of the process, if it is not libcurl, and who looks at its requests.
package enum HTTPServices {
  private final class Service: Sendable {
    let service: any HTTPService
    init(_ service: any HTTPService) { self.service = service }
  }

  private final class Interceptor: Sendable {
    let interceptor: any HTTPInterceptor
    init(_ interceptor: any HTTPInterceptor) { self.interceptor = interceptor }
  }

  private static let service = SharedReference<Service>()
  private static let currentInterceptor = SharedReference<Interceptor>()
  /// Changed under the lock of `service` alone.
  private static let isInUse = Atomic(false)

  /// Replaces libcurl in all of the process. Throws `state` where that was done before, or a request has been
  /// made.
  package static func setService(_ new: any HTTPService) throws(NeatError) {
    var fault: String?
    service.update { known in
      if known != nil {
        fault = "the HTTP service was replaced before"
      } else if isInUse.load(ordering: .relaxed) {
        fault = "requests were made before the HTTP service was replaced"
      } else {
        return Service(new)
      }
      return known
    }
    if let fault { throw NeatError(.state, fault) }
  }

  /// nil: nobody looks.
  package static func setInterceptor(_ interceptor: (any HTTPInterceptor)?) {
    currentInterceptor.set(interceptor.map(Interceptor.init))
  }

  /// What requests use from now on; nil: libcurl.
  static func use() -> (any HTTPService)? {
    var found: Service?
    service.update { known in
      isInUse.store(true, ordering: .relaxed)
      found = known
      return known
    }
    return found?.service
  }

  static var interceptor: (any HTTPInterceptor)? { currentInterceptor.value?.interceptor }
}
