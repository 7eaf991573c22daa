import NeatBase
import NeatCamera
import NeatRaster
import Testing

/// What lies in tiles of low zooms is drawn onto a mesh of few cells, which in a deep view are larger than it.
@Suite struct GlobeMeshGroundTests {
  @Test(arguments: [(3.0, 40.0), (6, 60), (8, 50), (9.8, 20), (9.8, 50), (12, 0), (15, 70), (20, 80)])
  func everyPixelOfADeepViewHasItsPlace(_ zoom: Double, _ pitch: Double) throws {
    let camera = Camera(center: LonLat(0.001, -0.002), zoom: zoom, bearing: -10, pitch: pitch)
    let transform = try Transform(camera: camera, size: ViewSize(width: 64, height: 64), globeness: 1)
    let globe = try #require(transform.globe)
    let bitmap = try Bitmap(width: 64, height: 64)
    let band = bitmap.band(0, 64)
    let mesh = GlobeGround(globe, band, isMesh: true), sphere = GlobeGround(globe, band, isMesh: false)
    var seen = 0
    // The lower half: no edge of the globe, where mesh and sphere differ, is in it.
    for y in 32..<64 {
      for x in 0..<64 {
        guard let round = sphere.place(x, y) else { continue }
        seen += 1
        let place = try #require(mesh.place(x, y), "\(x), \(y)")
        // Chords lie 0.0003 of the radius within the sphere at most.
        let away = place - round
        #expect((away * away).sum().squareRoot() < 0.001, "\(x), \(y): \(away)")
      }
    }
    #expect(seen == 32 * 64)
  }
}
