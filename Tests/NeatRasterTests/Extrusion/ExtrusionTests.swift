import NeatBase
import NeatRaster
import Testing

private func vertex(_ x: Float, _ y: Float, _ z: Float, w: Float = 1, _ color: SIMD4<Float>) -> DepthVertex {
  DepthVertex(position: SIMD4(x * w, y * w, z * w, w), color: color)
}

private let red = SIMD4<Float>(1, 0, 0, 1)
private let green = SIMD4<Float>(0, 1, 0, 1)

@Suite struct DepthTriangleTests {
  private func draw(
    _ vertices: [DepthVertex], _ indices: [UInt32]? = nil, culled: Bool = false, opacity: Float = 1,
    size: Int = 32, isSmooth: Bool = false, corners: Int = 3, laterWins: Bool = true,
    pattern: PatternImage? = nil
  ) throws -> [UInt32] {
    let layer = DepthLayer()
    let order = indices ?? (0..<UInt32(vertices.count)).map { $0 }
    var style = FaceStyle(isCulled: culled)
    (style.laterWins, style.pattern) = (laterWins, pattern)
    return try steadyFrame(size, size) { band in
      layer.begin(band, isSmooth: isSmooth)
      vertices.withUnsafeBufferPointer { vertices in
        order.withUnsafeBufferPointer { drawFaces(vertices, indices: $0, corners: corners, style, layer) }
      }
      layer.composite(band, opacity: opacity)
    }
  }

  @Test func aSquareOfTwoTrianglesOwnsItsPixelsOnce() throws {
    for order in [[0, 1, 2, 0, 2, 3], [2, 1, 0, 0, 2, 3]] as [[UInt32]] {
      let c = SIMD4<Float>(0.5, 0, 0, 0.5)
      let pixels = try draw(
        [vertex(4, 5, 0, c), vertex(20, 5, 0, c), vertex(20, 25, 0, c), vertex(4, 25, 0, c)], order)
      for y in 0..<32 {
        for x in 0..<32 {
          #expect(pixels[y * 32 + x] == ((4..<20).contains(x) && (5..<25).contains(y) ? 0x8000_0080 : 0))
        }
      }
    }
  }

  @Test func fansAroundAPointLeaveNoGap() throws {
    var vertices = [vertex(16.3, 15.7, 0, red)]
    for i in 0..<17 {
      let angle = Float(i) / 17 * 2 * .pi
      vertices.append(vertex(16.3 + 13 * cosf(angle), 15.7 + 13 * sinf(angle), 0, red))
    }
    var indices: [UInt32] = []
    for i in 0..<17 { indices += [0, UInt32(1 + i), UInt32(1 + (i + 1) % 17)] }
    let pixels = try draw(vertices, indices)
    for y in 0..<32 {
      for x in 0..<32 {
        let d = (powf(Float(x) + 0.5 - 16.3, 2) + powf(Float(y) + 0.5 - 15.7, 2)).squareRoot()
        if d < 12.5 { #expect(pixels[y * 32 + x] == 0xFF00_00FF) }
        if d > 13.1 { #expect(pixels[y * 32 + x] == 0) }
      }
    }
  }

  @Test func theNearerSurfaceWinsInAnyOrder() throws {
    let far = [vertex(0, 0, 0.9, red), vertex(32, 0, 0.9, red), vertex(0, 32, 0.9, red)]
    let near = [vertex(0, 0, 0.1, green), vertex(16, 0, 0.1, green), vertex(0, 16, 0.1, green)]
    let a = try draw(far + near)
    let b = try draw(near + far)
    #expect(a == b)
    #expect(a[2 * 32 + 2] == 0xFF00_FF00 && a[2 * 32 + 25] == 0xFF00_00FF)
  }

  @Test func opacityAppliesToTheLayerOnce() throws {
    let far = [vertex(0, 0, 0.9, red), vertex(32, 0, 0.9, red), vertex(0, 32, 0.9, red)]
    let near = [vertex(0, 0, 0.1, green), vertex(16, 0, 0.1, green), vertex(0, 16, 0.1, green)]
    #expect(try draw(far + near, opacity: 0.5)[2 * 32 + 2] == 0x8000_8000)
  }

  @Test func backsAreCulled() throws {
    let clockwise = [vertex(0, 0, 0, red), vertex(32, 0, 0, red), vertex(0, 32, 0, red)]
    #expect(try draw(clockwise, culled: true).allSatisfy { $0 == 0 })
    #expect(try draw([clockwise[0], clockwise[2], clockwise[1]], culled: true)[2 * 32 + 2] == 0xFF00_00FF)
  }

  @Test func trianglesBehindTheViewerAndFarOutsideAreCut() throws {
    let behind = [
      DepthVertex(position: SIMD4(16, 16, 0.5, 1), color: red),
      DepthVertex(position: SIMD4(1e6, -1e6, 0, -1), color: red),
      DepthVertex(position: SIMD4(-1e6, -1e6, 0, -1), color: red),
    ]
    _ = try draw(behind)
    let huge = [vertex(-1e7, -1e7, 0, red), vertex(1e7, -1e7, 0, red), vertex(0, 1e7, 0, red)]
    #expect(try draw(huge)[16 * 32 + 16] == 0xFF00_00FF)
    #expect(
      try draw([vertex(.nan, 0, 0, red), vertex(32, 0, 0, red), vertex(0, 32, 0, red)]).allSatisfy { $0 == 0 }
    )
    #expect(
      try draw([vertex(1, 1, 0, red), vertex(9, 1, 0, red), vertex(5, 1, 0, red)]).allSatisfy { $0 == 0 })
  }

  @Test func whatStandsBeforeTheNearPlaneIsCut() throws {
    // From z / w = 0 on the left to -2 on the right: the near plane is in the middle.
    let crossing = [
      vertex(0, 0, 0, red), vertex(32, 0, -2, red), vertex(32, 32, -2, red), vertex(0, 32, 0, red),
    ]
    for isSmooth in [false, true] {
      let pixels = try draw(crossing, isSmooth: isSmooth, corners: 4)
      for x in 0..<32 { #expect(pixels[9 * 32 + x] == (x < 16 ? 0xFF00_00FF : 0), "\(x)") }
    }
    let before = [vertex(0, 0, -1.01, red), vertex(32, 0, -1.01, red), vertex(0, 32, -3, red)]
    #expect(try draw(before).allSatisfy { $0 == 0 })
    // So a wall right before the eye does not hide what is behind it.
    let far = [vertex(0, 0, 0.9, green), vertex(32, 0, 0.9, green), vertex(0, 32, 0.9, green)]
    #expect(try draw(before + far) == draw(far))
  }

  @Test func colourIsInterpolatedInPerspective() throws {
    let pixels = try draw([
      vertex(0, 0, 0, w: 1, SIMD4(0, 0, 0, 1)), vertex(0, 32, 0, w: 1, SIMD4(0, 0, 0, 1)),
      vertex(32, 0, 0, w: 3, SIMD4(1, 0, 0, 1)),
    ])
    // Half way on the screen is a quarter of the way in space.
    #expect(abs(channels(pixels[15])[0] - 62) <= 4)
  }

  // MARK: Faces of four corners, smooth edges, patterns

  private let quad = [
    vertex(3.3, 4.1, 0.2, red), vertex(28.7, 6.4, 0.4, red), vertex(25.2, 27.9, 0.5, red),
    vertex(5.1, 22.6, 0.3, red),
  ]

  @Test(arguments: [false, true]) func aFaceOfFourCornersIsItsTwoTriangles(isSmooth: Bool) throws {
    let whole = try draw(quad, [0, 1, 2, 3], isSmooth: isSmooth, corners: 4)
    #expect(try whole == draw(quad, [0, 1, 2, 0, 2, 3], isSmooth: isSmooth))
    #expect(try whole == draw(quad, [3, 2, 1, 0], isSmooth: isSmooth, corners: 4))
    #expect(try draw(quad, [3, 2, 1, 0], culled: true, corners: 4) == draw(quad, [3, 2, 1, 0], corners: 4))
    #expect(try draw(quad, [0, 1, 2, 3], culled: true, corners: 4).allSatisfy { $0 == 0 })
  }

  @Test(arguments: [false, true]) func aWallWhoseCornersAreRoundedTogetherIsDrawn(isSmooth: Bool) throws {
    // The first two corners lie in one place of the grid: what is left is a triangle.
    let wall = [
      vertex(4, 16, 0, red), vertex(4.001, 16.001, 0, red), vertex(28, 28, 0, red), vertex(28, 4, 0, red),
    ]
    let pixels = try draw(wall, [0, 1, 2, 3], isSmooth: isSmooth, corners: 4)
    #expect(try pixels == draw(wall, [0, 2, 3], isSmooth: isSmooth))
    #expect(pixels[16 * 32 + 20] == 0xFF00_00FF)
  }

  @Test func hardEdgesLieOnSixteenthsOfPixels() throws {
    func columns(_ left: Float) throws -> Int {
      let pixels = try draw(
        [vertex(left, 4, 0, red), vertex(20, 4, 0, red), vertex(20, 8, 0, red), vertex(left, 8, 0, red)],
        [0, 1, 2, 3], corners: 4)
      return (0..<32).filter { pixels[5 * 32 + $0] != 0 }.count
    }
    // 4.53 is 4.5 on the grid, whose edge has the centre of column 4; 4.54 is 4.5625.
    #expect(try columns(4.53) == 16 && columns(4.54) == 15)
  }

  @Test func smoothEdgesCoverQuartersOfPixels() throws {
    let pixels = try draw(
      [vertex(4, 5.5, 0, red), vertex(20.5, 5.5, 0, red), vertex(20.5, 25, 0, red), vertex(4, 25, 0, red)],
      [0, 1, 2, 3], isSmooth: true, corners: 4)
    // Two of four samples lie in either half; in both, one.
    #expect(pixels[10 * 32 + 10] == 0xFF00_00FF && pixels[10 * 32 + 4] == 0xFF00_00FF)
    #expect(pixels[5 * 32 + 10] == 0x8000_0080 && pixels[10 * 32 + 20] == 0x8000_0080)
    #expect(pixels[5 * 32 + 20] == 0x4000_0040)
    #expect(pixels[4 * 32 + 10] == 0 && pixels[10 * 32 + 21] == 0)
    let area = pixels.reduce(0) { $0 + Int($1 >> 24) }
    #expect(abs(Double(area) / 255 - 16.5 * 19.5) < 1)
  }

  @Test func smoothFacesThatShareAnEdgeHideWhatIsBehind() throws {
    // A fan of red before a green ground: no green between the triangles.
    var vertices = [
      vertex(0, 0, 0.9, green), vertex(32, 0, 0.9, green), vertex(32, 32, 0.9, green),
      vertex(0, 32, 0.9, green), vertex(16.3, 15.7, 0.5, red),
    ]
    for i in 0..<17 {
      let angle = Float(i) / 17 * 2 * .pi
      vertices.append(vertex(16.3 + 13 * cosf(angle), 15.7 + 13 * sinf(angle), 0.5, red))
    }
    var fan: [UInt32] = []
    for i in 0..<17 { fan += [4, UInt32(5 + i), UInt32(5 + (i + 1) % 17)] }
    let ground: [UInt32] = [0, 1, 2, 0, 2, 3]
    let pixels = try draw(vertices, ground + fan, isSmooth: true)
    #expect(pixels == (try draw(vertices, fan + ground, isSmooth: true)))
    var blended = 0
    for y in 0..<32 {
      for x in 0..<32 {
        let pixel = pixels[y * 32 + x]
        #expect(pixel >> 24 == 255)
        let d = (powf(Float(x) + 0.5 - 16.3, 2) + powf(Float(y) + 0.5 - 15.7, 2)).squareRoot()
        if d < 12 { #expect(pixel == 0xFF00_00FF) }
        if pixel != 0xFF00_00FF && pixel != 0xFF00_FF00 { blended += 1 }
      }
    }
    #expect(blended > 30)
  }

  @Test(arguments: [false, true]) func ofEqualsTheLastOneShowsOrTheFirst(isSmooth: Bool) throws {
    let both = [0, 1, 2].map { vertex([0, 32, 0][$0], [0, 0, 32][$0], 0.5, red) }
    let over = both.map { DepthVertex(position: $0.position, color: green) }
    #expect(try draw(both + over, isSmooth: isSmooth)[2 * 32 + 2] == 0xFF00_FF00)
    #expect(try draw(both + over, isSmooth: isSmooth, laterWins: false)[2 * 32 + 2] == 0xFF00_00FF)
  }

  @Test(arguments: [false, true]) func aLaterLayerShowsWhereItIsAsFar(isSmooth: Bool) throws {
    let layer = DepthLayer()
    let face = [0, 1, 2].map { vertex([0, 32, 0][$0], [0, 0, 32][$0], 0.5, red) }
    let over = face.map { DepthVertex(position: $0.position, color: green) }
    let pixels = try steadyFrame(32, 32) { band in
      layer.begin(band, isSmooth: isSmooth)
      var style = FaceStyle(isCulled: false)
      for vertices in [face, over] {
        vertices.withUnsafeBufferPointer { vertices in
          [0, 1, 2].withUnsafeBufferPointer { drawFaces(vertices, indices: $0, corners: 3, style, layer) }
        }
        layer.composite(band, opacity: style.laterWins ? 1 : 0.5)
        style.laterWins = false
      }
    }
    #expect(pixels[2 * 32 + 2] == 0xFF00_807F)
  }

  @Test(arguments: [false, true]) func patternsRepeatAndLetThrough(isSmooth: Bool) throws {
    // Two columns: blue, and nothing.
    let picture = try PatternImage(
      PixelImage(width: 2, height: 1, pixels: [0, 0, 255, 255, 0, 0, 0, 0], isPremultiplied: true))
    let white = SIMD4<Float>(1, 1, 1, 1)
    func corner(_ x: Float, _ y: Float) -> DepthVertex {
      // Eight pixels of the frame are one of the picture.
      DepthVertex(position: SIMD4(x, y, 0.5, 1), color: white, texture: SIMD2(x / 8, y / 8))
    }
    let pixels = try draw(
      [corner(0, 0), corner(32, 0), corner(32, 32), corner(0, 32)], [0, 1, 2, 3], isSmooth: isSmooth,
      corners: 4, laterWins: false, pattern: picture)
    for x in [3, 4, 19, 20] { #expect(pixels[7 * 32 + x] >> 16 == 0xFFFF || pixels[7 * 32 + x] >> 24 > 200) }
    for x in [11, 12, 27, 28] { #expect(pixels[7 * 32 + x] >> 24 < 60) }
    #expect(pixels[7 * 32 + 4] == pixels[23 * 32 + 20])
  }

  @Test func smoothFacesTakeAnyNumbers() throws {
    let odd: [Float] = [.nan, .infinity, -.infinity, 1e30, -1e30, 0, 1e-30, 65536.5, -65537]
    for round in 0..<300 {
      let vertices = (0..<4).map { corner in
        let number = round * 4 + corner
        func pick(_ step: Int) -> Float { odd[number * step / 3 % odd.count] }
        let (y, w) = (Float(number * 37 % 120) - 40, Float(number * 53 % 21) / 10 - 0.1)
        return DepthVertex(
          position: SIMD4(pick(3), y, pick(5), w), color: SIMD4(repeating: pick(7)),
          texture: SIMD2(pick(11), 3))
      }
      _ = try draw(vertices, [0, 1, 2, 3, 0, 9, 1, 2], isSmooth: true, corners: 4)
    }
  }
}

@Suite struct ExtrusionLightTests {
  private let light = ExtrusionLight(
    position: ExtrusionLight.position(radial: 1.15, azimuth: 210, polar: 30), color: SIMD3(1, 1, 1),
    intensity: 0.5)

  @Test func roofsAreBrighterThanWallsAndWallsDarkenDownwards() {
    let grey = Color(r: 0.5, g: 0.5, b: 0.5, a: 1)
    let roof = light.shade(grey, normal: SIMD3(0, 0, 1), base: 0, height: 50, isTop: true, hasGradient: true)
    let wallTop = light.shade(
      grey, normal: SIMD3(0, 1, 0), base: 0, height: 50, isTop: true, hasGradient: true)
    let wallFoot = light.shade(
      grey, normal: SIMD3(0, 1, 0), base: 0, height: 50, isTop: false, hasGradient: true)
    let wallFlat = light.shade(
      grey, normal: SIMD3(0, 1, 0), base: 0, height: 50, isTop: false, hasGradient: false)
    #expect(roof.x > wallTop.x && wallTop.x < wallFlat.x && wallFoot.x <= wallTop.x)
    #expect(abs(roof.x - 0.53 * (0.5 + 0.5 * 1.15 * cosf(.pi / 6))) < 1e-4)
  }

  @Test func colourNeverFallsBelowTheLightsComplement() {
    let tinted = ExtrusionLight(position: SIMD3(0, 0, 1), color: SIMD3(1, 0.5, 0), intensity: 0.5)
    let shade = tinted.shade(
      .black, normal: SIMD3(1, 0, 0), base: 0, height: 10, isTop: true, hasGradient: false)
    #expect(abs(shade.y - 0.15) < 1e-5 && abs(shade.z - 0.3) < 1e-5)
  }
}
