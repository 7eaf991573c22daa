/// Why a side of a WebSocket ends it (RFC 6455, section 7.4.1, and the registry that it begins).
package enum WebSocketCloseCode: UInt16, Sendable {
  case normal = 1000
  /// The server stops, or the page is left.
  case goingAway = 1001
  case protocolError = 1002
  /// A message of a kind that nobody takes here.
  case unsupportedData = 1003
  /// Text that is no UTF-8.
  case invalidData = 1007
  case policyViolation = 1008
  case messageTooBig = 1009
  case internalError = 1011
  case tryAgainLater = 1013
}

/// What a peer did that a WebSocket does not allow, and the code that it is closed with.
package struct WebSocketFault: Error, Equatable, CustomStringConvertible {
  package var code: WebSocketCloseCode
  /// ASCII, at most 123 bytes: it goes into the close frame.
  package var message: String

  package init(_ code: WebSocketCloseCode, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}

/// The kinds of frames (RFC 6455, section 5.2).
package enum WebSocketOpcode: UInt8, Sendable {
  case continuation = 0
  case text = 1
  case binary = 2
  case close = 8
  case ping = 9
  case pong = 10

  /// Control frames are whole, short, and may stand between those of a message.
  package var isControl: Bool { rawValue >= 8 }

  /// Bytes that a control frame carries at most.
  package static let controlLimit = 125
}
