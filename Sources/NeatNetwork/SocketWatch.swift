import CCurl
import CUV
import NeatBase
import NeatLoop

/// A socket of libcurl in the loop.
final class SocketWatch: Hashable {
  private weak var multi: CurlMulti?
  private let socket: curl_socket_t
  private var poll: UnsafeMutablePointer<uv_poll_t>?

  init?(_ multi: CurlMulti, _ socket: curl_socket_t) {
    self.multi = multi
    self.socket = socket
    let poll = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
    guard uv_poll_init_socket(multi.loop.uv, poll, socket) == 0 else {
      poll.deallocate()
      return nil
    }
    self.poll = poll
    poll.pointee.data = Unmanaged.passUnretained(self).toOpaque()
  }

  /// Whether the loop watches the socket from now on.
  func start(_ what: Int32) -> Bool {
    guard let poll else { return false }
    var events: Int32 = 0
    if what != CURL_POLL_OUT { events |= Int32(UV_READABLE.rawValue) }
    if what != CURL_POLL_IN { events |= Int32(UV_WRITABLE.rawValue) }
    return uv_poll_start(poll, events) { poll, status, events in
      guard let data = poll?.pointee.data else { return }
      Unmanaged<SocketWatch>.fromOpaque(data).takeUnretainedValue().ready(status, events)
    } == 0
  }

  private func ready(_ status: Int32, _ events: Int32) {
    var flags: Int32 = 0
    if status < 0 { flags = CURL_CSELECT_ERR }
    if events & Int32(UV_READABLE.rawValue) != 0 { flags |= CURL_CSELECT_IN }
    if events & Int32(UV_WRITABLE.rawValue) != 0 { flags |= CURL_CSELECT_OUT }
    multi?.act(socket, flags)
  }

  /// Ends watching; the memory goes when the loop has let go of it.
  func close() {
    guard let poll else { return }
    self.poll = nil
    // unchecked: libuv gives 0 at all times.
    uv_poll_stop(poll)
    poll.pointee.data = nil
    uv_close(RunLoop.handle(poll)) { handle in
      if let handle { UnsafeMutableRawPointer(handle).deallocate() }
    }
  }

  static func == (a: SocketWatch, b: SocketWatch) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
