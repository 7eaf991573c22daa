import NeatBase
import NeatRaster
import Testing

@Suite struct ImageDrawTests {
  private func texture(_ width: Int, _ height: Int, mipmaps: Bool = false, _ pixel: (Int, Int) -> UInt32)
    -> Texture
  {
    Texture(width: width, height: height, mipmaps: mipmaps) { pixels in
      for y in 0..<height { for x in 0..<width { pixels[y * width + x] = pixel(x, y) } }
    }
  }

  private func gradient(_ x: Int, _ y: Int) -> UInt32 { UInt32(x * 16) | UInt32(y * 16) << 8 | 0xFF00_0000 }

  @Test func aTextureOnItsOwnGridIsCopied() throws {
    let texture = texture(16, 16, gradient)
    let map = Projection(scale: 1, x: 3, y: 2)
    let pixels = try steadyFrame(24, 24) { band in
      drawImage(
        texture, map: map, paint: RasterPaint(), clip: imageClip(texture, map: map, band: band), band: band)
    }
    for y in 0..<24 {
      for x in 0..<24 {
        let inside = (3..<19).contains(x) && (2..<18).contains(y)
        #expect(pixels[y * 24 + x] == (inside ? gradient(x - 3, y - 2) : 0))
      }
    }
  }

  @Test func enlargingInterpolatesAndClampsAtTheEdge() throws {
    let texture = texture(16, 16, gradient)
    let map = Projection(scale: 3)
    let pixels = try steadyFrame(48, 48) { band in
      drawImage(texture, map: map, paint: RasterPaint(), clip: .full(band), band: band)
    }
    for y in 0..<48 {
      for x in 0..<48 {
        let u = min(max((Double(x) + 0.5) / 3 - 0.5, 0), 15)
        let v = min(max((Double(y) + 0.5) / 3 - 0.5, 0), 15)
        let pixel = channels(pixels[y * 48 + x])
        #expect(abs(Double(pixel[0]) - u * 16) <= 1 && abs(Double(pixel[1]) - v * 16) <= 1 && pixel[3] == 255)
      }
    }
  }

  @Test func nearestResamplingKeepsTexels() throws {
    let texture = texture(16, 16, gradient)
    var paint = RasterPaint()
    paint.isNearest = true
    let pixels = try steadyFrame(48, 48) { band in
      drawImage(texture, map: Projection(scale: 3), paint: paint, clip: .full(band), band: band)
    }
    for y in 0..<48 { for x in 0..<48 { #expect(pixels[y * 48 + x] == gradient(x / 3, y / 3)) } }
  }

  @Test func opacityAndTheClipHold() throws {
    let texture = texture(4, 4) { _, _ in 0xFFFF_FFFF }
    var paint = RasterPaint()
    paint.opacity = 0.5
    let pixels = try steadyFrame(8, 8, background: 0xFF00_0000) { band in
      drawImage(
        texture, map: Projection(scale: 2), paint: paint, clip: .rect(x0: 2, y0: 3, x1: 7, y1: 5, band),
        band: band)
    }
    for y in 0..<8 {
      for x in 0..<8 {
        let inside = (2..<7).contains(x) && (3..<5).contains(y)
        #expect(pixels[y * 8 + x] == (inside ? 0xFF80_8080 : 0xFF00_0000))
      }
    }
  }

  @Test func smallVersionsAreUsedWhenShrinking() throws {
    let texture = texture(64, 64, mipmaps: true) { x, y in (x + y) % 2 == 0 ? 0xFF00_0000 : 0xFFFF_FFFF }
    let pixels = try steadyFrame(16, 16) { band in
      drawImage(texture, map: Projection(scale: 0.25), paint: RasterPaint(), clip: .full(band), band: band)
    }
    #expect(pixels.allSatisfy { isNear($0, 0xFF80_8080, 2) })
  }

  @Test func perspectiveMeetsItsCorners() throws {
    let texture = texture(16, 16, mipmaps: true, gradient)
    let map = try #require(
      Projection(
        width: 16, height: 16, topLeft: SIMD2(20, 10), topRight: SIMD2(44, 10), bottomRight: SIMD2(62, 60),
        bottomLeft: SIMD2(2, 60)))
    let pixels = try steadyFrame(64, 64) { band in
      drawImage(
        texture, map: map, paint: RasterPaint(), clip: imageClip(texture, map: map, band: band), band: band)
    }
    #expect(pixels[5 * 64 + 32] == 0 && pixels[30 * 64 + 2] == 0)
    #expect(channels(pixels[59 * 64 + 4])[1] > 200 && channels(pixels[59 * 64 + 4])[0] < 30)
    #expect(channels(pixels[11 * 64 + 43])[0] > 180 && channels(pixels[11 * 64 + 43])[1] < 40)
  }

  @Test func pixelsBeyondTheQuadAndTheHorizonReadTheNearestTexel() throws {
    let texture = texture(5, 3, mipmaps: true) { _, _ in 0xFF40_5060 }
    let maps = [
      Projection(
        width: 5, height: 3, topLeft: SIMD2(20, 10), topRight: SIMD2(24, 10), bottomRight: SIMD2(62, 60),
        bottomLeft: SIMD2(2, 60)),
      Projection(scale: 0.37, x: 20.3, y: 31.9), Projection(scale: 7, x: -3, y: 40.2),
      Projection(scale: 1, x: 30, y: -90),
    ]
    for map in maps {
      for isNearest in [false, true] {
        var paint = RasterPaint()
        paint.isNearest = isNearest
        let pixels = try steadyFrame(64, 64) { band in
          drawImage(texture, map: map!, paint: paint, clip: .full(band), band: band)
        }
        #expect(pixels.allSatisfy { $0 == 0xFF40_5060 })
      }
    }
  }

  @Test func colourAdjustmentsFollowTheShader() throws {
    let input: UInt32 = 0xFF20_80C8
    let texture = texture(1, 1) { _, _ in input }
    func drawn(_ change: (inout RasterPaint) -> Void) throws -> [Int] {
      var paint = RasterPaint()
      change(&paint)
      return channels(
        try steadyFrame(1, 1) { band in
          drawImage(texture, map: Projection(scale: 1), paint: paint, clip: .full(band), band: band)
        }[0])
    }
    #expect(try drawn { $0.brightnessMin = 1 } == [255, 255, 255, 255])
    #expect(try drawn { $0.brightnessMax = 0 } == [0, 0, 0, 255])
    #expect(try drawn { $0.brightnessMax = 0.5 } == [100, 64, 16, 255])
    let grey = try drawn { $0.saturation = -1 }
    #expect(grey == [120, 120, 120, 255])
    #expect(try drawn { $0.contrast = -1 } == [128, 128, 128, 255])
    // A third of a turn moves the channels round.
    let turned = try drawn { $0.hueRotate = 120 }
    #expect(Set(turned[0..<3]) == Set([0xC8, 0x80, 0x20]) && turned[0] != 0xC8)
    #expect(try drawn { $0.hueRotate = 360 } == [0xC8, 0x80, 0x20, 255])
  }
}
