import CSQLite
import NeatBase
import NeatJSON
import NeatStore
import NeatTile
import Testing

/// A folder that goes away with its contents.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/neat-archive-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
  }

  deinit {
    for name in names { unlink(path + "/" + name) }
    rmdir(path)
  }

  var names: [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      // In place: an entry has only the bytes of its name, fewer than d_name is declared with.
      let place = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
      let name = String(cString: place.assumingMemoryBound(to: CChar.self))
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  func file(_ name: String) -> String { path + "/" + name }
}

func readFile(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "rb") else { return [] }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    if count == 0 { return bytes }
    bytes += chunk[..<count]
  }
}

func writeFile(_ path: String, _ bytes: [UInt8]) {
  guard let file = fopen(path, "wb") else { return }
  fwrite(bytes, 1, bytes.count, file)
  fclose(file)
}

/// All tiles of a PMTiles archive by number, read without the writer's help.
func tiles(ofPMTiles bytes: [UInt8]) throws -> (header: PMTilesHeader, tiles: [UInt64: [UInt8]]) {
  let header = try PMTilesHeader(parsing: bytes)
  try header.check(byteCount: UInt64(bytes.count))
  var result: [UInt64: [UInt8]] = [:]
  func read(_ start: UInt64, _ length: UInt64) throws {
    let directory = try PMTilesDirectory(parsing: Array(bytes[Int(start)..<Int(start + length)]))
    for entry in directory.entries {
      if entry.isLeaf {
        try read(header.leavesOffset + entry.offset, UInt64(entry.length))
      } else {
        let at = Int(header.tilesOffset + entry.offset)
        for tile in entry.tileID..<entry.endID { result[tile] = Array(bytes[at..<at + Int(entry.length)]) }
      }
    }
  }
  try read(header.rootOffset, header.rootLength)
  return (header, result)
}

@Suite struct ArchiveWriterTests {
  private func options(job: UInt64? = nil, plain: Bool = false) -> ArchiveWriterOptions {
    var options = ArchiveWriterOptions()
    options.job = job
    options.isPlain = plain
    return options
  }

  private var metadata: ArchiveMetadata {
    get throws {
      ArchiveMetadata(
        tileJSON: try JSON.parse(
          """
          {"tilejson":"3.0.0","name":"Test","attribution":"us","format":"png","bounds":[-10,-20,30,40],"center":[1,2,1],"minzoom":9,
           "vector_layers":[{"id":"a","fields":{}}],"number":5}
          """))
    }
  }

  private func content(_ number: UInt64) -> [UInt8] { Array("content \(number)".utf8) }

  @Test func pmtilesHoldWhatWasAdded() throws {
    let folder = TemporaryFolder()
    let writer = try PMTilesWriter(path: folder.file("a.pmtiles"), options: options())
    try writer.add(0, count: 1, content(0))
    try writer.add(1, count: 4, content(1))
    try writer.add(5, count: 1, content(1))
    try writer.add(7, count: 1, content(0))
    #expect(folder.names.allSatisfy { $0.contains(".partial") })
    try writer.finish(try metadata)
    #expect(folder.names == ["a.pmtiles"])
    let bytes = readFile(folder.file("a.pmtiles"))
    let (header, read) = try tiles(ofPMTiles: bytes)
    #expect(
      read == [
        0: content(0), 1: content(1), 2: content(1), 3: content(1), 4: content(1), 5: content(1),
        7: content(0),
      ])
    #expect(
      header.addressedTiles == 7 && header.tileEntries == 3 && header.tileContents == 2 && header.isClustered)
    #expect(
      header.minZoom == 0 && header.maxZoom == 2 && header.tileType == .png
        && header.bounds == (-10, -20, 30, 40))
    #expect(header.rootOffset + header.rootLength <= 16384)
    let text = try Inflate.decompress(
      Array(bytes[Int(header.metadataOffset)..<Int(header.metadataOffset + header.metadataLength)]))
    let json = try JSON.parse(text)
    #expect(
      json["name"]?.string == "Test" && json["vector_layers"]?.count == 1 && json["number"]?.int == 5
        && json["bounds"] == nil)
  }

  @Test func tilesOfAnyOrderComeOutClustered() throws {
    let folder = TemporaryFolder()
    let writer = try PMTilesWriter(path: folder.file("a.pmtiles"), options: options())
    var random: UInt64 = 1
    var expected: [UInt64: [UInt8]] = [:]
    for step in 0..<500 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let number = random >> 40 % 4000
      guard expected[number] == nil else { continue }
      expected[number] = content(UInt64(step % 60))
      try writer.add(number, count: 1, content(UInt64(step % 60)))
    }
    try writer.finish(ArchiveMetadata())
    #expect(folder.names == ["a.pmtiles"])
    let bytes = readFile(folder.file("a.pmtiles"))
    let (header, read) = try tiles(ofPMTiles: bytes)
    #expect(read == expected && header.tileContents == 60)
    // Contents stand in the order of their first tiles.
    var end: UInt64 = 0
    for entry in try PMTilesDirectory(parsing: Array(bytes[127..<127 + Int(header.rootLength)])).entries {
      #expect(entry.offset <= end)
      end = max(end, entry.offset + UInt64(entry.length))
    }
  }

  @Test func manyTilesNeedLeaves() throws {
    let folder = TemporaryFolder()
    let writer = try PMTilesWriter(path: folder.file("a.pmtiles"), options: options())
    for number in UInt64(0)..<20_000 {
      try writer.add(
        number * 2, count: 1, [UInt8](repeating: UInt8(number & 255), count: 1 + Int(number &* 7919 % 97)))
    }
    try writer.finish(ArchiveMetadata())
    let (header, read) = try tiles(ofPMTiles: readFile(folder.file("a.pmtiles")))
    #expect(header.leavesLength > 0 && read.count == 20_000 && header.rootLength <= 16257)
    #expect(read[39_998] == [UInt8](repeating: UInt8(19_999 & 255), count: 1 + 19_999 * 7919 % 97))
  }

  @Test(arguments: [false, true]) func mbtilesHoldWhatWasAdded(plain: Bool) throws {
    let folder = TemporaryFolder()
    let path = folder.file("a.mbtiles")
    let writer = try MBTilesWriter(path: path, options: options(plain: plain))
    try writer.add(0, count: 1, content(0))
    try writer.add(1, count: 4, content(1))
    try writer.add(7, count: 1, content(0))
    #expect(folder.names.allSatisfy { $0.hasPrefix("a.mbtiles.partial") })
    try writer.finish(try metadata)
    #expect(folder.names == ["a.mbtiles"])
    let read = try MBTiles(path: path)
    #expect(
      read.metadata["name"] == "Test" && read.metadata["format"] == "png"
        && read.metadata["bounds"] == "-10,-20,30,40")
    #expect(
      read.metadata["minzoom"] == "0" && read.metadata["maxzoom"] == "2" && read.metadata["center"] == "1,2,1"
    )
    #expect(try JSON.parse(read.metadata["json"] ?? "")["vector_layers"]?.count == 1)
    let (numbers, stray) = try read.tileNumbers(in: try TileRegion(bounds: nil, zooms: 0...3), limit: 100)
    #expect(numbers == [0, 1, 2, 3, 4, 7] && stray == 0)
    for number in numbers {
      #expect(try read.tile(PMTiles.tile(number: number)!) == content((1...4).contains(number) ? 1 : 0))
    }
    #expect(writer.counts.contents == (plain ? 6 : 2))
  }

  @Test(arguments: [ArchiveFormat.pmtiles, .mbtiles]) func anAbandonedWriteLeavesTheOldFile(
    format: ArchiveFormat
  ) throws {
    let folder = TemporaryFolder()
    let path = folder.file("a")
    writeFile(path, [1, 2, 3])
    do {
      let writer = try openArchiveWriter(path, format, options(job: 1))
      try writer.add(0, count: 1, content(0))
      try writer.checkpoint(cursor: 1)
    }
    #expect(readFile(path) == [1, 2, 3])
    let partial = readFile(path + ".partial")
    #expect(!partial.isEmpty)
    #expect(throws: NeatError.self) { try PMTilesHeader(parsing: partial) }
    #expect(throws: NeatError.self) { try MBTiles(path: path + ".partial") }
  }

  @Test(arguments: [(ArchiveFormat.pmtiles, false), (.mbtiles, false), (.mbtiles, true)])
  func aContinuedWriteEqualsAnUninterruptedOne(format: ArchiveFormat, plain: Bool) throws {
    let folder = TemporaryFolder()
    func add(_ writer: any ArchiveWriter, _ range: Range<UInt64>) throws {
      for number in range { try writer.add(number, count: 1, content(number / 3 % 7)) }
    }
    let whole = try openArchiveWriter(folder.file("whole"), format, options(plain: plain))
    try add(whole, 0..<60)
    try whole.finish(try metadata)
    do {
      let writer = try openArchiveWriter(folder.file("parts"), format, options(job: 5, plain: plain))
      #expect(writer.resumeCursor == nil)
      try add(writer, 0..<20)
      try writer.checkpoint(cursor: 20)
      try add(writer, 20..<31)
      try writer.checkpoint(cursor: 31)
      // Behind the last checkpoint: lost.
      try add(writer, 31..<40)
    }
    let writer = try openArchiveWriter(folder.file("parts"), format, options(job: 5, plain: plain))
    #expect(writer.resumeCursor == 31 && writer.counts.tiles == 31)
    try add(writer, 31..<60)
    #expect(writer.counts == whole.counts)
    try writer.finish(try metadata)
    #expect(folder.names == ["parts", "whole"])
    if format == .pmtiles {
      #expect(readFile(folder.file("parts")) == readFile(folder.file("whole")))
    } else {
      let (a, b) = (try MBTiles(path: folder.file("parts")), try MBTiles(path: folder.file("whole")))
      #expect(a.metadata == b.metadata)
      for number in UInt64(0)..<60 {
        let tile = PMTiles.tile(number: number)!
        #expect(try a.tile(tile) == content(number / 3 % 7) && b.tile(tile) == content(number / 3 % 7))
      }
    }
  }

  @Test(arguments: [ArchiveFormat.pmtiles, .mbtiles]) func partialFilesOfOtherJobsAreReplaced(
    format: ArchiveFormat
  ) throws {
    let folder = TemporaryFolder()
    do {
      let writer = try openArchiveWriter(folder.file("a"), format, options(job: 1))
      try writer.add(0, count: 1, content(0))
      try writer.checkpoint(cursor: 1)
    }
    var fresh = options(job: 1)
    fresh.resumes = false
    for other in [options(job: 2), options(), fresh] {
      let writer = try openArchiveWriter(folder.file("a"), format, other)
      #expect(writer.resumeCursor == nil && writer.counts == ArchiveCounts())
    }
    writeFile(folder.file("a.partial"), Array("not what anybody expects, and long enough".utf8))
    if format == .pmtiles { writeFile(folder.file("a.partial.sorted"), [1]) }
    let writer = try openArchiveWriter(folder.file("a"), format, options(job: 2))
    #expect(writer.resumeCursor == nil)
    try writer.add(3, count: 1, content(3))
    try writer.finish(ArchiveMetadata())
    #expect(folder.names == ["a"])
  }

  @Test func aTornJournalCountsUpToItsLastWholeBlock() throws {
    let folder = TemporaryFolder()
    do {
      let writer = try PMTilesWriter(path: folder.file("a"), options: options(job: 1))
      for number in UInt64(0)..<10 {
        try writer.add(number, count: 1, content(number))
        if number % 5 == 4 { try writer.checkpoint(cursor: number + 1) }
      }
    }
    let journal = readFile(folder.file("a.partial.journal"))
    let data = readFile(folder.file("a.partial"))
    for (cut, cursor) in [(0, UInt64(10)), (1, 5), (100, 5), (journal.count - 30, nil)] as [(Int, UInt64?)] {
      writeFile(folder.file("a.partial.journal"), Array(journal.dropLast(cut)))
      writeFile(folder.file("a.partial"), data)
      #expect(try PMTilesWriter(path: folder.file("a"), options: options(job: 1)).resumeCursor == cursor)
    }
    var damaged = journal
    damaged[damaged.count - 50] ^= 1
    writeFile(folder.file("a.partial.journal"), damaged)
    writeFile(folder.file("a.partial"), data)
    #expect(try PMTilesWriter(path: folder.file("a"), options: options(job: 1)).resumeCursor == 5)
    // The data is shorter than the journal says.
    writeFile(folder.file("a.partial.journal"), journal)
    writeFile(folder.file("a.partial"), Array(data.dropLast(3)))
    #expect(try PMTilesWriter(path: folder.file("a"), options: options(job: 1)).resumeCursor == nil)
  }

  @Test(arguments: [ArchiveFormat.pmtiles, .mbtiles]) func aSecondWriterIsKeptOut(format: ArchiveFormat)
    throws
  {
    let folder = TemporaryFolder()
    let writer = try openArchiveWriter(folder.file("a"), format, options(job: 1))
    #expect { try openArchiveWriter(folder.file("a"), format, options(job: 1)) } throws: {
      ($0 as? NeatError)?.code == .state
    }
    try writer.add(0, count: 1, content(0))
    try writer.finish(ArchiveMetadata())
    #expect { try writer.add(1, count: 1, content(0)) } throws: { ($0 as? NeatError)?.code == .state }
  }

  @Test(arguments: [ArchiveFormat.pmtiles, .mbtiles]) func badTilesAndLimitsThrow(format: ArchiveFormat)
    throws
  {
    let folder = TemporaryFolder()
    var options = options()
    options.tileLimit = 3
    let writer = try openArchiveWriter(folder.file("a"), format, options)
    #expect { try writer.add(0, count: 1, []) } throws: { ($0 as? NeatError)?.code == .invalidArgument }
    #expect { try writer.add(.max, count: 1, [1]) } throws: { ($0 as? NeatError)?.code == .invalidArgument }
    #expect { try writer.add(0, count: 0, [1]) } throws: { ($0 as? NeatError)?.code == .invalidArgument }
    for number in UInt64(0)..<3 { try writer.add(number * 2, count: 1, content(number)) }
    #expect { try writer.add(9, count: 1, [1]) } throws: { ($0 as? NeatError)?.code == .limitExceeded }
    #expect { try openArchiveWriter("/nowhere/at/all", format, options) } throws: {
      ($0 as? NeatError)?.code == .io
    }
    let twice = try openArchiveWriter(folder.file("b"), format, self.options())
    #expect {
      try twice.add(3, count: 1, [1])
      try twice.add(3, count: 1, [2])
      try twice.finish(ArchiveMetadata())
    } throws: { ($0 as? NeatError)?.code == .invalidArgument && "\($0)".contains("added twice") }
    #expect(!folder.names.contains("b"))
  }

  @Test func contentsWithEqualHashesAreKeptApart() throws {
    // The table that finds equal contents is bounded: what does not fit into it is stored again, and comes
    // out right.
    let folder = TemporaryFolder()
    var options = options()
    options.contentLimit = 2
    let writer = try PMTilesWriter(path: folder.file("a"), options: options)
    for number in UInt64(0)..<12 { try writer.add(number * 2, count: 1, content(number % 4)) }
    try writer.finish(ArchiveMetadata())
    let (_, read) = try tiles(ofPMTiles: readFile(folder.file("a")))
    for number in UInt64(0)..<12 { #expect(read[number * 2] == content(number % 4)) }
    #expect(writer.counts.contents == 8)
  }

  @Test func buildersPackVectorTilesOnly() throws {
    let folder = TemporaryFolder()
    let vector = try ArchiveBuilder(
      path: folder.file("v"), archive: .pmtiles, format: "pbf", options: options())
    try vector.add(TileID(z: 0, x: 0, y: 0), [1, 2, 3])
    try vector.add(TileID(z: 1, x: 0, y: 0), try GzipPacker().pack([4]))
    try vector.finish(ArchiveMetadata())
    let (header, read) = try tiles(ofPMTiles: readFile(folder.file("v")))
    #expect(header.tileCompression == .gzip && header.tileType == .mvt)
    #expect(try Inflate.decompress(read[0]!) == [1, 2, 3] && Inflate.decompress(read[1]!) == [4])
    let picture = try ArchiveBuilder(
      path: folder.file("p"), archive: .pmtiles, format: "png", options: options())
    try picture.add(TileID(z: 0, x: 0, y: 0), [1, 2, 3])
    try picture.finish(ArchiveMetadata())
    let (other, pictures) = try tiles(ofPMTiles: readFile(folder.file("p")))
    #expect(other.tileCompression == .none && pictures[0] == [1, 2, 3])
    #expect {
      try ArchiveBuilder(path: folder.file("x"), archive: .pmtiles, format: "bmp", options: options())
    } throws: {
      ($0 as? NeatError)?.code == .invalidArgument
    }
  }
}

@Suite struct ArchiveMetadataTests {
  @Test func rowsAndHeaderSayTheSame() throws {
    let rows = [
      "name": "N", "format": "pbf", "bounds": "-180,-85,180,85", "center": "1.5,2.5,3", "minzoom": "0",
      "custom": "c",
      "json": #"{"vector_layers":[{"id":"a"}],"tilestats":{"x":1}}"#, "compression": "gzip",
    ]
    let metadata = ArchiveMetadata(mbtiles: rows)
    #expect(metadata.tileType == .mvt && metadata.center == LonLat(1.5, 2.5) && metadata.centerZoom == 3)
    let json = try JSON.parse(metadata.pmtilesJSON)
    #expect(
      json["custom"]?.string == "c" && json["vector_layers"]?.count == 1 && json["tilestats"]?["x"]?.int == 1)
    #expect(json["json"] == nil && json["compression"] == nil)
    var counts = ArchiveCounts()
    (counts.minZoom, counts.maxZoom) = (0, 2)
    let again = ArchiveMetadata(mbtiles: Dictionary(metadata.mbtilesRows(counts)) { $1 })
    #expect(try JSON.parse(again.pmtilesJSON)["tilestats"]?["x"]?.int == 1)
    #expect(again.centerZoom == 2 && again.bounds?.west == -180)
  }

  @Test func boundsAreCutToTheBoxAndTheCentreFollows() {
    var metadata = ArchiveMetadata(mbtiles: ["bounds": "0,0,10,10", "center": "1,1,4"])
    metadata.clip(to: (west: 5, south: 5, east: 20, north: 20))
    #expect(metadata.bounds?.west == 5 && metadata.bounds?.north == 10 && metadata.center == LonLat(7.5, 7.5))
    var across = ArchiveMetadata()
    across.clip(to: (west: 170, south: 0, east: -170, north: 10))
    #expect(across.center == LonLat(180, 5))
  }

  @Test func nonsenseInMetadataIsLeftOut() {
    for rows in [
      ["bounds": "a,b,c,d", "center": ""], ["bounds": "1,2", "center": "x"], ["json": "{"],
      ["bounds": "0,0,0,0"], ["bounds": "5,5,6,4"],
    ] {
      let metadata = ArchiveMetadata(mbtiles: rows)
      #expect(metadata.bounds == nil && metadata.center == nil)
      #expect((try? JSON.parse(metadata.pmtilesJSON)) != nil)
    }
  }
}
