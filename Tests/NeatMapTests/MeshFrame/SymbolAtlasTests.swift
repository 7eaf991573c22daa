import NeatBase
import NeatRaster
import Testing

@testable import NeatMap

@Suite struct SymbolAtlasTests {
  private static func place(_ atlas: inout SymbolAtlas, _ number: Int32, _ width: Int, _ height: Int)
    throws(NeatError) -> AtlasPlace
  {
    let pixels = [UInt8](
      repeating: UInt8(number % 200 + 1), count: width * height * atlas.format.bytesPerTexel)
    return try pixels.withUnsafeBufferPointer { (bytes) throws(NeatError) in
      try atlas.place(.glyph(number), width: width, height: height, pixels: bytes.baseAddress!)
    }
  }

  private static func texels(_ texture: MeshTexture) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: texture.pixels, count: texture.byteCount))
  }

  /// Each entry has its own texels, and nothing but zeros around them as far as linear sampling a texel
  /// outside of it reaches.
  @Test func entriesStandApart() throws {
    var atlas = SymbolAtlas(.r8)
    var seen: [(number: Int32, place: AtlasPlace, width: Int, height: Int)] = []
    for number in Int32(0)..<700 {
      let (width, height) = (10 + Int(number * 7 % 31), 12 + Int(number * 5 % 23))
      seen.append((number, try Self.place(&atlas, number, width, height), width, height))
    }
    let pages = Set(seen.map(\.place.page)).sorted()
    #expect(pages == [0])
    let texels = Self.texels(atlas.share(0))
    let gap = SymbolAtlas.gap
    for (number, place, width, height) in seen {
      for y in place.y - gap..<place.y + height + gap {
        for x in place.x - gap..<place.x + width + gap {
          let isInside = x >= place.x && x < place.x + width && y >= place.y && y < place.y + height
          let value = texels[y * SymbolAtlas.edge + x]
          if isInside ? value != UInt8(number % 200 + 1) : value != 0 {
            Issue.record("entry \(number) at \(x), \(y): \(value)")
            return
          }
        }
      }
    }
  }

  @Test func anEntryIsWrittenOnce() throws {
    var atlas = SymbolAtlas(.rgba8)
    let first = try Self.place(&atlas, 7, 20, 20)
    let again = try Self.place(&atlas, 7, 20, 20)
    #expect(first.page == again.page && first.x == again.x && first.y == again.y)
  }

  @Test func aPageThatAFrameHasIsCopiedBeforeItChanges() throws {
    var atlas = SymbolAtlas(.r8)
    _ = try Self.place(&atlas, 1, 20, 20)
    let shared = atlas.share(0)
    let before = Self.texels(shared)
    #expect(atlas.share(0).id == shared.id)
    let place = try Self.place(&atlas, 2, 20, 20)
    let next = atlas.share(0)
    #expect(next.id != shared.id && Self.texels(shared) == before)
    #expect(Self.texels(next)[place.y * SymbolAtlas.edge + place.x] == 3)
    #expect(before[place.y * SymbolAtlas.edge + place.x] == 0)
  }

  @Test func whatIsLargerThanAPageGetsOneOfItsOwn() throws {
    var atlas = SymbolAtlas(.r8)
    _ = try Self.place(&atlas, 1, 20, 20)
    let large = try Self.place(&atlas, 2, 3000, 10)
    #expect(large.page == 1 && atlas.size(1) == (3000 + 2 * SymbolAtlas.gap, SymbolAtlas.edge))
    // And the pages fill up.
    #expect(!atlas.isFull)
    for number in Int32(3)..<24 { _ = try Self.place(&atlas, number, 900, 900) }
    #expect(atlas.isFull)
  }

  @Test func pagesAreTakenFromABudget() throws {
    let memory = MemoryBudget(limit: UInt64(SymbolAtlas.edge * SymbolAtlas.edge))
    var atlas = SymbolAtlas(.r8, memory)
    _ = try Self.place(&atlas, 1, 20, 20)
    #expect(memory.held == SymbolAtlas.edge * SymbolAtlas.edge)
    let error = #expect(throws: NeatError.self) { try Self.place(&atlas, 2, 3000, 10) }
    #expect(error?.code == .outOfMemory && error?.message.contains("a page of symbols of 3004x1024") == true)
    atlas = SymbolAtlas(.r8, memory)
    #expect(memory.held == 0)
  }
}

@Suite struct StandInClipTests {
  private static func square(drawn: TileID, wanted: TileID) -> SIMD4<Double> {
    let projection = Projection(scale: 1)
    return TileInFrame(
      id: OverscaledTileID(canonical: drawn), wanted: OverscaledTileID(canonical: wanted), layout: nil,
      raster: nil, dem: nil,
      projection: projection, clip: projection, rasterProjection: projection, rasterClip: projection
    ).clipSquare
  }

  @Test func aTileIsDrawnOnItsWholeSquare() {
    #expect(
      Self.square(drawn: TileID(z: 3, x: 5, y: 2), wanted: TileID(z: 3, x: 5, y: 2))
        == SIMD4(0, 0, 8192, 8192))
  }

  @Test func anAncestorIsDrawnUnderTheTileItStandsInFor() {
    #expect(
      Self.square(drawn: TileID(z: 2, x: 1, y: 1), wanted: TileID(z: 4, x: 5, y: 6))
        == SIMD4(2048, 4096, 4096, 6144))
    #expect(
      Self.square(drawn: TileID(z: 0, x: 0, y: 0), wanted: TileID(z: 1, x: 1, y: 0))
        == SIMD4(4096, 0, 8192, 4096))
  }
}
