import NeatBase
import Testing

@Suite struct TileIDTests {
  @Test func addressesOfOtherSchemesFollow() {
    let tile = TileID(z: 3, x: 5, y: 2)
    #expect(tile.tmsY == 5)
    #expect(tile.quadkey == "121")
    #expect(TileID(z: 0, x: 0, y: 0).quadkey == "")
    #expect("\(tile)" == "3/5/2")
  }

  @Test func ancestorsEndAtTheRoot() {
    let tile = TileID(z: 3, x: 5, y: 2)
    #expect(tile.ancestor(1) == TileID(z: 2, x: 2, y: 1))
    #expect(tile.ancestor(3) == TileID(z: 0, x: 0, y: 0))
    #expect(tile.ancestor(200) == TileID(z: 0, x: 0, y: 0))
  }

  @Test func tilesLieInThePyramid() {
    #expect(TileID(z: 0, x: 0, y: 0).isValid)
    #expect(!TileID(z: 0, x: 1, y: 0).isValid)
    #expect(TileID(z: 30, x: (1 << 30) - 1, y: (1 << 30) - 1).isValid)
    #expect(!TileID(z: 31, x: 0, y: 0).isValid)
    #expect(OverscaledTileID(canonical: TileID(z: 3, x: 0, y: 0), overscaledZ: 5).overscaleFactor == 4)
  }
}

@Suite struct MercatorTests {
  @Test func theWorldIsAUnitSquare() {
    #expect(Mercator.project(LonLat(-180, 0)) == SIMD2(0, 0.5))
    #expect(abs(Mercator.project(LonLat(180, Mercator.maxLatitude)).y) < 1e-12)
    #expect(abs(Mercator.project(LonLat(0, -Mercator.maxLatitude)).y - 1) < 1e-12)
  }

  @Test(arguments: [(11.39, 47.27), (-122.4, 37.77), (179.99, -84), (0, 0)]) func placesComeBack(
    _ lon: Double, _ lat: Double
  ) {
    let place = Mercator.unproject(Mercator.project(LonLat(lon, lat)))
    #expect(abs(place.lon - lon) < 1e-9 && abs(place.lat - lat) < 1e-9)
  }
}

@Suite struct AddressTests {
  @Test func relativeAddressesStartAtTheirBase() {
    #expect(
      Address.resolve("tiles/{z}.pbf", base: "https://host/maps/style.json")
        == "https://host/maps/tiles/{z}.pbf")
    #expect(Address.resolve("../glyphs", base: "/data/styles/a.json") == "/data/glyphs")
    #expect(Address.resolve("https://other/x", base: "https://host/style.json") == "https://other/x")
    #expect(Address.resolve("/abs/x", base: "https://host/maps/style.json") == "https://host/abs/x")
    #expect(Address.resolve("x.json", base: "") == "x.json")
  }

  @Test func schemesAreTold() {
    #expect(Address.scheme("https://host") == "https")
    #expect(Address.scheme("/a/path") == nil)
    #expect(Address.scheme("data:,x") == "data")
  }
}

@Suite struct ExecutorTests {
  @Test func inlineCallsEveryIndexInOrder() {
    final class Log: @unchecked Sendable { var seen: [Int] = [] }
    let log = Log()
    Executor.inline.forEach(5) { log.seen.append($0) }
    #expect(log.seen == [0, 1, 2, 3, 4])
  }
}
