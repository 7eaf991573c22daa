import CSQLite
import NeatBase
import NeatStore
import Testing

/// Databases of the older SDKs, and of newer ones.
@Suite struct DatabaseMigrationTests {
  private let folder = DatabaseFolder()
  private let template = "mapbox://tiles/a/{z}/{x}/{y}.vector.pbf"

  private func expectContents(_ database: ResourceDatabase, _ location: SourceLocation = #_sourceLocation)
    throws
  {
    #expect(
      try database.get(resource("mapbox://styles/a/b"), now: 20)
        == DatabaseResponse(.data(Array(#"{"version":8}"#.utf8)), etag: "style", modified: 50, expires: 100),
      sourceLocation: location)
    #expect(
      try database.get(resource("mapbox://fonts/a/0-255.pbf"), now: 20) == data([10, 0]),
      sourceLocation: location)
    #expect(
      try database.get(.tile(template: template, z: 2, x: 1, y: 3), now: 20)
        == data(Array(repeating: 65, count: 300)), sourceLocation: location)
    #expect(
      try database.get(.tile(template: template, z: 2, x: 0, y: 0), now: 20) == DatabaseResponse(.empty),
      sourceLocation: location)
    let regions = try database.regions()
    #expect(regions.count == 1 && regions.first?.metadata == Array("name".utf8), sourceLocation: location)
    #expect(
      regions.first?.definition?.area == .bounds(south: 1, west: 2, north: 3, east: 4),
      sourceLocation: location)
    #expect(
      try database.counts(ofRegion: 1)
        == OfflineRegionCounts(resources: 5, bytes: 32, tiles: 2, tileBytes: 13), sourceLocation: location)
  }

  @Test(arguments: 2...6) func olderSchemasAreBroughtUpToDateWithWhatTheyHave(version: Int) throws {
    folder.run(LegacySchema.statements(version))
    let database = try folder.open()
    #expect(database.takeNotices() == [])
    try expectContents(database)
    let size = Int64(1 + template.utf8.count + 64)
    #expect(try database.ambientBytes() == size)
    try database.put(tile(1), DatabaseResponse(.data([1]), mustRevalidate: true), now: 30)
    #expect(try database.get(tile(1), now: 30)?.mustRevalidate == true)
    database.close()
    #expect(folder.rows("PRAGMA user_version") == ["6"])
    #expect(folder.names == ["cache.db"])
    try expectContents(try folder.open())
  }

  @Test(arguments: 2...5) func aMigrationThatFailsLeavesTheOldSchema(version: Int) throws {
    folder.run(LegacySchema.statements(version))
    // Others hold the lock throughout.
    var handle: OpaquePointer?
    sqlite3_open(folder.path, &handle)
    #expect(sqlite3_exec(handle, "BEGIN IMMEDIATE; UPDATE tiles SET etag = 'x'", nil, nil, nil) == SQLITE_OK)
    expectFailure(.timeout, folder.path) { _ = try folder.open() }
    sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    sqlite3_close(handle)
    #expect(folder.rows("PRAGMA user_version") == ["\(version)"])
    #expect(folder.rows("SELECT count(*) FROM pragma_table_info('tiles')") == ["12"])
    try expectContents(try folder.open())
  }

  @Test(arguments: 2...6) func anOlderSchemaIsReadWithoutBeingChanged(version: Int) throws {
    folder.run(LegacySchema.statements(version))
    let before = readFile(folder.path)
    let database = try folder.open { $0.isReadOnly = true }
    try expectContents(database)
    #expect(database.isReadOnly)
    expectFailure(.io, database.path) { try database.put(tile(1), data([1]), now: 1) }
    #expect(database.lastFailure == .readOnly)
    database.close()
    #expect(readFile(folder.path) == before)
  }

  @Test func aNewerSchemaIsRefusedAndNeverTouched() throws {
    folder.run(LegacySchema.statements(6) + "PRAGMA user_version = 7;")
    let before = readFile(folder.path)
    for isReadOnly in [false, true] {
      do {
        _ = try folder.open { $0.isReadOnly = isReadOnly }
        Issue.record("it was opened")
      } catch {
        #expect(error.code == .state && error.resource == folder.path)
        #expect(error.message.contains("schema 7") && error.message.contains("up to 6"))
      }
    }
    #expect(readFile(folder.path) == before && folder.names == ["cache.db"])
  }

  @Test func theCacheBeforeSchema2IsPutAside() throws {
    folder.run(
      "CREATE TABLE http_cache (url TEXT, data BLOB); INSERT INTO http_cache VALUES ('a', x'01'); PRAGMA user_version = 1;"
    )
    let database = try folder.open()
    #expect(database.takeNotices().map(\.putAside) == [folder.path + ".broken-1"])
    #expect(try database.get(tile(1), now: 1) == nil)
    database.close()
    #expect(folder.rows("SELECT url FROM http_cache", "cache.db.broken-1") == ["a"])
  }

  @Test func aWriteThatWasInterruptedIsRolledBack() throws {
    folder.run(LegacySchema.statements(5), "before.db")
    // Pages reach the file before the end of the transaction; then both files are taken as a crash leaves them.
    var handle: OpaquePointer?
    sqlite3_open(folder.folder.file("before.db"), &handle)
    let changes = """
      PRAGMA cache_size = 1; BEGIN; UPDATE resources SET data = x'00'; UPDATE tiles SET data = x'00';
      INSERT INTO resources (url, kind, data, accessed) VALUES ('big', 1, zeroblob(100000), 1);
      """
    #expect(sqlite3_exec(handle, changes, nil, nil, nil) == SQLITE_OK)
    writeFile(folder.path, readFile(folder.folder.file("before.db")))
    writeFile(folder.path + "-journal", readFile(folder.folder.file("before.db-journal")))
    sqlite3_close(handle)
    try #require(readFile(folder.path + "-journal").count > 0)
    let database = try folder.open()
    #expect(database.takeNotices() == [])
    try expectContents(database)
    #expect(try database.facts(resource("big")) == nil)
  }

  @Test func packingWritesAnOldFileAnew() throws {
    folder.run(LegacySchema.statements(2))
    let database = try folder.open()
    try database.pack()
    try expectContents(database)
    database.close()
    #expect(folder.rows("PRAGMA auto_vacuum") == ["2"])
  }

  // MARK: Merging

  @Test(arguments: 2...6) func regionsOfAnotherDatabaseAreTakenOver(version: Int) throws {
    folder.run(LegacySchema.statements(version), "side.db")
    let side = readFile(folder.folder.file("side.db"))
    let database = try folder.open()
    // It has one of the tiles ambiently, older, and one of its own region.
    try database.put(
      .tile(template: template, z: 2, x: 1, y: 3), DatabaseResponse(.data([5]), modified: 1), now: 1)
    let own = try database.createRegion(world, metadata: [])
    let merged = try database.merge(folder.folder.file("side.db"))
    #expect(merged.count == 1 && merged[0].id != own.id && merged[0].metadata == Array("name".utf8))
    #expect(try database.counts(ofRegion: merged[0].id).resources == 5)
    #expect(try database.get(resource("mapbox://styles/a/b"), now: 1)?.etag == "style")
    // Not newer by its own word: what is here stays, and is now the region's.
    #expect(try database.get(.tile(template: template, z: 2, x: 1, y: 3), now: 1)?.content == .data([5]))
    #expect(try database.ambientBytes() == 0)
    // What is ambient there stays there.
    #expect(try database.facts(.tile(template: template, z: 2, x: 3, y: 3)) == nil)
    #expect(readFile(folder.folder.file("side.db")) == side)
    // Once more changes nothing.
    #expect(try database.merge(folder.folder.file("side.db")) == merged)
    #expect(try database.regions().count == 2)
  }

  @Test func whatWasModifiedLaterWins() throws {
    folder.run(LegacySchema.statements(6), "side.db")
    let database = try folder.open()
    let style = resource("mapbox://styles/a/b")
    try database.put(style, DatabaseResponse(.data([1]), modified: 49), now: 1)
    try database.merge(folder.folder.file("side.db"))
    #expect(try database.get(style, now: 1)?.modified == 50)
    try database.put(style, DatabaseResponse(.data([1]), modified: 51), now: 1)
    try database.merge(folder.folder.file("side.db"))
    #expect(try database.get(style, now: 1)?.content == .data([1]))
  }

  @Test func mergingTooManyTilesOfALimitedProviderChangesNothing() throws {
    folder.run(LegacySchema.statements(6), "side.db")
    let database = try folder.open {
      $0.limitedTemplates = ["mapbox://"]
      $0.limitedTileCount = 1
    }
    #expect { try database.merge(folder.folder.file("side.db")) } throws: {
      ($0 as? NeatError)?.code == .limitExceeded
    }
    #expect(try database.regions() == [] && database.facts(resource("mapbox://styles/a/b")) == nil)
    // The connection goes on.
    try database.put(tile(1), data([1]), now: 1)
  }

  @Test func whatCannotBeMergedIsToldAndStays() throws {
    let database = try folder.open()
    try database.put(tile(1), data([1]), now: 1)
    func refuse(_ code: ErrorCode, _ name: String) {
      let path = folder.folder.file(name)
      let before = readFile(path)
      expectFailure(code, path) { try database.merge(path) }
      #expect(readFile(path) == before)
    }
    refuse(.notFound, "none.db")
    refuse(.invalidArgument, "cache.db")
    writeFile(folder.folder.file("noise.db"), noise(5000))
    refuse(.archive, "noise.db")
    writeFile(folder.folder.file("empty.db"), [])
    refuse(.archive, "empty.db")
    folder.run(TemporaryDatabase.schema, "tiles.db")
    refuse(.archive, "tiles.db")
    folder.run(LegacySchema.statements(6) + "PRAGMA user_version = 9;", "newer.db")
    refuse(.state, "newer.db")
    // Pages behind the first ones are noise.
    folder.run(LegacySchema.statements(6), "damaged.db")
    var bytes = readFile(folder.folder.file("damaged.db"))
    for index in 8192..<bytes.count where index % 4096 > 8 { bytes[index] = UInt8(index & 255) }
    writeFile(folder.folder.file("damaged.db"), bytes)
    #expect(throws: NeatError.self) { try database.merge(folder.folder.file("damaged.db")) }
    #expect(try database.get(tile(1), now: 1) == data([1]) && database.takeNotices() == [])
  }
}
