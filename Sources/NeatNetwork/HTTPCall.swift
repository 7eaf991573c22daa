import CCurl
import NeatBase
import NeatLoop

/// One request under way: its easy handle, what has arrived, and who waits. Only for the loop's thread.
package final class HTTPCall {
  let request: HTTPRequest
  let deadline: Deadline
  private weak var client: HTTPClient?
  /// Nil once settled: whoever takes it out settles the call, so that happens once.
  private var completion: ((HTTPResult) -> Void)?
  var easy: UnsafeMutableRawPointer?
  private var headerList: UnsafeMutablePointer<curl_slist>?
  var attempt = 0
  var response = HTTPResponse()
  /// What the write callback refused.
  var refusal: NeatError?
  var retryTimer: LoopTimer?

  init(_ request: HTTPRequest, _ client: HTTPClient, _ completion: @escaping (HTTPResult) -> Void) {
    self.request = request
    self.client = client
    self.completion = completion
    deadline = request.timeoutMS == 0 ? .never : .after(ms: request.timeoutMS)
  }

  /// Ends the request; it settles as cancelled at once, unless it has settled.
  package func cancel() {
    guard completion != nil else { return }
    client?.drop(self)
    settle(.failure(fault(.cancelled, "cancelled")))
  }

  var isSettled: Bool { completion == nil }

  func settle(_ result: HTTPResult) {
    retryTimer?.cancel()
    retryTimer = nil
    let completion = self.completion
    self.completion = nil
    completion?(result)
  }

  func fault(_ code: ErrorCode, _ message: String) -> NeatError {
    NeatError(code, message, resource: request.url)
  }

  func setHeaders(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
    freeHeaders()
    for line in lines { headerList = curl_slist_append(headerList, line) }
    return headerList
  }

  func freeHeaders() {
    if let headerList { curl_slist_free_all(headerList) }
    headerList = nil
  }

  deinit { freeHeaders() }

  // MARK: What arrives

  func receive(_ data: UnsafeRawBufferPointer) -> Bool {
    let size = response.bytes.count + data.count
    guard size <= request.byteLimit else {
      refusal = fault(.limitExceeded, "the answer is longer than the limit of \(request.byteLimit) bytes")
      return false
    }
    guard !response.isPacked || size <= request.unpackedLimit else {
      refusal = fault(
        .limitExceeded, "the answer unpacks to more than the limit of \(request.unpackedLimit) bytes")
      return false
    }
    if size > response.bytes.capacity {
      // The array doubles, and has both for a moment.
      do throws(NeatError) { try ProcessMemory.require(2 * size, for: "the answer") } catch {
        refusal = error.naming(request.url)
        return false
      }
    }
    response.bytes.append(contentsOf: data)
    return true
  }

  func receiveHeader(_ line: String) {
    if line.hasPrefix("HTTP/") {
      // A further status line: what came before belongs to a redirect.
      response = HTTPResponse()
      return
    }
    guard let colon = line.firstIndex(of: ":") else { return }
    let name = line[..<colon].lowercased()
    let value = String(
      line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }.prefix {
        $0 != "\r" && $0 != "\n" && $0 != "\r\n"
      })
    switch name {
    case "etag": response.etag = value
    case "expires": response.expires = value
    case "cache-control": response.cacheControl = value
    case "content-type": response.contentType = value
    case "last-modified": response.lastModified = value
    case "content-encoding": response.isPacked = value.lowercased() != "identity"
    case "content-range":
      // bytes FIRST-LAST/TOTAL
      let numbers = value.drop { !$0.isNumber }.split { $0 == "-" || $0 == "/" }
      response.partStart = numbers.first.flatMap { UInt64($0) }
      response.totalBytes = numbers.count > 2 ? UInt64(numbers[2]) : nil
    default: break
    }
  }
}
