import NeatBase
import NeatTile
import Testing

@Suite struct TileThinnerTests {
  /// 900 points on a grid, of which 800 lie in a corner.
  private static let text: String = {
    let dense = (0..<800).map { (index: Int) -> String in
      point(10 + Double(index % 40) * 0.01, 40 + Double(index / 40) * 0.01, "\"n\":\(index)")
    }
    let sparse = (0..<100).map { (index: Int) -> String in
      point(-160 + Double(index % 10) * 30, -60 + Double(index / 10) * 12, "\"n\":\(index + 1000)")
    }
    return collection(dense + sparse)
  }()

  private func crowd(_ thinning: TileThinning?, features: Int = 200) throws -> TinyTiler {
    try TinyTiler(Self.text) {
      $0.thinning = thinning
      $0.limits.features = features
    }
  }

  private func numbers(_ layer: TileLayer) -> [Int] {
    (0..<layer.featureCount).map { Int(exactly: layer.value(feature: $0, named: "n")?.number ?? -1) ?? -1 }
  }

  @Test func withoutThinningAllIsKeptAndCounted() throws {
    let outcome = try #require(try crowd(nil).outcomes()[0])
    #expect(outcome.features == 900 && outcome.isOversized && outcome.dropped == 0)
    #expect(try numbers(crowd(nil).world()).count == 900)
  }

  @Test(arguments: [TileThinning.Choice.densest, .fraction]) func tilesComeBelowTheirLimits(
    choice: TileThinning.Choice
  ) throws {
    let tiler = try crowd(TileThinning(choice))
    let outcome = try #require(try tiler.outcomes()[0])
    #expect(!outcome.isOversized && outcome.features <= 200 && outcome.features > 60)
    #expect(outcome.features + outcome.dropped == 900)
    #expect(try tiler.world().featureCount == outcome.features)
    // Features stand in the order of the input.
    let left = try numbers(tiler.world())
    #expect(left == left.sorted())
  }

  @Test func theDensestGoFirst() throws {
    // Those of the grid are far from each other.
    let left = try numbers(crowd(TileThinning(.densest)).world())
    #expect(left.count(where: { $0 >= 1000 }) >= 95 && left.count(where: { $0 < 800 }) > 0)
    // A fraction goes everywhere.
    let some = try numbers(crowd(TileThinning(.fraction)).world())
    #expect(some.count(where: { $0 >= 1000 }) < 40)
  }

  @Test func theSmallestGoFirst() throws {
    let squares = (0..<60).map { (index: Int) -> String in
      let (lon, lat) = (-170 + Double(index % 10) * 33, -60 + Double(index / 10) * 20)
      return square(lon, lat, Double(index + 1) / 6, "\"n\":\(index)")
    }
    let tiler = try TinyTiler(collection(squares)) {
      $0.thinning = TileThinning(.smallest)
      $0.limits.features = 20
      $0.cut.tolerance = 0
    }
    let left = try numbers(tiler.world())
    #expect(left.count > 10 && left.count <= 20)
    // By area on the map: those in the north are larger.
    #expect(left.contains(59) && !left.contains(0) && !left.contains(5))
  }

  @Test func theThresholdOfAZoomCoversItsTiles() throws {
    let tiler = try crowd(TileThinning(.fraction))
    let needed = try tiler.requiredThreshold()
    #expect(needed > 0 && needed < 1)
    // Under it the tile is within the limits at once, and what a higher one leaves is part of it.
    let left = try numbers(tiler.world(threshold: needed))
    let fewer = try numbers(tiler.world(threshold: (1 + needed) / 2))
    #expect(left.count <= 200 && fewer.count < left.count && Set(fewer).isSubset(of: left))
    #expect(try crowd(TileThinning(.fraction), features: 1000).requiredThreshold() == 0)
  }

  @Test func coalescedPointsKeepTheirPlaces() throws {
    let all = try crowd(nil).world()
    let tiler = try crowd(TileThinning(.densest, coalesces: true))
    let outcome = try #require(try tiler.outcomes()[0])
    let layer = try tiler.world()
    #expect(outcome.features <= 200 && outcome.dropped == 0)
    #expect(outcome.coalesced + outcome.features == 900 && layer.featureCount == outcome.features)
    func places(_ layer: TileLayer) -> [SIMD2<Int32>] {
      (0..<layer.pointCount).map { layer.points[$0] }.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    }
    #expect(places(layer) == places(all))
  }

  @Test func coalescedPolygonsKeepTheirRings() throws {
    let squares = (0..<40).map { square(Double($0), Double($0), 0.9, "\"n\":\($0)") }
    func layer(_ thinning: TileThinning?) throws -> TileLayer {
      try TinyTiler(collection(squares)) {
        $0.thinning = thinning
        $0.limits.features = 5
        $0.cut.tolerance = 0
      }.world()
    }
    let (all, few) = try (layer(nil), layer(TileThinning(.fraction, coalesces: true)))
    #expect(few.featureCount <= 5 && few.partCount == 40 && few.pointCount == all.pointCount)
    func area(_ layer: TileLayer) -> Double {
      (0..<layer.partCount).reduce(0) { $0 + layer.doubleArea(ofRing: $1) }
    }
    #expect(area(few) == area(all) && area(all) > 0)
  }

  @Test func whatCannotBeMadeSmallerIsCounted() throws {
    // One feature of more bytes than a tile may have.
    let line = (0..<20_000).map { "[\(-179 + 358 * Double($0) / 20_000),\(Double($0 &* 7919 % 160) - 80)]" }
    let text =
      #"{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[\#(line.joined(separator: ","))]}}"#
    let tiler = try TinyTiler(text) {
      $0.thinning = TileThinning(.smallest, coalesces: true)
      $0.limits.bytes = 1024
      $0.cut.tolerance = 0
    }
    let outcome = try #require(try tiler.outcomes()[0])
    #expect(outcome.isOversized && outcome.features == 1)
  }

  @Test func oneThatDoesNotFitLeavesTheOthersAlone() throws {
    // A line that alone is past the limit of bytes: it stays, and its tile is no reason to thin a zoom.
    let line = (0..<20_000).map { "[\(-179 + 358 * Double($0) / 20_000),\(Double($0 &* 7919 % 160) - 80)]" }
    let long =
      #"{"type":"Feature","properties":{"n":1},"geometry":{"type":"LineString","coordinates":[\#(line.joined(separator: ","))]}}"#
    let tiler = try TinyTiler(collection([long, square(10, 10, 5, "\"n\":2"), square(40, 10, 4, "\"n\":3")]))
    {
      $0.thinning = TileThinning(.smallest)
      $0.limits.bytes = 1024
      $0.cut.tolerance = 0
    }
    #expect(try tiler.requiredThreshold() == 0)
    let outcome = try #require(try tiler.outcomes()[0])
    #expect(outcome.isOversized && outcome.features >= 1 && outcome.bytes != nil)
  }

  @Test(arguments: [TileThinning.Choice.fraction, .smallest, .densest]) func equalFeaturesDoNotAllGo(
    choice: TileThinning.Choice
  ) throws {
    let equal = try TinyTiler(collection((0..<50).map { _ in point(1, 2) })) {
      $0.thinning = TileThinning(choice)
      $0.limits.features = 10
    }
    #expect(try #require(try equal.outcomes()[0]).features >= 1)
  }

  @Test func pointsDropByZoom() throws {
    let tiler = try TinyTiler(Self.text, zooms: 0...3) {
      $0.dropRate = 3
      $0.baseZoom = 2
    }
    var seen: [Set<Int>] = [[], [], [], []]
    let outcomes = try tiler.outcomes()
    for (number, outcome) in outcomes {
      let zoom = Int(try #require(PMTiles.tile(number: number)).z)
      for layer in try decodeMVT(outcome.bytes ?? []).layers { seen[zoom].formUnion(numbers(layer)) }
    }
    #expect(seen[3].count == 900 && seen[2].count == 900)
    #expect((200...400).contains(seen[1].count) && (60...150).contains(seen[0].count))
    // What a zoom has the deeper ones have too.
    #expect(seen[0].isSubset(of: seen[1]))
  }

  @Test func aTileThatFillsTheMemoryIsThinnedOrNamed() throws {
    let tiler = try crowd(TileThinning(.fraction))
    for thins in [true, false] {
      var builder = TileBatchBuilder(thins: thins, tileLimit: 4096)
      var fault: NeatError?
      let data = try GeoJSONData(parsing: Array(Self.text.utf8))
      try TileCutter(tiler.options, layer: 0, part: 0).cut(data, first: 0, keys: [0], shows: nil) {
        run throws(NeatError) in
        do throws(NeatError) {
          for index in 0..<run.count { try builder.add(run.records[index].key, run.body(index)) }
        } catch { fault = error }
      }
      if thins {
        #expect(fault == nil && builder.dropped > 500 && builder.byteCount < 40_000)
      } else {
        #expect(fault?.code == .limitExceeded && fault?.message.contains("0/0/0") == true)
      }
    }
  }

  @Test func optionsOutOfRangeAreNamed() {
    func message(_ change: (inout TilerOptions) -> Void) -> String {
      var options = TilerOptions()
      change(&options)
      do throws(NeatError) { try options.check() } catch { return error.message }
      return ""
    }
    #expect(message { _ in } == "")
    #expect(message { $0.dropRate = 0.5 }.contains("dropRate"))
    #expect(message { $0.dropRate = .nan }.contains("dropRate"))
    #expect(message { $0.limits.bytes = 0 }.contains("1024 bytes"))
    #expect(message { $0.zooms = 0...25 }.contains("zoom 25"))
    #expect(message { $0.cut.extent = 0 }.contains("extent"))
  }
}
