import NeatBase

/// What a try means: an answer, or a failure, with the reason where trying again may help.
enum HTTPVerdict {
  static func of(_ outcome: HTTPOutcome, _ request: HTTPRequest) -> (HTTPResult, RetryReason?) {
    func fault(_ code: ErrorCode, _ message: String) -> HTTPResult {
      .failure(NeatError(code, message, resource: request.url))
    }
    switch outcome {
    case .refused(let error): return (.failure(error), nil)
    case .failed(let failure):
      switch failure.kind {
      case .connection: return (fault(.network, failure.message), .connection)
      case .timeout: return (fault(.timeout, "no answer in time"), .connection)
      case .tls, .cancelled, .other: return (fault(.network, failure.message), nil)
      }
    case .answered(let answer):
      switch answer.status {
      case 200..<300: return (part(HTTPResponse(answer), request), nil)
      case 304, 404, 410: return (.success(HTTPResponse(answer)), nil)
      case let status:
        let result = fault(.network, "HTTP status \(status)")
        if status == 429 { return (result, .busy(askedMS: wait(answer))) }
        if status == 503, let wait = wait(answer) { return (result, .busy(askedMS: wait)) }
        return (result, status >= 500 ? .server : nil)
      }
    }
  }

  /// An answer to a request for a part must be that part.
  private static func part(_ response: HTTPResponse, _ request: HTTPRequest) -> HTTPResult {
    guard let range = request.range else { return .success(response) }
    func fault(_ code: ErrorCode, _ message: String) -> HTTPResult {
      .failure(NeatError(code, message, resource: request.url))
    }
    guard response.status == 206 else {
      return fault(.unsupported, "the server does not send parts of files (status \(response.status))")
    }
    guard (response.partStart ?? range.offset) == range.offset else {
      return fault(.network, "another part than the one asked for")
    }
    guard UInt64(response.bytes.count) <= range.count else {
      return fault(.network, "more bytes than asked for")
    }
    return .success(response)
  }

  /// Milliseconds of Retry-After, which has seconds or a time.
  private static func wait(_ answer: HTTPAnswer) -> UInt64? {
    guard let text = answer.headers.last(where: { $0.name == "retry-after" })?.value else { return nil }
    let trimmed = text.filter { $0 != " " }
    if let seconds = UInt64(trimmed) { return min(seconds, 86_400) * 1000 }
    guard let time = HTTPDate.parse(text) else { return nil }
    return UInt64(clamping: time - SystemClock.microseconds / 1_000_000) * 1000
  }
}
