import NeatBase
import NeatRaster
import Testing

@Suite struct BlendTests {
  @Test func blendingAgreesWithTheRealNumbersToOneStep() throws {
    let dst = UnsafeMutablePointer<UInt32>.allocate(capacity: 16)
    let cover = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
    defer {
      dst.deallocate()
      cover.deallocate()
    }
    var state: UInt32 = 1
    func random() -> UInt32 {
      state = state &* 1_664_525 &+ 1_013_904_223
      return state >> 24
    }
    for _ in 0..<2000 {
      func pixel() -> UInt32 {
        let alpha = random()
        return (0..<3).reduce(alpha << 24) { $0 | random() * alpha / 255 << UInt32(8 * $1) }
      }
      let color = pixel()
      let count = Int(random() % 11)
      let before = (0..<16).map { _ in pixel() }
      for index in 0..<16 {
        dst[index] = before[index]
        cover[index] = UInt8(random())
      }
      Blend.span(dst, count, Premultiplied(bits: color), coverage: cover)
      for index in 0..<16 {
        for channel in 0..<4 {
          let shift = UInt32(8 * channel)
          let c = Double(index < count ? cover[index] : 0) / 255
          let s = Double(color >> shift & 255) * c
          let expected = s + Double(before[index] >> shift & 255) * (1 - Double(color >> 24) / 255 * c)
          #expect(abs(Double(dst[index] >> shift & 255) - expected) <= 1)
        }
      }
    }
  }

  @Test func fullCoverageOfAnOpaqueColorStoresIt() {
    #expect(Blend.over(0x8040_2010, 0xFF01_0203, coverage: 255) == 0xFF01_0203)
    #expect(Blend.over(0x8040_2010, 0xFF01_0203, coverage: 0) == 0x8040_2010)
    #expect(Blend.over(0x8040_2010, 0xFF01_0203) == 0xFF01_0203)
    #expect(Blend.over(0xFFFF_FFFF, 0x8000_0080) == 0xFF7F_7FFF)
  }

  @Test func colorsPremultiplyWithOpacity() {
    #expect(Premultiplied(Color(r: 1, g: 0, b: 0.5, a: 0.5)).bits == 0x8040_0080)
    #expect(Premultiplied(Color(r: 1, g: 0, b: 0.5, a: 0.5), opacity: 0.5).bits == 0x4020_0040)
    #expect(Premultiplied(.white, opacity: 7).isOpaque)
  }
}

@Suite struct BitmapTests {
  @Test func sidesOutsideTheLimitAreRefused() throws {
    #expect(throws: NeatError.self) { try Bitmap(width: 0, height: 4) }
    #expect(throws: NeatError.self) { try Bitmap(width: 4, height: -1) }
    #expect(throws: NeatError.self) { try Bitmap(width: Bitmap.maxSide + 1, height: 1) }
    #expect(try Bitmap(width: Bitmap.maxSide, height: 1).width == Bitmap.maxSide)
  }

  @Test func unpremultipliedBytesTruncate() throws {
    let bitmap = try Bitmap(width: 1, height: 1)
    bitmap.pixels[0] = 0x8040_0080
    #expect(bitmap.unpremultiplied().pixels == [255, 0, 127, 128])
  }
}

@Suite struct RowClipTests {
  private func pixels(_ clip: RowClip, _ band: Band) -> Set<Int> {
    var set: Set<Int> = []
    for y in band.y0..<band.y1 { for x in clip.range(y) { set.insert(y * 1000 + x) } }
    return set
  }

  @Test func aQuadOwnsTheCentresInsideAndOnItsLeftAndLowerEdges() throws {
    let band = try Bitmap(width: 8, height: 8).band
    let clip = RowClip.quad(SIMD2(1.5, 2.5), SIMD2(4.5, 2.5), SIMD2(4.5, 5.5), SIMD2(1.5, 5.5), band)
    #expect((3..<6).allSatisfy { clip.range($0) == 1..<4 })
    #expect(clip.range(2).isEmpty && clip.range(6).isEmpty)
    #expect((clip.minX, clip.maxX) == (1, 4) && (clip.minY, clip.maxY) == (3, 6))
  }

  @Test func turnedNeighboursNeitherOverlapNorLeaveAGap() throws {
    let bitmap = try Bitmap(width: 96, height: 96)
    for degrees in stride(from: 0.0, to: 360, by: 7.3) {
      let (s, c) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
      var count: [Int: Int] = [:]
      var corners: [[SIMD2<Double>]] = []
      for ty in -6..<6 {
        for tx in -6..<6 {
          let corner = { (x: Int, y: Int) in
            SIMD2(48.3 + 17 * (Double(x) * c - Double(y) * s), 47.9 + 17 * (Double(x) * s + Double(y) * c))
          }
          corners.append([corner(tx, ty), corner(tx + 1, ty), corner(tx + 1, ty + 1), corner(tx, ty + 1)])
        }
      }
      for band in [bitmap.band(0, 41), bitmap.band(41, 96)] {
        for quad in corners {
          for pixel in pixels(.convex(quad, band), band) { count[pixel, default: 0] += 1 }
        }
      }
      #expect(count.count == 96 * 96 && count.values.allSatisfy { $0 == 1 })
    }
  }

  @Test func aPitchedTileThatPassesTheCameraIsCutAtTheNearPlane() throws {
    let band = try Bitmap(width: 64, height: 64).band
    var projection = Projection(scale: 0.1, x: 0, y: 0)
    projection.wy = -0.001
    let clip = RowClip.tile(projection, extent: 2000, band)
    #expect(clip.range(63) == 0..<64)
    #expect(RowClip.convex([SIMD2(.nan, 0), SIMD2(1, 0), SIMD2(1, 1)], band).isEmpty)
    #expect(RowClip.rect(x0: -5, y0: 3, x1: 900, y1: 4, band).range(3) == 0..<64)
  }
}

@Suite struct ProjectionTests {
  @Test func theInverseLeadsBack() throws {
    var projection = Projection(xx: 0.5, xy: 0.2, x0: 10, yx: -0.1, yy: 0.7, y0: -3)
    for isPitched in [false, true] {
      if isPitched { (projection.wx, projection.wy, projection.w0) = (0.0001, 0.002, 1.5) }
      let inverse = try #require(projection.inverse)
      #expect(inverse.isAffine != isPitched)
      let pixel = projection(123, 456)
      let back = inverse(pixel.x, pixel.y)
      #expect(abs(back.x - 123) < 1e-9 && abs(back.y - 456) < 1e-9)
      let moved = projection.scaled(2, 3, x: 5, y: 7)(123, 456)
      #expect(abs(moved.x - (2 * pixel.x + 5)) < 1e-9 && abs(moved.y - (3 * pixel.y + 7)) < 1e-9)
    }
    #expect(Projection(scale: 0).inverse == nil)
  }

  @Test func aClipSpaceMatrixMapsToPixelsWithRowsDown() {
    // Column-major; x from 0...2 to -1...1, y upwards.
    let matrix: [Double] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, -1, 0, 1]
    let projection = Projection(clip: matrix, width: 100, height: 50)
    #expect(projection.isAffine)
    #expect(projection(0, 2) == SIMD2(0, 0) && projection(2, 0) == SIMD2(100, 50))
    #expect(
      projection.translated(x: 1, y: 2)(0, 2) == SIMD2(1, 2)
        && projection.movingTile(u: 1, v: 0)(0, 2) == SIMD2(50, 0))
  }
}
