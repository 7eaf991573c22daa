import NeatBase
import NeatCamera
import Testing

@Suite struct CameraAnimationTests {
  private let size = ViewSize(width: 400, height: 300)

  private func animation(_ change: (inout Camera) -> Void) throws -> CameraAnimation {
    let from = Camera(center: LonLat(10, 20), zoom: 3)
    var to = from
    change(&to)
    return try CameraAnimation(from: from, to: to, size: size, startMS: 1000, durationMS: 500)
  }

  @Test func itBeginsAndEndsExactly() throws {
    let way = try animation { ($0.zoom, $0.pitch, $0.center) = (7, 40, LonLat(-30, 55)) }
    let first = way.camera(atMS: 1000)
    #expect(!first.isOver && abs(first.0.zoom - 3) < 1e-6 && abs(first.0.center.lon - 10) < 1e-6)
    #expect(!way.camera(atMS: 900).isOver, "a time before the beginning is the beginning")
    for time in [1500, 1501, .max] as [UInt64] {
      let last = way.camera(atMS: time)
      #expect(last.isOver && last.0 == way.to)
    }
  }

  @Test func itGoesOneWay() throws {
    let way = try animation { ($0.zoom, $0.pitch, $0.bearing) = (7, 40, 90) }
    var last = way.camera(atMS: 1000).0
    for time in stride(from: UInt64(1010), through: 1500, by: 10) {
      let camera = way.camera(atMS: time).0
      #expect(camera.zoom >= last.zoom && camera.pitch >= last.pitch && camera.bearing >= last.bearing)
      last = camera
    }
  }

  @Test func itTurnsTheShorterWay() throws {
    var way = try animation { $0.bearing = 350 }
    #expect((-10...0).contains(way.camera(atMS: 1250).0.bearing))
    way = try animation { $0.bearing = -170 }
    #expect((-170...0).contains(way.camera(atMS: 1250).0.bearing))
  }

  /// Bearings stand for the same direction after each full turn.
  @Test func itTurnsNoMoreThanHalfAround() throws {
    for (from, to, turn) in [
      (0.0, 700.0, -20.0), (700, 0, 20), (0, -700, 20), (3610, 0, -10), (-36000, 36000, 0), (10, 190, 180),
    ] {
      for keyPath in [\Camera.bearing, \Camera.roll] {
        var (start, end) = (Camera(), Camera())
        (start[keyPath: keyPath], end[keyPath: keyPath]) = (from, to)
        let way = try CameraAnimation(from: start, to: end, size: size, startMS: 0, durationMS: 1_000_000)
        // Half of the curve is over in about a third of the time: a part of the turn tells its way.
        let part = Angle.wrapped(way.camera(atMS: 100_000).0[keyPath: keyPath] - from)
        #expect(
          turn == 0 ? abs(part) < 1e-6 : part / turn > 0 && part / turn < 0.5, "\(from) to \(to): \(part)")
        let turned = Angle.wrapped(way.camera(atMS: 999_999).0[keyPath: keyPath] - from)
        #expect(abs(abs(turned) - abs(turn)) < 0.1, "\(from) to \(to) turned by \(turned)")
      }
    }
  }

  @Test(arguments: [(170.0, -170.0), (-170, 170), (179, -179), (190, -150)])
  func itGoesOverThe180thMeridian(_ from: Double, _ to: Double) throws {
    let way = try CameraAnimation(
      from: Camera(center: LonLat(from, 10)), to: Camera(center: LonLat(to, 30)), size: size, startMS: 0,
      durationMS: 1000)
    func east(_ longitude: Double) -> Double { longitude < 0 ? longitude + 360 : longitude }
    let range = min(east(from), east(to)) - 1e-6...max(east(from), east(to)) + 1e-6
    for time in stride(from: UInt64(0), through: 1000, by: 50) {
      let center = way.camera(atMS: time).0.center
      #expect(range.contains(east(center.lon)) && abs(center.lon) <= 180, "\(center)")
    }
  }

  @Test func itGoesToThePoles() throws {
    let way = try CameraAnimation(
      from: Camera(), to: Camera(center: LonLat(0, -90)), size: size, startMS: 0, durationMS: 1000)
    let latitudes = stride(from: UInt64(0), to: 1000, by: 100).map { way.camera(atMS: $0).0.center.lat }
    #expect(
      latitudes == latitudes.sorted(by: >) && latitudes.allSatisfy { $0 >= -Mercator.maxLatitude - 1e-9 })
    #expect(way.camera(atMS: 1000).0.center.lat == -90)
  }
}
