import Glibc
import Neatline
import Synchronization

extension Bench {
  /// The cache of what servers answer, as maps and renderers use it: tiles of 20 kB, which pack to half, of a
  /// service in the same process; the ambient limit reached before anything is timed. Loads are those of a
  /// host that waits for each (`Resources.load`).
  func cache() throws {
    let folder = "/tmp/neatline-bench-\(getpid())"
    mkdir(folder, 0o700)
    defer { _ = try? Platform.output(of: "rm -rf '\(folder)'") }
    let service = TileService()
    HttpServiceFactory.setUserDefinedForCustom(service)
    try rates(folder, service)
    try opening(folder)
  }

  private func rates(_ folder: String, _ service: TileService) throws {
    var options = Resources.Options()
    options.cachePath = folder + "/cache.db"
    let resources = try Resources(options)
    let known = isQuick ? 200 : 4000
    var next = 0
    // 50 MiB of tiles of 10 kB.
    let filling = isQuick ? 6000 : 12_000
    try Threads.run(8, filling) { _ = try resources.load(.tile, address($0)) }
    next = filling
    try resources.flushCache()
    guard let evicted = try resources.report["cache"]?["evicted"]?.number, evicted > 0 else {
      throw BenchError("the ambient limit was not reached")
    }
    var (writes, reads, turns) = ([Double](), [Double](), [Double]())
    let loop = try EventLoop()
    var mapOptions = Options()
    mapOptions.resources = resources
    let map = try Map(loop: loop, width: 256, height: 256, options: mapOptions)
    try map.setStyle(json: #"{"version": 8, "sources": {}, "layers": []}"#)
    loop.run(timeout: 1000)
    for _ in 0..<(isQuick ? 2 : 9) {
      let first = next
      var start = Platform.now
      let isDone = Atomic(false)
      var longest = 0.0
      let work = Threads.begin {
        try Threads.run(8, known) { _ = try resources.load(.tile, address(first + $0)) }
        try resources.flushCache()
        isDone.store(true, ordering: .releasing)
      }
      // A host's loop on this thread meanwhile; what it is told to wait for is not counted.
      while !isDone.load(ordering: .acquiring) {
        let turn = Platform.now
        loop.poll()
        longest = max(longest, Platform.now - turn)
        usleep(500)
      }
      try work.wait()
      writes.append(Double(known) / (Platform.now - start))
      turns.append(longest * 1000)
      next += known
      let asked = service.requestCount
      start = Platform.now
      try Threads.run(2, known) { _ = try resources.load(.tile, address(first + $0)) }
      reads.append(Double(known) / (Platform.now - start))
      guard service.requestCount == asked else { throw BenchError("what was stored was asked for again") }
    }
    withExtendedLifetime(map) {}
    add("stored, at the limit of 50 MiB", writes, "tiles/s")
    add("read", reads, "tiles/s")
    add("the longest turn of a loop meanwhile", turns, "ms")
    try memory(resources, &next)
  }

  /// What the process holds while requests go on.
  private func memory(_ resources: Resources, _ next: inout Int) throws {
    let count = isQuick ? 2000 : 100_000
    var sizes: [Double] = []
    for _ in 0..<2 {
      let first = next
      try Threads.run(4, count) { _ = try resources.load(.tile, address(first + $0)) }
      next += count
      sizes.append(Double(Platform.residentBytes) / Double(1 << 20))
    }
    add("resident after \(count) requests", [sizes[0]], "MiB")
    add("resident after \(2 * count) requests", [sizes[1]], "MiB")
  }

  private func opening(_ folder: String) throws {
    var options = Resources.Options()
    options.cachePath = folder + "/large.db"
    options.cacheBytes = 4 << 30
    let count = isQuick ? 2000 : 105_000
    do {
      let resources = try Resources(options)
      try Threads.run(8, count) { _ = try resources.load(.tile, address($0)) }
      try resources.flushCache()
    }
    let size = try Platform.output(of: "stat -c %s '\(folder)/large.db'")
    var times: [Double] = []
    for _ in 0..<(isQuick ? 2 : 15) {
      let start = Platform.now
      let resources = try Resources(options)
      // Opening is over when something was read.
      _ = try resources.load(.tile, address(count - 1))
      times.append((Platform.now - start) * 1000)
    }
    let megabytes = (Int(String(decoding: size, as: UTF8.self).filter(\.isNumber)) ?? 0) / 1_000_000
    add("a database of \(megabytes) MB opened, and a tile read", times, "ms")
  }
}

private func address(_ index: Int) -> String { "http://bench.invalid/\(index)" }

/// Answers with tiles that differ, half of whose bytes are chance.
private final class TileService: HttpServiceInterface, Sendable {
  private let body: [UInt8]
  private let requests = Atomic(0)

  var requestCount: Int { requests.load(ordering: .relaxed) }

  init() {
    var state: UInt64 = 88_172_645_463_325_252
    body = (0..<20_000).map { index in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return index & 1 == 0 ? UInt8(truncatingIfNeeded: state) : 0
    }
  }

  func request(for request: HttpRequest, callback: @escaping HttpResponseCallback) -> UInt64 {
    requests.add(1, ordering: .relaxed)
    var body = body
    for (index, byte) in request.url.utf8.suffix(12).enumerated() { body[2 * index + 1] = byte }
    let data = HttpResponseData(
      headers: ["cache-control": "max-age=86400", "etag": "\"1\""], code: 200, data: body)
    callback(HttpResponse(request: request, result: .success(data)))
    return 0
  }
}
