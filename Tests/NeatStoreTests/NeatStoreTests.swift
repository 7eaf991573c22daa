import CSQLite
import NeatBase
import NeatStore
import Testing

/// A database in a temporary file, removed at the end.
final class TemporaryDatabase {
  let path: String

  init(_ sql: String, suffix: String = "") {
    var template = Array("/tmp/neat-store-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    close(descriptor)
    let base = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    path = base + suffix
    if path != base { rename(base, path) }
    var handle: OpaquePointer?
    sqlite3_open(path, &handle)
    sqlite3_exec(handle, sql, nil, nil, nil)
    sqlite3_close(handle)
  }

  deinit { unlink(path) }

  static let schema = """
    CREATE TABLE metadata (name text, value text);
    CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
    INSERT INTO metadata VALUES ('name', 'Test'), ('format', 'pbf'), ('minzoom', 0);
    INSERT INTO tiles VALUES (1, 0, 1, x'0102'), (1, 1, 0, x'030405'), (0, 0, 0, x'');
    """
}

@Suite struct MBTilesTests {
  @Test func rowsAreCountedFromTheSouth() throws {
    let database = TemporaryDatabase(TemporaryDatabase.schema)
    let tiles = try MBTiles(path: database.path)
    #expect(tiles.metadata == ["name": "Test", "format": "pbf", "minzoom": "0"])
    #expect(try tiles.tile(TileID(z: 1, x: 0, y: 0)) == [1, 2])
    #expect(try tiles.tile(TileID(z: 1, x: 1, y: 1)) == [3, 4, 5])
    #expect(try tiles.tile(TileID(z: 0, x: 0, y: 0)) == [])
    #expect(try tiles.tile(TileID(z: 1, x: 1, y: 0)) == nil)
    #expect(try tiles.tile(TileID(z: 1, x: 5, y: 0)) == nil)
  }

  @Test func pathsMayHoldCharactersThatAddressesUse() throws {
    let database = TemporaryDatabase(TemporaryDatabase.schema, suffix: "a b?c#d%20é.mbtiles")
    #expect(try MBTiles(path: database.path).tile(TileID(z: 1, x: 0, y: 0)) == [1, 2])
  }

  @Test func failuresNameTheFile() {
    #expect { try MBTiles(path: "/nowhere/x.mbtiles") } throws: {
      ($0 as? NeatError)?.code == .notFound && ($0 as? NeatError)?.resource == "/nowhere/x.mbtiles"
    }
    let empty = TemporaryDatabase("CREATE TABLE other (a);")
    #expect { try MBTiles(path: empty.path) } throws: {
      ($0 as? NeatError)?.code == .archive && ($0 as? NeatError)?.resource == empty.path
    }
    let noDatabase = TemporaryDatabase("")
    let file = fopen(noDatabase.path, "wb")
    fputs(
      "this is no database, but it is long enough to be taken for one by its size: \(String(repeating: "x", count: 2000))",
      file)
    fclose(file)
    #expect { try MBTiles(path: noDatabase.path) } throws: { ($0 as? NeatError)?.code == .archive }
  }

  @Test func whoDoesNotWaitIsRefusedBesideAWriter() throws {
    let database = TemporaryDatabase(TemporaryDatabase.schema)
    var writer: OpaquePointer?
    sqlite3_open(database.path, &writer)
    defer { sqlite3_close(writer) }
    #expect(sqlite3_exec(writer, "BEGIN EXCLUSIVE", nil, nil, nil) == SQLITE_OK)
    let start = MonotonicClock.nanoseconds
    #expect { try MBTiles(path: database.path, waits: false) } throws: {
      ($0 as? NeatError)?.code == .state && ($0 as? NeatError)?.resource == database.path
    }
    // A tenth of what one who waits would.
    #expect(MonotonicClock.nanoseconds - start < 500_000_000)
    #expect(sqlite3_exec(writer, "COMMIT", nil, nil, nil) == SQLITE_OK)
    let tiles = try MBTiles(path: database.path, waits: false)
    #expect(try tiles.tile(TileID(z: 1, x: 0, y: 0)) == [1, 2])
  }

  @Test func tooMuchMetadataIsRefused() {
    let rows =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO metadata SELECT 'k' || i, i FROM n;"
    func database(_ count: Int) -> TemporaryDatabase {
      TemporaryDatabase(
        "CREATE TABLE metadata (name text, value text); CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);"
          + rows.split(separator: "%d").joined(separator: String(count)))
    }
    let within = database(MBTiles.maxMetadataRows)
    #expect(throws: Never.self) { try MBTiles(path: within.path) }
    let beyond = database(MBTiles.maxMetadataRows + 1)
    #expect { try MBTiles(path: beyond.path) } throws: { ($0 as? NeatError)?.code == .limitExceeded }
  }

  @Test func anEndlessViewIsCutOff() throws {
    let database = TemporaryDatabase(
      """
      CREATE TABLE metadata (name text, value text);
      CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i % 2 + 8 AS zoom_level, i % 3 AS tile_column, i % 5 AS tile_row, x'00' AS tile_data FROM n;
      """)
    let tiles = try MBTiles(path: database.path)
    #expect { try tiles.tile(TileID(z: 3, x: 1, y: 1)) } throws: { ($0 as? NeatError)?.code == .archive }
  }

  @Test func manyThreadsReadAtOnce() throws {
    let database = TemporaryDatabase(TemporaryDatabase.schema)
    let tiles = try MBTiles(path: database.path)
    var threads = [pthread_t](repeating: 0, count: 4)
    for index in threads.indices {
      let context = Unmanaged.passRetained(tiles).toOpaque()
      pthread_create(
        &threads[index], nil,
        { context in
          let tiles = Unmanaged<MBTiles>.fromOpaque(context!).takeRetainedValue()
          for _ in 0..<500 {
            guard let bytes = try? tiles.tile(TileID(z: 1, x: 0, y: 0)), bytes == [1, 2] else {
              return context
            }
          }
          return nil
        }, context)
    }
    for thread in threads {
      var result: UnsafeMutableRawPointer?
      pthread_join(thread, &result)
      #expect(result == nil)
    }
  }
}
