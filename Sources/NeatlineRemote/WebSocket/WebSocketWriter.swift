/// The server's side of writing a WebSocket: whole frames, without a mask (RFC 6455, section 5.1).
package enum WebSocketWriter {
  package static func text(_ text: String) -> [UInt8] { frame(.text, Array(text.utf8)) }

  package static func pong(_ payload: [UInt8]) -> [UInt8] { frame(.pong, payload) }

  package static func ping(_ payload: [UInt8] = []) -> [UInt8] { frame(.ping, payload) }

  /// A reason of more than 123 bytes is cut between two characters.
  package static func close(_ code: WebSocketCloseCode, _ reason: String = "") -> [UInt8] {
    var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 255)]
    for scalar in reason.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      guard payload.count + bytes.count <= WebSocketOpcode.controlLimit else { break }
      payload += bytes
    }
    return frame(.close, payload)
  }

  package static func binary(_ payload: [UInt8]) -> [UInt8] { frame(.binary, payload) }

  private static func frame(_ opcode: WebSocketOpcode, _ payload: [UInt8]) -> [UInt8] {
    precondition(!opcode.isControl || payload.count <= WebSocketOpcode.controlLimit)
    var frame: [UInt8] = []
    frame.reserveCapacity(payload.count + 10)
    frame.append(0x80 | opcode.rawValue)
    switch payload.count {
    case 0...125: frame.append(UInt8(payload.count))
    case 126...65535: frame += [126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    default:
      frame.append(127)
      for shift in stride(from: 56, through: 0, by: -8) { frame.append(UInt8(payload.count >> shift & 255)) }
    }
    frame += payload
    return frame
  }
}
