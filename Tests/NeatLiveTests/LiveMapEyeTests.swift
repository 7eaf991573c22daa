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

  @Test func picturesOfLowerEyesAreSeenFromTheSea() throws {
    let stage = try stage()
    let map: LiveMap = stage.map
    let core = try #require(map.core)
    var change = CameraChange()
    (change.zoom, change.pitch) = (13, 95)
    try map.setCamera(change)
    let asked = map.camera
    #expect(asked.pitch == 95 && asked.zoom == 13)
    let view = try Transform(camera: asked, size: map.size)
    #expect(abs(core.grounded(view).camera.pitch - 90) < 1e-9)
    #expect(map.camera == asked)
    // Higher than the eye is below the centre.
    try map.setCenterElevation(1500)
    #expect(core.grounded(view).camera == asked && map.camera == asked)
    #expect(core.grounded(view).elevation == 1500)
  }

  @Test func aStylesCameraStaysWithinTheLimits() throws {
    let stage = try Stage()
    let map: LiveMap = stage.map
    try map.setSize(ViewSize(width: 512, height: 384))
    var limits = CameraLimits()
    (limits.maxPitch, limits.maxZoom) = (180, 13)
    try map.setLimits(limits)
    try map.setStyle(Self.style(""), base: "")
    #expect(abs(map.camera.pitch - 90) < 1e-9 && map.camera.zoom == 13)
    // What is seen then is settled.
    let camera = map.camera
    try map.setLimits(limits)
    #expect(map.camera == camera)
  }
}
