import NeatBase
import Testing

@testable import NeatCamera

@Suite struct TransformGlobeTests {
  private static let cameras = [
    Camera(center: LonLat(0, 0), zoom: 1),
    Camera(center: LonLat(170, 40), zoom: 2.5, bearing: 30, pitch: 40),
    Camera(center: LonLat(-60, -80), zoom: 0.5, bearing: 200, pitch: 60, roll: 12),
    Camera(center: LonLat(13.4, 52.5), zoom: 10.5, pitch: 20),
  ]
  private static let size = ViewSize(width: 320, height: 240, pixelRatio: 2)

  private func view(_ camera: Camera, globeness: Double = 1) throws -> Transform {
    try Transform(camera: camera, size: Self.size, globeness: globeness)
  }

  @Test func placesAreWhereTheCameraViewHasThem() throws {
    for camera in Self.cameras {
      let transform = try view(camera)
      let other = try CameraView(camera: camera, size: Self.size, projection: .globe)
      for (lon, lat) in [(0.0, 0.0), (10, 20), (-75, -60), (170, 80), (camera.center.lon, camera.center.lat)]
      {
        guard let seen = transform.screen(place: LonLat(lon, lat)) else { continue }
        let wanted = try #require(try other.point(of: LonLat(lon, lat)))
        #expect(abs(seen.point.x / 2 - wanted.x) < 1e-6 && abs(seen.point.y / 2 - wanted.y) < 1e-6)
        let isVisible = try other.visiblePoint(of: LonLat(lon, lat)) != nil
        if isVisible { #expect(seen.isSeen) }
      }
    }
  }

  @Test func tilesLieWhereTheirPlacesDo() throws {
    let transform = try view(Self.cameras[1])
    let tile = try #require(transform.globeTile(OverscaledTileID(canonical: TileID(z: 3, x: 7, y: 2))))
    let place = Mercator.unproject(tile.place(1000, 7000))
    let p = tile.project(1000, 7000)
    let seen = try #require(transform.screen(place: place))
    #expect(abs(p.x / p.w - seen.point.x) < 1e-6 && abs(p.y / p.w - seen.point.y) < 1e-6)
    #expect((p.z >= 0) == seen.isSeen)
  }

  @Test func aViewOfThePlaneHasNoGlobe() throws {
    let transform = try view(Self.cameras[0], globeness: 0)
    #expect(transform.globe == nil && transform.globeTile(OverscaledTileID(canonical: .world)) == nil)
    #expect(try view(Self.cameras[0]).onPlane.globe == nil)
  }

  @Test func theWayToThePlaneEndsAtThePlane() throws {
    let camera = Self.cameras[3]
    let plane = try view(camera, globeness: 0)
    let almost = try view(camera, globeness: 1e-9)
    let world = Mercator.project(LonLat(13.41, 52.49)) * plane.worldSize
    let flat = try #require(plane.screen(world: world))
    let seen = try #require(almost.screen(place: LonLat(13.41, 52.49)))
    #expect(abs(flat.x - seen.point.x) < 1e-4 && abs(flat.y - seen.point.y) < 1e-4)
  }

  @Test func groundIsFoundUnderEveryPixel() throws {
    for camera in Self.cameras {
      let transform = try view(camera)
      for point in [SIMD2(0.0, 0.0), SIMD2(320, 240), SIMD2(639, 479), SIMD2(100, 400)] {
        let world = try #require(transform.ground(screen: point))
        #expect(world.x.isFinite && world.y.isFinite)
        #expect(abs(world.x - transform.center.x) <= transform.worldSize / 2 + 1e-6)
      }
    }
  }

  @Test func tilesOfAGlobeHoldWhatIsSeen() throws {
    for camera in Self.cameras {
      let transform = try view(camera)
      let (tiles, isWhole) = TileCover().covering(transform)
      #expect(isWhole && !tiles.isEmpty)
      let z = tiles[0].canonical.z
      let count = Double(UInt64(1) << UInt64(z))
      let known = Set(tiles.map(\.canonical))
      #expect(known.count == tiles.count)
      for x in stride(from: 4.0, to: 640, by: 53) {
        for y in stride(from: 4.0, to: 480, by: 47) {
          let view = try CameraView(camera: camera, size: Self.size, projection: .globe)
          let (place, isOnSurface) = try view.place(at: SIMD2(x, y) / 2)
          guard isOnSurface, let place, abs(place.lat) < Mercator.maxLatitude else { continue }
          let square = Mercator.project(place) * count
          let tile = TileID(
            z: z, x: UInt32(saturating: min(square.x, count - 1)), y: UInt32(saturating: square.y))
          #expect(known.contains(tile))
        }
      }
    }
  }

  @Test func farTilesAreLeftOut() throws {
    let camera = Camera(center: LonLat(0, 0), zoom: 4)
    let (tiles, _) = TileCover().covering(try view(camera))
    #expect(tiles.count < 40)
    #expect(tiles.allSatisfy { $0.canonical.x >= 4 && $0.canonical.x < 12 })
  }
}
