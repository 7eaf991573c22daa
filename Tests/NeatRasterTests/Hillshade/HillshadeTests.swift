import NeatBase
import NeatRaster
import Testing

private func terrarium(_ size: Int, _ elevation: (Int, Int) -> Float) throws -> ElevationTile {
  var bytes: [UInt8] = []
  for y in 0..<size {
    for x in 0..<size {
      let value = Int(bounded: (elevation(x, y) + 32768) * 256)
      bytes += [UInt8(value >> 16), UInt8(value >> 8 & 255), UInt8(value & 255), 255]
    }
  }
  return try ElevationTile(
    PixelImage(width: size, height: size, pixels: bytes, isPremultiplied: false), encoding: .terrarium)
}

@Suite struct ElevationTests {
  @Test func bothEncodingsAreRead() throws {
    let image = PixelImage(width: 1, height: 1, pixels: [1, 134, 160, 255], isPremultiplied: false)
    #expect(abs(try ElevationTile(image, encoding: .mapbox)[0, 0] - 0) < 0.01)
    let sea = PixelImage(width: 1, height: 1, pixels: [128, 10, 128, 255], isPremultiplied: false)
    #expect(try ElevationTile(sea, encoding: .terrarium)[0, 0] == 10.5)
  }

  @Test func theBorderRepeatsTheEdgeUntilNeighboursFillIt() throws {
    let tile = try terrarium(4) { x, y in Float(x + 10 * y) }
    #expect(tile[-1, -1] == 0 && tile[4, 2] == 23 && tile[1, 4] == 31 && tile[4, 4] == 33)
    let other = try terrarium(4) { x, y in Float(100 + x + 10 * y) }
    tile.fillBorder(from: other, dx: 1, dy: 0)
    #expect(tile[4, 2] == 120 && tile[4, 4] == 33)
    tile.fillBorder(from: other, dx: -1, dy: -1)
    #expect(tile[-1, -1] == 133 && tile[-1, 0] == 0)
    tile.fillBorder(from: other, dx: 0, dy: 1)
    #expect(tile[3, 4] == 103)
    tile.fillBorder(from: try terrarium(2) { _, _ in 7 }, dx: 0, dy: 1)
    #expect(tile[3, 4] == 103)
  }

  @Test func oblongPicturesAreRefused() {
    let image = PixelImage(
      width: 2, height: 1, pixels: [UInt8](repeating: 0, count: 8), isPremultiplied: false)
    #expect(throws: NeatError.self) { try ElevationTile(image, encoding: .mapbox) }
  }

  @Test func elevationsAreInterpolated() throws {
    let tile = try terrarium(4) { x, y in Float(x * 10 + y) }
    #expect(abs(tile.elevation(u: 1.5, v: 1.5) - 11) < 0.01)
    #expect(abs(tile.elevation(u: 2, v: 2) - 16.5) < 0.01)
    #expect(abs(tile.elevation(u: -50, v: .nan) - 0) < 0.01)
    #expect(abs(tile.elevation(u: 500, v: 500) - 33) < 0.01)
  }
}

@Suite struct HillshadeTests {
  private let light = HillshadeLight(azimuth: 335 * .pi / 180, shadow: .black, highlight: .white)

  private func shaded(
    _ method: HillshadeMethod, _ elevation: (Int, Int) -> Float, lights: [HillshadeLight]? = nil
  ) throws -> UInt32 {
    let tile = try terrarium(8, elevation)
    let texture = hillshade(
      tile, zoom: 12, north: 46.1, south: 46, paint: HillshadePaint(method: method, lights: lights ?? [light])
    )
    return texture.pixels[4 * 8 + 4]
  }

  @Test func flatLandStaysClearUnderTheStandardMethod() throws {
    // The middle of the scale is not a whole byte: a trace of slope is left, as in MapLibre.
    #expect(try shaded(.standard) { _, _ in 100 } >> 24 <= 8)
    #expect(try shaded(.igor) { _, _ in 100 } >> 24 <= 8)
    #expect(try shaded(.combined) { _, _ in 100 } >> 24 <= 8)
  }

  @Test func slopesTowardsTheLightAreBrightAndOthersDark() throws {
    // Zoom 12: about a kilometre a sample of this tiny tile.
    for method in [HillshadeMethod.standard, .basic, .combined, .igor, .multidirectional] {
      let north = try shaded(method) { _, y in Float(y) * 900 }
      let south = try shaded(method) { _, y in Float(7 - y) * 900 }
      #expect(channels(north)[0] > 60, "\(method)")
      #expect(channels(south)[0] < 60 && channels(south)[3] > 60, "\(method)")
    }
  }

  @Test func colorsNeverPassAlpha() throws {
    for method in [HillshadeMethod.standard, .basic, .combined, .igor, .multidirectional] {
      for steep in [Float(0), 10, 500, 4000] {
        let c = channels(
          try shaded(method, { x, y in Float(x * x - y) * steep / 8 }, lights: [light, light]))
        #expect(c[0] <= c[3] && c[1] <= c[3] && c[2] <= c[3])
      }
    }
  }
}

@Suite struct ColorReliefTests {
  @Test func stopsAreInterpolatedAndEndsHold() throws {
    let tile = try terrarium(16) { x, _ in Float(x) * 100 }
    let ramp = ReliefRamp([(elevation: 200, color: .black), (elevation: 1000, color: .white)])
    let pixels = try steadyFrame(32, 32) { band in
      drawColorRelief(tile, map: Projection(scale: 2), ramp: ramp, opacity: 1, clip: .full(band), band: band)
    }
    #expect(pixels[0] == 0xFF00_0000 && pixels[31] == 0xFFFF_FFFF)
    // Pixel 13 is at sample 6.25: 625 metres.
    #expect(isNear(pixels[16 * 32 + 13], 0xFF87_8787, 1))
  }

  @Test func oneStopAndSteepStopsWork() throws {
    let tile = try terrarium(4) { x, _ in Float(x) * 100 }
    func drawn(_ ramp: ReliefRamp) throws -> [UInt32] {
      try steadyFrame(4, 4) { band in
        drawColorRelief(
          tile, map: Projection(scale: 1), ramp: ramp, opacity: 1, clip: .full(band), band: band)
      }
    }
    #expect(try drawn(ReliefRamp([(elevation: 5, color: .white)])).allSatisfy { $0 == 0xFFFF_FFFF })
    let step = try drawn(ReliefRamp([(elevation: 150, color: .black), (elevation: 150, color: .white)]))
    #expect(step[1] == 0xFF00_0000 && step[2] == 0xFFFF_FFFF)
  }
}
