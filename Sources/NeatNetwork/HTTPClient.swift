// libcurl's multi interface on a libuv loop: curl names the sockets to watch (socket callback) and when to be
// called again (timer callback); the loop tells it what is ready (curl_multi_socket_action); finished
// transfers are then picked up.
import CCurl
import CUV
import NeatBase
import NeatLoop

package final class HTTPClient {
  unowned let loop: RunLoop
  let options: HTTPOptions
  private let multi: UnsafeMutableRawPointer
  private var timer: LoopTimer?
  /// Requests under way or waiting for their next try, by the address of their object.
  private var calls: [ObjectIdentifier: HTTPCall] = [:]
  private var byEasy: [UnsafeMutableRawPointer: HTTPCall] = [:]
  private var watches: Set<SocketWatch> = []
  /// Parts of files being read, by address.
  var partReaders: [String: PartReader] = [:]
  private var isClosed = false

  private static let isCurlReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

  /// Throws `network` where libcurl cannot be used.
  init(loop: RunLoop, options: HTTPOptions = .init()) throws(NeatError) {
    guard HTTPClient.isCurlReady, let multi = curl_multi_init() else {
      throw NeatError(.network, "libcurl cannot be used")
    }
    self.loop = loop
    self.options = options
    self.multi = multi
    let me = Unmanaged.passUnretained(self).toOpaque()
    _ = neat_curlm_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, options.connectionsPerHost)
    _ = neat_curlm_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, options.connections)
    _ = neat_curlm_set_ptr(multi, CURLMOPT_SOCKETDATA, me)
    _ = neat_curlm_set_ptr(multi, CURLMOPT_TIMERDATA, me)
    _ = neat_curlm_set_socket(multi, socketChanged)
    _ = neat_curlm_set_timer(multi, timerChanged)
  }

  deinit { close() }

  /// Requests that have not settled.
  package var pendingCount: Int { calls.count }

  /// Begins a request. The completion is called exactly once, on the loop's thread, never from within this
  /// call.
  @discardableResult
  package func fetch(_ request: HTTPRequest, _ completion: @escaping (HTTPResult) -> Void) -> HTTPCall {
    let call = HTTPCall(request, self, completion)
    let scheme = Address.scheme(request.url)
    if isClosed {
      later(call, .cancelled, "the loop is closed")
    } else if scheme != "http" && scheme != "https" {
      later(call, .invalidArgument, "not an http or https address")
    } else if calls.count >= options.queueLimit {
      later(call, .limitExceeded, "more than \(options.queueLimit) requests at once")
    } else {
      calls[ObjectIdentifier(call)] = call
      begin(call)
    }
    return call
  }

  private func later(_ call: HTTPCall, _ code: ErrorCode, _ message: String) {
    call.retryTimer = loop.timer(afterMS: 0) { call.settle(.failure(call.fault(code, message))) }
  }

  /// Ends everything: what is under way settles as cancelled.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    for call in Array(calls.values) { call.cancel() }
    for reader in Array(partReaders.values) { reader.close() }
    timer?.cancel()
    timer = nil
    curl_multi_cleanup(multi)
    for watch in watches { watch.close() }
    watches.removeAll()
  }

  // MARK: One try

  private func begin(_ call: HTTPCall) {
    guard let easy = curl_easy_init() else {
      return finish(call, .failure(call.fault(.outOfMemory, "no memory for a request")))
    }
    call.easy = easy
    call.response = HTTPResponse()
    call.refusal = nil
    configure(easy, call)
    byEasy[easy] = call
    let result = curl_multi_add_handle(multi, easy)
    if result != CURLM_OK {
      let reason = curl_multi_strerror(result).map { String(cString: $0) } ?? ""
      let fault = call.fault(.network, "the request cannot begin: \(reason)")
      drop(call)
      later(call, fault.code, fault.message)
    }
  }

  private func configure(_ easy: UnsafeMutableRawPointer, _ call: HTTPCall) {
    let request = call.request
    func text(_ option: CURLoption, _ value: String) {
      value.withCString { _ = neat_curl_set_ptr(easy, option, $0) }
    }
    func number(_ option: CURLoption, _ value: Int) { _ = neat_curl_set_long(easy, option, value) }
    text(CURLOPT_URL, HTTPClient.escape(request.url))
    text(CURLOPT_USERAGENT, options.userAgent)
    text(CURLOPT_PROTOCOLS_STR, "http,https")
    text(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    number(CURLOPT_NOSIGNAL, 1)
    number(CURLOPT_FOLLOWLOCATION, 1)
    number(CURLOPT_MAXREDIRS, options.redirectLimit)
    number(CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeoutMS)
    number(CURLOPT_TIMEOUT_MS, Int(min(call.deadline.remainingMS.map { max($0, 1) } ?? 0, UInt64(Int32.max))))
    number(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    if let range = request.range {
      text(CURLOPT_RANGE, "\(range.offset)-\(range.offset + max(range.count, 1) - 1)")
    } else {
      text(CURLOPT_ACCEPT_ENCODING, "")
    }
    if !request.headers.isEmpty {
      let clean = request.headers.filter { !($0.name + $0.value).utf8.contains { $0 < 32 } }
      _ = neat_curl_set_ptr(
        easy, CURLOPT_HTTPHEADER, call.setHeaders(clean.map { "\($0.name): \($0.value)" }))
    }
    let context = Unmanaged.passUnretained(call).toOpaque()
    _ = neat_curl_set_ptr(easy, CURLOPT_WRITEDATA, context)
    _ = neat_curl_set_ptr(easy, CURLOPT_HEADERDATA, context)
    _ = neat_curl_set_write(easy) { data, size, count, context in
      guard let data, let context else { return 0 }
      let call = Unmanaged<HTTPCall>.fromOpaque(context).takeUnretainedValue()
      return call.receive(UnsafeRawBufferPointer(start: data, count: size * count)) ? size * count : 0
    }
    _ = neat_curl_set_header(easy) { data, size, count, context in
      guard let data, let context else { return 0 }
      let line = String(decoding: UnsafeRawBufferPointer(start: data, count: size * count), as: UTF8.self)
      Unmanaged<HTTPCall>.fromOpaque(context).takeUnretainedValue().receiveHeader(line)
      return size * count
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

  /// Forgets a call and its transfer.
  func drop(_ call: HTTPCall) {
    release(call)
    calls[ObjectIdentifier(call)] = nil
  }

  private func release(_ call: HTTPCall) {
    guard let easy = call.easy else { return }
    call.easy = nil
    byEasy[easy] = nil
    curl_multi_remove_handle(multi, easy)
    curl_easy_cleanup(easy)
    call.freeHeaders()
  }

  private func finish(_ call: HTTPCall, _ result: HTTPResult) {
    drop(call)
    call.settle(result)
  }

  // MARK: What curl reports

  private func collect() {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
      let code = message.pointee.data.result
      if let call = byEasy[easy] { end(call, easy, code) }
    }
  }

  private func end(_ call: HTTPCall, _ easy: UnsafeMutableRawPointer, _ code: CURLcode) {
    var status = 0
    _ = neat_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
    call.response.status = status
    var wait: UInt64?
    var asked: UnsafeMutableRawPointer?
    // An offset-sized number, which is as wide as a pointer here.
    if status == 429 || status == 503, neat_curl_get_ptr(easy, CURLINFO_RETRY_AFTER, &asked) == CURLE_OK {
      let seconds = Int(bitPattern: asked)
      if seconds > 0 { wait = min(UInt64(seconds) * 1000, options.retryAfterCapMS) }
    }
    let outcome = HTTPClient.judge(call, status, code)
    release(call)
    guard case .failure(let error) = outcome, HTTPClient.isWorthARetry(call, status, code),
      call.attempt + 1 < options.attempts
    else {
      return finish(call, outcome)
    }
    let delay = wait ?? backoff(call.attempt)
    if let left = call.deadline.remainingMS, left <= delay {
      return finish(
        call, .failure(code == CURLE_OPERATION_TIMEDOUT ? call.fault(.timeout, "no answer in time") : error))
    }
    call.attempt += 1
    call.retryTimer = loop.timer(afterMS: delay) { [weak self] in
      call.retryTimer = nil
      self?.begin(call)
    }
  }

  private func backoff(_ attempt: Int) -> UInt64 {
    let delay = min(options.retryDelayMS << UInt64(min(attempt, 20)), options.retryDelayCapMS)
    return delay - delay / 8 + UInt64.random(in: 0...delay / 4)
  }

  private static func judge(_ call: HTTPCall, _ status: Int, _ code: CURLcode) -> HTTPResult {
    if let refusal = call.refusal { return .failure(refusal) }
    guard code == CURLE_OK else {
      let reason = curl_easy_strerror(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
      return .failure(call.fault(code == CURLE_OPERATION_TIMEDOUT ? .timeout : .network, reason))
    }
    switch status {
    case 200..<300:
      if let range = call.request.range {
        guard status == 206 else {
          return .failure(
            call.fault(.unsupported, "the server does not send parts of files (status \(status))"))
        }
        guard (call.response.partStart ?? range.offset) == range.offset else {
          return .failure(call.fault(.network, "another part than the one asked for"))
        }
        guard UInt64(call.response.bytes.count) <= range.count else {
          return .failure(call.fault(.network, "more bytes than asked for"))
        }
      }
      return .success(call.response)
    case 304, 404, 410: return .success(call.response)
    default: return .failure(call.fault(.network, "HTTP status \(status)"))
    }
  }

  private static func isWorthARetry(_ call: HTTPCall, _ status: Int, _ code: CURLcode) -> Bool {
    if call.refusal != nil { return false }
    switch code {
    case CURLE_OK: return status == 429 || status >= 500
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_PARTIAL_FILE, CURLE_OPERATION_TIMEDOUT,
      CURLE_GOT_NOTHING,
      CURLE_SEND_ERROR,
      CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_SSL_CONNECT_ERROR, CURLE_WEIRD_SERVER_REPLY:
      return true
    default: return false
    }
  }

  func act(_ socket: curl_socket_t, _ events: Int32) {
    guard !isClosed else { return }
    var running: Int32 = 0
    curl_multi_socket_action(multi, socket, events, &running)
    collect()
  }

  func setTimer(_ milliseconds: Int) {
    timer?.cancel()
    timer = nil
    guard milliseconds >= 0, !isClosed else { return }
    timer = loop.timer(afterMS: UInt64(milliseconds)) { [weak self] in
      self?.timer = nil
      self?.act(-1, 0)
    }
  }

  func watch(_ socket: curl_socket_t, _ what: Int32, _ known: SocketWatch?) {
    if what == CURL_POLL_REMOVE {
      if let known {
        curl_multi_assign(multi, socket, nil)
        watches.remove(known)
        known.close()
      }
      return
    }
    let watch = known ?? SocketWatch(self, socket)
    guard let watch else { return }
    if known == nil {
      watches.insert(watch)
      curl_multi_assign(multi, socket, Unmanaged.passUnretained(watch).toOpaque())
    }
    watch.start(what)
  }
}

private func socketChanged(
  _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32,
  _ client: UnsafeMutableRawPointer?,
  _ watch: UnsafeMutableRawPointer?
) -> Int32 {
  guard let client else { return 0 }
  let known = watch.map { Unmanaged<SocketWatch>.fromOpaque($0).takeUnretainedValue() }
  Unmanaged<HTTPClient>.fromOpaque(client).takeUnretainedValue().watch(socket, what, known)
  return 0
}

private func timerChanged(
  _ multi: UnsafeMutableRawPointer?, _ milliseconds: Int, _ client: UnsafeMutableRawPointer?
) -> Int32 {
  guard let client else { return 0 }
  Unmanaged<HTTPClient>.fromOpaque(client).takeUnretainedValue().setTimer(milliseconds)
  return 0
}
