import NeatBase
import NeatStore
import Testing

/// The ambient cache: its limit, and what goes first.
@Suite struct EvictionTests {
  private let folder = DatabaseFolder()
  /// What a tile of 1000 bytes counts.
  private let size = Int64(1000 + tile(0).address.utf8.count + 64)

  private func fill(_ database: ResourceDatabase, _ range: Range<Int>, from start: Int64 = 0) throws {
    for index in range {
      try database.put(tile(index), data(noise(1000, UInt64(index))), now: start + Int64(index))
    }
  }

  private func stored(_ database: ResourceDatabase, _ range: Range<Int>) throws -> [Int] {
    try range.filter { try database.facts(tile($0)) != nil }
  }

  @Test func theLeastRecentlyUsedGoFiftyAtOnce() throws {
    let limit = 100 * size
    let database = try folder.open { $0.maximumAmbientBytes = limit }
    try fill(database, 0..<100)
    #expect(try database.ambientBytes() == limit)
    #expect(database.statistics.evicted == 0)
    try fill(database, 100..<101)
    #expect(database.statistics.evicted == 50)
    #expect(try stored(database, 0..<101) == Array(50..<101))
    #expect(try database.ambientBytes() == 51 * size)
  }

  @Test func aReadIsAUse() throws {
    let limit = 100 * size
    let database = try folder.open { $0.maximumAmbientBytes = limit }
    try fill(database, 0..<100)
    for index in 0..<30 { #expect(try database.get(tile(index), now: 200) != nil) }
    try fill(database, 100..<101, from: 200)
    #expect(try stored(database, 0..<101) == Array(0..<30) + Array(80..<101))
    // What no eviction asked for is written on closing.
    #expect(try database.get(tile(90), now: 999) != nil)
    database.close()
    #expect(folder.rows("SELECT accessed FROM tiles WHERE x = 90") == ["999"])
    #expect(folder.rows("SELECT accessed FROM tiles WHERE x = 0") == ["200"])
  }

  @Test func timesOfUseAreWrittenAfterSomeSeconds() throws {
    let database = try folder.open()
    try fill(database, 0..<3)
    _ = try database.get(tile(0), now: 100)
    _ = try database.get(tile(1), now: 105)
    #expect(folder.rows("SELECT accessed FROM tiles ORDER BY x") == ["0", "1", "2"])
    _ = try database.get(tile(1), now: 110)
    #expect(folder.rows("SELECT accessed FROM tiles ORDER BY x") == ["100", "110", "2"])
  }

  @Test func aTimeAheadOfTheClockDoesNotKeepAnEntryForEver() throws {
    let limit = 100 * size
    let database = try folder.open { $0.maximumAmbientBytes = limit }
    try fill(database, 0..<60, from: 4_000_000_000)
    try fill(database, 60..<101)
    #expect(try stored(database, 0..<101) == Array(0..<10) + Array(60..<101))
  }

  @Test func entriesOfOneSecondGoInTheOrderTheyCame() throws {
    let limit = 100 * size
    let database = try folder.open { $0.maximumAmbientBytes = limit }
    for index in 0..<101 { try database.put(tile(index), data(noise(1000, UInt64(index))), now: 5) }
    #expect(try stored(database, 0..<101) == Array(50..<101))
  }

  @Test func bothTablesAreOneCache() throws {
    let database = try folder.open { $0.maximumAmbientBytes = 20_000 }
    try database.put(resource("https://a/old"), data(noise(9000)), now: 1)
    try database.put(tile(1), data(noise(9000)), now: 2)
    try database.put(tile(2), data(noise(9000)), now: 3)
    #expect(try database.facts(resource("https://a/old")) == nil)
    #expect(try database.facts(tile(2)) != nil)
  }

  @Test func whatIsLargerThanTheCacheIsNotStoredAndEvictsNothing() throws {
    let database = try folder.open { $0.maximumAmbientBytes = 10_000 }
    try database.put(tile(1), data(noise(5000)), now: 1)
    #expect(try database.put(tile(2), data(noise(10_000)), now: 2) == .doesNotFit)
    #expect(try database.facts(tile(1)) != nil && database.statistics.evicted == 0)
    // An outdated body does not stay in its place.
    #expect(try database.put(tile(1), data(noise(10_000)), now: 2) == .doesNotFit)
    #expect(try database.facts(tile(1)) == nil)
    #expect(try database.ambientBytes() == 0)
  }

  @Test func aLimitOfNothingStoresNothingAmbiently() throws {
    let database = try folder.open { $0.maximumAmbientBytes = 0 }
    #expect(try database.put(tile(1), data([1]), now: 1) == .doesNotFit)
    #expect(try database.get(tile(1), now: 1) == nil)
    // What a region needs is stored, and kept up to date by whoever asks for it.
    let region = try database.createRegion(world, metadata: [])
    _ = try database.putRegionResources([(tile(1), data([1]))], region: region.id, now: 1)
    #expect(try database.put(tile(1), data([2]), now: 1) == .stored(bytes: 1))
    #expect(try database.get(tile(1), now: 1) == data([2]))
  }

  @Test func whatARegionNeedsDoesNotCountAndStays() throws {
    let limit = 100 * size
    let database = try folder.open { $0.maximumAmbientBytes = limit }
    let region = try database.createRegion(world, metadata: [])
    try fill(database, 0..<60)
    let entries = (0..<60).map { (key: tile($0), response: data(noise(1000, UInt64($0)))) }
    _ = try database.putRegionResources(entries, region: region.id, now: 1)
    #expect(try database.ambientBytes() == 0)
    try fill(database, 60..<260)
    #expect(try stored(database, 0..<60) == Array(0..<60))
    #expect(try database.ambientBytes() <= limit)
    #expect(try stored(database, 259..<260) == [259])
    try database.setMaximumAmbientCacheSize(0, now: 1)
    #expect(try stored(database, 0..<260) == Array(0..<60))
  }

  @Test func aLowerLimitEvictsAtOnceAndGivesTheRoomBack() throws {
    let database = try folder.open()
    try fill(database, 0..<2000)
    let before = readFile(folder.path).count
    try database.setMaximumAmbientCacheSize(100 * size, now: 5000)
    #expect(try database.ambientBytes() <= 100 * size)
    #expect(try stored(database, 0..<2000).last == 1999)
    database.close()
    #expect(readFile(folder.path).count < 1 << 20 && before > 1 << 20 || before == 0)
    expectFailure(.invalidArgument, database.path) { try database.setMaximumAmbientCacheSize(-1, now: 1) }
  }

  @Test func clearingTakesAllButRegions() throws {
    let database = try folder.open()
    let region = try database.createRegion(world, metadata: [])
    try fill(database, 0..<1200)
    _ = try database.putRegionResources([(tile(7), data([1]))], region: region.id, now: 1)
    try database.clearAmbientCache()
    #expect(try stored(database, 0..<1200) == [7])
    #expect(try database.ambientBytes() == 0)
    try fill(database, 0..<5)
    #expect(try database.ambientBytes() == 5 * size)
  }

  @Test func invalidatingMakesAllStaleButRegions() throws {
    let database = try folder.open()
    let region = try database.createRegion(world, metadata: [])
    for index in 0..<600 { try database.put(tile(index), data([1], expires: 5000), now: 1) }
    try database.put(resource("r"), data([1], expires: 5000), now: 1)
    _ = try database.putRegionResources([(tile(7), data([1], expires: 5000))], region: region.id, now: 1)
    try database.invalidateAmbientCache()
    let stale = DatabaseResponse(.data([1]), expires: 0, mustRevalidate: true)
    #expect(try database.get(tile(599), now: 1) == stale)
    #expect(try database.get(resource("r"), now: 1) == stale)
    #expect(try database.get(tile(7), now: 1) == data([1], expires: 5000))
  }

  @Test func anotherProgramsWritesAreCounted() throws {
    let database = try folder.open { $0.maximumAmbientBytes = 10_000 }
    try database.put(tile(1), data([1]), now: 1)
    folder.run(
      "INSERT INTO tiles (url_template, pixel_ratio, z, x, y, data, accessed) VALUES ('t', 1, 0, 0, 0, zeroblob(9900), 0)"
    )
    try database.put(tile(2), data([1]), now: 2)
    #expect(folder.rows("SELECT count(*) FROM tiles WHERE url_template = 't'") == ["0"])
  }

  @Test func aCountOfNonsenseIsCountedAnew() throws {
    let database = try folder.open { $0.maximumAmbientBytes = 10_000 }
    try database.put(tile(1), data([1]), now: 1)
    for nonsense in ["-5", "9223372036854775807", "'many'", "1e300", "x'00'"] {
      folder.run("UPDATE neatline_ambient SET bytes = \(nonsense)")
      #expect(try database.put(tile(2), data([2]), now: 2) == .stored(bytes: 1))
      #expect(try database.ambientBytes() == 2 * (size - 999))
    }
  }
}
