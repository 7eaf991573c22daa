import NeatBase
import Testing

@testable import NeatRaster

@Suite struct GroundTests {
  private static let size = 64

  /// A tile seen from straight above, one pixel to a texel.
  private func mesh(
    depth: Float = 0, scale: Double = Double(GroundTests.size), hasSkirt: Bool = false
  ) -> GroundMesh {
    GroundMesh(hasSkirt: hasSkirt) { u, v, side in
      GroundPoint(
        position: SIMD4(Float(u * scale), Float(v * scale), depth + (side == nil ? 0 : 0.1), 1), fog: Float(v)
      )
    }
  }

  private func picture(_ edge: Int = GroundTests.size, _ color: (Int, Int) -> UInt32) -> GroundPicture {
    let picture = GroundPicture(edge: edge, .all)
    for y in 0..<edge {
      let row = picture.row(y)
      for x in 0..<edge { row[x] = color(x, y) }
    }
    return picture
  }

  private func draw(_ meshes: [(GroundMesh, GroundPicture)], fog: GroundFog? = nil) throws -> [UInt32] {
    let layer = DepthLayer()
    return try steadyFrame(GroundTests.size, GroundTests.size) { band in
      layer.begin(band)
      for (mesh, picture) in meshes { drawGround(mesh, picture: picture, fog: fog, layer: layer, band: band) }
    }
  }

  @Test func aTileShowsItsPictureTexelByTexelInAnyBands() throws {
    let picture = picture { UInt32($0 * 3) | UInt32($1 * 3) << 8 | 0xFF00_0000 }
    let pixels = try draw([(mesh(), picture)])
    for y in 0..<64 {
      for x in 0..<64 { #expect(pixels[y * 64 + x] == UInt32(x * 3) | UInt32(y * 3) << 8 | 0xFF00_0000) }
    }
  }

  @Test func nearerGroundHidesWhatIsBehindItInEitherOrder() throws {
    let (red, blue) = (picture { _, _ in 0xFF00_00FF }, picture { _, _ in 0xFFFF_0000 })
    let (near, far) = ((mesh(depth: -0.5), red), (mesh(depth: 0.5), blue))
    #expect(try draw([near, far]).allSatisfy { $0 == 0xFF00_00FF })
    #expect(try draw([far, near]).allSatisfy { $0 == 0xFF00_00FF })
  }

  @Test func whatIsBeyondTheFarPlaneOrSeenFromBelowIsNotDrawn() throws {
    let red = picture { _, _ in 0xFF00_00FF }
    #expect(try draw([(mesh(depth: 1.01), red)]).allSatisfy { $0 == 0 })
    let below = GroundMesh(hasSkirt: false) { u, v, _ in
      GroundPoint(position: SIMD4(Float(1 - u) * 64, Float(v) * 64, 0, 1), fog: 0)
    }
    #expect(try draw([(below, red)]).allSatisfy { $0 == 0 })
  }

  @Test func fogThickensWithDistance() throws {
    let black = picture { _, _ in 0xFF00_0000 }
    let fog = GroundFog.distant(
      DistantFog(
        fog: SIMD4(repeating: 1), horizon: SIMD4(repeating: 1), begin: 0.5, turn: 0.8, opacity: 1))
    let pixels = try draw([(mesh(), black)], fog: fog)
    let column = (0..<64).map { Int(pixels[$0 * 64] & 255) }
    #expect(column[..<32].allSatisfy { $0 == 0 } && column == column.sorted() && column[63] > 230)
  }

  @Test(arguments: [Float.nan, .infinity, -1, 0, 1e30]) func badPointsAreNoTrap(_ w: Float) throws {
    let red = picture { _, _ in 0xFF00_00FF }
    let mesh = GroundMesh(hasSkirt: true) { u, v, _ in
      GroundPoint(position: SIMD4(Float(u) * 64, Float(v) * 64 * w, 0, u > 0.5 ? w : 1), fog: w)
    }
    _ = try draw([(mesh, red)])
  }

  @Test func whatIsSeenAslantIsTheMeanOfWhatAPixelCovers() throws {
    // Four texels to a pixel across, one down: stripes of one texel are grey.
    let stripes = picture { x, _ in x % 2 == 0 ? 0xFF00_0000 : 0xFFFF_FFFF }
    let narrow = GroundMesh(hasSkirt: false) { u, v, _ in
      GroundPoint(position: SIMD4(Float(u) * 16, Float(v) * 64, 0, 1), fog: 0)
    }
    let pixels = try draw([(narrow, stripes)])
    for index in pixels.indices where index % 64 > 0 && index % 64 < 15 {
      #expect((127...128).contains(pixels[index] & 255) && pixels[index] >> 24 == 255)
    }
  }

  @Test func enlargedTexelsGoOverIntoEachOtherAndTheEdgesGoOn() throws {
    let ramp = picture { x, y in UInt32(x * 4) | UInt32(y * 4) << 8 | 0xFF00_0000 }
    let pixels = try draw([(mesh(scale: 256), ramp)])
    for y in 0..<64 {
      for x in 0..<64 {
        let pixel = pixels[y * 64 + x]
        let right = max(0, (Double(x) + 0.5) / 4 - 0.5) * 4, down = max(0, (Double(y) + 0.5) / 4 - 0.5) * 4
        #expect(abs(Double(pixel & 255) - right) <= 1 && abs(Double(pixel >> 8 & 255) - down) <= 1)
      }
    }
  }

  // MARK: Cells

  @Test func cellsTellWhatIsNear() throws {
    let dot = picture(2048) { $0 == 100 && $1 == 100 ? 1 : 0 }
    let cells = try #require(GroundCells(dot, .all))
    #expect(!cells.isEmpty)
    for row in 0..<128 {
      for column in 0..<128 {
        #expect(cells.isBare(row * 128 + column) == (abs(row - 6) > 1 || abs(column - 6) > 1))
      }
    }
    var (there, beside) = (GroundBlocks.none, GroundBlocks.none)
    there.add(row: 0, column: 0)
    for place in 1..<8 {
      beside.add(row: 0, column: place)
      beside.add(row: place, column: 0)
    }
    #expect(try #require(GroundCells(dot, there)).isEmpty == false)
    #expect(try #require(GroundCells(dot, beside)).isEmpty)
    #expect(try #require(GroundCells(dot, .none)).isEmpty)
    #expect(GroundCells(GroundPicture(edge: 100, .all), .all) == nil)
  }

  /// Texels a pixel: few, so many that samples reach beyond a cell, and both in one picture.
  @Test(arguments: [512.0, 100, 2000], [Float(0), 0.02])
  func whatIsBareMayBeLeftOut(_ scale: Double, _ tilt: Float) throws {
    let mesh = GroundMesh(hasSkirt: true) { u, v, side in
      let w = 1 + tilt * Float((1 - v) * scale)
      return GroundPoint(
        position: SIMD4(
          (Float(u * scale) - 32) * 1 + 32 * w, Float(v * scale) + (side == nil ? 0 : 1), 0.5 * w, w), fog: 0)
    }
    let ground = picture(2048) { x, y in 0xFF00_0000 | UInt32(x / 8) | UInt32(y / 8) << 8 }
    let dots = picture(2048) { x, y in x / 40 % 4 == 0 && y / 40 % 4 == 0 ? 0x8000_0080 : 0 }
    let cells = GroundCells(dots, .all)
    func drawn(_ cells: GroundCells?) throws -> [UInt32] {
      let layer = DepthLayer()
      return try steadyFrame(64, 64) { band in
        layer.begin(band)
        drawGround(mesh, picture: ground, fog: nil, layer: layer, band: band)
        drawGround(mesh, picture: dots, cells: cells, fog: nil, layer: layer, band: band)
      }
    }
    #expect(try drawn(cells) == drawn(nil))
  }

  // MARK: Blocks

  @Test func blocksAreRangesOfEachRow() {
    var blocks = GroundBlocks.none
    #expect(blocks.isEmpty && blocks.columns(3).isEmpty && blocks.box.rows.isEmpty)
    blocks.add(row: 2, column: 5)
    blocks.add(row: 2, column: 3)
    blocks.add(row: 6, column: 0)
    #expect(blocks.columns(2) == 3..<6 && blocks.columns(6) == 0..<1 && blocks.columns(3).isEmpty)
    #expect(blocks.box == (2..<7, 0..<6))
    var other = GroundBlocks.none
    other.add(row: 2, column: 4)
    #expect(
      blocks.holds(other) && blocks.holds(.none) && !other.holds(blocks) && GroundBlocks.none.holds(.none))
    other.add(row: 3, column: 7)
    #expect(!blocks.holds(other))
    #expect(blocks.union(other).columns(3) == 7..<8 && blocks.union(other).columns(2) == 3..<6)
    for edge in [2, 7, 8, 100, 2048] {
      let texels = (0..<GroundBlocks.side).flatMap { GroundBlocks.texels($0..<$0 + 1, edge: edge) }
      #expect(texels == Array(0..<edge))
    }
  }

  @Test func onlyBlocksInTheFrameAreSeen() {
    // Blocks of 64 pixels each way; the frame shows the first two by three of them.
    let flat = mesh(scale: 512)
    let seen = flat.seenBlocks(width: 100, height: 150, edge: 1024)
    #expect(seen.box == (0..<3, 0..<2))
    #expect(flat.seenBlocks(width: 100, height: 150, edge: 15) == .all)
    // And what lies just beside it, of which samples take something.
    #expect(flat.seenBlocks(width: 127, height: 150, edge: 1024).box == (0..<3, 0..<3))
    // What hangs below an edge beyond the frame counts as the edge.
    let hanging = GroundMesh(hasSkirt: true) { u, v, side in
      GroundPoint(
        position: SIMD4(Float(u) * 512, Float(v) * 512 - (side == .south ? 0 : 600), 0, 1), fog: 0)
    }
    #expect(hanging.seenBlocks(width: 64, height: 64, edge: 1024).box.rows == 7..<8)
    // Near the eye and behind it: the ground of a view to the north, whose southern half is behind.
    let near = GroundMesh(hasSkirt: false) { u, v, _ in
      let w = Float(0.5 - v)
      return GroundPoint(position: SIMD4(Float(u - 0.5) * 512 + 50 * w, 2 + 80 * w, 0, w), fog: 0)
    }
    #expect(near.seenBlocks(width: 100, height: 100, edge: 1024).box.rows == 0..<4)
    let beside = GroundMesh(hasSkirt: false) { u, v, _ in
      let w = Float(0.5 - v)
      return GroundPoint(position: SIMD4(Float(u) * 512 + 200, 2 + 80 * w, 0, w), fog: 0)
    }
    #expect(beside.seenBlocks(width: 100, height: 100, edge: 1024).isEmpty)
  }

  @Test func aPictureHasTheBoxOfItsBlocks() {
    var blocks = GroundBlocks.none
    blocks.add(row: 1, column: 2)
    blocks.add(row: 2, column: 4)
    let picture = GroundPicture(edge: 256, blocks)
    #expect(picture.rows == 32..<96 && picture.columns == 64..<160)
    picture.clear(picture.rows)
    let band = picture.band(40..<50)
    band.row(41)[64] = 7
    band.row(41)[159] = 8
    #expect(picture.row(41)[64] == 7 && picture.row(41)[159] == 8 && picture.row(42)[64] == 0)
    let other = GroundPicture(edge: 256, blocks, picture.freed)
    #expect(other.row(41)[64] == 7)
    let copy = GroundPicture(edge: 256, .all)
    copy.clear(copy.rows)
    copy.copy(41..<42, 100..<160, from: picture)
    #expect(copy.row(41)[64] == 0 && copy.row(41)[159] == 8)
    // Small ones are whole.
    #expect(GroundPicture(edge: 15, blocks).rows == 0..<15)
    #expect(GroundPicture(edge: 2, .none).columns == 0..<2)
  }

  @Test func whatIsBareIsLeftOut() throws {
    let dot = picture(2048) { x, y in x < 16 && y < 16 ? 0xFF00_00FF : 0 }
    let far = picture { _, _ in 0xFFFF_0000 }
    let layer = DepthLayer()
    let pixels = try steadyFrame(64, 64) { band in
      layer.begin(band)
      drawGround(
        mesh(depth: -0.5, scale: 512), picture: dot, cells: GroundCells(dot, .all), fog: nil,
        layer: layer, band: band)
      drawGround(mesh(depth: 0.5), picture: far, fog: nil, layer: layer, band: band)
    }
    // The cells around the dot's are drawn, with their depth, though there is nothing on them.
    #expect(pixels[0] == 0xFF00_00FF && pixels[6] == 0 && pixels[9] == 0xFFFF_0000)
  }

  @Test func depthsAreTheSameForAnyNumberOfThreads() {
    let mesh = GroundMesh(hasSkirt: true) { u, v, side in
      let w = 2 - Float(v)
      return GroundPoint(
        position: SIMD4(Float(u) * 200 * w, Float(v * 200), Float(sin(u * 40)) * w * 0.5, w),
        fog: side == nil ? 0 : 1)
    }
    let (one, many) = (GroundDepths(width: 200, height: 200), GroundDepths(width: 200, height: 200))
    one.add([mesh], .inline)
    many.add(
      [mesh], Executor(width: 3) { count, body in for index in (0..<count).reversed() { body(index) } })
    for y in 0..<200 {
      for x in 0..<200 {
        #expect(one.depth(Double(x), Double(y)) == many.depth(Double(x), Double(y)))
      }
    }
    #expect(one.depth(100, 100) < 1)
  }

  @Test func depthsTellHowFarTheGroundIs() {
    let depths = GroundDepths(width: 64, height: 64)
    depths.add(mesh(depth: 0.25, scale: 32))
    #expect(abs(depths.depth(5, 5) - 0.25) < 1e-6 && depths.depth(50, 5) == 1)
    #expect(abs(depths.depth(-100, .nan) - 0.25) < 1e-6)
  }
}

@Suite struct SkyTests {
  @Test func theSkyGoesOverIntoTheHorizonAndEndsThere() throws {
    let sky = SkyPaint(
      sky: SIMD4(0, 0, 1, 1), horizon: SIMD4(1, 1, 1, 1), height: SIMD3(0, -1, 20), blend: 10)
    let pixels = try steadyFrame(4, 32) { sky.draw($0) }
    #expect(pixels[0] == 0xFFFF_0000 && pixels[4 * 20] == 0)
    let reds = (10..<20).map { Int(pixels[4 * $0] & 255) }
    #expect(reds == reds.sorted() && reds[9] > 200)
  }

  @Test func groundEndsAtItsEdge() {
    let level = GroundEdge.below(SIMD3(0, 1, -10))
    #expect(level.columns(9, width: 8) == 0..<0 && level.columns(10, width: 8) == 0..<8)
    let steep = GroundEdge.below(SIMD3(1, 0, -3))
    #expect(steep.columns(0, width: 8) == 3..<8)
    #expect(GroundEdge.below(SIMD3(-1, 0, 3)).columns(0, width: 8) == 0..<3)
    #expect(GroundEdge.below(SIMD3(.nan, .nan, .nan)).columns(0, width: 8).upperBound <= 8)
    #expect(GroundEdge.columns(3..<12).columns(5, width: 8) == 3..<8)
    #expect(GroundEdge.columns(9..<12).columns(5, width: 8).isEmpty)
  }

  @Test func anAtmosphereIsBrightestTowardsTheSun() throws {
    func red(_ x: Float) throws -> Int {
      let air = SkyAtmosphere(sun: SIMD3(1, 0, 0.05), intensity: 10, color: .one, halo: .one)
      let dome = SkyDome(
        paint: .atmosphere(air), opacity: 1, corner: SIMD3(x, 0, 0.1), right: .zero, down: .zero)
      return Int(try steadyFrame(1, 1) { dome.draw($0) }[0] & 255)
    }
    #expect(try red(1) > red(-1))
  }
}
