import CSQLite
import NeatBase
import NeatStore
import NeatTile
import Testing

/// Corrupt SQLite files are read or refused with a typed error that names them.
@Suite struct MBTilesFuzzTests {
  private func read(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes[..<count])
  }

  /// The bytes of a database made by the statements.
  private func seed(_ sql: String) -> [UInt8] {
    let database = TemporaryDatabase(sql)
    return withExtendedLifetime(database) { read(database.path) }
  }

  private func write(_ bytes: [UInt8], _ path: String) {
    guard let file = fopen(path, "wb") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  /// Small pages, an index, a blob that goes on over several pages, a view instead of the table.
  private let corpus = [
    "PRAGMA page_size = 512;" + TemporaryDatabase.schema,
    "PRAGMA page_size = 512;" + TemporaryDatabase.schema + """
      CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
      INSERT INTO tiles VALUES (2, 0, 0, randomblob(5000));
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 200) INSERT INTO tiles SELECT 8, i, i, 'tile' FROM n;
      """,
    """
    PRAGMA page_size = 1024; CREATE TABLE metadata (name text, value text); INSERT INTO metadata VALUES ('format', 'pbf');
    CREATE TABLE map (z integer, x integer, y integer, id text); CREATE TABLE images (id text, data blob);
    INSERT INTO map VALUES (1, 0, 1, 'a'), (2, 0, 0, 'b'); INSERT INTO images VALUES ('a', x'0102'), ('b', zeroblob(3000));
    CREATE VIEW tiles AS SELECT z AS zoom_level, x AS tile_column, y AS tile_row, data AS tile_data FROM map JOIN images USING (id);
    """,
  ]

  @Test func damagedFilesNeverCrash() throws {
    var state: UInt64 = 43
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let seeds = corpus.map { seed($0) }
    try #require(seeds.allSatisfy { $0.count >= 1024 })
    let target = TemporaryDatabase("")
    let region = try TileRegion(bounds: nil, zooms: 0...8)
    #if DEBUG
      let rounds = 1500
    #else
      let rounds = 4000
    #endif
    var opened = 0
    var refused = 0
    for round in 0..<rounds {
      var bytes = seeds[round % seeds.count]
      for _ in 0...round % 6 {
        // The first page holds the file's header and the schema.
        let at = random(round % 3 == 0 ? 512 : bytes.count)
        switch random(5) {
        case 0: bytes[at] = UInt8(random(256))
        case 1: bytes[at] ^= 1 << UInt8(random(8))
        case 2: bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random(5)]
        case 3: for index in at..<min(bytes.count, at + 16) { bytes[index] = 0xff }
        default: if bytes.count > 1024 { bytes.removeLast(random(bytes.count - 512)) }
        }
      }
      write(bytes, target.path)
      do {
        let tiles = try MBTiles(path: target.path, connections: 1)
        opened += 1
        for id in [
          TileID(z: 0, x: 0, y: 0), TileID(z: 1, x: 0, y: 0), TileID(z: 2, x: 0, y: 3),
          TileID(z: 8, x: 9, y: 246),
        ] {
          check { _ = try tiles.tile(id) }
        }
        check { _ = try tiles.zooms() }
        check { _ = try tiles.tileNumbers(in: region, limit: 1000) }
      } catch {
        refused += 1
        #expect(error.resource == target.path, "\(error)")
      }
    }
    #expect(opened > 0 && refused > 0)
  }

  private func check(_ body: () throws -> Void) {
    do { try body() } catch { #expect(error is NeatError) }
  }

  @Test func everyCutOfAFileIsReadOrRefused() throws {
    let seed = seed(corpus[0])
    let target = TemporaryDatabase("")
    for count in stride(from: 0, to: seed.count, by: 97) {
      write(Array(seed[..<count]), target.path)
      if let tiles = try? MBTiles(path: target.path, connections: 1) {
        _ = try? tiles.tile(TileID(z: 1, x: 0, y: 0))
      }
    }
    write(seed, target.path)
    #expect(try MBTiles(path: target.path, connections: 1).tile(TileID(z: 1, x: 0, y: 0)) == [1, 2])
  }
}
