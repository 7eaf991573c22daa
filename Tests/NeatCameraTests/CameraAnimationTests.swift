import NeatBase
import NeatCamera
import Testing

@Suite struct CameraAnimationTests {
  private func animation(_ change: (inout Camera) -> Void) -> CameraAnimation {
    let from = Camera(center: LonLat(10, 20), zoom: 3)
    var to = from
    change(&to)
    return CameraAnimation(from: from, to: to, startMS: 1000, durationMS: 500)
  }

  @Test func itBeginsAndEndsExactly() {
    let way = animation { ($0.zoom, $0.pitch, $0.center) = (7, 40, LonLat(-30, 55)) }
    let first = way.camera(atMS: 1000)
    #expect(!first.isOver && abs(first.0.zoom - 3) < 1e-6 && abs(first.0.center.lon - 10) < 1e-6)
    #expect(!way.camera(atMS: 900).isOver, "a time before the beginning is the beginning")
    for time in [1500, 1501, .max] as [UInt64] {
      let last = way.camera(atMS: time)
      #expect(last.isOver && last.0 == way.to)
    }
  }

  @Test func itGoesOneWay() {
    let way = animation { ($0.zoom, $0.pitch, $0.bearing) = (7, 40, 90) }
    var last = way.camera(atMS: 1000).0
    for time in stride(from: UInt64(1010), through: 1500, by: 10) {
      let camera = way.camera(atMS: time).0
      #expect(camera.zoom >= last.zoom && camera.pitch >= last.pitch && camera.bearing >= last.bearing)
      last = camera
    }
  }

  @Test func itTurnsTheShorterWay() {
    var way = animation { $0.bearing = 350 }
    #expect((-10...0).contains(way.camera(atMS: 1250).0.bearing))
    way = animation { $0.bearing = -170 }
    #expect((-170...0).contains(way.camera(atMS: 1250).0.bearing))
  }
}
