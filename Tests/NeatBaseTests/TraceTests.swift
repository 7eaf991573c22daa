import NeatBase
import Synchronization
import Testing

@Suite(.serialized) struct TraceTests {
  private final class Sink: Sendable {
    let bytes = Locked<[UInt8]>([])
    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
  }

  private func traced(limit: Int = Trace.limit, _ body: () -> Void) throws -> String {
    let sink = Sink()
    try Trace.start(limit: limit) { () throws(NeatError) in
      { part in
        sink.bytes.withLock { $0 += part }
        return true
      }
    }
    var isOpened = false
    #expect(throws: NeatError.self) {
      try Trace.start { () throws(NeatError) in
        isOpened = true
        return { _ in true }
      }
    }
    #expect(!isOpened, "another trace may be in the same file")
    body()
    try Trace.stop()
    return sink.text
  }

  @Test func spansAreEventsOfAnArray() throws {
    let text = try traced {
      let answer = Trace.span("layout", .data, "a \"b\"\\\n3/1/2") { 42 }
      #expect(answer == 42)
      #expect(throws: NeatError.self) {
        try Trace.span("read", .data) { () throws(NeatError) in throw NeatError(.io, "no") }
      }
      Trace.note("request", .request, "http://a/b", began: 5, ended: 9)
    }
    // Spans of other tests, which run meanwhile, may stand before and between.
    #expect(text.hasPrefix("[\n{\"name\":\""))
    #expect(text.contains("{\"name\":\"layout\",\"cat\":\"data\",\"ph\":\"X\",\"ts\":"))
    #expect(text.hasSuffix("}\n]\n"))
    #expect(text.contains(#""args":{"detail":"a \"b\"\\ 3/1/2"}"#))
    #expect(text.contains(#"{"name":"read","cat":"data","ph":"X""#), "also one that failed")
    #expect(text.contains(#""ph":"b","ts":5,"#) && text.contains(#""ph":"e","ts":9,"#))
  }

  @Test func nobodyTracesWhereNobodyAsks() throws {
    #expect(throws: NeatError.self) { try Trace.stop() }
    var isAsked = false
    func words() -> String {
      isAsked = true
      return ""
    }
    Trace.span("x", .map, words()) {}
    #expect(!isAsked)
  }

  @Test func aLimitEndsItAndSaysSo() throws {
    let text = try traced(limit: 1000) {
      for _ in 0..<100 { Trace.span("x", .map) {} }
    }
    #expect(text.utf8.count < 1500 && text.contains("later events are left out"))
  }

  @Test func whatCannotBeOpenedLeavesNothingUnderWay() throws {
    let error = #expect(throws: NeatError.self) {
      try Trace.start { () throws(NeatError) in throw NeatError(.io, "no such folder") }
    }
    #expect(error?.code == .io && !Trace.isRunning)
    #expect(try traced {}.hasPrefix("["))
  }

  @Test func aFileThatIsFullIsTold() throws {
    try Trace.start { () throws(NeatError) in { _ in false } }
    Trace.span("x", .map) {}
    let error = #expect(throws: NeatError.self) { try Trace.stop() }
    #expect(error?.code == .io)
    #expect(throws: NeatError.self) { try Trace.stop() }
  }
}
