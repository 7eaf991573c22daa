import NeatBase
import NeatJSON
import NeatResource
import NeatStore
import NeatTestSupport
import NeatTile
import Testing

@Suite struct ArchiveCopyTests {
  private func copy(
    _ source: String, _ target: String, plain: Bool = false, checkpointTiles: UInt64 = 20_000,
    bounds: (west: Double, south: Double, east: Double, north: Double)? = nil,
    zooms: ClosedRange<UInt8>? = nil,
    stopAfter: UInt64 = .max
  ) throws -> ArchiveReport {
    var out = ArchiveTarget(path: target)
    out.isPlain = plain
    out.checkpointTiles = checkpointTiles
    var job = ArchiveCopy(source: source, target: out)
    job.bounds = bounds
    job.zooms = zooms
    return try job.run { $0.doneTiles < stopAfter }
  }

  @Test(.enabled(if: SharedArchives.isPresent, Comment(rawValue: SharedArchives.absent)))
  func archivesComeBackAsTheyWere() throws {
    let root = try #require(SharedArchives.root)
    let folder = WorkFolder()
    for name in [
      "tiles/world-countries", "tiles/liechtenstein", "raster/shaded-relief", "dem/monaco-terrarium",
    ] {
      let source = "\(root)/data/\(name).mbtiles"
      let (there, back) = (folder.file("there.pmtiles"), folder.file("back.mbtiles"))
      let report = try copy(source, there)
      _ = try copy(there, back, plain: name.hasSuffix("liechtenstein"))
      let listed = try listedTiles(source)
      #expect(report.counts.tiles == UInt64(listed.count) && report.skippedTiles == 0, "\(name)")
      #expect(try listedTiles(back) == listed)
      let original = allTiles(source, of: listed)
      #expect(original.count == listed.count)
      #expect(allTiles(there, of: listed) == original, "\(name)")
      #expect(allTiles(back, of: listed) == original, "\(name)")
      let loader = ResourceLoader()
      let before = try JSON.parse(loader.tileJSON(forArchive: "mbtiles://" + source))
      for url in ["pmtiles://" + there, "mbtiles://" + back] {
        let after = try JSON.parse(loader.tileJSON(forArchive: url))
        for key in ["name", "attribution", "minzoom", "maxzoom", "format", "vector_layers"] {
          #expect(before[key] == after[key], "\(name) \(key)")
        }
        #expect(after["bounds"]?.count == 4 && after["tilejson"]?.string == "3.0.0")
      }
      #expect(folder.names == ["back.mbtiles", "there.pmtiles"])
    }
  }

  @Test(.enabled(if: SharedArchives.isPresent, Comment(rawValue: SharedArchives.absent)))
  func samplesOfOthersAreCopied() throws {
    let root = try #require(SharedArchives.root)
    let folder = WorkFolder()
    for name in ["test_fixture_1", "CC-BY+ODbL_z3", "usgs-mt-whitney-8-15-webp-512"] {
      let source = "\(root)/conformance/pmtiles/\(name).pmtiles"
      let report = try copy(source, folder.file("a.mbtiles"))
      #expect(report.counts.tiles > 0)
      let listed = try listedTiles(folder.file("a.mbtiles"))
      #expect(
        allTiles(source, zooms: 0...30, of: listed)
          == allTiles(folder.file("a.mbtiles"), zooms: 0...30, of: listed))
    }
    for name in ["empty", "invalid", "invalid_v4"] {
      #expect {
        try copy("\(root)/conformance/pmtiles/\(name).pmtiles", folder.file("b.pmtiles"))
      } throws: { ($0 as? NeatError)?.resource?.contains(name) == true && ($0 as? NeatError)?.offset != nil }
    }
    #expect(folder.names == ["a.mbtiles"])
  }

  @Test func aRegionHasTheTilesOfItsBoxAndZooms() throws {
    let folder = WorkFolder()
    try madeArchive(folder.file("all.pmtiles"), count: PMTiles.firstNumber(7))
    let box = (west: 5.0, south: 40.0, east: 25.0, north: 55.0)
    let region = try TileRegion(bounds: box, zooms: 2...6)
    for name in ["part.pmtiles", "part.mbtiles"] {
      let report = try copy(folder.file("all.pmtiles"), folder.file(name), bounds: box, zooms: 2...20)
      #expect(
        report.counts.tiles == region.tileCount && report.counts.minZoom == 2 && report.counts.maxZoom == 6)
      let all = (0..<PMTiles.firstNumber(7)).compactMap { PMTiles.tile(number: $0) }
      let found = allTiles(folder.file(name), of: all)
      #expect(found.count == Int(region.tileCount))
      for (number, tile) in all.enumerated() where region.contains(UInt64(number)) {
        #expect(found["\(tile)"] == madeContent(UInt64(number)))
      }
    }
    let again = try copy(folder.file("part.mbtiles"), folder.file("again.pmtiles"), bounds: (6, 41, 7, 42))
    #expect(again.counts.tiles == (try TileRegion(bounds: (6, 41, 7, 42), zooms: 2...6)).tileCount)
    #expect { try copy(folder.file("all.pmtiles"), folder.file("x.pmtiles"), zooms: 9...12) } throws: {
      ($0 as? NeatError)?.code == .invalidArgument
    }
    #expect { try copy(folder.file("all.pmtiles"), folder.file("all.pmtiles")) } throws: {
      ($0 as? NeatError)?.code == .invalidArgument
    }
  }

  @Test(arguments: ["pmtiles", "mbtiles"]) func aCopyThatWasStoppedIsContinued(kind: String) throws {
    let folder = WorkFolder()
    try madeArchive(folder.file("all.pmtiles"), count: 5000)
    let (whole, parts) = (folder.file("whole.\(kind)"), folder.file("parts.\(kind)"))
    _ = try copy(folder.file("all.pmtiles"), whole)
    for stop in [UInt64(1000), 2500] {
      #expect { try copy(folder.file("all.pmtiles"), parts, checkpointTiles: 300, stopAfter: stop) } throws: {
        ($0 as? NeatError)?.code == .cancelled
      }
      #expect(access(parts, F_OK) != 0 && access(parts + ".partial", F_OK) == 0)
    }
    let report = try copy(folder.file("all.pmtiles"), parts, checkpointTiles: 300)
    #expect(report.resumedTiles >= 2500 && report.resumedTiles < 5000 && report.counts.tiles == 5000)
    if kind == "pmtiles" { #expect(folder.read("parts.pmtiles") == folder.read("whole.pmtiles")) }
    let all = (0..<UInt64(5000)).compactMap { PMTiles.tile(number: $0) }
    #expect(allTiles(parts, of: all) == allTiles(whole, of: all))
    #expect(folder.names == ["all.pmtiles", "parts.\(kind)", "whole.\(kind)"])
  }

  @Test func anotherRegionDoesNotContinueAPartialFile() throws {
    let folder = WorkFolder()
    try madeArchive(folder.file("all.pmtiles"), count: 3000)
    #expect(throws: NeatError.self) {
      try copy(folder.file("all.pmtiles"), folder.file("a.pmtiles"), checkpointTiles: 1, stopAfter: 500)
    }
    let report = try copy(folder.file("all.pmtiles"), folder.file("a.pmtiles"), zooms: 0...3)
    #expect(report.resumedTiles == 0 && report.counts.tiles == 85)
  }

  @Test func zstdAndBrotliTilesAreReadAndRepacked() throws {
    func hex(_ text: String) -> [UInt8] {
      let digits = Array(text.utf8).map { $0 > 96 ? $0 - 87 : $0 - 48 }
      return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
    let folder = WorkFolder()
    for (compression, packed) in [
      (PMTilesHeader.Compression.zstd, hex("28b52ffd201a7d0000486e6561746c696e652001009ccb11")),
      (.brotli, hex("1b1900f88d94a9e35b8384b9d1c9b234b6d0271878fc02")),
    ] {
      let writer = try PMTilesWriter(path: folder.file("a.pmtiles"), options: ArchiveWriterOptions())
      try writer.add(0, count: 1, packed)
      var metadata = ArchiveMetadata()
      (metadata.tileType, metadata.tileCompression) = (.mvt, compression)
      try writer.finish(metadata)
      let tile = TileID(z: 0, x: 0, y: 0)
      let text = Array("neatline neatline neatline".utf8)
      #expect(allTiles(folder.file("a.pmtiles"), of: [tile])["\(tile)"] == text)
      _ = try copy(folder.file("a.pmtiles"), folder.file("b.mbtiles"))
      #expect(
        try Inflate.decompress(try #require(try MBTiles(path: folder.file("b.mbtiles")).tile(tile))) == text)
      // Between PMTiles nothing is touched.
      _ = try copy(folder.file("a.pmtiles"), folder.file("c.pmtiles"))
      #expect(allTiles(folder.file("c.pmtiles"), of: [tile])["\(tile)"] == text)
      let header = try JSON.parse(
        ResourceLoader().tileJSON(forArchive: "pmtiles://" + folder.file("c.pmtiles")))["header"]
      #expect(header?["tileCompression"]?.string == "\(compression)")
    }
  }

  @Test func claimedCountsEndAtTheLimit() throws {
    let folder = WorkFolder()
    let writer = try PMTilesWriter(path: folder.file("bomb.pmtiles"), options: ArchiveWriterOptions())
    try writer.add(PMTiles.firstNumber(20), count: UInt64(UInt32.max), [1, 2, 3])
    var metadata = ArchiveMetadata()
    metadata.tileType = .png
    try writer.finish(metadata)
    var target = ArchiveTarget(path: folder.file("a.mbtiles"))
    #expect {
      try ArchiveCopy(source: folder.file("bomb.pmtiles"), target: target).run { _ in true }
    } throws: {
      ($0 as? NeatError)?.code == .limitExceeded
    }
    #expect(access(folder.file("a.mbtiles"), F_OK) != 0)
    // The run stays a run in PMTiles.
    target = ArchiveTarget(path: folder.file("a.pmtiles"))
    let report = try ArchiveCopy(source: folder.file("bomb.pmtiles"), target: target).run { _ in true }
    #expect(report.counts.tiles == UInt64(UInt32.max) && report.counts.contents == 1)
  }

  @Test func damagedArchivesThrowNamingTheFile() throws {
    let folder = WorkFolder()
    try madeArchive(folder.file("good.pmtiles"), count: 9000)
    let good = folder.read("good.pmtiles")
    _ = folder.write("short.pmtiles", Array(good.dropLast(100)))
    #expect { try copy(folder.file("short.pmtiles"), folder.file("a.pmtiles")) } throws: {
      ($0 as? NeatError)?.code == .archive && ($0 as? NeatError)?.resource == folder.file("short.pmtiles")
        && ($0 as? NeatError)?.offset != nil
    }
    var state: UInt64 = 3
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    // Header, directories (at the start, and from the metadata on) and lengths of the file.
    let tail = Int(try PMTilesHeader(parsing: good).metadataOffset)
    for round in 0..<60 {
      var bytes = good
      for _ in 0..<3 {
        let at =
          round % 3 == 0
          ? random(127) : round % 3 == 1 ? 127 + random(2000) : tail + random(good.count - tail)
        bytes[min(at, bytes.count - 1)] = UInt8(random(256))
      }
      if round % 10 == 9 { bytes.removeLast(random(bytes.count)) }
      let path = folder.write("bad.pmtiles", bytes)
      do {
        var target = ArchiveTarget(path: folder.file("out.pmtiles"))
        target.resumes = false
        target.tileLimit = 100_000
        _ = try ArchiveCopy(source: path, target: target).run { _ in true }
      } catch {
        #expect(error.resource != nil, "\(error)")
      }
      let archive = PMTilesArchive(location: "memory", byteCount: bytes.count)
      for tile in [TileID(z: 0, x: 0, y: 0), TileID(z: 6, x: 9, y: 60)] {
        var lookup = archive.lookup(.tile(tile))
        steps: for _ in 0..<20 {
          switch lookup.next() {
          case .done: break steps
          case .read(let range):
            let start = min(Int(clamping: range.offset), bytes.count)
            let end = min(start + Int(clamping: min(range.count, UInt64(bytes.count))), bytes.count)
            if (try? lookup.accept(Array(bytes[start..<end]))) == nil { break steps }
          }
        }
      }
    }
  }
}

extension TileRegion {
  fileprivate var tileCount: UInt64 { parts(of: 0..<UInt64.max).reduce(0) { $0 + UInt64($1.count) } }
}
