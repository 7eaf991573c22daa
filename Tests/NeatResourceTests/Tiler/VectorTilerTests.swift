import NeatBase
import NeatJSON
import NeatStore
import NeatTestSupport
import NeatTile
import Testing

@testable import NeatResource

@Suite struct VectorTilerTests {
  /// Lines, polygons and points all over, with properties of several kinds.
  private static func features(_ count: Int, from first: Int = 0) -> [String] {
    (first..<first + count).map { index in
      let (lon, lat) = (Double((index &* 7919) % 340) - 170, Double((index &* 104_729) % 150) - 75)
      let properties = #""n":\#(index),"name":"f\#(index % 50)","even":\#(index % 2 == 0)"#
      let geometry =
        switch index % 3 {
        case 0: #""Point","coordinates":[\#(lon),\#(lat)]"#
        case 1:
          #""LineString","coordinates":[[\#(lon),\#(lat)],[\#(lon + 20),\#(lat + 3)],[\#(lon + 40),\#(lat)]]"#
        default:
          #""Polygon","coordinates":[[[\#(lon),\#(lat)],[\#(lon + 3),\#(lat)],[\#(lon + 3),\#(lat + 3)],[\#(lon),\#(lat)]]]"#
        }
      return #"{"type":"Feature","properties":{\#(properties)},"geometry":{"type":\#(geometry)}}"#
    }
  }

  private static let text = features(600).joined(separator: "\n")

  private static func options(_ change: (inout TilerOptions) -> Void = { _ in }) -> TilerOptions {
    var options = TilerOptions()
    options.zooms = 0...5
    change(&options)
    return options
  }

  private func tiler(
    _ folder: WorkFolder, _ options: TilerOptions = options(), memory: Int = 1 << 20, width: Int = 2,
    layers: [VectorTiler.Layer] = [.init(name: "all")]
  ) throws -> VectorTiler {
    try VectorTiler(layers: layers, options: options, folder: folder.path, memory: memory, width: width)
  }

  private func add(_ text: String, _ tiler: VectorTiler, layer: Int = 0, part: Int = 0) throws {
    try tiler.add(GeoJSONData(parsing: Array(text.utf8)), layer: layer, part: part)
  }

  @discardableResult
  private func write(
    _ tiler: VectorTiler, _ folder: WorkFolder, _ name: String, _ range: Range<UInt64> = 0..<UInt64.max,
    thresholds: [Double]? = nil
  ) throws -> ArchiveReport {
    try tiler.write(
      to: ArchiveTarget(path: folder.file(name)), job: nil, metadata: .object([]), range: range,
      thresholds: thresholds
    ) { _ in true }
  }

  private func isEqual(_ folder: WorkFolder, _ a: String, _ b: String) -> Bool {
    folder.read(a) == folder.read(b)
  }

  @Test func batchesThreadsAndMemoryDoNotShow() throws {
    let folder = WorkFolder()
    let whole = try tiler(folder, memory: 1 << 30, width: 1)
    try add(Self.text, whole)
    let report = try write(whole, folder, "whole.pmtiles")
    #expect(report.counts.tiles > 400 && report.tiler?.features == 600)
    for (size, width) in [(13, 3), (500, 2)] {
      let pieces = try tiler(folder, width: width)
      for first in stride(from: 0, to: 600, by: size) {
        try add(Self.features(min(size, 600 - first), from: first).joined(separator: "\n"), pieces)
      }
      try write(pieces, folder, "pieces.pmtiles")
      #expect(isEqual(folder, "pieces.pmtiles", "whole.pmtiles"), "\(size) \(width)")
    }
    // Nothing stays behind.
    #expect(folder.names == ["pieces.pmtiles", "whole.pmtiles"])
  }

  @Test func runsGoThroughTheDisk() throws {
    let folder = WorkFolder()
    let disk = try tiler(folder, Self.options { $0.zooms = 0...7 })
    let memory = try tiler(folder, Self.options { $0.zooms = 0...7 }, memory: 1 << 30)
    let lines = Self.features(500).joined(separator: "\n")
    for part in 0..<4 {
      try add(lines, disk, part: part)
      try add(lines, memory, part: part)
    }
    let report = try write(disk, folder, "disk.pmtiles")
    try write(memory, folder, "memory.pmtiles")
    #expect(report.tiler?.features == 2000 && isEqual(folder, "disk.pmtiles", "memory.pmtiles"))
  }

  @Test func moreRunsThanAreReadAtOnceBecomeFewer() throws {
    let folder = WorkFolder()
    // Each run goes to a file of its own.
    let store = RunStore(folder: folder.path, limit: 0)
    var options = TilerOptions()
    options.zooms = 0...0
    let count = RunMerge.width + 40
    for index in 0..<count {
      let place = #"{"type":"Point","coordinates":[\#(index % 170),0]}"#
      try TileCutter(options, layer: 0, part: count - index).cut(
        GeoJSONData(parsing: Array(place.utf8)), first: 0, keys: [], shows: nil
      ) { run throws(NeatError) in try store.add(run) }
    }
    var merge = try store.merge()
    var orders: [UInt64] = []
    while let key = merge.key {
      orders.append(key.order)
      try merge.advance()
    }
    #expect(orders.count == count && orders == orders.sorted() && folder.names == [])
  }

  @Test func savedRunsMakeTheSameArchive() throws {
    let folder = WorkFolder()
    let options = Self.options {
      $0.zooms = 0...6
      $0.thinning = TileThinning(.densest); $0.limits.features = 90
    }
    let whole = try tiler(folder, options)
    try add(Self.text, whole)
    try write(whole, folder, "whole.pmtiles")
    // Parts are cut apart from each other, and last comes first.
    for part in [2, 0, 1] {
      let piece = try tiler(folder, options)
      try add(Self.features(200, from: part * 200).joined(separator: "\n"), piece, part: part)
      try piece.save(folder.file("run-\(part)"))
    }
    func loaded() throws -> VectorTiler {
      let tiler = try tiler(folder, options)
      for part in 0..<3 { try tiler.load(folder.file("run-\(part)")) }
      return tiler
    }
    let (ranges, bytes) = try loaded().ranges(4)
    #expect(ranges.count > 1 && bytes > 60_000 && ranges[0].lowerBound == 0)
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    var thresholds = [Double](repeating: 0, count: 31)
    for range in ranges {
      thresholds = zip(thresholds, try loaded().requiredThresholds(range)).map(max)
    }
    var merged: [UInt64: [UInt8]] = [:]
    let numbers = Dictionary(
      uniqueKeysWithValues: (0..<PMTiles.firstNumber(7)).map { ("\(PMTiles.tile(number: $0)!)", $0) })
    for (index, range) in ranges.enumerated() {
      try write(loaded(), folder, "part-\(index).pmtiles", range, thresholds: thresholds)
      let all = (0..<PMTiles.firstNumber(7)).compactMap { PMTiles.tile(number: $0) }
      for (tile, bytes) in allTiles(folder.file("part-\(index).pmtiles"), of: all) {
        let number = try #require(numbers[tile])
        #expect(range.contains(number))
        merged[number] = bytes
      }
    }
    let writer = try PMTilesWriter(path: folder.file("merged.pmtiles"), options: .init())
    for (number, bytes) in merged.sorted(by: { $0.key < $1.key }) {
      try writer.add(number, count: 1, bytes)
    }
    let described = try JSON.parse(loaded().tileJSON(.object([])))
    var metadata = ArchiveMetadata(tileJSON: described)
    metadata.tileCompression = .gzip
    try writer.finish(metadata)
    #expect(isEqual(folder, "merged.pmtiles", "whole.pmtiles"))
  }

  @Test func runsOfOtherOptionsAreRefused() throws {
    let folder = WorkFolder()
    let one = try tiler(folder)
    try add(Self.text, one)
    try one.save(folder.file("run"))
    func code(_ options: TilerOptions, _ layers: [VectorTiler.Layer]) -> ErrorCode? {
      do { try tiler(folder, options, layers: layers).load(folder.file("run")) } catch {
        return (error as? NeatError)?.code
      }
      return nil
    }
    #expect(code(Self.options(), [.init(name: "all")]) == nil)
    #expect(code(Self.options { $0.zooms = 0...6 }, [.init(name: "all")]) == .state)
    #expect(code(Self.options { $0.attributes = .only([]) }, [.init(name: "all")]) == .state)
    #expect(code(Self.options(), [.init(name: "other")]) == .state)
    let filter = try JSON.parse(#"["==", ["get", "n"], 1]"#)
    #expect(code(Self.options(), [.init(name: "all", filter: filter)]) == .state)
    // The order in which names came does not show.
    var (names, others) = (Set((0..<40).map { "n\($0)" }), Set<String>(minimumCapacity: 4000))
    for name in (0..<40).reversed() { others.insert("n\(name)") }
    let some = try tiler(folder, Self.options { $0.attributes = .only(names) })
    try add(Self.text, some)
    try some.save(folder.file("some"))
    try tiler(folder, Self.options { $0.attributes = .only(others) }).load(folder.file("some"))
    names.remove("n7")
    #expect {
      try tiler(folder, Self.options { $0.attributes = .only(names) }).load(folder.file("some"))
    } throws: {
      ($0 as? NeatError)?.code == .state
    }
    _ = folder.write("bad", Array(folder.read("run").dropLast(7)))
    #expect { try one.load(folder.file("bad")) } throws: { ($0 as? NeatError)?.code == .archive }
    #expect { try one.load(folder.file("none")) } throws: { ($0 as? NeatError)?.code == .notFound }
  }

  private func layers(_ folder: WorkFolder, _ name: String, _ tile: TileID) throws -> [TileLayer] {
    guard let bytes = allTiles(folder.file(name), of: [tile])["\(tile)"] else { return [] }
    return try decodeMVT(bytes).layers
  }

  @Test func filtersMayReadTheZoom() throws {
    let folder = WorkFolder()
    let filter = try JSON.parse(#"[">=", ["+", ["zoom"], 1], ["%", ["get", "n"], 3]]"#)
    let tiler = try tiler(
      folder,
      layers: [
        .init(name: "all"), .init(name: "some", filter: filter),
        .init(name: "none", filter: try JSON.parse("false")),
      ])
    for layer in 0..<3 { try add(Self.text, tiler, layer: layer) }
    try write(tiler, folder, "x.pmtiles")
    let low = try layers(folder, "x.pmtiles", TileID.world)
    let high = try layers(folder, "x.pmtiles", TileID(z: 1, x: 0, y: 0))
    #expect(low.map(\.name) == ["all", "some"] && high.map(\.name) == ["all", "some"])
    // Polygons are n % 3 = 2, which zoom 0 lacks.
    #expect((0..<low[1].featureCount).allSatisfy { low[1].geometryType($0) != .polygon })
    #expect(low[0].featureCount > low[1].featureCount && high[0].featureCount == high[1].featureCount)
    let json = try JSON.parse(try tiler.tileJSON(.object([])))
    #expect(json["vector_layers"]?[2]?["fields"]?.text == "{}")
    #expect {
      try self.tiler(folder, layers: [.init(name: "a", filter: try JSON.parse(#"["nope"]"#))])
    } throws: {
      ($0 as? NeatError)?.code == .expression && "\($0)".contains("\"a\"")
    }
  }

  @Test func featuresMaySayTheirZooms() throws {
    let folder = WorkFolder()
    func point(_ member: String, _ name: String) -> String {
      #"{"type":"Feature","tippecanoe":\#(member),"properties":{"name":"\#(name)"},"geometry":{"type":"Point","coordinates":[-100,60]}}"#
    }
    let filter = try JSON.parse(#"["<", ["zoom"], 4]"#)
    let tiler = try tiler(
      folder, Self.options(), layers: [.init(name: "all"), .init(name: "low", filter: filter)])
    let text = [
      point(#"{"minzoom":2,"layer":"other"}"#, "a"), point(#"{"maxzoom":1,"more":[{}]}"#, "b"),
      point(#"{"minzoom":3,"maxzoom":2}"#, "c"), point("5", "d"), point(#"{"minzoom":"x"}"#, "e"),
      point(#"{"minzoom":-4,"maxzoom":1e300}"#, "f"), point("{}", "g"),
    ].joined(separator: "\n")
    for layer in 0..<2 { try add(text, tiler, layer: layer) }
    try write(tiler, folder, "x.pmtiles")
    func names(_ tile: TileID, _ layer: Int) throws -> String {
      let layers = try layers(folder, "x.pmtiles", tile)
      guard layer < layers.count else { return "" }
      return (0..<layers[layer].featureCount).map {
        layers[layer].value(feature: $0, named: "name")?.text ?? ""
      }.joined()
    }
    #expect(try names(TileID.world, 0) == "bdefg" && names(TileID(z: 1, x: 0, y: 0), 1) == "bdefg")
    #expect(try names(TileID(z: 2, x: 0, y: 1), 0) == "adefg" && names(TileID(z: 4, x: 3, y: 4), 1) == "")
  }

  @Test(arguments: [
    (AttributeChoice.only(["n"]), ["n"]), (.without(["n", "name"]), ["even"]), (.only([]), []),
  ]) func propertiesAreChosen(choice: AttributeChoice, names: [String]) throws {
    let folder = WorkFolder()
    let tiler = try tiler(folder, Self.options { $0.attributes = choice })
    try add(Self.text, tiler)
    try write(tiler, folder, "x.pmtiles")
    #expect(try layers(folder, "x.pmtiles", TileID.world)[0].keys == names)
    let json = try JSON.parse(try tiler.tileJSON(.object([])))
    #expect(json["vector_layers"]?[0]?["fields"]?.members.map(\.key) == names)
  }

  @Test func aThresholdGoesForItsZoom() throws {
    // The crowd is in one tile of zoom 1; the others would be within the limits.
    let folder = WorkFolder()
    let options = Self.options {
      $0.zooms = 1...1; $0.thinning = TileThinning(.fraction); $0.limits.features = 100
    }
    func places(_ lon: Double, _ count: Int) -> [String] {
      (0..<count).map {
        #"{"type":"Point","coordinates":[\#(lon + Double($0 % 20)),\#(20 + Double($0 / 20))]}"#
      }
    }
    let tiler = try tiler(folder, options)
    try add((places(-100, 1000) + places(60, 90)).joined(separator: "\n"), tiler)
    let report = try write(tiler, folder, "x.pmtiles")
    let left = try #require(try layers(folder, "x.pmtiles", TileID(z: 1, x: 0, y: 0)).first)
    let right = try #require(try layers(folder, "x.pmtiles", TileID(z: 1, x: 1, y: 0)).first)
    #expect(left.featureCount <= 100 && left.featureCount > 50 && right.featureCount < 40)
    #expect(report.tiler?.dropped == 1090 - left.featureCount - right.featureCount)
    #expect(report.tiler?.oversizedTiles == 0)
  }

  @Test func badInputIsNamed() throws {
    let folder = WorkFolder()
    func fault(_ body: () throws -> Void) -> NeatError? {
      do { try body() } catch { return error as? NeatError }
      return nil
    }
    #expect(fault { _ = try tiler(folder, layers: []) }?.code == .invalidArgument)
    #expect(
      fault { _ = try tiler(folder, layers: [.init(name: "a"), .init(name: "a")]) }?.message.contains("\"a\"")
        == true)
    #expect(
      fault { _ = try tiler(folder, layers: [.init(name: "a"), .init(name: "")]) }?.message
        == "layer 1 has no name")
    #expect(fault { _ = try tiler(folder, memory: 5) }?.code == .invalidArgument)
    let one = try tiler(folder)
    #expect(fault { _ = try one.layer("b") }?.message.contains("\"b\"") == true)
    #expect(
      fault { try add("{\"type\":\"Point\",\"coordinates\":[0,0]}", one, part: 1 << 20) }?.code
        == .limitExceeded)
    // More tiles than are allowed.
    let wide = try tiler(folder, Self.options { $0.zooms = 0...10 })
    wide.tileLimit = 1000
    let world = #"{"type":"Polygon","coordinates":[[[-180,-80],[180,-80],[180,80],[-180,80],[-180,-80]]]}"#
    #expect(
      fault {
        try add(world, wide)
        try wide.save(folder.file("run"))
      }?.code == .limitExceeded)
    // A folder that takes no files.
    let lost = try VectorTiler(
      layers: [.init(name: "a")], options: Self.options { $0.zooms = 0...9 }, folder: "/nowhere",
      memory: 1 << 20)
    let many = Self.features(6000).joined(separator: "\n")
    #expect(
      fault {
        try add(many, lost)
        try write(lost, folder, "y.pmtiles")
      }?.code == .io)
    #expect(folder.names == [])
  }

  @Test func whatFailedIsNotTriedAgainWithLess() throws {
    let folder = WorkFolder()
    let missing = folder.file("not-there")
    let tiler = try VectorTiler(
      layers: [.init(name: "a")], options: Self.options { $0.zooms = 0...9 }, folder: missing,
      memory: 1 << 20)
    try add(Self.features(6000).joined(separator: "\n"), tiler)
    func code() -> ErrorCode? {
      do { try write(tiler, folder, "x.pmtiles") } catch { return (error as? NeatError)?.code }
      return nil
    }
    #expect(code() == .io)
    mkdir(missing, 0o755)
    defer { rmdir(missing) }
    #expect(code() == .io)
    #expect { try tiler.save(folder.file("run")) } throws: { ($0 as? NeatError)?.code == .io }
    #expect { try tiler.tileJSON(.object([])) } throws: { ($0 as? NeatError)?.code == .io }
  }

  @Test func whatWaitsIsDescribedToo() throws {
    let folder = WorkFolder()
    let tiler = try tiler(folder, width: 8)
    try add(Self.features(3).joined(separator: "\n"), tiler)
    let before = try tiler.tileJSON(.object([]))
    try write(tiler, folder, "x.pmtiles")
    #expect(try tiler.tileJSON(.object([])) == before)
    let json = try JSON.parse(before)
    #expect(json["bounds"]?.count == 4 && json["vector_layers"]?[0]?["fields"]?.members.map(\.key).count == 3)
  }

  fileprivate struct Extent: Sendable {
    let longitudes, bounds: [Double]
    let center: Double

    init(_ longitudes: [Double], _ bounds: [Double], _ center: Double) {
      (self.longitudes, self.bounds, self.center) = (longitudes, bounds, center)
    }
  }

  @Test(arguments: [
    Extent([190, 200], [-170, -160], -165), Extent([170, 200], [170, -160], -175),
    Extent([-190, -170], [170, -170], 180), Extent([-300, 300], [-180, 180], 0),
    Extent([-180, 180], [-180, 180], 0), Extent([10, 10], [10, 10], 10),
  ]) fileprivate func boundsAreWithinTheWorld(extent: Extent) throws {
    let tiler = try tiler(WorkFolder())
    try add(
      #"{"type":"MultiPoint","coordinates":[[\#(extent.longitudes[0]),10],[\#(extent.longitudes[1]),20]]}"#,
      tiler)
    let json = try JSON.parse(try tiler.tileJSON(.object([])))
    #expect(json["bounds"]?.elements.compactMap(\.number) == [extent.bounds[0], 10, extent.bounds[1], 20])
    #expect(json["center"]?.elements.compactMap(\.number) == [extent.center, 15])
  }
}
