import CCurl
import NeatBase

/// One exchange by libcurl: its easy handle, what has arrived, and who waits. Only for the loop's thread.
final class CurlTransfer {
  let exchange: HTTPExchange
  private let byteLimit: Int
  private let unpackedLimit: Int
  let completion: (HTTPOutcome) -> Void
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private(set) var answer = HTTPAnswer(status: 0)
  private var headerBytes = 0
  private var isPacked = false
  /// What is refused of the answer.
  private var refusal: NeatError?

  /// Bytes of an answer's headers at most, redirects' not counted.
  static let headerLimit = HTTPAnswer.headerByteLimit

  init(
    _ exchange: HTTPExchange, byteLimit: Int, unpackedLimit: Int,
    _ completion: @escaping (HTTPOutcome) -> Void
  ) {
    self.exchange = exchange
    self.byteLimit = byteLimit
    self.unpackedLimit = unpackedLimit
    self.completion = completion
  }

  deinit { if let headerList { loaded_curl_slist_free_all(headerList) } }

  /// Throws `network` or `outOfMemory` for what libcurl does not take.
  func configure(_ easy: UnsafeMutableRawPointer, _ options: HTTPOptions) throws(NeatError) {
    // The first that was not taken.
    var failure: (option: CURLoption, code: CURLcode)?
    func look(_ code: CURLcode, _ option: CURLoption) {
      if code != CURLE_OK, failure == nil { failure = (option, code) }
    }
    func text(_ option: CURLoption, _ value: String) {
      value.withCString { look(loaded_curl_set_ptr(easy, option, $0), option) }
    }
    func number(_ option: CURLoption, _ value: Int) {
      look(loaded_curl_set_long(easy, option, value), option)
    }
    func pointer(_ option: CURLoption, _ value: UnsafeRawPointer?) {
      look(loaded_curl_set_ptr(easy, option, value), option)
    }
    text(CURLOPT_URL, CurlTransfer.escape(exchange.url))
    text(CURLOPT_USERAGENT, options.userAgent)
    text(CURLOPT_PROTOCOLS_STR, "http,https")
    text(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    number(CURLOPT_NOSIGNAL, 1)
    number(CURLOPT_FOLLOWLOCATION, 1)
    number(CURLOPT_MAXREDIRS, options.redirectLimit)
    number(CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeoutMS)
    number(CURLOPT_TIMEOUT_MS, Int(min(exchange.timeoutMS, UInt64(Int32.max))))
    number(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    if let proxy = options.proxy { text(CURLOPT_PROXY, proxy) }
    if let caFile = options.caFile { text(CURLOPT_CAINFO, caFile) }
    switch exchange.method {
    case .get: break
    case .head: number(CURLOPT_NOBODY, 1)
    case .post:
      number(CURLOPT_POST, 1)
      number(CURLOPT_POSTFIELDSIZE, exchange.body.count)
      exchange.body.withUnsafeBytes {
        pointer(CURLOPT_COPYPOSTFIELDS, $0.baseAddress ?? UnsafeRawPointer(easy))
      }
    }
    if !exchange.headers.contains(where: { $0.name.lowercased() == "range" }) {
      text(CURLOPT_ACCEPT_ENCODING, "")
    }
    for (name, value) in exchange.headers where !(name + value).utf8.contains(where: { $0 < 32 }) {
      guard let list = loaded_curl_slist_append(headerList, value.isEmpty ? "\(name);" : "\(name): \(value)")
      else { throw NeatError(.outOfMemory, "no memory for a request", resource: exchange.url) }
      headerList = list
    }
    if let headerList { pointer(CURLOPT_HTTPHEADER, headerList) }
    let context = Unmanaged.passUnretained(self).toOpaque()
    pointer(CURLOPT_WRITEDATA, context)
    pointer(CURLOPT_HEADERDATA, context)
    look(setReceivers(easy), CURLOPT_WRITEFUNCTION)
    guard let failure else { return }
    let reason = loaded_curl_easy_strerror(failure.code).map { String(cString: $0) } ?? ""
    throw NeatError(
      failure.code == CURLE_OUT_OF_MEMORY ? .outOfMemory : .network,
      "libcurl does not take option \(failure.option.rawValue): \(reason)", resource: exchange.url)
  }

  private func setReceivers(_ easy: UnsafeMutableRawPointer) -> CURLcode {
    let body = loaded_curl_set_write(easy) { data, size, count, context in
      guard let data, let context else { return 0 }
      let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      return transfer.receive(UnsafeRawBufferPointer(start: data, count: size * count)) ? size * count : 0
    }
    guard body == CURLE_OK else { return body }
    return loaded_curl_set_header(easy) { data, size, count, context in
      guard let data, let context else { return 0 }
      let line = UnsafeRawBufferPointer(start: data, count: size * count)
      let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      return transfer.receiveHeader(line) ? size * count : 0
    }
  }

  /// An address with what may not stand in one (spaces, other scripts) as percent codes.
  static func escape(_ url: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var out: [UInt8] = []
    out.reserveCapacity(url.utf8.count)
    for byte in url.utf8 {
      if byte <= 0x20 || byte >= 0x7f || "\"<>\\^`{|}".utf8.contains(byte) {
        out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        out.append(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  // MARK: What arrives

  private func refuse(_ what: String) -> Bool {
    refusal = NeatError(.limitExceeded, what, resource: exchange.url)
    return false
  }

  private func receive(_ data: UnsafeRawBufferPointer) -> Bool {
    let size = answer.body.count + data.count
    guard size <= byteLimit else {
      return refuse("the answer is longer than the limit of \(byteLimit) bytes")
    }
    guard !isPacked || size <= unpackedLimit else {
      return refuse("the answer unpacks to more than the limit of \(unpackedLimit) bytes")
    }
    if size > answer.body.capacity {
      // The array doubles, and has both for a moment.
      do throws(NeatError) { try ProcessMemory.require(2 * size, for: "the answer") } catch {
        refusal = error.naming(exchange.url)
        return false
      }
    }
    answer.body.append(contentsOf: data)
    return true
  }

  private func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let line = String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      // A further status line: what came before belongs to a redirect.
      answer = HTTPAnswer(status: 0)
      headerBytes = 0
      isPacked = false
      return true
    }
    headerBytes += bytes.count
    guard headerBytes <= CurlTransfer.headerLimit else {
      return refuse("the answer's headers are longer than \(CurlTransfer.headerLimit) bytes")
    }
    guard let colon = line.firstIndex(of: ":") else { return true }
    let name = line[..<colon].lowercased()
    let value = String(
      line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }.prefix {
        $0 != "\r" && $0 != "\n" && $0 != "\r\n"
      })
    if name == "content-encoding" { isPacked = value.lowercased() != "identity" }
    answer.headers.append((name, value))
    return true
  }

  // MARK: The end

  func outcome(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) -> HTTPOutcome {
    if let refusal { return .refused(refusal) }
    guard code == CURLE_OK else {
      let reason = loaded_curl_easy_strerror(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
      return .failed(HTTPFailure(CurlTransfer.kind(code), reason))
    }
    let known = loaded_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &answer.status)
    guard known == CURLE_OK else { return .failed(HTTPFailure(.other, "the response has no status")) }
    return .answered(answer)
  }

  private static func kind(_ code: CURLcode) -> HTTPFailure.Kind {
    switch code {
    case CURLE_OPERATION_TIMEDOUT: .timeout
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT,
      CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING,
      CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_SSL_CONNECT_ERROR,
      CURLE_WEIRD_SERVER_REPLY:
      .connection
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS:
      .tls
    default: .other
    }
  }
}
