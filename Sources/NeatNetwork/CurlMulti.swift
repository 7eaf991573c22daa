// libcurl's multi interface on a libuv loop: curl names the sockets to watch (socket callback) and when to be
// called again (timer callback); the loop tells it what is ready (curl_multi_socket_action); finished
// transfers are then picked up.
import CCurl
import CUV
import NeatBase
import NeatLoop

/// Transfers by libcurl, one try each. Only for the loop's thread.
final class CurlMulti {
  unowned let loop: RunLoop
  private let options: HTTPOptions
  private let multi: UnsafeMutableRawPointer
  private var timer: LoopTimer?
  private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]
  private var watches: Set<SocketWatch> = []
  private var isClosed = false

  /// Once libcurl is loaded.
  private static let isReady = loaded_curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

  /// Why libcurl cannot be used, by now; nil where it can. Loads it.
  private static var fault: String? { Fork.heldBack(load) }

  private static func load() -> String? {
    var reason = [CChar](repeating: 0, count: 512)
    guard curl_library_load(&reason, reason.count) == 0 else {
      return String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return isReady ? nil : "it cannot be set up"
  }

  /// Throws `network` where libcurl cannot be used.
  init(_ loop: RunLoop, _ options: HTTPOptions) throws(NeatError) {
    if let fault = CurlMulti.fault { throw NeatError(.network, "libcurl cannot be used: \(fault)") }
    guard let multi = loaded_curl_multi_init() else {
      throw NeatError(.network, "libcurl cannot be used: no memory")
    }
    self.loop = loop
    self.options = options
    self.multi = multi
    let me = Unmanaged.passUnretained(self).toOpaque()
    _ = loaded_curlm_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, options.connectionsPerHost)
    _ = loaded_curlm_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, options.connections)
    _ = loaded_curlm_set_ptr(multi, CURLMOPT_SOCKETDATA, me)
    _ = loaded_curlm_set_ptr(multi, CURLMOPT_TIMERDATA, me)
    _ = loaded_curlm_set_socket(multi, socketChanged)
    _ = loaded_curlm_set_timer(multi, timerChanged)
  }

  deinit { close() }

  /// Ends all transfers without a word.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    for easy in Array(transfers.keys) { drop(easy) }
    timer?.cancel()
    timer = nil
    loaded_curl_multi_cleanup(multi)
    for watch in watches { watch.close() }
    watches.removeAll()
  }

  /// Begins a transfer, and gives back what ends it: nothing is told of it then. Throws `network` or
  /// `outOfMemory`.
  func begin(_ transfer: CurlTransfer) throws(NeatError) -> () -> Void {
    guard !isClosed, let easy = loaded_curl_easy_init() else {
      throw NeatError(.outOfMemory, "no memory for a request", resource: transfer.exchange.url)
    }
    transfer.configure(easy, options)
    transfers[easy] = transfer
    let result = loaded_curl_multi_add_handle(multi, easy)
    guard result == CURLM_OK else {
      drop(easy)
      let reason = loaded_curl_multi_strerror(result).map { String(cString: $0) } ?? ""
      throw NeatError(.network, "the request cannot begin: \(reason)", resource: transfer.exchange.url)
    }
    return { [weak self, weak transfer] in
      // Another transfer may have the handle by now.
      if let self, let transfer, self.transfers[easy] === transfer { self.drop(easy) }
    }
  }

  private func drop(_ easy: UnsafeMutableRawPointer) {
    guard let transfer = transfers.removeValue(forKey: easy) else { return }
    loaded_curl_multi_remove_handle(multi, easy)
    loaded_curl_easy_cleanup(easy)
    // Its headers are curl's until here.
    withExtendedLifetime(transfer) {}
  }

  private func collect() {
    var left: Int32 = 0
    while !isClosed, let message = loaded_curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
      let code = message.pointee.data.result
      guard let transfer = transfers[easy] else { continue }
      let outcome = transfer.outcome(easy, code)
      drop(easy)
      transfer.completion(outcome)
    }
  }

  func act(_ socket: curl_socket_t, _ events: Int32) {
    guard !isClosed else { return }
    var running: Int32 = 0
    loaded_curl_multi_socket_action(multi, socket, events, &running)
    collect()
  }

  fileprivate func setTimer(_ milliseconds: Int) {
    timer?.cancel()
    timer = nil
    guard milliseconds >= 0, !isClosed else { return }
    timer = loop.timer(afterMS: UInt64(milliseconds)) { [weak self] in
      self?.timer = nil
      self?.act(-1, 0)
    }
  }

  fileprivate func watch(_ socket: curl_socket_t, _ what: Int32, _ known: SocketWatch?) {
    if what == CURL_POLL_REMOVE {
      if let known {
        loaded_curl_multi_assign(multi, socket, nil)
        watches.remove(known)
        known.close()
      }
      return
    }
    let watch = known ?? SocketWatch(self, socket)
    guard let watch else { return }
    if known == nil {
      watches.insert(watch)
      loaded_curl_multi_assign(multi, socket, Unmanaged.passUnretained(watch).toOpaque())
    }
    watch.start(what)
  }
}

private func socketChanged(
  _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32,
  _ multi: UnsafeMutableRawPointer?, _ watch: UnsafeMutableRawPointer?
) -> Int32 {
  guard let multi else { return 0 }
  let known = watch.map { Unmanaged<SocketWatch>.fromOpaque($0).takeUnretainedValue() }
  Unmanaged<CurlMulti>.fromOpaque(multi).takeUnretainedValue().watch(socket, what, known)
  return 0
}

private func timerChanged(
  _ easy: UnsafeMutableRawPointer?, _ milliseconds: Int, _ multi: UnsafeMutableRawPointer?
) -> Int32 {
  guard let multi else { return 0 }
  Unmanaged<CurlMulti>.fromOpaque(multi).takeUnretainedValue().setTimer(milliseconds)
  return 0
}
