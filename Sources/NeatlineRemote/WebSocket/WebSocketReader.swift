/// What came over a WebSocket.
package enum WebSocketEvent: Equatable, Sendable {
  case text(String)
  case binary([UInt8])
  case ping([UInt8])
  case pong([UInt8])
  /// nil: without a code.
  case close(code: UInt16?, reason: String)
}

/// The server's side of reading a WebSocket (RFC 6455, section 5): bytes in, in pieces of any size; messages out.
/// It does no input or output, and never keeps more than a message of `messageLimit` bytes, the frames of control
/// in between and one piece. Lengths that a peer names are looked at before anything is kept for them.
///
/// After a fault the connection is over: nothing more is read.
package struct WebSocketReader {
  package let messageLimit: Int
  /// What has come and is not read yet starts at `start`.
  private var bytes: [UInt8] = []
  private var start = 0
  /// Of the message under way, which frames that follow go on with.
  private var message: [UInt8] = []
  private var opcode: WebSocketOpcode?
  private var fault: WebSocketFault?
  private var isClosed = false

  package init(messageLimit: Int) {
    precondition(messageLimit >= WebSocketOpcode.controlLimit)
    self.messageLimit = messageLimit
  }

  /// Bytes that wait to be read: a frame that is not whole, or what `next` was not asked for yet.
  package var waitingBytes: Int { bytes.count - start }

  /// Takes what came. All that is whole is to be asked for by `next` before the next piece.
  package mutating func append(_ piece: some Collection<UInt8>) {
    guard fault == nil, !isClosed else { return }
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes.append(contentsOf: piece)
  }

  /// The next message, or nil where more has to come for it. After `close` there is none.
  package mutating func next() throws(WebSocketFault) -> WebSocketEvent? {
    if let fault { throw fault }
    do throws(WebSocketFault) {
      while !isClosed, let frame = try takeFrame() {
        if let event = try take(frame) { return event }
      }
    } catch {
      fault = error
      (bytes, message, start) = ([], [], 0)
      throw error
    }
    return nil
  }

  private struct Frame {
    var isLast: Bool
    var opcode: WebSocketOpcode
    var payload: [UInt8]
  }

  /// A whole frame off the front, unmasked.
  private mutating func takeFrame() throws(WebSocketFault) -> Frame? {
    guard waitingBytes >= 2 else { return nil }
    let (first, second) = (bytes[start], bytes[start + 1])
    guard first & 0x70 == 0 else {
      throw WebSocketFault(.protocolError, "bits are set that no extension was agreed on for")
    }
    guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
      throw WebSocketFault(.protocolError, "opcode \(first & 0x0F) is not known")
    }
    guard second & 0x80 != 0 else { throw WebSocketFault(.protocolError, "a frame that is not masked") }
    let isLast = first & 0x80 != 0
    let short = Int(second & 0x7F)
    if opcode.isControl {
      guard isLast else { throw WebSocketFault(.protocolError, "a frame of control in pieces") }
      guard short <= WebSocketOpcode.controlLimit else {
        throw WebSocketFault(.protocolError, "a frame of control of more than 125 bytes")
      }
    } else {
      guard (opcode == .continuation) == (self.opcode != nil) else {
        throw WebSocketFault(
          .protocolError,
          self.opcode == nil ? "a message that goes on and did not begin" : "a message within another one")
      }
    }
    let width = short == 126 ? 2 : short == 127 ? 8 : 0
    guard waitingBytes >= 2 + width else { return nil }
    var length = UInt64(short)
    if width > 0 {
      length = bytes[start + 2..<start + 2 + width].reduce(0) { $0 << 8 | UInt64($1) }
      guard length >> 63 == 0, length >= (width == 2 ? 126 : 65536) else {
        throw WebSocketFault(.protocolError, "a length that is not written in its shortest form")
      }
    }
    // Before anything of it is kept. `message` never holds more than the limit.
    guard opcode.isControl || length <= UInt64(messageLimit - message.count) else {
      throw WebSocketFault(.messageTooBig, "a message of more than \(messageLimit) bytes")
    }
    let head = 2 + width + 4
    guard waitingBytes >= head + Int(length) else { return nil }
    let mask = bytes[start + head - 4..<start + head]
    var payload = Array(bytes[start + head..<start + head + Int(length)])
    for index in payload.indices { payload[index] ^= mask[mask.startIndex + index & 3] }
    start += head + Int(length)
    return Frame(isLast: isLast, opcode: opcode, payload: payload)
  }

  /// What a frame is, or nil for one that is a part.
  private mutating func take(_ frame: Frame) throws(WebSocketFault) -> WebSocketEvent? {
    switch frame.opcode {
    case .ping: return .ping(frame.payload)
    case .pong: return .pong(frame.payload)
    case .close:
      isClosed = true
      (bytes, message, start) = ([], [], 0)
      return try WebSocketReader.close(frame.payload)
    case .text, .binary: opcode = frame.opcode
    case .continuation: break
    }
    message += frame.payload
    guard frame.isLast else { return nil }
    defer { (message, opcode) = ([], nil) }
    if opcode == .binary { return .binary(message) }
    guard let text = String(validating: message, as: UTF8.self) else {
      throw WebSocketFault(.invalidData, "text that is no UTF-8")
    }
    return .text(text)
  }

  private static func close(_ payload: [UInt8]) throws(WebSocketFault) -> WebSocketEvent {
    guard !payload.isEmpty else { return .close(code: nil, reason: "") }
    guard payload.count >= 2 else { throw WebSocketFault(.protocolError, "half a close code") }
    let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
    guard isSendable(code) else {
      throw WebSocketFault(.protocolError, "close code \(code) is not one that is sent")
    }
    guard let reason = String(validating: payload[2...], as: UTF8.self) else {
      throw WebSocketFault(.invalidData, "a reason that is no UTF-8")
    }
    return .close(code: code, reason: reason)
  }

  /// Whether a code may stand in a frame: 1004 to 1006 and 1015 never do, what is below 1000 is not used, and
  /// 1016 to 2999 are kept for later.
  private static func isSendable(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}
