import NeatBase
import NeatCamera
import NeatLoop
import NeatMap
import NeatRaster
import NeatTestSupport
import Testing

@testable import NeatLive

/// What workers do of a map's turns, and that nobody sees who did it.
@Suite struct LiveMapWorkTests {
  /// A field of points, each of another size.
  private static func style(_ count: Int = 400) -> [UInt8] {
    let features = (0..<count).map { index in
      """
      {"type": "Feature", "properties": {"r": \(2 + index % 7)},
       "geometry": {"type": "Point", "coordinates": [\(index % 20 - 10), \(index / 20 - 10)]}}
      """
    }
    return Array(
      """
      {"version": 8, "center": [0, 0], "zoom": 4,
       "sources": {"p": {"type": "geojson",
                         "data": {"type": "FeatureCollection", "features": [\(features.joined(separator: ","))]}}},
       "layers": [{"id": "b", "type": "background", "paint": {"background-color": "white"}},
                  {"id": "c", "type": "circle", "source": "p", "paint": {"circle-radius": ["get", "r"]}}]}
      """.utf8)
  }

  private func camera(_ step: Int) -> Camera {
    Camera(center: LonLat(Double(step) * 0.7 - 3, Double(step % 3)), zoom: 4 + Double(step % 4) * 0.6)
  }

  private func drawn(_ map: LiveMap) throws -> [UInt32] {
    let bitmap = try map.draw().bitmap
    return Array(UnsafeBufferPointer(start: bitmap.pixels, count: bitmap.width * bitmap.height))
  }

  @Test func theLoopGoesOnWhileTilesAreLaidOut() throws {
    let stage = try Stage()
    let gate = hold(stage.loop)
    try stage.map.setStyle(Self.style(), base: "")
    #expect(stage.loop.run(until: { stage.map.work != nil }))
    // Nothing is told of a frame before there is one, and the map is at work until then.
    #expect(!stage.events.contains(.renderFrameStarted) && stage.map.isBusy && !stage.map.isLoaded)
    gate.set()
    stage.run()
    #expect(stage.map.work == nil && stage.map.isLoaded && stage.events.last == .mapIdle)
  }

  /// A host that draws at once, at whatever time of a turn, has the picture of one that waits.
  @Test func picturesAreThoseOfAMapAtRest() throws {
    let calm = try Stage()
    let moving = try Stage()
    for stage in [calm, moving] {
      try stage.map.setStyle(Self.style(), base: "")
      stage.run()
      _ = try stage.map.draw()
    }
    for step in 0..<24 {
      for stage in [calm, moving] { try stage.map.setCamera(camera(step)) }
      calm.run()
      let expected = try drawn(calm.map)
      for _ in 0..<step % 3 { moving.loop.runNoWait() }
      #expect(try drawn(moving.map) == expected, "step \(step)")
    }
    moving.run()
    #expect(moving.map.isLoaded && moving.events.last == .mapIdle)
  }

  /// What changes while workers are at it is in the next frame, and the map rests no sooner.
  @Test func changesMeanwhileAreShown() throws {
    let stage = try Stage()
    let gate = hold(stage.loop)
    try stage.map.setStyle(Self.style(), base: "")
    #expect(stage.loop.run(until: { stage.map.work != nil }))
    try stage.map.edit { editor throws(NeatError) in try editor.removeLayer("c") }
    try stage.map.setCamera(camera(1))
    gate.set()
    stage.run()
    let white = try drawn(stage.map)
    #expect(stage.map.isLoaded && Set(white).count == 1)
    #expect(stage.events.filter { $0 == .mapIdle }.count == 1)
  }

  /// Keeps a loop's workers busy, so that what is handed to them waits.
  private func hold(_ loop: RunLoop) -> Signal {
    let gate = Signal()
    for _ in 0..<8 { loop.work({ _ = gate.wait(until: .after(ms: 60_000)) }) }
    return gate
  }

  @Test func aMapThatGoesWhileWorkersAreAtItSaysNothingMore() throws {
    for replaces in [false, true] {
      let stage = try Stage()
      let gate = hold(stage.loop)
      defer { gate.set() }
      try stage.map.setStyle(Self.style(2000), base: "")
      #expect(stage.loop.run(until: { stage.map.work != nil }))
      let before = stage.events.count
      if replaces {
        try stage.map.setStyle(Self.style(1), base: "")
        gate.set()
        stage.run()
        #expect(stage.map.isLoaded && stage.events.filter { $0 == .styleLoaded }.count == 1)
      } else {
        stage.map.destroy()
        gate.set()
        for _ in 0..<50 {
          stage.loop.runNoWait()
          usleep(1000)
        }
        #expect(stage.events.count == before && !stage.map.isBusy)
      }
    }
  }

  /// A host whose every frame moves the camera hears of frames all the same.
  @Test func framesAreToldWhileTheViewMoves() throws {
    let stage = try Stage()
    try stage.map.setStyle(Self.style(), base: "")
    stage.run()
    _ = try stage.map.draw()
    let before = stage.events.filter { $0 == .renderFrameStarted }.count
    var step = 0
    #expect(
      stage.loop.run(until: {
        step += 1
        try? stage.map.setCamera(camera(step))
        return stage.events.filter { $0 == .renderFrameStarted }.count >= before + 5
      }))
  }
}
