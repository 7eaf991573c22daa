import NeatTestSupport
import Testing

/// A process has one HTTP service for good: each scenario of Tests/NeatHTTPWorker runs in one of its own.
@Suite struct HttpServiceTests {
  private static let worker = TestProgram("NeatHTTPWorker")

  @Test(
    .enabled(if: worker != nil, "needs NeatHTTPWorker beside the tests"),
    arguments: [
      "urlsession", "draws", "map", "twice", "cancelled", "failures", "headers", "retries", "once",
      "after-request", "interceptor", "interceptor-refuses", "built-in", "transform", "offline", "cache",
      "switch",
    ])
  func aServiceOfTheHosts(scenario: String) throws {
    let (status, output) = try #require(Self.worker).run([scenario])
    #expect(status == 0, "\(output)")
  }
}
