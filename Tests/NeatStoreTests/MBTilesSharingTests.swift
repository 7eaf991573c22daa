import CSQLite
import NeatBase
import NeatStore
import NeatTile
import Testing

/// Reading beside those who write, and after those who died.
@Suite struct MBTilesSharingTests {
  private final class Writer {
    var handle: OpaquePointer?

    init(_ path: String) { sqlite3_open(path, &handle) }
    func run(_ sql: String) -> Int32 { sqlite3_exec(handle, sql, nil, nil, nil) }
    deinit { sqlite3_close(handle) }
  }

  private let tile = TileID(z: 1, x: 0, y: 0)

  @Test func aWriteAheadLogIsRead() throws {
    let folder = TemporaryFolder()
    let path = folder.file("a.mbtiles")
    let writer = Writer(path)
    #expect(writer.run("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;") == SQLITE_OK)
    #expect(writer.run(TemporaryDatabase.schema) == SQLITE_OK)
    // Everything is in the log only.
    let tiles = try MBTiles(path: path)
    #expect(tiles.metadata["name"] == "Test")
    #expect(try tiles.tile(tile) == [1, 2])
    #expect(
      writer.run("BEGIN; UPDATE tiles SET tile_data = x'09' WHERE zoom_level = 1 AND tile_column = 0;")
        == SQLITE_OK)
    #expect(try tiles.tile(tile) == [1, 2])
    #expect(writer.run("COMMIT") == SQLITE_OK)
    #expect(try tiles.tile(tile) == [9])
  }

  @Test func aFinishedWriteIsSeenWithoutALog() throws {
    let folder = TemporaryFolder()
    let path = folder.file("a.mbtiles")
    let writer = Writer(path)
    _ = writer.run(TemporaryDatabase.schema)
    let tiles = try MBTiles(path: path)
    #expect(try tiles.tile(tile) == [1, 2])
    #expect(
      writer.run("UPDATE tiles SET tile_data = x'09' WHERE zoom_level = 1 AND tile_column = 0;") == SQLITE_OK)
    #expect(try tiles.tile(tile) == [9])
  }

  @Test func aFileLeftInTheMiddleOfAWriteIsNoArchive() throws {
    let folder = TemporaryFolder()
    let path = folder.file("a.mbtiles")
    do {
      let writer = Writer(path)
      _ = writer.run(TemporaryDatabase.schema)
      // Pages reach the file before the end of the transaction; then both files are taken as a crash would
      // leave them.
      _ = writer.run("PRAGMA cache_size = 1; BEGIN;")
      _ = writer.run(
        """
        INSERT INTO tiles SELECT 9, value, value, zeroblob(3000) FROM
          (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 300) SELECT value FROM n)
        """)
      writeFile(folder.file("b.mbtiles"), readFile(path))
      writeFile(folder.file("b.mbtiles-journal"), readFile(path + "-journal"))
      _ = writer.run("ROLLBACK")
    }
    #expect { try MBTiles(path: folder.file("b.mbtiles")) } throws: {
      ($0 as? NeatError)?.code == .archive && ($0 as? NeatError)?.resource == folder.file("b.mbtiles")
    }
  }

  @Test func moreThreadsThanConnectionsAreServed() throws {
    let database = TemporaryDatabase(TemporaryDatabase.schema)
    for connections in [1, 3] {
      let tiles = try MBTiles(path: database.path, connections: connections)
      var threads = [pthread_t](repeating: 0, count: 8)
      for index in threads.indices {
        let context = Unmanaged.passRetained(tiles).toOpaque()
        pthread_create(
          &threads[index], nil,
          { context in
            let tiles = Unmanaged<MBTiles>.fromOpaque(context!).takeRetainedValue()
            for _ in 0..<200 {
              guard let bytes = try? tiles.tile(TileID(z: 1, x: 1, y: 1)), bytes == [3, 4, 5] else {
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

  @Test func rowsThatNameNoTileAreCounted() throws {
    let database = TemporaryDatabase(
      TemporaryDatabase.schema
        + "INSERT INTO tiles VALUES (1, 9, 0, x'00'), (1, 0, 1, x'01'), (40, 0, 0, x'00'), (1, 0.5, 0, x'00');"
    )
    let (numbers, stray) = try MBTiles(path: database.path).tileNumbers(
      in: try TileRegion(bounds: nil, zooms: 0...30), limit: 10)
    #expect(numbers == [0, 1, 3] && stray == 1)
    #expect {
      try MBTiles(path: database.path).tileNumbers(in: try TileRegion(bounds: nil, zooms: 0...30), limit: 3)
    } throws: { ($0 as? NeatError)?.code == .limitExceeded }
  }

  @Test func damagedDatabasesThrowAndNeverCrash() throws {
    let folder = TemporaryFolder()
    let good = readFile(TemporaryDatabase(TemporaryDatabase.schema).path)
    var state: UInt64 = 7
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for round in 0..<300 {
      var bytes = good.isEmpty ? [0] : good
      if round % 3 == 0 { bytes.removeLast(random(bytes.count)) }
      for _ in 0..<4 where !bytes.isEmpty {
        bytes[random(min(bytes.count, round % 2 == 0 ? 200 : bytes.count))] = UInt8(random(256))
      }
      writeFile(folder.file("a.mbtiles"), bytes)
      guard let tiles = try? MBTiles(path: folder.file("a.mbtiles"), connections: 1) else { continue }
      _ = try? tiles.tile(TileID(z: 1, x: 0, y: 0))
      _ = try? tiles.tileNumbers(in: try TileRegion(bounds: nil, zooms: 0...30), limit: 1000)
    }
  }
}
