import CSQLite
import NeatBase
import NeatStore
import NeatTile
import Testing

/// Files that are no databases, other applications', damaged, or changed behind our back.
@Suite struct BrokenDatabaseTests {
  private let folder = DatabaseFolder()
  private var aside: String { folder.path + ".broken-1" }

  /// Opens what is broken: it is put aside as it is, told once, and the new one works.
  private func expectPutAside(_ location: SourceLocation = #_sourceLocation) throws {
    let before = readFile(folder.path)
    let database = try folder.open()
    let notices = database.takeNotices()
    #expect(notices.count == 1 && notices.first?.failure == .broken, sourceLocation: location)
    #expect(
      notices.first?.putAside == aside && notices.first?.error.code == .archive, sourceLocation: location)
    #expect(readFile(aside) == before, sourceLocation: location)
    try database.put(tile(1), data([1]), now: 1)
    database.close()
    let again = try folder.open()
    #expect(
      try again.get(tile(1), now: 1) == data([1]) && again.takeNotices() == [], sourceLocation: location)
    again.close()
    for name in folder.names { unlink(folder.folder.file(name)) }
  }

  @Test func noiseIsPutAside() throws {
    for count in [2, 15, 16, 99, 100, 512, 5000] {
      writeFile(folder.path, noise(count, UInt64(count)))
      try expectPutAside()
    }
    writeFile(folder.path, Array("SQLite format 3\0".utf8) + noise(4080))
    try expectPutAside()
  }

  @Test func anEmptyFileIsANewDatabase() throws {
    writeFile(folder.path, [])
    let database = try folder.open()
    try database.put(tile(1), data([1]), now: 1)
    #expect(database.takeNotices() == [])
  }

  @Test func aCutFileIsPutAside() throws {
    let database = try folder.open()
    for index in 0..<50 { try database.put(tile(index), data(noise(3000, UInt64(index))), now: 1) }
    database.close()
    let bytes = readFile(folder.path)
    for count in [200, 4096, 4097, bytes.count / 2, bytes.count - 4096] {
      writeFile(folder.path, Array(bytes[..<count]))
      try expectPutAside()
    }
  }

  @Test func tablesThatAreMissingOrWrongArePutAside() throws {
    for change in [
      "DROP TABLE region_tiles", "DROP TABLE regions", "DROP TABLE resources",
      "ALTER TABLE tiles DROP COLUMN etag", "ALTER TABLE tiles DROP COLUMN must_revalidate",
      "ALTER TABLE resources RENAME COLUMN data TO body",
      "DROP TABLE regions; CREATE TABLE regions (id TEXT, definition TEXT, description BLOB)",
      "DROP TABLE regions; CREATE VIEW regions AS SELECT 1 AS id, 'a' AS definition, NULL AS description",
      "DROP TABLE region_tiles; CREATE TABLE region_tiles (region_id INTEGER, tile_id INTEGER)",
      """
      DROP TABLE resources; CREATE TABLE resources (id INTEGER PRIMARY KEY, url INTEGER, kind INTEGER,
      expires INTEGER, modified INTEGER, etag TEXT, data BLOB, compressed INTEGER, accessed INTEGER,
      must_revalidate INTEGER, UNIQUE (url))
      """,
      "PRAGMA user_version = 1",
    ] {
      folder.run("PRAGMA foreign_keys = OFF;" + LegacySchema.statements(6) + change + ";")
      try expectPutAside()
    }
    folder.run("PRAGMA user_version = 6")
    try expectPutAside()
  }

  @Test func anIndexThatIsMissingIsMade() throws {
    folder.run(LegacySchema.statements(6) + "DROP INDEX tiles_accessed; DROP INDEX region_tiles_tile_id;")
    let database = try folder.open()
    #expect(database.takeNotices() == [])
    database.close()
    #expect(
      folder.rows("SELECT name FROM sqlite_schema WHERE name IN ('tiles_accessed', 'region_tiles_tile_id')")
        .count == 2)
  }

  @Test func anotherApplicationsDatabaseIsRefusedAndNotTouched() throws {
    for sql in [
      TemporaryDatabase.schema, "CREATE TABLE notes (a)", "CREATE TABLE notes (a); PRAGMA user_version = 6",
      "CREATE TABLE tiles (a); CREATE TABLE regions (b); CREATE TABLE notes (c); PRAGMA user_version = 3",
      "PRAGMA application_id = 5", "CREATE VIEW v AS SELECT 1",
      "CREATE TABLE notes (a); PRAGMA user_version = 99",
      "CREATE TABLE http_cache (a); CREATE TABLE notes (a)",
    ] {
      folder.run(sql)
      let before = readFile(folder.path)
      expectFailure(.archive, folder.path) { _ = try folder.open() }
      #expect(readFile(folder.path) == before && folder.names == ["cache.db"])
      unlink(folder.path)
    }
  }

  @Test func whatIsNoFileIsRefused() throws {
    mkdir(folder.path, 0o700)
    expectFailure(.invalidArgument, folder.path) { _ = try folder.open() }
    rmdir(folder.path)
    mkfifo(folder.path, 0o600)
    expectFailure(.invalidArgument, folder.path) { _ = try folder.open() }
    unlink(folder.path)
    #expect(throws: NeatError.self) { try ResourceDatabase(path: "") }
    #expect(throws: NeatError.self) { try ResourceDatabase(path: "a\0b") }
    expectFailure(.io, "/nowhere/at/all.db") { _ = try ResourceDatabase(path: "/nowhere/at/all.db") }
    expectFailure(.notFound, folder.path) { _ = try folder.open { $0.isReadOnly = true } }
    #expect(folder.names == [])
  }

  @Test func onlySoManyBrokenOnesStandBesideEachOther() throws {
    for number in 1...8 {
      writeFile(folder.path, noise(2000, UInt64(number)))
      let database = try folder.open()
      #expect(database.takeNotices().first?.putAside == folder.path + ".broken-\(number)")
      database.close()
    }
    writeFile(folder.path, noise(2000, 9))
    // Nothing is deleted; the map goes on without a cache.
    expectFailure(.archive, folder.path) { _ = try folder.open() }
    #expect(readFile(folder.path) == noise(2000, 9))
  }

  /// Ten at once find it broken: one of them renames it, and all share the new one.
  @Test func aBrokenFileIsPutAsideOnce() throws {
    final class Opening {
      let path: String
      let index: Int
      var asides = 0
      init(_ path: String, _ index: Int) { (self.path, self.index) = (path, index) }
    }
    writeFile(folder.path, noise(20_000))
    let openings = (0..<10).map { Opening(folder.path, $0) }
    var threads = [pthread_t](repeating: pthread_t(), count: openings.count)
    for (index, opening) in openings.enumerated() {
      pthread_create(
        &threads[index], nil,
        { context in
          let opening = Unmanaged<Opening>.fromOpaque(context!).takeRetainedValue()
          guard let database = try? ResourceDatabase(path: opening.path),
            (try? database.put(tile(opening.index), data([1]), now: 1)) == .stored(bytes: 1)
          else { return nil }
          opening.asides = 1 + database.takeNotices().count
          return nil
        }, Unmanaged.passRetained(opening).toOpaque())
    }
    for thread in threads { pthread_join(thread, nil) }
    #expect(openings.map(\.asides).sorted() == [1, 1, 1, 1, 1, 1, 1, 1, 1, 2])
    #expect(folder.rows("SELECT count(*) FROM tiles") == ["10"])
    #expect(readFile(aside) == noise(20_000) && !folder.names.contains("cache.db.broken-2"))
  }

  @Test func damageInUseIsPutAsideAndTheCallGoesOn() throws {
    let database = try folder.open()
    for index in 0..<300 { try database.put(tile(index), data(noise(3000, UInt64(index))), now: 1) }
    try database.pack()
    // Behind the connection's back: all but the first page is noise. Its cache of pages does not hold it all.
    let size = readFile(folder.path).count
    let file = try #require(fopen(folder.path, "r+b"))
    fseek(file, 4096, SEEK_SET)
    fwrite(noise(size - 4096), 1, size - 4096, file)
    fclose(file)
    folder.run("PRAGMA user_version = 6")
    #expect(try (0..<300).allSatisfy { try database.get(tile($0), now: 2) == nil })
    let notices = database.takeNotices()
    #expect(notices.count == 1 && notices[0].failure == .broken && notices[0].putAside == aside)
    #expect(database.lastFailure == nil)
    try database.put(tile(1), data([1]), now: 1)
    #expect(try database.get(tile(1), now: 1) == data([1]))
    // A region of before is not there any more, and says so.
    expectFailure(.notFound, folder.path) { _ = try database.counts(ofRegion: 1) }
  }

  @Test func anEntryThatCannotBeUnpackedIsTakenOutAndToldOnce() throws {
    let database = try folder.open { $0.maximumBodyBytes = 100_000 }
    let region = try database.createRegion(world, metadata: [])
    _ = try database.putRegionResources(
      (0..<6).map { (tile($0), data(Array(repeating: 1, count: 500))) }, region: region.id, now: 1)
    // A bomb, cut, no zlib, not to be packed, text, a number.
    let bomb = try #require(try ZlibPacker(level: 9).pack(Array(repeating: 0, count: 100_001)))
    let hex = bomb.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    for (x, value) in [(0, "x'\(hex)'"), (1, "substr(data, 1, 9)"), (2, "x'00'"), (3, "zeroblob(100001)")] {
      folder.run("UPDATE tiles SET data = \(value), compressed = \(x == 3 ? 0 : 1) WHERE x = \(x)")
    }
    folder.run(
      "UPDATE tiles SET data = 'text', compressed = 0, etag = x'ff', expires = 'soon', accessed = 'a' WHERE x = 4"
    )
    folder.run(
      "UPDATE tiles SET data = 12.5, compressed = 'no', must_revalidate = 1e300, modified = 1e300 WHERE x = 5"
    )
    for x in 0..<4 {
      #expect(try database.get(tile(x), now: 2) == nil)
      #expect(try !database.region(region.id, has: tile(x)))
    }
    #expect(database.takeNotices().count == 4 && database.statistics.damaged == 4)
    #expect(try database.get(tile(4), now: 2)?.content == .data(Array("text".utf8)))
    #expect(try database.get(tile(5), now: 2)?.content == .data(Array("12.5".utf8)))
    #expect(try database.counts(ofRegion: region.id).tiles == 2)
    #expect(try database.ambientBytes() == 0)
  }

  @Test func aFileThatIsMovedAwayOrDeletedIsBegunAnew() throws {
    let database = try folder.open()
    try database.put(tile(1), data([1]), now: 1)
    rename(folder.path, folder.folder.file("moved.db"))
    try database.put(tile(2), data([2]), now: 1)
    #expect(try database.get(tile(2), now: 1) == data([2]) && database.get(tile(1), now: 1) == nil)
    #expect(folder.rows("SELECT x FROM tiles") == ["2"])
    unlink(folder.path)
    unlink(folder.path + "-wal")
    try database.put(tile(3), data([3]), now: 1)
    #expect(try database.get(tile(3), now: 1) == data([3]))
  }

  @Test func puttingAsideAndResettingBeginAnew() throws {
    let database = try folder.open()
    let region = try database.createRegion(world, metadata: [])
    _ = try database.putRegionResources([(tile(1), data([1]))], region: region.id, now: 1)
    #expect(try database.putAside() == aside)
    #expect(try database.regions() == [] && database.get(tile(1), now: 1) == nil)
    #expect(folder.rows("SELECT x FROM tiles", "cache.db.broken-1") == ["1"])
    let second = try database.createRegion(world, metadata: [])
    _ = try database.putRegionResources([(tile(1), data([1]))], region: second.id, now: 1)
    try database.put(tile(2), data([1]), now: 1)
    try database.reset()
    #expect(try database.regions() == [] && database.get(tile(1), now: 1) == nil)
    #expect(try database.ambientBytes() == 0)
    try database.put(tile(3), data([1]), now: 1)
    #expect(try database.get(tile(3), now: 1) != nil)
  }

  // MARK: Fuzz

  /// Bytes of a real database are flipped, cut and overwritten: it is opened or refused, and everything is
  /// read; nothing ends the process, and every error names the file.
  @Test func flippedBytesNeverCrashOrHang() throws {
    folder.run("PRAGMA page_size = 512;" + LegacySchema.statements(6))
    do {
      let database = try folder.open()
      try database.put((0..<60).map { (tile($0), data(noise($0 * 40, UInt64($0)))) }, now: 1)
    }
    let seed = readFile(folder.path)
    try #require(seed.count > 20_000)
    #if DEBUG
      let usual = 500
    #else
      let usual = 3000
    #endif
    let rounds = getenv("NEATLINE_FUZZ_ROUNDS").flatMap { Int(String(cString: $0)) } ?? usual
    var random = noise(rounds * 80, 77).makeIterator()
    func next(_ bound: Int) -> Int {
      Int(random.next() ?? 0) << 16 | Int(random.next() ?? 0) << 8 | Int(random.next() ?? 0)
    }
    var (opened, asides) = (0, 0)
    for round in 0..<rounds {
      for name in folder.names { unlink(folder.folder.file(name)) }
      var bytes = seed
      for _ in 0...round % 6 {
        let at = next(0) % (round % 3 == 0 ? min(1024, bytes.count) : bytes.count)
        switch next(0) % 5 {
        case 0: bytes[at] = UInt8(next(0) & 255)
        case 1: bytes[at] ^= 1 << UInt8(next(0) & 7)
        case 2: bytes[at] = [0, 1, 0x7f, 0x80, 0xff][next(0) % 5]
        case 3: for index in at..<min(bytes.count, at + 16) { bytes[index] = 0xff }
        default: if bytes.count > 1024 { bytes.removeLast(next(0) % (bytes.count - 512)) }
        }
      }
      writeFile(folder.path, bytes)
      do {
        let database = try folder.open { $0.maximumAmbientBytes = 20_000 }
        opened += 1
        use(database)
        if database.takeNotices().contains(where: { $0.putAside != nil }) { asides += 1 }
      } catch {
        #expect(error.resource == folder.path, "\(error)")
      }
    }
    #expect(opened > rounds / 2 && asides > 0)
  }

  /// Each call there is, whatever it says.
  private func use(_ database: ResourceDatabase) {
    let calls: [() throws -> Void] = [
      { for x in 0..<60 { _ = try database.get(tile(x), now: 5) } },
      { _ = try database.get(resource("mapbox://styles/a/b"), now: 5) }, { _ = try database.regions() },
      { _ = try database.counts(ofRegion: 1) }, { try database.put(tile(99), data(noise(3000)), now: 6) },
      { _ = try database.putRegionResources([(tile(3), data([1]))], region: 1, now: 7) },
      { try database.invalidateRegion(1) }, { _ = try database.ambientBytes() },
      { try database.deleteRegion(1, now: 8) }, { try database.invalidateAmbientCache() },
      { try database.pack() }, { try database.clearAmbientCache() },
    ]
    for call in calls {
      do { try call() } catch {
        #expect((error as? NeatError)?.resource == database.path, "\(error)")
      }
    }
    database.close()
  }
}
