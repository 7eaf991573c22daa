import NeatBase
import NeatTile
import Testing

@Suite struct PMTilesWritingTests {
  private typealias Entry = PMTilesDirectory.Entry

  private func header() -> PMTilesHeader {
    var header = PMTilesHeader(tileType: .mvt, tileCompression: .zstd)
    (header.rootOffset, header.rootLength) = (127, 100)
    (header.metadataOffset, header.metadataLength) = (300, 10)
    (header.leavesOffset, header.leavesLength) = (310, 20)
    (header.tilesOffset, header.tilesLength) = (16384, 5000)
    (header.addressedTiles, header.tileEntries, header.tileContents) = (9, 8, 7)
    (header.minZoom, header.maxZoom, header.centerZoom) = (2, 14, 5)
    header.bounds = (11.2, 47.17, 11.62, -0.1234567)
    header.center = LonLat(-11.4, 47.2000001)
    return header
  }

  @Test func aHeaderReadsBackAsItWasWritten() throws {
    let written = header()
    let read = try PMTilesHeader(parsing: written.encoded)
    #expect(written.encoded.count == PMTilesHeader.byteCount)
    #expect(read == written && read.encoded == written.encoded)
    #expect(
      read.tileCompression == .zstd && read.centerZoom == 5 && read.center == written.center
        && read.isClustered)
  }

  @Test func headersThatCannotBeRightNameTheirByte() {
    func fault(_ at: Int, _ bytes: [UInt8]) -> NeatError? {
      var encoded = header().encoded
      encoded.replaceSubrange(at..<at + bytes.count, with: bytes)
      do throws(NeatError) { _ = try PMTilesHeader(parsing: encoded) } catch { return error }
      return nil
    }
    #expect(fault(97, [0])?.offset == 97 && fault(97, [9])?.code == .unsupported)
    #expect(fault(98, [5])?.offset == 98)
    #expect(fault(100, [15])?.offset == 100 && fault(101, [31])?.code == .archive)
    #expect(
      fault(15, [0xff])?.offset == 8 && fault(31, [0xff])?.offset == 24 && fault(63, [0x7f])?.offset == 56)
    #expect(fault(16, [0, 0, 0, 0, 0, 0, 0, 0])?.offset == 16)
    #expect(fault(16, [1, 0, 0, 1, 0, 0, 0, 0])?.offset == 16)
    #expect(fault(97, [3]) == nil && fault(97, [4]) == nil && fault(99, [77]) == nil)
  }

  @Test func anArchiveThatIsCutShortIsNoticed() {
    #expect(throws: Never.self) { try header().check(byteCount: 21384) }
    #expect { try header().check(byteCount: 21383) } throws: {
      ($0 as? NeatError)?.code == .archive && ($0 as? NeatError)?.offset == 56
    }
  }

  private func entries(_ count: Int) -> [Entry] {
    var random = TestRandom(5)
    var tile: UInt64 = 0
    var offset: UInt64 = 0
    return (0..<count).map { index in
      let run = UInt32.random(in: 1...3, using: &random)
      let entry = Entry(
        tileID: tile, offset: index % 5 == 4 ? 0 : offset,
        length: UInt32.random(in: 1...90_000, using: &random), runLength: run)
      tile += UInt64(run) + UInt64.random(in: 0...2, using: &random)
      if index % 5 != 4 { offset += UInt64(entry.length) }
      return entry
    }
  }

  @Test func directoriesReadBackAsTheyWereWritten() throws {
    for count in [0, 1, 2, 1000] {
      let written = entries(count)
      let read = try PMTilesDirectory(parsing: PMTilesDirectory.encode(written[...]), packedBy: .none)
      #expect(read.entries == written)
    }
  }

  @Test func entriesGoToLeavesWhereTheRootIsFull() throws {
    for (count, hasLeaves) in [(100, false), (60_000, true)] {
      let written = entries(count)
      let (root, leaves) = try PMTilesDirectory.pack(written, rootLimit: 16257)
      #expect(root.count <= 16257 && leaves.isEmpty != hasLeaves)
      var read: [Entry] = []
      for entry in try PMTilesDirectory(parsing: root).entries {
        guard entry.isLeaf else {
          read.append(entry)
          continue
        }
        let bytes = Array(leaves[Int(entry.offset)..<Int(entry.offset) + Int(entry.length)])
        let leaf = try PMTilesDirectory(parsing: bytes).entries
        #expect(leaf.first?.tileID == entry.tileID)
        read += leaf
      }
      #expect(read == written)
    }
  }

  @Test func runsBeyondTheDeepestZoomAreRefused() {
    let entry = Entry(tileID: PMTiles.firstNumber(31) - 2, offset: 0, length: 1, runLength: 2)
    #expect(throws: Never.self) {
      try PMTilesDirectory(parsing: PMTilesDirectory.encode([entry]), packedBy: .none)
    }
    var longer = entry
    longer.runLength = 3
    #expect { try PMTilesDirectory(parsing: PMTilesDirectory.encode([longer]), packedBy: .none) } throws: {
      ($0 as? NeatError)?.code == .archive && ($0 as? NeatError)?.offset != nil
    }
  }
}

@Suite struct TileRegionTests {
  /// All tiles of a zoom that touch a box, one by one.
  private func slow(_ west: Double, _ south: Double, _ east: Double, _ north: Double, _ z: UInt8) -> Set<
    UInt64
  > {
    let side = UInt32(1) << UInt32(z)
    var result: Set<UInt64> = []
    for x in 0..<side {
      for y in 0..<side {
        let a = Mercator.unproject(SIMD2(Double(x) / Double(side), Double(y) / Double(side)))
        let b = Mercator.unproject(SIMD2(Double(x + 1) / Double(side), Double(y + 1) / Double(side)))
        let inX = west <= east ? a.lon < east && b.lon > west : a.lon < east || b.lon > west
        if inX && b.lat < north && a.lat > south { result.insert(PMTiles.tileNumber(z: z, x: x, y: y)) }
      }
    }
    return result
  }

  @Test func aRegionHasTheTilesThatTouchItsBox() throws {
    for (west, south, east, north) in [
      (11.2, 47.17, 11.62, 47.36), (-100.0, -50.0, 100.0, 60.0), (170.0, -20.0, -160.0, 10.0),
    ] {
      let region = try TileRegion(bounds: (west, south, east, north), zooms: 0...6)
      var expected: Set<UInt64> = []
      for z in UInt8(0)...6 { expected.formUnion(slow(west, south, east, north, z)) }
      #expect(Set(region.intervals.flatMap { Array($0) }) == expected)
      #expect(region.tileCount == UInt64(expected.count))
      for (a, b) in zip(region.intervals, region.intervals.dropFirst()) {
        #expect(a.upperBound < b.lowerBound)
      }
      let inBoxes = region.boxes.reduce(0) {
        $0 + Int($1.box.maxX - $1.box.minX + 1) * Int($1.box.maxY - $1.box.minY + 1)
      }
      #expect(inBoxes >= expected.count)
    }
  }

  @Test func edgesOnBordersTakeNoFurtherTiles() throws {
    let quarter = try TileRegion(bounds: (-180, 0, 0, 85.06), zooms: 0...8)
    // The world, and a quarter of each zoom below it.
    #expect(quarter.tileCount == 1 + 21845)
    #expect(try TileRegion(bounds: nil, zooms: 3...5).tileCount == 64 + 256 + 1024)
    #expect(try TileRegion(bounds: (-180, -90, 180, 90), zooms: 0...30).intervals.count == 1)
    #expect(try TileRegion(bounds: (5, 5, 5, 5), zooms: 0...20).tileCount == 21)
  }

  @Test func partsOfRangesAreCutOut() throws {
    let region = try TileRegion(bounds: nil, zooms: 2...2)
    #expect(
      region.parts(of: 0..<7) == [5..<7] && region.parts(of: 20..<30) == [20..<21]
        && region.parts(of: 21..<30).isEmpty)
    #expect(
      region.contains(5) && !region.contains(21) && !region.contains(4) && region.touches(0..<6)
        && !region.touches(0..<5))
  }

  @Test func boxesThatAreNoneAndTooFineOnesThrow() {
    for box in [
      (0.0, 10.0, 10.0, 5.0), (-181, 0, 0, 0), (0, -91, 1, 1), (.nan, 0, 1, 1), (0, 0, .infinity, 1),
    ] {
      #expect { try TileRegion(bounds: box, zooms: 0...1) } throws: {
        ($0 as? NeatError)?.code == .invalidArgument
      }
    }
    let fine = try? TileRegion(bounds: (-170, -80, 170, 80), zooms: 8...8)
    let count = fine?.intervals.count ?? 0
    #expect(throws: Never.self) { try TileRegion(bounds: (-170, -80, 170, 80), zooms: 8...8, limit: count) }
    #expect { try TileRegion(bounds: (-170, -80, 170, 80), zooms: 8...8, limit: count - 1) } throws: {
      ($0 as? NeatError)?.code == .limitExceeded
    }
  }
}

extension TileRegion {
  fileprivate var tileCount: UInt64 { parts(of: 0..<UInt64.max).reduce(0) { $0 + UInt64($1.count) } }
}
