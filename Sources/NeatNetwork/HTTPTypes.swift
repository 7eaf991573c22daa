import NeatBase

package struct HTTPOptions: Sendable {
  /// Connections to one host, and to all of them together.
  package var connectionsPerHost = 8
  package var connections = 32
  /// Requests under way and waiting; more are refused with `limitExceeded`.
  package var queueLimit = 4096
  /// Tries of one request, the first one included.
  package var attempts = 4
  /// The wait before the second try; doubled for each one more, up to the cap, and varied by a quarter.
  package var retryDelayMS: UInt64 = 250
  package var retryDelayCapMS: UInt64 = 8000
  /// The longest wait that a server can ask for with Retry-After.
  package var retryAfterCapMS: UInt64 = 30_000
  package var redirectLimit = 5
  /// Milliseconds for connecting.
  package var connectTimeoutMS = 10_000
  package var userAgent = "Neatline"

  package init() {}
}

package struct HTTPRequest: Sendable {
  package var url: String
  package var headers: [(name: String, value: String)] = []
  /// First byte and count, for a part of the resource. The answer must be that part (206).
  package var range: (offset: UInt64, count: UInt64)?
  /// Milliseconds for all tries together, 0: no end.
  package var timeoutMS: UInt64 = HTTPRequest.defaultTimeoutMS
  /// Bytes of an answer at most, as unpacked.
  package var byteLimit = HTTPRequest.defaultByteLimit
  /// Bytes at most of an answer that came packed (Content-Encoding), as unpacked.
  package var unpackedLimit = Int.max

  package static let defaultTimeoutMS: UInt64 = 30_000
  package static let defaultByteLimit = 64 << 20

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
  /// Whether the server packed the answer.
  package var isPacked = false
  /// Of a part: where it begins, and how many bytes the whole has, where the server says so.
  package var partStart: UInt64?
  package var totalBytes: UInt64?
  package var bytes: [UInt8] = []

  /// 404 and 410.
  package var isMissing: Bool { status == 404 || status == 410 }
}

package typealias HTTPResult = Result<HTTPResponse, NeatError>
