import NeatBase
import NeatTile
import Testing

/// Damaged headers and directories are read or refused, and what is read keeps its promises.
@Suite struct PMTilesFuzzTests {
  private let header: [UInt8] = {
    func little(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    var bytes = Array("PMTiles".utf8) + [3]
    for value: UInt64 in [127, 25, 152, 10, 162, 0, 162, 69, 1, 1, 1] { bytes += little(value) }
    bytes += [1, 1, 1, 1, 0, 14]
    bytes += [UInt8](repeating: 0, count: 16) + [0] + [UInt8](repeating: 0, count: 8)
    return bytes
  }()

  private var corpus: [[UInt8]] {
    [header]
      + SharedData.list("conformance/pmtiles").compactMap { name in
        SharedData.read("conformance/pmtiles/\(name)").map { Array($0.prefix(127)) }
      }
  }

  @Test func theHeaderMadeHereIsOne() throws {
    let parsed = try PMTilesHeader(parsing: header)
    #expect(parsed.rootOffset == 127 && parsed.rootLength == 25 && parsed.maxZoom == 14)
  }

  @Test func damagedHeadersNeverCrash() {
    var random = TestRandom(31)
    let corpus = corpus
    var read = 0
    for round in 0..<fuzzRounds(400_000) {
      var bytes = corpus[round % corpus.count]
      for _ in 0...round % 3 { damage(&bytes, &random) }
      guard let parsed = try? PMTilesHeader(parsing: bytes) else { continue }
      read += 1
      #expect(parsed.minZoom <= parsed.maxZoom && parsed.rootLength <= UInt64(PMTiles.maxDirectoryBytes))
      // Ends of sections can be computed.
      _ = (
        parsed.rootOffset + parsed.rootLength, parsed.leavesOffset + parsed.leavesLength,
        parsed.tilesOffset + parsed.tilesLength
      )
    }
    #expect(read > 0)
  }

  @Test func damagedDirectoriesStaySorted() {
    var random = TestRandom(37)
    let entries = (UInt64(0)..<300).map {
      PMTilesDirectory.Entry(
        tileID: $0 * $0, offset: $0 % 5 * 1000, length: UInt32(1 + $0 % 300), runLength: UInt32($0 % 4))
    }
    let seed = PMTilesDirectory.encode(entries[...])
    var read = 0
    for round in 0..<fuzzRounds(40_000) {
      var bytes = seed
      for _ in 0...round % 4 { damage(&bytes, &random) }
      guard let parsed = try? PMTilesDirectory(parsing: bytes, packedBy: .none) else { continue }
      read += 1
      #expect(zip(parsed.entries, parsed.entries.dropFirst()).allSatisfy { $0.tileID < $1.tileID })
      for number in [0, 1, UInt64.max, UInt64.random(in: 0...90_000, using: &random)] {
        if let entry = parsed.find(tileID: number) { #expect(entry.tileID <= number && entry.length > 0) }
      }
    }
    #expect(read > 0)
  }
}
