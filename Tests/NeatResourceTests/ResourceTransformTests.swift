import NeatBase
import NeatLoop
import NeatResource
import NeatTestSupport
import Testing

@Suite struct ResourceTransformTests {
  private func data(_ result: ResourceResult) -> String? {
    if case .data(let bytes) = result { return String(decoding: bytes, as: UTF8.self) }
    return nil
  }

  private func resources(_ transform: @escaping @Sendable (ResourceKind, String) -> ResourceTransform.Change)
    throws -> SharedResources
  {
    var options = SharedResources.Options()
    options.loading.http.attempts = 1
    options.loading.headers = [("X-Key", "of all"), ("X-Other", "of all")]
    let resources = try SharedResources(options)
    resources.setTransform(ResourceTransform(transform))
    return resources
  }

  @Test func addressesAndHeadersAreThoseOfTheTransform() throws {
    let server = TestServer { .status(200, [:], Array($0.path.utf8)) }
    defer { server.stop() }
    let place = server.url("/there")
    let resources = try resources { kind, url in
      var change = ResourceTransform.Change(url: kind == .tile ? place : url)
      change.headers = [("x-key", "of one")]
      return change
    }
    let loader = try resources.loader
    #expect(data(loader.load(ResourceRequest(kind: .tile, url: "my:tile"))) == "/there")
    #expect(data(loader.load(ResourceRequest(kind: .glyphs, url: server.url("/glyphs")))) == "/glyphs")
    #expect(
      server.requests.allSatisfy { $0.headers["x-key"] == "of one" && $0.headers["x-other"] == "of all" })
    // On a loop too; and without it.
    resources.setTransform(nil)
    let loop = try RunLoop()
    var result: ResourceResult?
    loader.load(ResourceRequest(kind: .tile, url: server.url("/plain")), on: loop) { result = $0.result }
    while result == nil { loop.runOnce() }
    #expect(result.flatMap(data) == "/plain" && server.requests.last?.headers["x-key"] == "of all")
    loop.close()
  }

  @Test func aTransformMayLeadToFilesAndData() throws {
    let folder = WorkFolder()
    let path = folder.write("here", Array("a file".utf8))
    let resources = try resources { _, url in
      ResourceTransform.Change(url: url == "my:file" ? path : "data:,inline")
    }
    let loader = try resources.loader
    #expect(data(loader.load(ResourceRequest(kind: .geojson, url: "my:file"))) == "a file")
    #expect(data(loader.load(ResourceRequest(kind: .geojson, url: "my:data"))) == "inline")
    // A document from a server does not get at files by it.
    var request = ResourceRequest(kind: .geojson, url: "my:file")
    request.allowsFiles = false
    #expect(data(loader.load(request)) == nil)
  }

  @Test func whatIsRefusedIsNotAskedFor() throws {
    let server = TestServer { _ in .status(200) }
    defer { server.stop() }
    let resources = try resources { _, url in
      var change = ResourceTransform.Change(url: url + "?key=SECRET")
      change.refusal = NeatError(.unsupported, "not for you")
      return change
    }
    let loader = try resources.loader
    let request = ResourceRequest(kind: .style, url: server.url("/style"))
    guard case .failed(let error) = loader.load([request, request], deadline: .after(ms: 5000))[1] else {
      Issue.record("an answer")
      return
    }
    #expect(error.code == .unsupported && error.description == "\(request.url): not for you")
    let loop = try RunLoop()
    var count = 0
    loader.load(request, on: loop) { answer in
      if case .failed(let error) = answer.result { #expect(error.message == "not for you") }
      count += 1
    }
    let cancelled = loader.load(request, on: loop) { answer in
      if case .failed(let error) = answer.result { #expect(error.code == .cancelled) }
      count += 1
    }
    #expect(count == 0)
    cancelled.cancel()
    while count < 2 { loop.runOnce() }
    #expect(server.requests.isEmpty)
    loop.close()
  }

  /// Replaced while others ask: each sees one or the other, and the last reference to each goes.
  @Test func transformsAreReplacedAtAnyTime() throws {
    final class Token: Sendable {
      let gone: Counter
      init(_ gone: Counter) { self.gone = gone }
      deinit { gone.add() }
    }
    final class Counter: Sendable {
      private let value = Locked(0)
      func add() { value.withLock { $0 += 1 } }
      var count: Int { value.withLock { $0 } }
    }
    let gone = Counter()
    do {
      let slot = TransformSlot()
      let pool = WorkerPool(width: 4)
      pool.executor.forEach(400) { index in
        if index % 4 == 0 {
          let token = Token(gone)
          slot.set(
            ResourceTransform { _, _ in withExtendedLifetime(token) { .init(url: "changed") } })
        } else if let transform = slot.transform {
          #expect(transform.change(.tile, "x").url == "changed")
        }
      }
      #expect(gone.count == 99)
    }
    #expect(gone.count == 100)
  }
}
