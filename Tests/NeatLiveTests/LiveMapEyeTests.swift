import NeatBase
import NeatCamera
import Testing

@testable import NeatLive

/// What a map looks from stays above the sea.
@Suite struct LiveMapEyeTests {
  private static func style(_ rest: String) -> [UInt8] {
    Array(
      #"{"version": 8, "sources": {}, "layers": [], "center": [11.5, 47.3], "zoom": 13, "pitch": 95\#(rest)}"#
        .utf8)
  }

  private func stage(_ rest: String = "") throws -> Stage {
    let stage = try Stage()
    try stage.map.setSize(ViewSize(width: 512, height: 384))
    var limits = CameraLimits()
    limits.maxPitch = 180
    try stage.map.setLimits(limits)
    try stage.map.setStyle(Self.style(rest), base: "")
    return stage
  }

  @Test func aStyleLooksUpFromTheSeaAtMost() throws {
    for rest in ["", #", "terrain": {"source": "dem"}"#] {
      let map: LiveMap = try stage(rest).map
      #expect(abs(map.camera.pitch - 90) < 1e-9 && map.camera.zoom > 13, "\(rest)")
      // The centre rises after that: the camera is as it was.
      let camera = map.camera
      try map.setCenterElevation(1500)
      #expect(map.camera == camera)
    }
  }

  @Test func aCentreAboveTheSeaIsSeenFromBelow() throws {
    let stage = try stage()
    let map: LiveMap = stage.map
    try map.setCenterElevation(1500)
    var change = CameraChange()
    (change.zoom, change.pitch) = (13, 95)
    try map.setCamera(change)
    #expect(abs(map.camera.pitch - 95) < 1e-9)
    // The centre sinks: what it is seen from would be below the sea.
    stage.events = []
    try map.setCenterElevation(nil)
    #expect(abs(map.camera.pitch - 90) < 1e-9)
    stage.run()
    #expect(stage.events.contains(.cameraChanged))
  }
}
