import NeatBase
import Testing

@testable import NeatRaster

/// Shapes, images and discs on a globe that stands before the viewer.
@Suite struct GlobeShapesTests {
  private static let side = 128

  private func picture(_ body: (Band, GlobeSurface) throws -> Void) throws -> Bitmap {
    let bitmap = try Bitmap(width: Self.side, height: Self.side)
    try body(bitmap.band(0, Self.side), globeBeforeTheViewer())
    return bitmap
  }

  private func fill(_ ring: [SIMD2<Double>], tile: TileID = .world) throws -> Bitmap {
    try picture { band, globe in
      let id = GlobeTile(globe, OverscaledTileID(canonical: tile))
      var shapes = GlobeShapes(id, wanted: id)
      shapes.addRing(ring)
      shapes.endFeature()
      shapes.points.withUnsafeBufferPointer { points in
        shapes.ringStarts.withUnsafeBufferPointer { rings in
          shapes.featureRings.withUnsafeBufferPointer { features in
            guard let first = points.baseAddress else { return }
            let frame = FillFrame(
              FillGeometry(
                points: .homogeneous(first), ringStarts: rings.baseAddress!,
                featureRings: features.baseAddress!, featureCount: 1), Projection(scale: 1),
              width: Self.side, height: Self.side)
            frame.fill(band, .full(band), .solid(Premultiplied(bits: 0xFFFF_FFFF)), RasterScratch())
          }
        }
      }
    }
  }

  private func count(_ bitmap: Bitmap) -> Int {
    let band = bitmap.band(0, Self.side)
    return (0..<Self.side).reduce(0) { sum, y in
      sum + (0..<Self.side).reduce(0) { $0 + (band.row(y)[$1] != 0 ? 1 : 0) }
    }
  }

  private static let world = [SIMD2(0.0, 0.0), SIMD2(8192, 0), SIMD2(8192, 8192), SIMD2(0, 8192)]

  @Test func theWholeWorldIsADiscWithItsPoles() throws {
    let filled = try fill(Self.world)
    let ground = try picture { band, globe in
      fillGround(
        Premultiplied(bits: 0xFFFF_FFFF), ground: GlobeGround(globe, band, isMesh: true), band: band)
    }
    // A disc of radius 120 / sqrt(15): both agree on it to the pixels of its edge.
    #expect(abs(count(filled) - count(ground)) < 8)
    #expect(abs(Double(count(ground)) - Double.pi * 14400 / 15) < 60)
  }

  @Test func quartersOfTheWorldNeitherOverlapNorLeaveAGap() throws {
    let whole = count(try fill(Self.world))
    var sum = 0
    for x in 0..<2 {
      for y in 0..<2 { sum += count(try fill(Self.world, tile: TileID(z: 1, x: UInt32(x), y: UInt32(y)))) }
    }
    #expect(abs(sum - whole) < 8)
  }

  @Test func theFarSideIsNotSeen() throws {
    let far = [SIMD2(0.0, 3000.0), SIMD2(900, 3000), SIMD2(900, 5000), SIMD2(0, 5000)]
    #expect(count(try fill(far)) == 0)
  }

  @Test func whatGoesAroundTheFarSideIsSeenOnThisOne() throws {
    // All but a piece of the far side.
    let hole = [SIMD2(700.0, 3500.0), SIMD2(8192, 3500), SIMD2(8192, 4700), SIMD2(700, 4700)]
    #expect(count(try fill(hole)) > 900)
  }

  @Test func pixelsOfTheGroundLieInOneTileEach() throws {
    let bitmap = try Bitmap(width: Self.side, height: Self.side)
    let band = bitmap.band(0, Self.side), globe = globeBeforeTheViewer()
    let ground = GlobeGround(globe, band, isMesh: false)
    for y in 0..<Self.side {
      for x in 0..<Self.side {
        guard let place = ground.place(x, y) else { continue }
        var number = 0
        for tile in 0..<4 {
          let id = GlobeTile(
            globe, OverscaledTileID(canonical: TileID(z: 1, x: UInt32(tile & 1), y: UInt32(tile >> 1))))
          if GlobeTileView(drawn: id, wanted: id).units(place) != nil { number += 1 }
        }
        #expect(number == 1)
      }
    }
  }

  @Test func bandsOfAnyHeightGiveTheSame() throws {
    func drawn(_ rows: Int) throws -> [UInt32] {
      let bitmap = try Bitmap(width: Self.side, height: Self.side)
      let globe = globeBeforeTheViewer()
      for y in stride(from: 0, to: Self.side, by: rows) {
        let band = bitmap.band(y, min(y + rows, Self.side))
        fillGround(
          Premultiplied(bits: 0xFF33_2211), ground: GlobeGround(globe, band, isMesh: true), band: band)
        Atmosphere(
          middle: SIMD2(64, 64), focal: 120, globe: SIMD3(0, 0, -4), sun: SIMD3(1, 1, 1), blend: 0.8
        ).draw(band)
      }
      let band = bitmap.band(0, Self.side)
      return (0..<Self.side).flatMap { y in (0..<Self.side).map { band.row(y)[$0] } }
    }
    #expect(try drawn(128) == drawn(17))
  }

  @Test func coordinatesThatAreNoneDrawNothing() throws {
    let odd = [SIMD2(Double.nan, 0), SIMD2(.infinity, 5), SIMD2(-.infinity, 9), SIMD2(1e300, -1e300)]
    _ = try fill(odd)
    _ = try fill([SIMD2(0.0, 0.0), SIMD2(0, 0), SIMD2(0, 0)])
  }
}
