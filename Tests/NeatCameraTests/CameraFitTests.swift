import NeatBase
import NeatCamera
import Testing

@Suite struct CameraFitTests {
  /// The corners of a box lie within the view and one of them at its edge, however the camera is turned.
  @Test(arguments: [(0.0, 0.0), (30, 0), (0, 30), (30, -30), (90, 45), (-20, 110)])
  func aTurnedViewShowsTheBox(_ bearing: Double, _ roll: Double) throws {
    let size = ViewSize(width: 400, height: 300)
    let camera = try Camera(bearing: bearing, roll: roll).fitting(
      west: -10, south: -4, east: 12, north: 9, size: size)
    let view = try Transform(camera: camera, size: size)
    let places = try [(-10.0, -4.0), (12, -4), (12, 9), (-10, 9)].map {
      try #require(view.screen(LonLat($0.0, $0.1)))
    }
    let room = places.map { min(min($0.x, 400 - $0.x), min($0.y, 300 - $0.y)) }.min() ?? -1
    #expect(abs(room) < 1e-6, "\(room) pixels to the nearest edge")
  }
}
