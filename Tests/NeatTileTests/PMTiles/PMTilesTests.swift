import NeatBase
import NeatTile
import Testing

@Suite struct PMTilesTests {
  @Test func tileNumbersFollowTheHilbertCurve() {
    let known: [(UInt8, UInt32, UInt32, UInt64)] = [
      (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
      (12, 3423, 1763, 19_078_479),
    ]
    for (z, x, y, number) in known {
      #expect(PMTiles.tileNumber(z: z, x: x, y: y) == number)
      #expect(PMTiles.tile(number: number) == TileID(z: z, x: x, y: y))
    }
    for z in UInt8(0)...6 {
      for x in 0..<UInt32(1) << UInt32(z) {
        for y in 0..<UInt32(1) << UInt32(z) {
          #expect(PMTiles.tile(number: PMTiles.tileNumber(z: z, x: x, y: y)) == TileID(z: z, x: x, y: y))
        }
      }
    }
    let last = TileID(z: 30, x: (1 << 30) - 1, y: 0)
    #expect(PMTiles.tileNumber(last).flatMap { PMTiles.tile(number: $0) } == last)
    #expect(PMTiles.tile(number: .max) == nil)
    #expect(PMTiles.tileNumber(TileID(z: 1, x: 2, y: 0)) == nil)
  }

  private func directory(_ entries: [(id: UInt64, run: UInt64, length: UInt64, offset: UInt64)]) -> [UInt8] {
    var out = Proto.varint(UInt64(entries.count))
    var last: UInt64 = 0
    for entry in entries {
      out += Proto.varint(entry.id - last)
      last = entry.id
    }
    for entry in entries { out += Proto.varint(entry.run) }
    for entry in entries { out += Proto.varint(entry.length) }
    for entry in entries { out += Proto.varint(entry.offset) }
    return out
  }

  @Test func runsAndLeavesAreFound() throws {
    // Offsets are stored plus one; 0 is "behind the one before".
    let bytes = directory([(2, 3, 100, 1), (7, 1, 50, 0), (20, 0, 60, 1001)])
    for packed in [bytes, Stored.gzip(bytes)] {
      let parsed = try PMTilesDirectory(parsing: packed)
      #expect(parsed.find(tileID: 1) == nil)
      #expect(parsed.find(tileID: 2)?.offset == 0)
      #expect(parsed.find(tileID: 4)?.length == 100)
      #expect(parsed.find(tileID: 5) == nil)
      #expect(parsed.find(tileID: 7)?.offset == 100)
      #expect(parsed.find(tileID: 8) == nil)
      #expect(parsed.find(tileID: 1_000_000)?.isLeaf == true)
      #expect(parsed.find(tileID: 20)?.offset == 1000)
    }
  }

  @Test func damagedDirectoriesThrow() {
    let good = directory([(2, 3, 100, 1), (7, 1, 50, 0)])
    for bytes in [
      [], [0xff, 0xff, 0xff, 0xff, 0x7f], Array(good.dropLast()), directory([(2, 1, 0, 1)]),
      directory([(2, 1, 9, 0)]),
      directory([(2, 1, 9, 1), (2, 1, 9, 1)]),
    ] {
      #expect { try PMTilesDirectory(parsing: bytes) } throws: { ($0 as? NeatError)?.code == .archive }
    }
    #expect(throws: NeatError.self) {
      try PMTilesDirectory(parsing: Stored.gzip([UInt8](repeating: 1, count: PMTiles.maxDirectoryBytes + 1)))
    }
  }

  @Test func mutatedDirectoriesNeverCrash() {
    var random = TestRandom(3)
    var entries: [(id: UInt64, run: UInt64, length: UInt64, offset: UInt64)] = []
    for index in UInt64(0)..<200 {
      entries.append((id: index * 3, run: index % 3, length: 10, offset: index % 2 * 7 + 1))
    }
    let good = directory(entries)
    for _ in 0..<2000 {
      var bytes = good
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let parsed = try? PMTilesDirectory(parsing: bytes) {
        _ = parsed.find(tileID: UInt64.random(in: 0..<700, using: &random))
      }
    }
  }

  @Test(.enabled(if: SharedData.isPresent)) func sampleArchivesAreReadOrRefused() throws {
    for name in [
      "test_fixture_1", "test_fixture_2", "CC-BY+ODbL_z3", "usgs-mt-whitney-8-15-webp-512",
      "test_fixture_mlt",
    ] {
      let bytes = try #require(SharedData.read("conformance/pmtiles/\(name).pmtiles"))
      let header = try PMTilesHeader(parsing: bytes)
      let root = bytes[Int(header.rootOffset)..<Int(header.rootOffset + header.rootLength)]
      let parsed = try PMTilesDirectory(parsing: Array(root))
      #expect(!parsed.entries.isEmpty || name == "test_fixture_mlt", "\(name)")
      #expect(header.minZoom <= header.maxZoom)
      if name.hasPrefix("test_fixture_1") {
        let entry = try #require(parsed.find(tileID: 0))
        let start = Int(header.tilesOffset + entry.offset)
        let tile = try decodeMVT(Array(bytes[start..<start + Int(entry.length)]))
        #expect(tile.layers.count == 1)
      }
    }
    for (name, code) in [("empty", ErrorCode.archive), ("invalid", .archive), ("invalid_v4", .unsupported)] {
      let bytes = try #require(SharedData.read("conformance/pmtiles/\(name).pmtiles"))
      #expect { try PMTilesHeader(parsing: bytes) } throws: { ($0 as? NeatError)?.code == code }
    }
  }
}
