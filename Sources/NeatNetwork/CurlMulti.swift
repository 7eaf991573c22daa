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
  /// Transfers whose socket the loop cannot watch: libcurl does not let them be taken out where it says so.
  private var unwatched: [UnsafeMutableRawPointer] = []
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
    // From here on the object is whole: `deinit` cleans up where this throws.
    let me = Unmanaged.passUnretained(self).toOpaque()
    let results = [
      loaded_curlm_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, options.connectionsPerHost),
      loaded_curlm_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, options.connections),
      loaded_curlm_set_ptr(multi, CURLMOPT_SOCKETDATA, me),
      loaded_curlm_set_ptr(multi, CURLMOPT_TIMERDATA, me),
      loaded_curlm_set_socket(multi, socketChanged),
      loaded_curlm_set_timer(multi, timerChanged),
    ]
    if let result = results.first(where: { $0 != CURLM_OK }) {
      throw NeatError(.network, "libcurl cannot be used: \(CurlMulti.reason(result))")
    }
  }

  private static func reason(_ result: CURLMcode) -> String {
    loaded_curl_multi_strerror(result).map { String(cString: $0) } ?? "error \(result.rawValue)"
  }

  deinit { close() }

  /// Ends all transfers without a word.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    for easy in Array(transfers.keys) { drop(easy) }
    timer?.cancel()
    timer = nil
    let result = loaded_curl_multi_cleanup(multi)
    assert(result == CURLM_OK, "libcurl keeps its handle: \(CurlMulti.reason(result))")
    for watch in watches { watch.close() }
    watches.removeAll()
  }

  /// Begins a transfer, and gives back what ends it: nothing is told of it then. Throws `network` or
  /// `outOfMemory`.
  func begin(_ transfer: CurlTransfer) throws(NeatError) -> () -> Void {
    guard !isClosed, let easy = loaded_curl_easy_init() else {
      throw NeatError(.outOfMemory, "no memory for a request", resource: transfer.exchange.url)
    }
    do throws(NeatError) { try transfer.configure(easy, options) } catch {
      loaded_curl_easy_cleanup(easy)
      throw error
    }
    let result = loaded_curl_multi_add_handle(multi, easy)
    guard result == CURLM_OK else {
      loaded_curl_easy_cleanup(easy)
      throw NeatError(
        .network, "the request cannot begin: \(CurlMulti.reason(result))", resource: transfer.exchange.url)
    }
    transfers[easy] = transfer
    return { [weak self, weak transfer] in
      // Another transfer may have the handle by now.
      if let self, let transfer, self.transfers[easy] === transfer { self.drop(easy) }
    }
  }

  private func drop(_ easy: UnsafeMutableRawPointer) {
    guard let transfer = transfers.removeValue(forKey: easy) else { return }
    let result = loaded_curl_multi_remove_handle(multi, easy)
    assert(result == CURLM_OK, "a transfer cannot be taken out: \(CurlMulti.reason(result))")
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
    let result = loaded_curl_multi_socket_action(multi, socket, events, &running)
    collect()
    let lost = unwatched
    unwatched = []
    fail(lost, "the socket cannot be watched")
    // After an error libcurl reports no more transfers: their callers are notified, and may try again.
    if result != CURLM_OK { fail(Array(transfers.keys), CurlMulti.reason(result)) }
  }

  /// Ends transfers with a failure of their connections.
  private func fail(_ handles: [UnsafeMutableRawPointer], _ reason: String) {
    for easy in handles {
      guard let transfer = transfers[easy] else { continue }
      drop(easy)
      transfer.completion(.failed(HTTPFailure(.connection, reason)))
    }
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

  /// Watches a socket for a transfer, or ends that. Where the loop cannot watch it the transfer fails.
  fileprivate func update(
    _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32, _ known: SocketWatch?
  ) {
    if !watch(socket, what, known), let easy { unwatched.append(easy) }
  }

  private func watch(_ socket: curl_socket_t, _ what: Int32, _ known: SocketWatch?) -> Bool {
    if what == CURL_POLL_REMOVE {
      if let known {
        // unchecked: it fails for a socket that libcurl has forgotten, and then keeps nothing of it.
        _ = loaded_curl_multi_assign(multi, socket, nil)
        watches.remove(known)
        known.close()
      }
      return true
    }
    guard let watch = known ?? SocketWatch(self, socket) else { return false }
    if known == nil {
      watches.insert(watch)
      let address = Unmanaged.passUnretained(watch).toOpaque()
      guard loaded_curl_multi_assign(multi, socket, address) == CURLM_OK else {
        watches.remove(watch)
        watch.close()
        return false
      }
    }
    return watch.start(what)
  }
}

private func socketChanged(
  _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32,
  _ multi: UnsafeMutableRawPointer?, _ watch: UnsafeMutableRawPointer?
) -> Int32 {
  guard let multi else { return 0 }
  let known = watch.map { Unmanaged<SocketWatch>.fromOpaque($0).takeUnretainedValue() }
  Unmanaged<CurlMulti>.fromOpaque(multi).takeUnretainedValue().update(easy, socket, what, known)
  return 0
}

private func timerChanged(
  _ easy: UnsafeMutableRawPointer?, _ milliseconds: Int, _ multi: UnsafeMutableRawPointer?
) -> Int32 {
  guard let multi else { return 0 }
  Unmanaged<CurlMulti>.fromOpaque(multi).takeUnretainedValue().setTimer(milliseconds)
  return 0
}
