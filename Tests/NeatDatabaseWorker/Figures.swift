import NeatBase
import NeatStore

// Tiles of 20 kB that pack to about half, or a tile that is given, in a database whose ambient limit is reached.

private func seconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Seconds of the processor that this process took.
private func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

private func rate(_ name: String, _ count: Int, _ body: () throws(NeatError) -> Void) throws(NeatError) {
  let (start, began) = (seconds(), processorSeconds())
  try body()
  let (time, worked) = (seconds() - start, processorSeconds() - began)
  let each = (worked * 1e7 / Double(count)).rounded() / 10
  say("\(name): \(Int(saturating: Double(count) / time)) a second, \(each) µs of the processor each")
}

/// Bodies that differ in their last bytes.
private func bodies(like tile: String?) -> [[UInt8]] {
  guard let tile else { return (0..<1000).map { body($0, count: 20_000) } }
  guard let file = fopen(tile, "rb") else { fail("\(tile) cannot be read") }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
  return (0..<1000).map { bytes + [UInt8($0 & 255), UInt8($0 >> 8)] }
}

func bench(_ folder: String, tile: String?) throws(NeatError) {
  let path = folder + "/bench.db"
  let bodies = bodies(like: tile)
  say("tiles of \(bodies[0].count) bytes")
  func response(_ index: Int) -> DatabaseResponse {
    DatabaseResponse(.data(bodies[index % bodies.count]), etag: "e")
  }
  let database = try ResourceDatabase(path: path)
  var index = 0
  while database.statistics.evicted == 0 {
    try database.put(key(index), response(index), now: 1000)
    index += 1
  }
  say("\(index) tiles reach the limit of \(database.maximumAmbientBytes) bytes")
  let writes = 20_000
  try rate("writes one by one", writes) { () throws(NeatError) in
    for _ in 0..<writes {
      try database.put(key(index), response(index), now: 1000 + Int64(index / 5000))
      index += 1
    }
  }
  try rate("writes in batches of \(ResourceDatabase.batchCount)", writes) { () throws(NeatError) in
    var left = writes
    while left > 0 {
      let count = min(left, ResourceDatabase.batchCount)
      try database.put(
        (index..<index + count).map { (key($0), response($0)) }, now: 1000 + Int64(index / 5000))
      index += count
      left -= count
    }
  }
  let reads = 100_000
  var random = Random(state: 1)
  let low = index - 2000
  try rate("reads", reads) { () throws(NeatError) in
    for read in 0..<reads {
      // The clock goes on, so that times of use are written.
      guard try database.get(key(low + random.next(2000)), now: 2000 + Int64(read / 20_000)) != nil else {
        fail("a tile is not there")
      }
    }
  }
  try rate("reads and writes, four to one", reads) { () throws(NeatError) in
    for read in 0..<reads {
      if read % 5 == 0 {
        try database.put(key(index), response(index), now: 3000 + Int64(read / 20_000))
        index += 1
      } else {
        _ = try database.get(key(index - 1 - random.next(2000)), now: 3000 + Int64(read / 20_000))
      }
    }
  }
  database.close()
  try opening(folder, bodies)
}

/// The time to open a database of 1 GB, with what its first read and its first write take.
private func opening(_ folder: String, _ bodies: [[UInt8]]) throws(NeatError) {
  let path = folder + "/large.db"
  do {
    var options = DatabaseOptions()
    options.maximumAmbientBytes = 2 << 30
    let database = try ResourceDatabase(path: path, options: options)
    let region = try database.createRegion(
      OfflineRegionDefinition(styleURL: "s", area: .bounds(south: 0, west: 0, north: 1, east: 1)),
      metadata: [])
    var index = 0
    while index < 100_000 {
      let entries = (index..<index + 500).map {
        (key($0), DatabaseResponse(.data(bodies[$0 % bodies.count])))
      }
      _ = try database.putRegionResources(entries, region: region.id, now: 1000)
      index += 500
    }
    database.close()
  }
  var status = stat()
  stat(path, &status)
  var times: [Double] = []
  for round in 0..<5 {
    let start = seconds()
    let database = try ResourceDatabase(path: path)
    let opened = seconds()
    _ = try database.get(key(round), now: 2000)
    let read = seconds()
    try database.put(key(200_000 + round), DatabaseResponse(.data(bodies[0])), now: 2000)
    let written = seconds()
    database.close()
    times.append(opened - start)
    say(
      "opening \(status.st_size >> 20) MiB: \((opened - start) * 1000) ms, first read \((read - opened) * 1000) ms, first write \((written - read) * 1000) ms"
    )
  }
}
