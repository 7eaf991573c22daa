import NeatBase
import NeatStore
import NeatTestSupport
import NeatTile
import Testing

@Suite struct RunFileTests {
  /// Records of features on many zooms.
  private func run(_ seed: Int, part: Int = 0) throws -> RecordRun {
    let points = (0..<300).map { index in
      let (lon, lat) = (Double((index &* 7919 &+ seed) % 340) - 170, Double((index &* 104_729) % 160) - 80)
      return
        #"{"type":"Feature","id":\#(index),"properties":{"a":"\#(index % 7)","b":\#(seed)},"geometry":{"type":"Point","coordinates":[\#(lon),\#(lat)]}}"#
    }
    let data = try GeoJSONData(parsing: Array(points.joined(separator: "\n").utf8))
    var result: RecordRun?
    var options = TilerOptions()
    options.zooms = 0...8
    try TileCutter(options, layer: 0, part: part).cut(data, first: 0, keys: [0, 1], shows: nil) {
      run throws(NeatError) in result = run
    }
    return try #require(result)
  }

  private func records(_ merge: consuming RunMerge) throws -> [(TileRecordKey, [UInt8])] {
    var list: [(TileRecordKey, [UInt8])] = []
    while let key = merge.key {
      list.append((key, Array(merge.body)))
      try merge.advance()
    }
    return list
  }

  private func records(_ cursors: [RunCursor]) throws -> [(TileRecordKey, [UInt8])] {
    try records(RunMerge(cursors))
  }

  private func saved(_ path: String, _ runs: [RecordRun]) throws -> RunFile {
    try RunMerge(runs.map { RunCursor($0) }).write(RunFileWriter(path: path), text: Array("text".utf8))
  }

  @Test func mergedRunsAreInOrderAndWhole() throws {
    let runs = try (0..<5).map { try run($0, part: $0) }
    let all = try records(runs.map { RunCursor($0) })
    #expect(all.count == runs.reduce(0) { $0 + $1.count })
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.0 < $1.0 || $0.0 == $1.0 })
    // The same from files, whatever is in which.
    let folder = WorkFolder()
    let one = try saved(folder.file("one"), Array(runs[0..<2]))
    let other = try saved(folder.file("other"), Array(runs[2..<5]))
    let again = try records([RunCursor(one), RunCursor(other)])
    #expect(again.map(\.0) == all.map(\.0) && again.map(\.1) == all.map(\.1))
    #expect(one.text == Array("text".utf8))
  }

  @Test func aRangeIsPartOfTheWhole() throws {
    let folder = WorkFolder()
    _ = try saved(folder.file("run"), [run(1)])
    let file = try RunFile(path: folder.file("run"))
    let all = try records([RunCursor(file)])
    let middle = all[all.count / 2].0.tile
    for range in [0..<middle, middle..<UInt64.max, 0..<0, 5..<6, UInt64.max - 1..<UInt64.max] {
      let found = try records([RunCursor(file, range)])
      let wanted = all.filter { range.contains($0.0.tile) }
      #expect(found.map(\.0) == wanted.map(\.0) && found.map(\.1) == wanted.map(\.1))
      #expect(try records([RunCursor(run(1), range)]).count == wanted.count)
    }
  }

  @Test func anyWrongByteIsFound() throws {
    let folder = WorkFolder()
    let path = folder.file("run")
    _ = try saved(path, [run(1)])
    let whole = folder.read("run")
    let good = try records([RunCursor(RunFile(path: path))]).map(\.1)
    var numbers = SplitMix(seed: 7)
    for round in 0..<300 {
      var bytes = whole
      if round % 3 == 0 {
        bytes.removeLast(1 + Int(numbers.next() % UInt64(bytes.count)))
      } else {
        bytes[Int(numbers.next() % UInt64(bytes.count))] ^= UInt8(1 + numbers.next() % 255)
      }
      _ = folder.write("bad", bytes)
      do {
        let found = try records([RunCursor(RunFile(path: folder.file("bad")))]).map(\.1)
        // Nothing but the file's first bytes is without a hash.
        #expect(found == good)
      } catch {
        let code = (error as? NeatError)?.code
        #expect(code == .archive || code == .io, "\(error)")
      }
    }
  }

  @Test func keysGetOtherNumbers() throws {
    let folder = WorkFolder()
    let file = try saved(folder.file("run"), [run(1)])
    let before = try records([RunCursor(file)])
    let after = try records([RunCursor(file.renumbered([300, 1]))])
    #expect(zip(before, after).allSatisfy { $0.1.count + 1 == $1.1.count && $0.0 == $1.0 })
    // A number that a run has no key for.
    #expect { try records([RunCursor(file.renumbered([0]))]) } throws: {
      ($0 as? NeatError)?.code == .archive
    }
  }

  @Test func temporaryFilesHaveNoName() throws {
    let folder = WorkFolder()
    let file = try RunMerge([RunCursor(run(3))]).write(RunFileWriter(temporaryIn: folder.path))
    #expect(folder.names.isEmpty)
    #expect(try records([RunCursor(file)]).count == run(3).count)
    #expect { _ = try RunFileWriter(temporaryIn: "/nowhere/at/all") } throws: {
      ($0 as? NeatError)?.code == .io
    }
    #expect { try RunFile(path: folder.file("none")) } throws: { ($0 as? NeatError)?.code == .notFound }
    #expect { try RunFile(path: folder.path) } throws: { ($0 as? NeatError)?.code == .io }
  }
}
