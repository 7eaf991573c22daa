import NeatBase
import NeatResource
import NeatTile
import Testing

/// Lookups in damaged archives end, with an answer or a typed error, after a bounded number of reads.
@Suite struct PMTilesArchiveFuzzTests {
  /// An archive: header, root, leaves, tiles, nothing packed.
  private func archive(root: [PMTilesDirectory.Entry], leaves: [UInt8], tiles: [UInt8]) -> [UInt8] {
    let directory = PMTilesDirectory.encode(root[...])
    var at = UInt64(PMTilesHeader.byteCount)
    var bytes = Array("PMTiles".utf8) + [3]
    for count in [directory.count, 0, leaves.count, tiles.count] {
      for value in [at, UInt64(count)] {
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
      }
      at += UInt64(count)
    }
    bytes += [UInt8](repeating: 0, count: 24) + [1, 1, 1, 1, 0, 3]
    bytes += [UInt8](repeating: 0, count: PMTilesHeader.byteCount - bytes.count)
    return bytes + directory + leaves + tiles
  }

  private func entry(_ tile: UInt64, _ offset: UInt64, _ length: Int, run: UInt32) -> PMTilesDirectory.Entry {
    PMTilesDirectory.Entry(tileID: tile, offset: offset, length: UInt32(length), runLength: run)
  }

  /// Answers a question from bytes; the reads that it took.
  private func ask(_ archive: PMTilesArchive, _ goal: PMTilesArchive.Goal, _ bytes: [UInt8]) throws -> (
    result: ResourceResult, reads: Int
  ) {
    var lookup = archive.lookup(goal)
    var reads = 0
    while true {
      switch lookup.next() {
      case .done(let result): return (result, reads)
      case .read(let range):
        reads += 1
        #expect(reads < 20, "reads without end")
        if reads >= 20 { return (.missing, reads) }
        let start = Int(min(range.offset, UInt64(bytes.count)))
        let end = Int(
          min(range.offset.addingReportingOverflow(range.count).partialValue, UInt64(bytes.count)))
        try lookup.accept(Array(bytes[start..<max(start, end)]))
      }
    }
  }

  private func good() -> [UInt8] {
    let leaf = PMTilesDirectory.encode([entry(5, 3, 4, run: 80)])
    return archive(
      root: [entry(0, 0, 3, run: 5), entry(5, 0, leaf.count, run: 0)], leaves: leaf,
      tiles: [1, 2, 3, 4, 5, 6, 7])
  }

  @Test func tilesBehindALeafAreFound() throws {
    let bytes = good()
    guard
      case .data(let tile) = try ask(PMTilesArchive(location: "x"), .tile(TileID(z: 2, x: 1, y: 1)), bytes)
        .result
    else {
      Issue.record("no tile")
      return
    }
    #expect(tile == [4, 5, 6, 7])
  }

  @Test func leavesThatLeadToThemselvesEnd() throws {
    // The leaf's only entry is a leaf at its own place; then two that lead to each other.
    let alone = PMTilesDirectory.encode([entry(0, 0, 5, run: 0)])
    #expect(alone.count == 5)
    let first = PMTilesDirectory.encode([entry(0, 5, 5, run: 0)])
    #expect(first.count == 5)
    for leaves in [alone, first + alone] {
      let bytes = archive(root: [entry(0, 0, 5, run: 0)], leaves: leaves, tiles: [1])
      let (result, reads) = try ask(PMTilesArchive(location: "x"), .tile(TileID(z: 1, x: 0, y: 0)), bytes)
      guard case .failed(let error) = result else {
        Issue.record("\(result)")
        continue
      }
      #expect(error.code == .archive && error.resource == "x" && reads <= PMTiles.maxDepth + 4)
    }
  }

  @Test func damagedArchivesNeverCrashNorReadWithoutEnd() throws {
    var state: UInt64 = 41
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var corpus = [good()]
    for name in ["test_fixture_1", "test_fixture_2", "test_fixture_mlt"] {
      if let root = SharedArchives.root,
        let bytes = try? FileReader.readAll("\(root)/conformance/pmtiles/\(name).pmtiles", limit: 1 << 20)
      {
        corpus.append(bytes)
      }
    }
    #if DEBUG
      let rounds = 6000
    #else
      let rounds = 40_000
    #endif
    var found = 0
    for round in 0..<rounds {
      var bytes = corpus[round % corpus.count]
      for _ in 0...round % 3 {
        // Mostly within header and directories.
        let at = random(min(bytes.count, round % 2 == 0 ? 127 : bytes.count))
        switch random(4) {
        case 0: bytes[at] = UInt8(random(256))
        case 1: bytes[at] ^= 1 << UInt8(random(8))
        case 2: bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random(5)]
        default: if bytes.count > 130 { bytes.removeLast(random(bytes.count - 128)) }
        }
      }
      let archive = PMTilesArchive(location: "x", byteCount: round % 2 == 0 ? bytes.count : nil)
      for goal: PMTilesArchive.Goal in [
        .tile(TileID(z: 0, x: 0, y: 0)), .tile(TileID(z: 2, x: 1, y: 1)), .tileJSON,
      ] {
        if let (result, _) = try? ask(archive, goal, bytes), case .data = result { found += 1 }
      }
    }
    #expect(found > 0)
  }
}
