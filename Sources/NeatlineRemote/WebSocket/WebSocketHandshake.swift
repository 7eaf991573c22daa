/// What makes a request of HTTP the beginning of a WebSocket (RFC 6455, section 4.2.1), and who may ask.
package struct WebSocketHandshake {
  /// Fields of the head by small names; a field that came more than once has its values behind each other, with
  /// commas.
  package var fields: [String: String]
  package var isGet: Bool
  /// As the request line has it.
  package var version: String

  package init(fields: [String: String], isGet: Bool, version: String) {
    self.fields = fields
    self.isGet = isGet
    self.version = version
  }

  /// Why a request is none.
  package enum Refusal: Error, Equatable, CustomStringConvertible {
    /// 426: the client is to come with a WebSocket of version 13.
    case noUpgrade, otherVersion(String)
    /// 400.
    case notGet, noKey
    /// 403.
    case foreignOrigin(String)

    package var status: Int {
      switch self {
      case .noUpgrade, .otherVersion: 426
      case .notGet, .noKey: 400
      case .foreignOrigin: 403
      }
    }

    package var description: String {
      switch self {
      case .noUpgrade: "this address is a WebSocket's"
      case .otherVersion(let version): "WebSocket version \"\(version)\" is not 13"
      case .notGet: "a WebSocket begins with GET"
      case .noKey: "Sec-WebSocket-Key is not 16 bytes in base64"
      case .foreignOrigin(let origin): "pages of \"\(origin)\" may not open this WebSocket"
      }
    }
  }

  /// What the key is answered with is the base64 of the SHA-1 of this.
  ///
  /// - Parameters:
  ///   - host: `HOST[:PORT]` that the client asked for.
  ///   - allowed: origins of other hosts that may ask, or `*` for all.
  package func check(host: String, allowed: [String]) throws(Refusal) -> String {
    guard isGet else { throw .notGet }
    guard version == "HTTP/1.1", list("upgrade").contains("websocket"), list("connection").contains("upgrade")
    else { throw .noUpgrade }
    let asked = trimmed(fields["sec-websocket-version"] ?? "")
    guard asked == "13" else { throw .otherVersion(asked) }
    let key = trimmed(fields["sec-websocket-key"] ?? "")
    guard WebSocketHandshake.isKey(key) else { throw .noKey }
    if let origin = fields["origin"].map(trimmed), !isAllowed(origin, host, allowed) {
      throw .foreignOrigin(origin)
    }
    return key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
  }

  /// A page of another host could open a socket with whatever its visitor may reach: pages of this host alone may,
  /// and those named. Clients that are no browsers say no origin.
  private func isAllowed(_ origin: String, _ host: String, _ allowed: [String]) -> Bool {
    if allowed.contains("*") { return true }
    let origin = origin.lowercased()
    if allowed.contains(where: { $0.lowercased() == origin }) { return true }
    guard let colon = origin.firstRange(of: "://") else { return false }
    let scheme = origin[..<colon.lowerBound]
    guard scheme == "http" || scheme == "https" else { return false }
    // A proxy in front may speak HTTPS where this server is asked by HTTP: the host counts, with its port.
    let own = host.lowercased()
    let asking = String(origin[colon.upperBound...])
    guard !own.isEmpty else { return false }
    return own == asking || own == asking + (scheme == "https" ? ":443" : ":80")
  }

  private func list(_ name: String) -> [String] {
    (fields[name] ?? "").lowercased().split(separator: ",").map { trimmed(String($0)) }
  }

  private func trimmed(_ text: String) -> String {
    func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
    var part = text[...].drop(while: isSpace)
    while let last = part.last, isSpace(last) { part.removeLast() }
    return String(part)
  }

  /// 16 bytes in base64: 22 letters, the last of which ends in four zero bits, and two signs of filling.
  private static func isKey(_ key: String) -> Bool {
    let bytes = Array(key.utf8)
    guard bytes.count == 24, bytes[22] == UInt8(ascii: "="), bytes[23] == UInt8(ascii: "=") else {
      return false
    }
    guard "AQgw".utf8.contains(bytes[21]) else { return false }
    return bytes[..<22].allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
  }

  package static func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let word = part.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - part.count))
      for index in 0..<4 {
        text.append(
          index <= part.count ? letters[Int(word >> UInt32(18 - 6 * index) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
