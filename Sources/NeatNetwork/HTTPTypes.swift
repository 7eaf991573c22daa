import NeatBase

package struct HTTPOptions: Sendable {
  /// Requests at once to one host, and to all of them together.
  package var connectionsPerHost = 20
  package var connections = 64
  /// Requests under way and waiting; more are refused with `limitExceeded`.
  package var queueLimit = 4096
  /// Tries of one request that is not patient, the first one included.
  package var attempts = 4
  /// The wait before its second try; doubled for each one more, up to the cap, and varied by a quarter.
  package var retryDelayMS: UInt64 = 250
  package var retryDelayCapMS: UInt64 = 8000
  /// The longest wait that a server can ask for with Retry-After.
  package var retryAfterCapMS: UInt64 = 30_000
  /// When patient requests are tried again.
  package var patience = RetryPolicy()
  package var redirectLimit = 5
  /// Milliseconds for connecting.
  package var connectTimeoutMS = 10_000
  package var userAgent = "Neatline"
  /// A proxy's address, as libcurl takes it; nil: what the environment says (`https_proxy`, …).
  package var proxy: String?
  /// A file of the certificates that are trusted, PEM; nil: the system's.
  package var caFile: String?

  package init() {}
}

package struct HTTPRequest: Sendable {
  package var url: String
  package var method = HTTPMethod.get
  package var headers: [(name: String, value: String)] = []
  /// What a POST sends.
  package var body: [UInt8] = []
  /// First byte and count, for a part of the resource. The answer must be that part (206).
  package var range: (offset: UInt64, count: UInt64)?
  /// Milliseconds for all tries together (of a patient request: for each), 0: no end.
  package var timeoutMS: UInt64 = HTTPRequest.defaultTimeoutMS
  /// Bytes of an answer at most, as unpacked.
  package var byteLimit = HTTPRequest.defaultByteLimit
  /// Bytes at most of an answer that came packed (Content-Encoding), as unpacked.
  package var unpackedLimit = Int.max
  /// Those of lower numbers go first, below `priorityCount`.
  package var priority: UInt8 = 0
  /// Whether failures that may pass are tried again until they do.
  package var isPatient = false

  package static let defaultTimeoutMS: UInt64 = 30_000
  package static let defaultByteLimit = 64 << 20
  package static let priorityCount = 5

  package init(_ url: String) { self.url = url }
}

/// An answer with status 2xx, 304, 404 or 410; other statuses are errors.
package struct HTTPResponse: Sendable {
  package var status = 0
  package var etag: String?
  package var expires: String?
  package var cacheControl: String?
  package var contentType: String?
  package var lastModified: String?
  /// Of a part: where it begins, and how many bytes the whole has, where the server says so.
  package var partStart: UInt64?
  package var totalBytes: UInt64?
  package var bytes: [UInt8] = []

  /// 404 and 410.
  package var isMissing: Bool { status == 404 || status == 410 }

  init(_ answer: HTTPAnswer) {
    status = answer.status
    bytes = answer.body
    for (name, value) in answer.headers {
      switch name {
      case "etag": etag = value
      case "expires": expires = value
      case "cache-control": cacheControl = cacheControl.map { "\($0), \(value)" } ?? value
      case "content-type": contentType = value
      case "last-modified": lastModified = value
      case "content-range":
        // bytes FIRST-LAST/TOTAL
        let numbers = value.drop { !$0.isNumber }.split { $0 == "-" || $0 == "/" }
        partStart = numbers.first.flatMap { UInt64($0) }
        totalBytes = numbers.count > 2 ? UInt64(numbers[2]) : nil
      default: break
      }
    }
  }
}

package typealias HTTPResult = Result<HTTPResponse, NeatError>
