import NeatBase
import NeatNetwork
import NeatTestSupport
import Testing

/// Answers that are large, slow or wrong, over libcurl.
@Suite struct HostileAnswerTests {
  private func withServer(
    _ script: [String: [TestServer.Reply]], _ body: (TestServer, HTTPThread) throws -> Void
  ) throws {
    var options = HTTPOptions()
    options.attempts = 1
    let server = TestServer(script: script)
    defer { server.stop() }
    try body(server, try HTTPThread(options: options))
  }

  private func bytes(_ result: HTTPResult) -> [UInt8]? { (try? result.get())?.bytes }

  private func code(_ result: HTTPResult) -> ErrorCode? {
    if case .failure(let error) = result { return error.code }
    return nil
  }

  @Test func whatUnpacksToMoreThanTheLimitIsRefused() throws {
    try withServer([
      "/bomb": [.gzipBomb(unpackedByteCount: 1 << 30)], "/small": [.gzipBomb(unpackedByteCount: 100_003)],
    ]) { server, http in
      var request = HTTPRequest(server.url("/bomb"))
      request.unpackedLimit = 1 << 20
      #expect(code(http.fetch(request)) == .limitExceeded)
      #expect(gzippedZeros(1 << 30).count < 8 << 20)
      // The packing itself is right: checksum and length are those of the zeros.
      let small = bytes(http.fetch(HTTPRequest(server.url("/small"))))
      #expect(small == [UInt8](repeating: 0, count: 100_003))
    }
  }

  @Test func headersOfMegabytesAreRefused() throws {
    try withServer([
      "/many": [.headers(byteCount: 4 << 20)], "/some": [.headers(byteCount: 50_000, [7])],
    ]) { server, http in
      let result = http.fetch(HTTPRequest(server.url("/many")))
      #expect(code(result) == .limitExceeded || code(result) == .network, "\(result)")
      #expect(bytes(http.fetch(HTTPRequest(server.url("/some")))) == [7])
    }
  }

  @Test func wrongLengthsAndNoiseAreFailures() throws {
    try withServer([
      "/cut": [.truncated(length: 10, [1, 2])], "/noise": [.raw(Array("no HTTP at all\r\n\r\n".utf8))],
      "/gone": [.hangUp], "/dripping": [.drip(size: 3, ms: 5, Array(0..<100))],
    ]) { server, http in
      for path in ["/cut", "/noise", "/gone"] {
        #expect(code(http.fetch(HTTPRequest(server.url(path)))) == .network, "\(path)")
      }
      #expect(bytes(http.fetch(HTTPRequest(server.url("/dripping")))) == Array(0..<100))
      var request = HTTPRequest(server.url("/dripping"))
      request.timeoutMS = 50
      #expect(code(http.fetch(request)) == .timeout)
    }
  }

  @Test func bodiesAndMethodsReachTheServer() throws {
    try withServer(["/": [.status(200, [:], [1, 2, 3])]]) { server, http in
      var request = HTTPRequest(server.url("/"))
      request.method = .post
      request.body = Array("a body".utf8)
      #expect(bytes(http.fetch(request)) == [1, 2, 3])
      request.method = .head
      request.body = []
      #expect(bytes(http.fetch(request)) == [])
      #expect(server.requests.map(\.method) == ["POST", "HEAD"])
      #expect(server.requests.map(\.body) == [Array("a body".utf8), []])
      #expect(server.requests.allSatisfy { $0.headers["user-agent"] == "Neatline" })
    }
  }

  /// Headers with credentials: of those that follow a redirect to another server.
  @Test func authorizationStaysWithTheServerThatWasAsked() throws {
    let other = TestServer(script: ["/there": [.status(200)]])
    defer { other.stop() }
    try withServer(["/here": [.redirect(other.url("/there"))], "/again": [.redirect("/here")]]) {
      server, http in
      var request = HTTPRequest(server.url("/again"))
      request.headers = [("Authorization", "Bearer t"), ("Cookie", "c=1"), ("X-Key", "k")]
      #expect(bytes(http.fetch(request)) == [])
      #expect(server.requests.allSatisfy { $0.headers["authorization"] == "Bearer t" })
      #expect(server.requests.map(\.path) == ["/again", "/here"])
      let last = try #require(other.requests.last)
      #expect(last.headers["authorization"] == nil && last.headers["cookie"] == nil)
      #expect(last.headers["x-key"] == "k")
    }
  }
}
