import NeatlineRemote
import Testing

@Suite struct WebSocketHandshakeTests {
  /// The request of RFC 6455, section 1.2, with some of its fields changed; nil: left out.
  private func check(
    _ changes: [String: String?] = [:], host: String = "server.example.com", allowed: [String] = [],
    isGet: Bool = true, version: String = "HTTP/1.1"
  ) -> Result<String, WebSocketHandshake.Refusal> {
    var fields = [
      "upgrade": "websocket", "connection": "Upgrade", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      "sec-websocket-version": "13",
    ]
    for (name, value) in changes { fields[name] = value }
    let handshake = WebSocketHandshake(fields: fields, isGet: isGet, version: version)
    do throws(WebSocketHandshake.Refusal) {
      return .success(try handshake.check(host: host, allowed: allowed))
    } catch {
      return .failure(error)
    }
  }

  private func refusal(_ result: Result<String, WebSocketHandshake.Refusal>) -> WebSocketHandshake.Refusal? {
    if case .failure(let refusal) = result { refusal } else { nil }
  }

  @Test func theKeyIsAnsweredWithTheSpecificationsText() {
    #expect(check() == .success("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
    #expect(refusal(check(["connection": "keep-alive, UPGRADE", "upgrade": "h2c , WebSocket"])) == nil)
  }

  @Test func whatIsNoWebSocketIsRefusedByItsReason() {
    #expect(refusal(check(["upgrade": nil])) == .noUpgrade)
    #expect(refusal(check(["upgrade": "websocketx"])) == .noUpgrade)
    #expect(refusal(check(["connection": "keep-alive"])) == .noUpgrade)
    #expect(refusal(check(version: "HTTP/1.0")) == .noUpgrade)
    #expect(refusal(check(isGet: false)) == .notGet)
    #expect(refusal(check(["sec-websocket-version": "8"])) == .otherVersion("8"))
    // Given twice.
    #expect(refusal(check(["sec-websocket-version": "13,13"])) == .otherVersion("13,13"))
    #expect(refusal(check(["sec-websocket-version": nil])) == .otherVersion(""))
    #expect(WebSocketHandshake.Refusal.noUpgrade.status == 426)
    #expect(WebSocketHandshake.Refusal.noKey.status == 400)
    #expect(WebSocketHandshake.Refusal.foreignOrigin("a").status == 403)
  }

  @Test(arguments: [
    "", "x", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZQ===", "dGhlIHNhbXBsZSBub25jZR==",
    "dGhlIHNhbXBsZSBub25jZ===", "dGhlIHNhbXBsZSBub25j!Q==",
    "dGhlIHNhbXBsZSBub25jZQ==,dGhlIHNhbXBsZSBub25jZQ==",
  ]) func aKeyIsSixteenBytes(key: String) {
    #expect(refusal(check(["sec-websocket-key": key])) == .noKey)
  }

  @Test func pagesOfThisHostMayAsk() {
    for (origin, host) in [
      ("http://maps.org", "maps.org"), ("https://maps.org", "maps.org"),
      ("http://maps.org:8080", "maps.org:8080"),
      ("http://MAPS.org", "maps.ORG"), ("http://maps.org", "maps.org:80"),
      ("https://maps.org", "maps.org:443"),
      ("http://[::1]:8080", "[::1]:8080"),
    ] {
      #expect(refusal(check(["origin": origin], host: host)) == nil, "\(origin) of \(host)")
    }
  }

  @Test func pagesOfOtherHostsMayNot() {
    for origin in [
      "http://evil.org", "http://maps.org.evil.org", "http://evil.org/maps.org", "null", "", "maps.org",
      "ftp://maps.org", "http://maps.org:81", "http://maps.org@evil.org", "http://maps.org, http://evil.org",
      "https://maps.org:80",
    ] {
      #expect(refusal(check(["origin": origin], host: "maps.org")) == .foreignOrigin(origin), "\(origin)")
    }
    #expect(refusal(check(["origin": "http://"], host: "")) == .foreignOrigin("http://"))
  }

  @Test func thoseThatAreNamedMay() {
    #expect(
      refusal(check(["origin": "https://App.org"], host: "maps.org", allowed: ["https://app.org"])) == nil)
    #expect(
      refusal(check(["origin": "http://app.org"], host: "maps.org", allowed: ["https://app.org"])) != nil)
    #expect(refusal(check(["origin": "null"], host: "maps.org", allowed: ["*"])) == nil)
  }

  /// The vectors of RFC 4648, section 10.
  @Test func base64IsThatOfItsSpecification() {
    for (text, coded) in [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ] {
      #expect(WebSocketHandshake.base64(Array(text.utf8)) == coded)
    }
    #expect(WebSocketHandshake.base64([0xFB, 0xFF, 0xFE]) == "+//+")
  }
}
