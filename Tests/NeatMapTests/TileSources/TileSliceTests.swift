import NeatBase
import NeatTile
import Synchronization
import Testing

@testable import NeatMap

/// Tiles that are cut out of a source's deepest ones.
@Suite struct TileSliceTests {
  private func tile(_ type: GeometryType, _ parts: [[SIMD2<Int32>]], extent: UInt32 = 1024) -> VectorTile {
    var builder = TileLayerBuilder(name: "layer", extent: extent)
    builder.beginFeature(type, id: 7)
    for part in parts {
      for point in part { builder.addPoint(point) }
      builder.endPart()
    }
    builder.endFeature()
    return VectorTile(layers: [builder.build()])
  }

  private func slice(_ tile: VectorTile, _ x: UInt32 = 0, _ y: UInt32 = 0) -> TileLayer? {
    TileSlice.cut(tile, from: TileID(z: 3, x: 1, y: 1), to: TileID(z: 4, x: 2 + x, y: 2 + y))?.layers.first
  }

  private func laidOut(_ layer: TileLayer) -> [SIMD2<Int32>] {
    (0..<layer.pointCount).map { layer.points[$0] }
  }
  private func answered(_ layer: TileLayer) -> [SIMD2<Int32>] {
    (0..<layer.pointCount).map { layer.answerPoints[$0] }
  }

  @Test func whatLiesInsideIsMagnified() throws {
    let layer = try #require(slice(tile(.line, [[SIMD2(10, 20), SIMD2(30, 40)]])))
    #expect(layer.extent == 8192 && layer.answerExtent == 1024)
    #expect(laidOut(layer) == [SIMD2(160, 320), SIMD2(480, 640)])
    #expect(answered(layer) == [SIMD2(20, 40), SIMD2(60, 80)])
    #expect(layer.id(0) == 7)
  }

  @Test func whatWasNotReadIsCutWhenItIsAskedFor() throws {
    let whole = try #require(tile(.line, [[SIMD2(10, 20), SIMD2(30, 40)]]).layers.first)
    let hasMemory = Atomic<Bool>(false)
    let unread = VectorTile(entries: [
      .unread(
        UnreadLayer(name: "layer", byteCount: 640) { () throws(NeatError) in
          if !hasMemory.load(ordering: .relaxed) { throw NeatError(.outOfMemory, "not now") }
          return whole
        })
    ])
    let cut = try #require(
      TileSlice.cut(unread, from: TileID(z: 3, x: 1, y: 1), to: TileID(z: 4, x: 2, y: 2)))
    #expect(cut.byteCount == 160)
    #expect(throws: NeatError.self) { try cut.layer("layer") }
    hasMemory.store(true, ordering: .relaxed)
    #expect(laidOut(try #require(try cut.layer("layer"))) == [SIMD2(160, 320), SIMD2(480, 640)])
  }

  @Test func aCutIsLaidOutFinerThanItsUnits() throws {
    // At 1152 the line is at 550 + 112 · 78 / 108 = 630.888…
    let layer = try #require(slice(tile(.line, [[SIMD2(615, 275), SIMD2(561, 331), SIMD2(562, 336)]])))
    #expect(laidOut(layer) == [SIMD2(9216, 5047), SIMD2(8976, 5296), SIMD2(8992, 5376)])
  }

  @Test func answersGoByWholeSteps() throws {
    // The step from the cut is 31.11 units long, of which 31 are kept: what follows stands a unit beside.
    let layer = try #require(slice(tile(.line, [[SIMD2(615, 275), SIMD2(561, 331), SIMD2(562, 336)]])))
    #expect(answered(layer) == [SIMD2(1152, 630), SIMD2(1122, 661), SIMD2(1124, 671)])
  }

  @Test func aLineThatLeavesAndReturnsIsTwo() throws {
    let line: [SIMD2<Int32>] = [SIMD2(500, 100), SIMD2(600, 100), SIMD2(600, 200), SIMD2(500, 200)]
    let layer = try #require(slice(tile(.line, [line])))
    #expect(layer.partCount == 2)
    #expect(answered(layer) == [SIMD2(1000, 200), SIMD2(1152, 200), SIMD2(1152, 400), SIMD2(1000, 400)])
  }

  @Test func aRingAroundTheTileIsItsSquare() throws {
    let ring: [SIMD2<Int32>] = [SIMD2(-200, -200), SIMD2(1300, -200), SIMD2(1300, 1300), SIMD2(-200, 1300)]
    let layer = try #require(slice(tile(.polygon, [ring]), 1, 1))
    #expect(layer.partCount == 1 && layer.pointCount == 4)
    #expect(
      Set(answered(layer)) == [SIMD2(-128, -128), SIMD2(1152, -128), SIMD2(1152, 1152), SIMD2(-128, 1152)])
  }

  @Test func whatLiesElsewhereIsNotThere() {
    #expect(slice(tile(.line, [[SIMD2(10, 20), SIMD2(30, 40)]]), 1, 1) == nil)
    #expect(slice(tile(.point, [[SIMD2(900, 900)]])) == nil)
    #expect(slice(tile(.line, [[]])) == nil)
    #expect(slice(tile(.polygon, [[SIMD2(900, 900)]]), 1, 1) == nil)
  }

  @Test func numbersAtTheEndOfTheirRangeAreCut() throws {
    let far: [SIMD2<Int32>] = [SIMD2(.min, .min), SIMD2(.max, .min), SIMD2(.max, .max), SIMD2(.min, .max)]
    let layer = try #require(slice(tile(.polygon, [far], extent: 1)))
    #expect(layer.pointCount == 4)
  }
}
