import NeatBase
import NeatRaster
import Testing

/// The distance field of a disc of `radius` texels in a bitmap of `size`.
private func discField(size: Int, radius: Float) -> [UInt8] {
  (0..<(size * size)).map { i in
    let dx = Float(i % size) + 0.5 - Float(size) / 2
    let dy = Float(i / size) + 0.5 - Float(size) / 2
    return UInt8(saturating: min(max(192 + (radius - (dx * dx + dy * dy).squareRoot()) * 32, 0), 255))
  }
}

private let black = Premultiplied(.black)
private let white = Premultiplied(.white)

@Suite struct GlyphTests {
  private func draw(
    _ map: Projection, _ paint: GlyphPaint, _ passes: [GlyphPass] = [.halo, .fill], size: Int = 40
  ) throws -> [UInt32] {
    let field = discField(size: 24, radius: 8)
    return try field.withUnsafeBufferPointer { field in
      let quads = [GlyphQuad(bitmap: field.baseAddress!, width: 24, height: 24, map: map, paint: 0)]
      return try steadyFrame(size, size, background: 0xFFFF_0000) { band in
        quads.withUnsafeBufferPointer { quads in
          [paint].withUnsafeBufferPointer { paints in
            let scratch = RasterScratch()
            for pass in passes {
              drawGlyphs(quads, paints: paints, pass: pass, pixelRatio: 1, band: band, scratch)
            }
          }
        }
      }
    }
  }

  @Test func aDiscFieldDrawsADiscOfItsArea() throws {
    let pixels = try draw(Projection(scale: 1, x: 8, y: 8), GlyphPaint(fill: black, fontScale: 1), [.fill])
    let inked = pixels.reduce(0.0) { $0 + Double(255 - channels($1)[2]) / 255 }
    #expect(abs(inked - Double.pi * 64) < 5)
    #expect(pixels[20 * 40 + 20] == 0xFF00_0000)
    #expect(pixels[2 * 40 + 2] == 0xFFFF_0000)
  }

  @Test func theTurnedPathAgreesWithTheUprightOne() throws {
    let paint = GlyphPaint(fill: black, halo: white, haloWidth: 1.5, haloBlur: 0.5, fontScale: 0.9)
    let upright = try draw(Projection(scale: 0.9, x: 8.3, y: 7.6), paint)
    // So little skew that nothing moves, yet the general path is taken.
    let turned = try draw(Projection(xx: 0.9, xy: 1e-7, x0: 8.3, yx: 1e-7, yy: 0.9, y0: 7.6), paint)
    for (a, b) in zip(upright, turned) { #expect(isNear(a, b, 2)) }
  }

  @Test func theHalvesOfAQuadAreTheWhole() throws {
    let paint = GlyphPaint(fill: black, halo: white, haloWidth: 1.5, fontScale: 1)
    var map = Projection(xx: 1.1, xy: 0.2, x0: 4, yx: -0.1, yy: 0.9, y0: 8)
    map.wx = 0.004
    map.wy = 0.002
    let field = discField(size: 24, radius: 8)
    func draw(_ halves: [QuadHalf]) throws -> [UInt32] {
      try field.withUnsafeBufferPointer { field in
        let quads = halves.map {
          GlyphQuad(bitmap: field.baseAddress!, width: 24, height: 24, map: map, half: $0, paint: 0)
        }
        return try steadyFrame(40, 40, background: 0xFFFF_0000) { band in
          quads.withUnsafeBufferPointer { quads in
            [paint].withUnsafeBufferPointer { paints in
              drawGlyphs(quads, paints: paints, pass: .halo, pixelRatio: 1, band: band, RasterScratch())
            }
          }
        }
      }
    }
    let whole = try draw([.whole])
    #expect(try draw([.upper, .lower]) == whole)
    #expect(try draw([.upper]) != whole)
  }

  /// Small fields are read from a copy with zeros around it, large ones where they are.
  @Test(arguments: [1, 3, 15, 16, 17, 24])
  func aFieldLooksTheSameWithinALargerOne(width: Int) throws {
    let disc = discField(size: 24, radius: 13)
    let small = (0..<24).flatMap { row in disc[row * 24..<row * 24 + width] }
    let large = (0..<24).flatMap { row in
      disc[row * 24..<row * 24 + width] + Array(repeating: 0, count: 160 - width)
    }
    let paint = GlyphPaint(fill: black, halo: white, haloWidth: 2, fontScale: 1)
    let map = Projection(xx: 0.8, xy: -0.5, x0: 18, yx: 0.6, yy: 0.9, y0: 6)
    func draw(_ field: [UInt8], _ columns: Int) throws -> [UInt32] {
      try field.withUnsafeBufferPointer { field in
        let quad = GlyphQuad(
          bitmap: field.baseAddress!, width: columns, height: 24, map: map,
          rect: TexelRect(u0: -0.5, v0: -0.5, u1: Float(width) + 0.5, v1: 24.5), paint: 0)
        return try steadyFrame(45, 40, background: 0xFFFF_0000) { band in
          withUnsafePointer(to: quad) { quad in
            [paint].withUnsafeBufferPointer { paints in
              for pass in [GlyphPass.halo, .fill] {
                drawGlyphs(
                  UnsafeBufferPointer(start: quad, count: 1), paints: paints, pass: pass, pixelRatio: 1,
                  band: band,
                  RasterScratch())
              }
            }
          }
        }
      }
    }
    let pixels = try draw(small, width)
    #expect(pixels.contains { $0 != 0xFFFF_0000 })
    for (a, b) in zip(pixels, try draw(large, 160)) { #expect(isNear(a, b, 1)) }
  }

  @Test func aHaloSurroundsTheFillAndLeavesItsInsideOut() throws {
    let paint = GlyphPaint(fill: .transparent, halo: white, haloWidth: 2, fontScale: 1)
    let pixels = try draw(Projection(scale: 1, x: 8, y: 8), paint)
    // 8 texels of disc, 2 of halo around it.
    #expect(pixels[20 * 40 + 20] == 0xFFFF_0000)
    #expect(channels(pixels[20 * 40 + 20 + 8])[0] > 200 && channels(pixels[20 * 40 + 20 + 9])[0] > 200)
    #expect(pixels[20 * 40 + 20 + 12] == 0xFFFF_0000)
  }

  @Test func aHaloWiderThanItsQuadFillsTheQuad() throws {
    // Where the field is 0 the halo is whole, also on rows beyond the bitmap.
    let paint = GlyphPaint(fill: .transparent, halo: white, haloWidth: 9, fontScale: 1)
    let field = discField(size: 24, radius: 4)
    let pixels = try field.withUnsafeBufferPointer { field in
      let quad = GlyphQuad(
        bitmap: field.baseAddress!, width: 24, height: 24, map: Projection(scale: 1, x: 8, y: 8),
        rect: TexelRect(u0: -3, v0: -3, u1: 27, v1: 27), paint: 0)
      return try steadyFrame(40, 40, background: 0xFFFF_0000) { band in
        withUnsafePointer(to: quad) { quad in
          [paint].withUnsafeBufferPointer { paints in
            drawGlyphs(
              UnsafeBufferPointer(start: quad, count: 1), paints: paints, pass: .halo, pixelRatio: 1,
              band: band, RasterScratch())
          }
        }
      }
    }
    #expect(pixels[5 * 40 + 20] == 0xFFFF_FFFF && pixels[34 * 40 + 20] == 0xFFFF_FFFF)
    #expect(pixels[4 * 40 + 20] == 0xFFFF_0000 && pixels[35 * 40 + 20] == 0xFFFF_0000)
  }

  @Test func rotationKeepsADisc() throws {
    let paint = GlyphPaint(fill: black, fontScale: 1)
    let c = 0.7071067811865476
    let turned = Projection(xx: c, xy: -c, x0: 20, yx: c, yy: c, y0: 20).movingTile(u: -12, v: -12)
    let pixels = try draw(turned, paint, [.fill])
    let upright = try draw(Projection(scale: 1, x: 8, y: 8), paint, [.fill])
    for (a, b) in zip(upright, pixels) { #expect(isNear(a, b, 24)) }
  }

  @Test func quadsOutsideTheFrameOrWithoutSizeAreSkipped() throws {
    let paint = GlyphPaint(fill: black, fontScale: 1)
    for map in [
      Projection(scale: 1, x: 500, y: 8), Projection(scale: 1, x: -24.5, y: 8),
      Projection(scale: 0, x: 8, y: 8),
      Projection(scale: .nan, x: 8, y: 8), Projection(scale: 1, x: .infinity, y: 8),
      Projection(scale: 1e-9, x: 8.5, y: 8.5),
      Projection(scale: -1e300, x: 1e300, y: 8),
    ] {
      #expect(try draw(map, paint).allSatisfy { $0 == 0xFFFF_0000 })
    }
  }

  @Test func perspectiveIsDrawn() throws {
    let map = try #require(
      Projection(
        width: 24, height: 24, topLeft: SIMD2(12, 8), topRight: SIMD2(28, 8), bottomRight: SIMD2(34, 32),
        bottomLeft: SIMD2(6, 32)))
    #expect(!map.isAffine)
    let corner = map(24, 24)
    #expect(abs(corner.x - 34) < 1e-9 && abs(corner.y - 32) < 1e-9)
    let pixels = try draw(map, GlyphPaint(fill: black, fontScale: 1), [.fill])
    #expect(pixels[18 * 40 + 20] == 0xFF00_0000)
    #expect(pixels[30 * 40 + 8] == 0xFFFF_0000)
  }
}

@Suite struct IconTests {
  private let checker: [UInt32] = (0..<16).map { ($0 + $0 / 4) % 2 == 0 ? 0xFF00_00FF : 0x8000_8000 }

  private func draw(_ map: Projection, opacity: Float = 1, isNearest: Bool = false) throws -> [UInt32] {
    try checker.withUnsafeBufferPointer { pixels in
      let quads = [
        IconQuad(
          pixels: pixels.baseAddress!, width: 4, height: 4, map: map, opacity: opacity, isNearest: isNearest)
      ]
      return try steadyFrame(12, 12) { band in quads.withUnsafeBufferPointer { drawIcons($0, band: band) } }
    }
  }

  @Test func anAlignedIconIsCopied() throws {
    let pixels = try draw(Projection(scale: 1, x: 3, y: 5))
    for y in 0..<12 {
      for x in 0..<12 {
        let inside = (3..<7).contains(x) && (5..<9).contains(y)
        #expect(pixels[y * 12 + x] == (inside ? checker[(y - 5) * 4 + x - 3] : 0))
      }
    }
  }

  @Test func halfAPixelBlendsNeighboursAndTheBorder() throws {
    let pixels = try draw(Projection(scale: 1, x: 3.5, y: 5))
    #expect(channels(pixels[5 * 12 + 3]) == [128, 0, 0, 128])
    #expect(isNear(pixels[5 * 12 + 4], 0xC000_4080, 1))
  }

  @Test func nearestEnlargesWithoutBlending() throws {
    let pixels = try draw(Projection(scale: 2, x: 1, y: 1), isNearest: true)
    #expect(pixels[1 * 12 + 1] == 0xFF00_00FF && pixels[2 * 12 + 2] == 0xFF00_00FF)
    #expect(pixels[1 * 12 + 3] == 0x8000_8000)
    #expect(pixels[0] == 0 && pixels[9 * 12 + 9] == 0)
  }

  @Test func opacityFades() throws {
    #expect(isNear(try draw(Projection(scale: 1, x: 3, y: 5), opacity: 0.5)[5 * 12 + 3], 0x8000_0080, 1))
    #expect(try draw(Projection(scale: 1, x: 3, y: 5), opacity: 0).allSatisfy { $0 == 0 })
  }

  /// Fills are drawn from what halos have sampled: upright and turned, cut by the frame's edges, some of them without a
  /// halo or a fill.
  @Test func bothPassesTogetherAreTheTwoAlone() throws {
    let field = discField(size: 24, radius: 8)
    let paints = [
      GlyphPaint(fill: black, halo: white, haloWidth: 1.5, haloBlur: 0.5, fontScale: 0.9),
      GlyphPaint(fill: black, fontScale: 1),
      GlyphPaint(fill: .transparent, halo: white, haloWidth: 2, fontScale: 1),
      GlyphPaint(fill: Premultiplied(bits: 0x8010_2030), halo: white, haloWidth: 9, fontScale: 0.7),
    ]
    try field.withUnsafeBufferPointer { field in
      let quads: [GlyphQuad] = (0..<40).map { number -> GlyphQuad in
        let place = Double(number)
        let isTurned = number % 3 > 0
        let map = Projection(
          xx: 0.8, xy: isTurned ? -0.3 : 0, x0: (place * 17.3).truncatingRemainder(dividingBy: 50) - 12,
          yx: isTurned ? 0.4 : 0, yy: 0.9, y0: (place * 7.9).truncatingRemainder(dividingBy: 44) - 10)
        return GlyphQuad(
          bitmap: field.baseAddress!, width: 24, height: 24, map: map,
          half: number % 7 == 1 ? .upper : .whole, paint: number % 4)
      }
      func draw(_ body: (UnsafeBufferPointer<GlyphQuad>, UnsafeBufferPointer<GlyphPaint>, Band) -> Void)
        throws
        -> [UInt32]
      {
        try steadyFrame(43, 40, background: 0xFFFF_0000) { band in
          quads.withUnsafeBufferPointer { quads in
            paints.withUnsafeBufferPointer { paints in body(quads, paints, band) }
          }
        }
      }
      let scratch = RasterScratch()
      let together = try draw { quads, paints, band in
        drawGlyphs(quads, paints: paints, pixelRatio: 1, band: band, scratch)
      }
      let alone = try draw { quads, paints, band in
        for pass in [GlyphPass.halo, .fill] {
          drawGlyphs(quads, paints: paints, pass: pass, pixelRatio: 1, band: band, RasterScratch())
        }
      }
      #expect(together == alone)
      #expect(Set(together).count > 100)
    }
  }

  /// Samples of a run are kept up to a limit, and looked up again past it.
  @Test func aRunOfManyLargeGlyphsIsDrawnWhole() throws {
    let field = discField(size: 24, radius: 8)
    let paint = GlyphPaint(fill: black, halo: white, haloWidth: 1.5, fontScale: 10)
    try field.withUnsafeBufferPointer { field in
      let quads: [GlyphQuad] = (0..<12).map { number -> GlyphQuad in
        let (x, y, skew) = (Double(number * 5), Double(number), number % 2 == 0 ? 0 : 0.5)
        let map = Projection(xx: 10, xy: skew, x0: x, yx: 0, yy: 10, y0: y)
        return GlyphQuad(bitmap: field.baseAddress!, width: 24, height: 24, map: map, paint: 0)
      }
      func frame(_ draw: (UnsafeBufferPointer<GlyphQuad>, UnsafeBufferPointer<GlyphPaint>, Band) -> Void)
        throws
        -> [UInt32]
      {
        let bitmap = try Bitmap(width: 300, height: 250)
        quads.withUnsafeBufferPointer { quads in
          [paint].withUnsafeBufferPointer { paints in draw(quads, paints, bitmap.band(0, 250)) }
        }
        return (0..<250 * 300).map { bitmap.pixels[$0] }
      }
      let scratch = RasterScratch()
      let together = try frame { drawGlyphs($0, paints: $1, pixelRatio: 1, band: $2, scratch) }
      let alone = try frame { quads, paints, band in
        for pass in [GlyphPass.halo, .fill] {
          drawGlyphs(quads, paints: paints, pass: pass, pixelRatio: 1, band: band, RasterScratch())
        }
      }
      #expect(together == alone)
      // 12 of 240 x 240 pixels are more samples than are kept, of 32 bytes each.
      #expect(scratch.byteCount < 3 << 20)
    }
  }
}
