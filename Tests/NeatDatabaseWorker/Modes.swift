import NeatBase
import NeatStore

struct Random {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}

let template = "https://tiles.example/{z}/{x}/{y}.pbf"

func key(_ index: Int) -> DatabaseKey {
  .tile(template: template, z: 14, x: UInt32(index % 16384), y: UInt32(index / 16384))
}

/// Bytes that tell which tile they are, and pack to about half, as tiles do.
func body(_ index: Int, count: Int) -> [UInt8] {
  var random = Random(state: UInt64(index) &* 977 &+ 1)
  var bytes = [UInt8](repeating: 0, count: count)
  for place in stride(from: 0, to: count, by: 2) { bytes[place] = UInt8(random.next(256)) }
  return bytes
}

func mixed(_ path: String, seconds: Int, seed: UInt64) throws(NeatError) {
  var options = DatabaseOptions()
  options.maximumAmbientBytes = 2 << 20
  options.busyTimeoutMS = 30_000
  let database = try ResourceDatabase(path: path, options: options)
  var random = Random(state: seed)
  let region = try database.createRegion(
    OfflineRegionDefinition(styleURL: "s", area: .bounds(south: 0, west: 0, north: 1, east: 1)),
    metadata: Array("\(seed)".utf8))
  let end = now() + Int64(seconds)
  var (reads, writes, kept) = (0, 0, 0)
  while now() < end {
    let index = random.next(1000)
    switch random.next(20) {
    case 0:
      // Keys of this process alone: no other may lose them.
      let own = 1_000_000 * Int(seed) + kept
      let entries = (own..<own + 4).map { (key($0), DatabaseResponse(.data(body($0, count: 3000)))) }
      let outcome = try database.putRegionResources(entries, region: region.id, now: now())
      kept += outcome.count
    case 1...8:
      try database.put(
        key(index), DatabaseResponse(.data(body(index, count: 20_000)), etag: "\(index)"), now: now())
      writes += 1
    default:
      if let found = try database.get(key(index), now: now()) {
        guard found.content == .data(body(index, count: 20_000)), found.etag == "\(index)" else {
          fail("tile \(index) is another one's")
        }
      }
      reads += 1
    }
  }
  let counts = try database.counts(ofRegion: region.id)
  guard counts.tiles == Int64(kept) else { fail("\(kept) were kept, \(counts.tiles) are there") }
  for index in 0..<kept {
    let own = 1_000_000 * Int(seed) + index
    guard try database.regionResource(key(own))?.content == .data(body(own, count: 3000)) else {
      fail("tile \(own) of the region is lost")
    }
  }
  let bytes = try database.ambientBytes()
  guard bytes <= options.maximumAmbientBytes else { fail("\(bytes) bytes are ambient") }
  let notices = database.takeNotices()
  guard notices.isEmpty else { fail("\(notices)") }
  database.close()
  say("\(reads) reads, \(writes) writes, \(kept) kept")
}

func region(_ path: String, batch: Int) throws(NeatError) {
  let database = try ResourceDatabase(path: path)
  let region = try database.createRegion(
    OfflineRegionDefinition(styleURL: "s", area: .bounds(south: 0, west: 0, north: 1, east: 1)), metadata: [])
  var count = 0
  while true {
    let entries = (count..<count + batch).map { (key($0), DatabaseResponse(.data(body($0, count: 3000)))) }
    count += try database.putRegionResources(entries, region: region.id, now: now()).count
    say("\(count)")
  }
}

func fill(_ path: String, bytes: Int) throws(NeatError) {
  let database = try ResourceDatabase(path: path)
  // The signal would end the process before SQLite sees the error.
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
  #if canImport(Glibc)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  #else
    setrlimit(RLIMIT_FSIZE, &limit)
  #endif
  var stored = 0
  var failed = 0
  for index in 0..<2000 where failed < 3 {
    do throws(NeatError) {
      try database.put(key(index), DatabaseResponse(.data(body(index, count: 20_000))), now: now())
      stored += 1
    } catch {
      guard database.lastFailure == .diskFull, error.code == .io, error.resource == database.path else {
        fail("\(error) \(String(describing: database.lastFailure))")
      }
      failed += 1
    }
  }
  guard stored > 0, failed == 3 else { fail("\(stored) stored, \(failed) failed") }
  let notices = database.takeNotices()
  guard notices.count == 1, notices[0].failure == .diskFull else { fail("\(notices)") }
  guard try database.get(key(0), now: now())?.content == .data(body(0, count: 20_000)) else {
    fail("what was stored before is not read")
  }
  say("\(stored)")
}
