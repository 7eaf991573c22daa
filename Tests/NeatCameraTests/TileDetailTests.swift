import NeatBase
import Testing

@testable import NeatCamera

@Suite struct TileDetailTests {
  @Test func tilesGetCoarserWithTheirDistance() {
    let detail = TileDetail(requested: 10, fall: 0.5, reach: 1, fieldOfView: 36.87)
    let zooms = [0, 0.5, 1, 2, 8, 64].map { detail.zoom(along: $0) }
    #expect(zooms == zooms.sorted(by: >))
    // As much detail as is asked for at the centre, and a little beyond it.
    #expect(abs(detail.zoom(along: 0.75.squareRoot()) - 9.58) < 0.1)
  }

  @Test func aViewFromAboveHasTheZoomThatIsAskedFor() {
    let detail = TileDetail(requested: 7.95, fall: 1, reach: 1, fieldOfView: 36.87)
    #expect(detail.zoom(along: 0).rounded(.down) == 8)
    let other = TileDetail(requested: 7.9, fall: 1, reach: 1, fieldOfView: 36.87)
    #expect(other.zoom(along: 0).rounded(.down) == 7)
  }

  @Test func numbersStayNumbers() {
    for fov in [0.1, 36.87, 90, 150] {
      for fall in [0, 1e-9, 0.3, 1] {
        let detail = TileDetail(requested: 22, fall: fall, reach: 1, fieldOfView: fov)
        #expect(detail.zoom(along: 0).isFinite && detail.zoom(along: 3).isFinite)
      }
    }
  }

  private func tiles(_ zoom: Double, _ pitch: Double, globeness: Double = 0) throws -> [OverscaledTileID] {
    let camera = Camera(center: LonLat(10, 47), zoom: zoom, pitch: pitch)
    return TileCover().tiles(
      try Transform(camera: camera, size: ViewSize(width: 512, height: 512), globeness: globeness))
  }

  @Test func farTilesOfATiltedViewAreCoarserPastSixtyDegrees() throws {
    #expect(Set(try tiles(12.5, 60).map(\.canonical.z)) == [12])
    let tilted = try tiles(12.5, 70)
    #expect(Set(tilted.map(\.canonical.z)).count > 1 && tilted.allSatisfy { $0.canonical.z <= 13 })
  }

  @Test(arguments: [0.5, 1.0]) func noPlaceOfAGlobeIsCoveredTwice(_ globeness: Double) throws {
    for (zoom, pitch) in [(7.95, 0), (8.2, 55), (11.5, 60), (3.5, 30)] as [(Double, Double)] {
      let tiles = try tiles(zoom, pitch, globeness: globeness).map(\.canonical)
      #expect(Set(tiles).count == tiles.count)
      for tile in tiles where tile.z > 0 {
        #expect((1...tile.z).allSatisfy { !tiles.contains(tile.ancestor($0)) })
      }
    }
  }
}
