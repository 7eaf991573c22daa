import NeatBase
import NeatCamera
import Testing

@Suite struct FreeCameraTests {
  private let size = ViewSize(width: 800, height: 600)

  @Test func eachCameraHasItsEye() throws {
    for pitch in [0.0, 0.5, 30, 60, 85] {
      for bearing in [0.0, 45, -90, 179, 180] {
        for roll in [0.0, 20, -130] {
          var camera = Camera(center: LonLat(11, 47), zoom: 9, bearing: bearing, pitch: pitch, roll: roll)
          camera.padding = EdgeInsets(top: 100, left: 10, bottom: 0, right: 40)
          let eye = try FreeCamera(camera, size: size)
          let back = try eye.camera(like: camera, size: size)
          #expect(abs(back.center.lon - 11) < 1e-7 && abs(back.center.lat - 47) < 1e-7, "\(camera) \(back)")
          #expect(abs(back.zoom - 9) < 1e-7 && abs(back.pitch - pitch) < 1e-5, "\(camera) \(back)")
          // Straight down a roll is a turn.
          let turn = pitch == 0 ? bearing - roll : bearing
          #expect(
            min(abs(Angle.wrapped(back.bearing - turn)), abs(Angle.wrapped(back.bearing - bearing - roll)))
              < 1e-4, "\(camera) \(back)")
          if pitch > 0 { #expect(abs(Angle.wrapped(back.roll - roll)) < 1e-4, "\(camera) \(back)") }
          // What is seen at a point of the screen is the same.
          let point = SIMD2(500.0, 400.0)
          let before = try CameraView(camera: camera, size: size).place(at: point).place
          let after = try CameraView(camera: back, size: size).place(at: point).place
          if let before, let after {
            #expect(abs(before.lon - after.lon) < 1e-4 && abs(before.lat - after.lat) < 1e-4, "\(camera)")
          }
        }
      }
    }
  }

  @Test func anEyeLooksWhereItIsTurned() throws {
    let camera = Camera(center: LonLat(11, 47), zoom: 9, bearing: 77, pitch: 50)
    var eye = try FreeCamera(camera, size: size)
    try eye.look(at: LonLat(11, 47))
    let same = try eye.camera(like: camera, size: size)
    #expect(abs(same.bearing - 77) < 1e-6 && abs(same.pitch - 50) < 1e-6 && abs(same.zoom - 9) < 1e-6)
    try eye.look(at: LonLat(10.9, 46.95))
    let other = try eye.camera(like: camera, size: size)
    #expect(abs(other.center.lon - 10.9) < 1e-6 && abs(other.center.lat - 46.95) < 1e-6)
    // A mountain's top stands before the ground behind it.
    try eye.look(at: LonLat(10.9, 46.95), altitude: 3000)
    #expect(try eye.camera(like: camera, size: size).pitch > other.pitch)
  }

  @Test func whatIsNoEyeIsRefused() throws {
    let camera = Camera(center: LonLat(11, 47), zoom: 9)
    let eye = try FreeCamera(camera, size: size)
    for change: (inout FreeCamera) -> Void in [
      { $0.position.z = 0 }, { $0.position.z = -1 }, { $0.position.x = .nan }, { $0.position.y = 1e300 },
      { $0.orientation = .zero }, { $0.orientation.x = .nan }, { $0.orientation = SIMD4(1, 0, 0, 0) },
      { $0.position.z = 1e-12 }, { $0.position.z = 900 },
    ] {
      var wrong = eye
      change(&wrong)
      #expect(throws: NeatError.self, "\(wrong)") { try wrong.camera(like: camera, size: size) }
    }
    var up = eye
    for altitude in [Double.nan, .infinity, 9e6] {
      #expect(throws: NeatError.self) { try up.look(at: LonLat(11, 47), altitude: altitude) }
    }
    #expect(throws: NeatError.self) { try up.look(at: LonLat(0, 91)) }
    #expect(up == eye)
  }
}
