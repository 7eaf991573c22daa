import NeatBase
import NeatLoop
import NeatResource
import NeatTestSupport
import Synchronization
import Testing

@Suite("Loading several at once, each taken in where it is read")
struct LoadingTogetherTests {
  private func words(_ result: ResourceResult) -> String {
    switch result {
    case .data(let bytes): String(decoding: bytes, as: UTF8.self)
    case .missing: "missing"
    case .empty: "empty"
    case .failed(let error): "\(error.code)"
    }
  }

  private func taken(_ urls: [String], deadline: Deadline = .never) -> [Int: [String]] {
    let taken = Mutex<[Int: [String]]>([:])
    let loader = ResourceLoader()
    loader.load(urls.map { ResourceRequest(kind: .source, url: $0) }, deadline: deadline, .inline) {
      index, result in
      taken.withLock { $0[index, default: []].append(words(result)) }
    }
    return taken.withLock { $0 }
  }

  @Test("Each request has one answer, of this machine or of a server")
  func answers() {
    let server = TestServer { .status(200, [:], Array($0.path.utf8)) }
    defer { server.stop() }
    let answers = taken(["data:,a", server.url("/b"), "/no/such/file", "no-such:scheme", server.url("/e")])
    #expect(answers == [0: ["a"], 1: ["/b"], 2: ["missing"], 3: ["unsupported"], 4: ["/e"]])
    #expect(taken([]).isEmpty)
  }

  @Test("When the time is over before it begins, nothing is read")
  func late() {
    #expect(taken(["data:,a"], deadline: .after(ms: 0)) == [0: ["timeout"]])
  }

  @Test("Other work is done besides, once, also where nothing is asked for")
  func besides() {
    for count in [0, 2] {
      let done = Mutex<[String]>([])
      let requests = [ResourceRequest](
        repeating: ResourceRequest(kind: .source, url: "data:,x"), count: count)
      ResourceLoader().load(
        requests, .inline, besides: [{ done.withLock { $0.append("work") } }],
        take: { _, _ in done.withLock { $0.append("taken") } })
      #expect(done.withLock { $0 } == ["work"] + [String](repeating: "taken", count: count))
    }
  }
}
