import NeatBase
import NeatCamera
import Testing

@Suite struct TransformEyeTests {
  @Test func anEyeBelowTheSeaIsRaisedToIt() throws {
    let size = ViewSize(width: 800, height: 600)
    func raised(_ camera: Camera, _ elevation: Double = 0, globeness: Double = 0) throws -> Camera? {
      try Transform(camera: camera, size: size, globeness: globeness).cameraAboveSea(elevation)
    }
    let asked = Camera(center: LonLat(11.5, 47.3), zoom: 13, bearing: 30, pitch: 95)
    // From level with the sea, above the same place, to the same centre.
    let level = try #require(try raised(asked))
    #expect(abs(level.pitch - 90) < 1e-9 && level.center == asked.center && level.bearing == 30)
    #expect(abs(level.zoom - (13 - log2(cos(5 * Double.pi / 180)))) < 1e-9)
    let eyes = try [asked, level].map { try Transform(camera: $0, size: size).eyePlace }
    #expect(abs(eyes[0].x - eyes[1].x) < 1e-9 && abs(eyes[0].y - eyes[1].y) < 1e-9)
    #expect(try raised(level) == nil)
    // Higher than the eye is below the centre; on the globe.
    #expect(try raised(asked, 1500) == nil)
    #expect(try raised(asked, globeness: 1) == nil)
    // Straight down, from below the sea, and straight up.
    let below = Camera(center: asked.center, zoom: 18, pitch: 20)
    let lifted = try #require(try raised(below, -2000))
    let altitude = try Transform(camera: lifted, size: size).eyeAltitude(-2000)
    #expect(abs(altitude) < 1e-6 && lifted.pitch < 20 && lifted.zoom < 18)
    #expect(try raised(below) == nil)
    for pitch in [177, 179.99, 180] {
      let up = try #require(try raised(Camera(center: asked.center, zoom: 20, pitch: pitch)))
      #expect(up.pitch <= 90 + 1e-9 && CameraRange.zoom.contains(up.zoom))
    }
  }
}
