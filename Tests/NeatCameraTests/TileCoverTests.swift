import NeatBase
import NeatCamera
import Testing

@Suite struct TileCoverTests {
  private func transform(
    _ lon: Double, _ lat: Double, zoom: Double, bearing: Double = 0, pitch: Double = 0, roll: Double = 0,
    width: Int = 512, height: Int = 512
  ) throws -> Transform {
    var camera = Camera(center: LonLat(lon, lat), zoom: zoom)
    (camera.bearing, camera.pitch, camera.roll) = (bearing, pitch, roll)
    return try Transform(camera: camera, size: ViewSize(width: width, height: height))
  }

  private func names(_ tiles: [OverscaledTileID]) -> [String] {
    tiles.map {
      "\($0.canonical.z)/\($0.canonical.x)/\($0.canonical.y)" + ($0.wrap == 0 ? "" : " \($0.wrap)")
    }
  }

  /// A view a little smaller than the world: at its very edges rounding decides.
  @Test func theWorldIsOneTileAtZoomZero() throws {
    var cover = TileCover()
    #expect(names(cover.tiles(try transform(0, 0, zoom: 0, width: 500))) == ["0/0/0"])
    // Twice as wide: half a world on either side.
    #expect(
      names(cover.tiles(try transform(0, 0, zoom: 0, width: 1020))) == ["0/0/0", "0/0/0 -1", "0/0/0 1"])
    cover.wraps = false
    #expect(names(cover.tiles(try transform(0, 0, zoom: 0, width: 1020))) == ["0/0/0"])
  }

  @Test func nearestTilesComeFirst() throws {
    let tiles = TileCover().tiles(try transform(10, 10, zoom: 3.2, width: 900, height: 900))
    #expect(names([tiles[0]]) == ["3/4/3"])
    let middle = Mercator.project(LonLat(10, 10)) * 8
    let distances = tiles.map { tile -> Double in
      let away = SIMD2(Double(tile.canonical.x) + 0.5, Double(tile.canonical.y) + 0.5) - middle
      return (away * away).sum()
    }
    #expect(distances == distances.sorted())
  }

  @Test func zoomsFollowTheSource() throws {
    var cover = TileCover()
    let camera = Camera(center: LonLat(0, 0), zoom: 4.6)
    #expect(cover.zoom(for: camera) == 4)
    cover.roundsZoom = true
    #expect(cover.zoom(for: camera) == 5)
    cover.tileSize = 256
    #expect(cover.zoom(for: camera) == 6)
    cover = TileCover()
    cover.maxZoom = 2
    let view = try transform(1, 1, zoom: 4.6)
    #expect(cover.tiles(view).allSatisfy { $0.canonical.z == 2 && $0.overscaledZ == 4 })
    cover.reparsesOverscaled = false
    #expect(cover.tiles(view).allSatisfy { $0.canonical.z == 2 && $0.overscaledZ == 2 })
    cover.minZoom = 5
    #expect(cover.tiles(view) == [])
  }

  @Test func boundsLeaveTilesOut() throws {
    var cover = TileCover()
    cover.bounds = (west: 1, south: 1, east: 40, north: 40)
    let tiles = cover.tiles(try transform(0, 0, zoom: 2, width: 2048, height: 2048))
    #expect(names(tiles) == ["2/2/1"])
    #expect(cover.isWithinBounds(TileID(z: 0, x: 0, y: 0)) && !cover.isWithinBounds(TileID(z: 1, x: 0, y: 0)))
  }

  @Test func aViewGetsNoMoreThanTheLimit() throws {
    var cover = TileCover()
    cover.tileSize = 16
    let tiles = cover.tiles(try transform(0, 0, zoom: 6, width: 1024, height: 1024))
    #expect(tiles.count == TileCover.limit && Set(tiles).count == tiles.count)
  }

  @Test func aCoverTellsWhetherItIsWhole() throws {
    var cover = TileCover()
    cover.tileSize = 32
    // 32 by 32 tiles are as many as a view gets. A little less than their edges: rounding decides there.
    let (all, isWhole) = cover.covering(try transform(0, 0, zoom: 4, width: 1022, height: 1022))
    #expect(all.count == TileCover.limit && isWhole)
    let (some, isCut) = cover.covering(try transform(0, 0, zoom: 4, width: 1026, height: 1022))
    #expect(some.count == TileCover.limit && !isCut)
  }

  /// However many tiles there would be, the nearest are given, and soon.
  @Test func theLargestViewsGetTheNearestTiles() throws {
    var cover = TileCover()
    cover.tileSize = 1
    for (pitch, roll) in [(0.0, 0.0), (85, 0), (70, 90)] {
      let view = try transform(10, 20, zoom: 9, pitch: pitch, roll: roll, width: 16384, height: 16384)
      let start = ContinuousClock.now
      let (tiles, isWhole) = cover.covering(view)
      #expect(tiles.count == TileCover.limit && !isWhole, "pitch \(pitch)")
      #expect(ContinuousClock.now - start < .seconds(5))
      // Tilted as far as this, a view has tiles of several zooms, found from the world down.
      if pitch > 60 { continue }
      let middle = Mercator.project(view.camera.center) * Double(UInt32(1) << 18)
      let away = tiles.map { tile -> Double in
        let way = SIMD2(Double(tile.canonical.x) + 0.5, Double(tile.canonical.y) + 0.5) - middle
        return (way * way).sum().squareRoot()
      }
      #expect(away == away.sorted() && away[0] < 1 && away[TileCover.limit - 1] < 40, "pitch \(pitch)")
    }
    // Few of very many are within the source's bounds.
    cover.bounds = (west: 9.99, south: 19.99, east: 10.01, north: 20.01)
    let (tiles, isWhole) = cover.covering(try transform(10, 20, zoom: 9, width: 400, height: 400))
    #expect((200...1024).contains(tiles.count) && isWhole)
  }

  /// The far ground of a wide view lies on an arc, not on its chord.
  @Test func wideTiltedViewsAreCoveredToTheirHorizon() throws {
    let view = try transform(0, 0, zoom: 12, pitch: 75, width: 3000, height: 500)
    let found = Set(TileCover().tiles(view).map(\.canonical))
    for column in 0...20 {
      // Down from the horizon to where the ground is near enough.
      let x = Double(column) * 150
      let places = stride(from: 0.0, to: 500, by: 0.5).lazy.compactMap { view.world(screen: SIMD2(x, $0)) }
      let place = places.first {
        let away = $0 - view.center
        return (away * away).sum().squareRoot() < 9.9 * view.cameraToCenterDistance
      }
      let square = try #require(place) / view.worldSize
      let isFound = (0...14).contains { (z: UInt8) in
        let tile = square * exp2(Double(z))
        return found.contains(TileID(z: z, x: UInt32(saturating: tile.x), y: UInt32(saturating: tile.y)))
      }
      #expect(isFound, "column \(column)")
    }
  }

  /// By every kind of camera: the ground under each point of the view lies in a tile of the cover, and each
  /// tile has a place that is seen or stands beside one that is.
  @Test func randomViewsAreCovered() throws {
    var random = SystemRandomNumberGenerator()
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    for _ in 0..<200 {
      // Tilted further, views of these sizes and rolls have tiles of several zooms.
      let pitch = Bool.random(using: &random) ? 0 : number(0...37)
      let view = try transform(
        number(-180...180), number(-70...70), zoom: number(1...9), bearing: number(-180...180), pitch: pitch,
        roll: Bool.random(using: &random) ? 0 : number(-180...180),
        width: Int.random(in: 200...400, using: &random),
        height: Int.random(in: 200...400, using: &random))
      let cover = TileCover()
      let tiles = cover.tiles(view)
      let z = cover.zoom(for: view.camera)
      let count = Double(1 << z)
      let found = Set(
        tiles.map { SIMD2(Int($0.canonical.x) + Int($0.wrap) << z, Int($0.canonical.y)) })
      #expect(found.count == tiles.count, "no tile comes twice")
      var seen: Set<SIMD2<Int>> = []
      for column in 0...16 {
        for row in 0...16 {
          let point = SIMD2(Double(column), Double(row)) / 16
          let screen = point * SIMD2(Double(view.size.deviceWidth), Double(view.size.deviceHeight))
          guard let world = view.world(screen: screen) else { continue }
          let away = world - view.center
          guard (away * away).sum().squareRoot() < 9.9 * view.cameraToCenterDistance else { continue }
          let place = world / view.worldSize * count
          guard place.y >= 0, place.y < count else { continue }
          let tile = SIMD2(Int(bounded: place.x.rounded(.down)), Int(bounded: place.y.rounded(.down)))
          seen.insert(tile)
          guard abs(place.x / count) < 3, tiles.count < TileCover.limit else { continue }
          let fraction = place - place.rounded(.down)
          let isOnEdge = fraction.min() < 1e-6 || fraction.max() > 1 - 1e-6
          #expect(isOnEdge || found.contains(tile), "\(tile) of \(view.camera)")
        }
      }
      if pitch == 0, tiles.count < TileCover.limit {
        for tile in found {
          let isNear = (-1...1).contains { x in
            (-1...1).contains { y in seen.contains(tile &+ SIMD2(x, y)) }
          }
          #expect(isNear, "\(tile) is far from what \(view.camera) sees")
        }
      }
    }
  }
}
