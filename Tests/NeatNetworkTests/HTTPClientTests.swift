import NeatBase
import NeatLoop
import NeatNetwork
import NeatTestSupport
import Synchronization
import Testing

@Suite struct HTTPClientTests {
  private var quick: HTTPOptions {
    var options = HTTPOptions()
    options.retryDelayMS = 10
    options.retryDelayCapMS = 40
    options.retryAfterCapMS = 60
    options.attempts = 3
    return options
  }

  private static func answer(_ request: TestServer.Request) -> TestServer.Reply {
    switch request.path {
    case "/ok", "/with%20space":
      .status(
        200, ["ETag": "\"abc\"", "Cache-Control": "max-age=5", "Expires": "Thu, 01 Jan 2032 00:00:00 GMT"],
        Array("hello".utf8))
    case "/slow": .late(ms: 5000, status: 200, [1])
    case "/204": .status(204)
    case "/404": .status(404, [:], Array("no".utf8))
    case "/403": .status(403)
    case "/429": request.earlier < 1 ? .status(429, ["Retry-After": "3600"]) : .status(200, [:], [4, 2, 9])
    case "/503": request.earlier < 2 ? .status(503) : .status(200, [:], [5, 0, 3])
    case "/500": .status(500)
    case "/redirect": .status(302, ["Location": "/ok", "ETag": "\"old\""])
    case "/loop": .status(302, ["Location": "/loop"])
    case "/file": .status(302, ["Location": "file:///etc/passwd"])
    case "/truncated": .truncated(length: 100, [1, 2, 3])
    case "/truncated-once": request.earlier < 1 ? .truncated(length: 100, [1, 2, 3]) : .status(200, [:], [7])
    case "/hangup": .hangUp
    case "/silence": .silence
    case "/big": .status(200, [:], [UInt8](repeating: 7, count: 300_000))
    case "/range": TestServer.part(request, of: (0..<200).map { UInt8($0) })
    case "/norange": .status(200, [:], [1, 2, 3])
    case "/header": .status(200, [:], Array((request.headers["x-test"] ?? "none").utf8))
    default: .status(404)
    }
  }

  private func withServer(_ body: (TestServer, HTTPThread) throws -> Void) throws {
    let server = TestServer { HTTPClientTests.answer($0) }
    defer { server.stop() }
    try body(server, try HTTPThread(options: quick))
  }

  private func status(_ result: HTTPResult) -> Int? { (try? result.get())?.status }
  private func bytes(_ result: HTTPResult) -> [UInt8]? { (try? result.get())?.bytes }
  private func fault(_ result: HTTPResult) -> NeatError? {
    if case .failure(let error) = result { return error }
    return nil
  }

  @Test func anAnswerBringsItsHeaders() throws {
    try withServer { server, http in
      let response = try http.fetch(HTTPRequest(server.url("/ok"))).get()
      #expect(response.bytes == Array("hello".utf8))
      #expect(
        response.etag == "\"abc\"" && response.cacheControl == "max-age=5"
          && response.expires?.hasPrefix("Thu") == true)
      #expect(status(http.fetch(HTTPRequest(server.url("/with space")))) == 200)
      var request = HTTPRequest(server.url("/header"))
      request.headers = [("X-Test", "yes")]
      #expect(bytes(http.fetch(request)) == Array("yes".utf8))
    }
  }

  @Test func missingAndEmptyAreNoErrors() throws {
    try withServer { server, http in
      let missing = try http.fetch(HTTPRequest(server.url("/404"))).get()
      #expect(missing.isMissing)
      #expect(status(http.fetch(HTTPRequest(server.url("/204")))) == 204)
      let refused = fault(http.fetch(HTTPRequest(server.url("/403"))))
      #expect(
        refused?.code == .network && refused?.resource == server.url("/403")
          && refused?.message.contains("403") == true)
      #expect(server.count("/403") == 1)
    }
  }

  @Test func redirectsAreFollowedWithinLimits() throws {
    try withServer { server, http in
      let response = try http.fetch(HTTPRequest(server.url("/redirect"))).get()
      #expect(response.status == 200 && response.etag == "\"abc\"")
      #expect(fault(http.fetch(HTTPRequest(server.url("/loop"))))?.code == .network)
      #expect(server.count("/loop") == HTTPOptions().redirectLimit + 1)
      #expect(fault(http.fetch(HTTPRequest(server.url("/file"))))?.code == .network)
    }
  }

  @Test func passingFailuresAreTriedAgain() throws {
    try withServer { server, http in
      #expect(bytes(http.fetch(HTTPRequest(server.url("/429")))) == [4, 2, 9])
      #expect(bytes(http.fetch(HTTPRequest(server.url("/503")))) == [5, 0, 3])
      #expect(bytes(http.fetch(HTTPRequest(server.url("/truncated-once")))) == [7])
      #expect(server.count("/429") == 2 && server.count("/503") == 3 && server.count("/truncated-once") == 2)
    }
  }

  @Test func lastingFailuresEndAfterTheAttempts() throws {
    try withServer { server, http in
      for path in ["/500", "/truncated", "/hangup"] {
        let error = fault(http.fetch(HTTPRequest(server.url(path))))
        #expect(error?.code == .network && error?.resource == server.url(path), "\(path)")
        #expect(server.count(path) == 3, "\(path)")
      }
      #expect(fault(http.fetch(HTTPRequest("http://127.0.0.1:1/")))?.code == .network)
      #expect(fault(http.fetch(HTTPRequest("http:///")))?.resource == "http:///")
      #expect(fault(http.fetch(HTTPRequest("ftp://127.0.0.1/")))?.code == .invalidArgument)
    }
  }

  @Test func theDeadlineHolds() throws {
    try withServer { server, http in
      for path in ["/silence", "/slow"] {
        let start = Deadline.nowNS
        #expect(fault(http.fetch(HTTPRequest(server.url(path)), .after(ms: 150)))?.code == .timeout)
        var request = HTTPRequest(server.url(path))
        request.timeoutMS = 150
        #expect(fault(http.fetch(request))?.code == .timeout)
        #expect(Deadline.nowNS - start < 2_500_000_000)
      }
    }
  }

  @Test func answersLongerThanTheLimitAreRefused() throws {
    try withServer { server, http in
      var request = HTTPRequest(server.url("/big"))
      request.byteLimit = 300_000
      #expect(bytes(http.fetch(request))?.count == 300_000)
      request.byteLimit = 299_999
      #expect(fault(http.fetch(request))?.code == .limitExceeded)
      #expect(server.count("/big") == 2)
    }
  }

  @Test func partsOfFilesAreReadOrRefused() throws {
    try withServer { server, http in
      var request = HTTPRequest(server.url("/range"))
      request.range = (10, 5)
      #expect(bytes(http.fetch(request)) == [10, 11, 12, 13, 14])
      request.range = (198, 50)
      #expect(bytes(http.fetch(request)) == [198, 199])
      request = HTTPRequest(server.url("/norange"))
      request.range = (0, 2)
      #expect(fault(http.fetch(request))?.code == .unsupported)
    }
  }

  /// The counters of a loop test; all on one thread.
  private final class Log: @unchecked Sendable {
    var settled: [String: Int] = [:]
    var failures: [ErrorCode] = []
  }

  @Test func everyRequestSettlesOnce() throws {
    let server = TestServer { HTTPClientTests.answer($0) }
    defer { server.stop() }
    let loop = try RunLoop()
    var options = quick
    options.connectionsPerHost = 3
    let client = try loop.http(options)
    let paths = [
      "/ok", "/slow", "/404", "/429", "/503", "/500", "/redirect", "/loop", "/truncated", "/hangup",
      "/silence", "/big", "/204",
    ]
    let log = Log()
    var expected = 0
    for round in 0..<6 {
      for path in paths {
        var request = HTTPRequest(server.url(path))
        // Those that fail otherwise have the time for it, however slow the machine is.
        request.timeoutMS = path == "/silence" ? 4000 : 120_000
        let name = "\(path) \(round)"
        let call = client.fetch(request) { result in
          log.settled[name, default: 0] += 1
          if case .failure(let error) = result { log.failures.append(error.code) }
          if log.settled.count == 6 * paths.count { loop.stop() }
        }
        expected += 1
        if round == 2 { loop.timer(afterMS: UInt64(expected % 7) * 20) { call.cancel() } }
        if round == 3 { call.cancel() }
      }
    }
    #expect(log.settled.count == paths.count, "only what was cancelled has settled before the loop runs")
    loop.run()
    #expect(log.settled.count == expected)
    #expect(log.settled.values.allSatisfy { $0 == 1 })
    #expect(
      log.failures.contains(.cancelled) && log.failures.contains(.timeout) && log.failures.contains(.network))
    #expect(client.pendingCount == 0)
    // Of 72 requests; a server notices late that a connection has ended, where the machine is busy.
    #expect(server.mostOpen <= 3 + 6)
    loop.close()
  }

  @Test func closingTheLoopSettlesWhatIsUnderWay() throws {
    let server = TestServer { HTTPClientTests.answer($0) }
    defer { server.stop() }
    let loop = try RunLoop()
    let log = Log()
    for index in 0..<5 {
      try loop.http(quick).fetch(HTTPRequest(server.url("/silence"))) { result in
        log.settled["\(index)", default: 0] += 1
        if case .failure(let error) = result { log.failures.append(error.code) }
      }
    }
    for _ in 0..<10 { loop.runNoWait() }
    loop.close()
    #expect(log.settled.count == 5 && log.failures == [ErrorCode](repeating: .cancelled, count: 5))
    #expect(!loop.post {})
  }

  @Test func moreRequestsThanTheQueueHoldsAreRefused() throws {
    let loop = try RunLoop()
    var options = quick
    options.queueLimit = 2
    let client = try loop.http(options)
    let log = Log()
    for _ in 0..<3 {
      client.fetch(HTTPRequest("http://127.0.0.1:1/")) { result in
        if case .failure(let error) = result { log.failures.append(error.code) }
      }
    }
    while log.failures.count < 3 { loop.runOnce() }
    #expect(log.failures.filter { $0 == .limitExceeded }.count == 1)
    loop.close()
  }
}
