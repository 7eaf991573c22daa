import NeatBase
import NeatJSON
import NeatResource
import NeatStore
import NeatTestSupport
import NeatTile
import Testing

@Suite struct GeoJSONArchiveTests {
  private static let shapes = """
    {"type":"FeatureCollection","features":[
      {"type":"Feature","id":7,"properties":{"name":"box","size":3,"old":true,"none":null},"geometry":{"type":"Polygon","coordinates":
        [[[-60,-40],[60,-40],[60,40],[-60,40],[-60,-40]]]}},
      {"type":"Feature","properties":{"name":"point","size":"big"},"geometry":{"type":"Point","coordinates":[11.39,47.27]}},
      {"type":"Feature","properties":{"name":"point"},"geometry":{"type":"Point","coordinates":[-100,-47.27]}}]}
    """

  private func job(_ folder: WorkFolder, _ target: String, zooms: ClosedRange<UInt8> = 0...6)
    -> GeoJSONArchive
  {
    let path = folder.write("shapes.geojson", Array(Self.shapes.utf8))
    var out = ArchiveTarget(path: folder.file(target))
    out.checkpointTiles = 100
    var job = GeoJSONArchive(sources: [.init(name: "shapes", url: path)], target: out)
    job.options.zooms = zooms
    return job
  }

  @Test(arguments: ["a.pmtiles", "a.mbtiles"]) func tilesAreThoseOfTheIndex(name: String) throws {
    let folder = WorkFolder()
    let report = try job(folder, name).run { _ in true }
    var options = GeoJSONTileOptions()
    options.maxZoom = 6
    let index = try GeoJSONIndex(GeoJSONData(parsing: Array(Self.shapes.utf8)), options: options)
    let all = (0..<PMTiles.firstNumber(7)).compactMap { PMTiles.tile(number: $0) }
    let found = allTiles(folder.file(name), of: all)
    #expect(found.count == Int(report.counts.tiles))
    for tile in all {
      guard let expected = index.tile(tile) else {
        #expect(found["\(tile)"] == nil)
        continue
      }
      let layers = try decodeMVT(try #require(found["\(tile)"], "\(tile)")).layers
      #expect(
        layers.count == 1 && layers[0].name == "shapes" && layers[0].featureCount == expected.featureCount)
      for feature in 0..<expected.featureCount {
        for key in ["name", "size", "old"] {
          let (a, b) = (
            layers[0].value(feature: feature, named: key), expected.value(feature: feature, named: key)
          )
          #expect(a?.number == b?.number, "\(tile) \(key)")
          #expect((a?.kind == .string) == (b?.kind == .string), "\(tile) \(key)")
          if a?.kind == .string { #expect(a?.text == b?.text, "\(tile) \(key)") }
        }
        #expect(layers[0].id(feature) == expected.id(feature))
      }
      #expect(layers[0].pointCount == expected.pointCount)
    }
    // The same values stand in a tile once.
    let world = try decodeMVT(try #require(found["0/0/0"])).layers[0]
    #expect(world.keys.sorted() == ["name", "old", "size"] && world.valueCount == 5)
    let scheme = name.hasSuffix("pmtiles") ? "pmtiles" : "mbtiles"
    let json = try JSON.parse(ResourceLoader().tileJSON(forArchive: "\(scheme)://" + folder.file(name)))
    #expect(json["name"]?.string == "shapes" && json["maxzoom"]?.int == 6 && json["format"]?.string == "pbf")
    #expect(json["bounds"]?.elements.compactMap(\.number) == [-100, -47.27, 60, 47.27])
    let layer = json["vector_layers"]?[0]
    #expect(
      layer?["id"]?.string == "shapes"
        && layer?["fields"]?.text == #"{"name":"String","old":"Boolean","size":"Mixed"}"#)
  }

  @Test func severalDocumentsBecomeLayers() throws {
    let folder = WorkFolder()
    let a = folder.write("a.geojson", Array(#"{"type":"Point","coordinates":[60,30]}"#.utf8))
    let b = folder.write(
      "b.geojson", try GzipPacker().pack(Array(#"{"type":"Point","coordinates":[-100,30]}"#.utf8)))
    var job = GeoJSONArchive(
      sources: [.init(name: "a", url: a), .init(name: "b", url: b)],
      target: ArchiveTarget(path: folder.file("x.pmtiles")))
    job.options.zooms = 0...1
    let report = try job.run { _ in true }
    #expect(report.counts.tiles >= 3)
    let found = allTiles(folder.file("x.pmtiles"), of: [TileID(z: 0, x: 0, y: 0), TileID(z: 1, x: 0, y: 0)])
    #expect(try decodeMVT(found["0/0/0"]!).layers.map(\.name) == ["a", "b"])
    #expect(try decodeMVT(found["1/0/0"]!).layers.map(\.name) == ["b"])
    // Several documents of one layer stand in it one after the other.
    job.sources[1].name = "a"
    _ = try job.run { _ in true }
    let both = allTiles(folder.file("x.pmtiles"), of: [TileID(z: 0, x: 0, y: 0)])
    let layers = try decodeMVT(both["0/0/0"]!).layers
    #expect(layers.map(\.name) == ["a"] && layers[0].featureCount == 2)
    #expect(layers[0].points[0].x > layers[0].points[1].x)
  }

  @Test(arguments: ["pmtiles", "mbtiles"]) func aStoppedJobContinuesToTheSameArchive(kind: String) throws {
    let folder = WorkFolder()
    _ = try job(folder, "whole.\(kind)", zooms: 0...7).run { _ in true }
    var runs = 0
    var report: ArchiveReport?
    while report == nil, runs < 30 {
      var calls = 0
      do {
        report = try job(folder, "parts.\(kind)", zooms: 0...7).run { _ in
          calls += 1
          return calls < 3
        }
      } catch {
        #expect(error.code == .cancelled)
        #expect(access(folder.file("parts.\(kind)"), F_OK) != 0)
      }
      runs += 1
    }
    #expect(runs > 2 && (report?.resumedTiles ?? 0) > 0)
    if kind == "pmtiles" {
      #expect(folder.read("parts.pmtiles") == folder.read("whole.pmtiles"))
    } else {
      let listed = try listedTiles(folder.file("whole.mbtiles"))
      #expect(try listedTiles(folder.file("parts.mbtiles")) == listed)
      #expect(
        allTiles(folder.file("parts.mbtiles"), of: listed)
          == allTiles(folder.file("whole.mbtiles"), of: listed))
    }
  }

  @Test func theNumberOfThreadsDoesNotShow() throws {
    let folder = WorkFolder()
    for (name, width) in [("one.pmtiles", 1), ("four.pmtiles", 4)] {
      var job = job(folder, name)
      job.width = width
      _ = try job.run { _ in true }
    }
    #expect(folder.read("one.pmtiles") == folder.read("four.pmtiles"))
  }

  @Test func badInputAndLimitsThrow() throws {
    let folder = WorkFolder()
    var broken = job(folder, "x.pmtiles")
    broken.sources[0].url = folder.write(
      "broken.geojson", Array(#"{"type":"FeatureCollection","features":[{"#.utf8))
    #expect { try broken.run { _ in true } } throws: {
      ($0 as? NeatError)?.code == .geojson && ($0 as? NeatError)?.resource == broken.sources[0].url
        && ($0 as? NeatError)?.offset != nil
    }
    var missing = job(folder, "x.pmtiles")
    missing.sources[0].url = "/nowhere/x.geojson"
    #expect { try missing.run { _ in true } } throws: { ($0 as? NeatError)?.code == .notFound }
    var many = job(folder, "x.pmtiles")
    many.target.tileLimit = 50
    #expect { try many.run { _ in true } } throws: { ($0 as? NeatError)?.code == .limitExceeded }
    var deep = job(folder, "x.pmtiles")
    deep.options.zooms = 0...25
    #expect { try deep.run { _ in true } } throws: { ($0 as? NeatError)?.code == .invalidArgument }
    #expect(access(folder.file("x.pmtiles"), F_OK) != 0)
  }

  @Test func aJobOfOtherDataIsNotContinued() throws {
    // The same document twice: what tells jobs apart must not cancel out.
    let folder = WorkFolder()
    func run(_ text: String, stopsAfter calls: Int) throws -> ArchiveReport? {
      let path = folder.write("twice.geojson", Array(text.utf8))
      var job = GeoJSONArchive(
        sources: [.init(name: "a", url: path), .init(name: "b", url: path)],
        target: ArchiveTarget(path: folder.file("x.pmtiles")))
      job.target.checkpointTiles = 50
      job.options.zooms = 0...7
      var count = 0
      do {
        return try job.run { _ in
          count += 1
          return count < calls
        }
      } catch {
        #expect(error.code == .cancelled)
        return nil
      }
    }
    for round in 0..<6 {
      let first =
        #"{"type":"Feature","properties":{"v":"a\#(round)"},"geometry":{"type":"Polygon","coordinates":[[[-90,-60],[90,-60],[90,60],[-90,60],[-90,-60]]]}}"#
      #expect(try run(first, stopsAfter: 12) == nil)
      let report = try #require(try run(first.replacing("\"a", with: "\"b"), stopsAfter: .max))
      #expect(report.resumedTiles == 0)
    }
  }

  @Test func cuttingCanBeEnded() throws {
    let folder = WorkFolder()
    let world = #"{"type":"Polygon","coordinates":[[[-180,-80],[180,-80],[180,80],[-180,80],[-180,-80]]]}"#
    var job = GeoJSONArchive(
      sources: [.init(name: "a", url: folder.write("world.geojson", Array(world.utf8)))],
      target: ArchiveTarget(path: folder.file("x.pmtiles")))
    job.options.zooms = 0...11
    var calls = 0
    #expect {
      try job.run { progress in
        calls += 1
        #expect(progress.doneTiles == 0)
        return calls < 3
      }
    } throws: { ($0 as? NeatError)?.code == .cancelled }
    #expect(calls == 3 && folder.names == ["world.geojson"])
  }

  @Test func theFileAtFaultIsNamed() throws {
    let folder = WorkFolder()
    let world = #"{"type":"Polygon","coordinates":[[[-180,-80],[180,-80],[180,80],[-180,80],[-180,-80]]]}"#
    let point = #"{"type":"Point","coordinates":[0,0]}"#
    let first = folder.write("world.geojson", Array(world.utf8))
    var job = GeoJSONArchive(
      sources: [
        .init(name: "a", url: first), .init(name: "b", url: folder.write("one.geojson", Array(point.utf8))),
      ],
      target: ArchiveTarget(path: folder.file("x.pmtiles")))
    job.options.zooms = 0...7
    job.target.tileLimit = 1000
    for width in [1, 2, 8] {
      job.width = width
      #expect { try job.run { _ in true } } throws: {
        ($0 as? NeatError)?.code == .limitExceeded && ($0 as? NeatError)?.resource == first
      }
    }
  }
}
