import NeatBase
import NeatCamera
import NeatLoop
import NeatMap
import NeatRaster
import NeatTestSupport
import Testing

@testable import NeatLive

/// Patterns of a map that is looked at go over to those of the next whole zoom, and then it rests.
@Suite struct LiveMapPatternFadeTests {
  private static let style = Array(
    """
    {"version": 8, "sources": {}, "layers": [
      {"id": "b", "type": "background", "paint": {"background-pattern": ["step", ["zoom"], "red", 6, "blue"]}}]}
    """.utf8)

  /// A map that has shown zoom 5.5, where it is red; above 6 it is blue.
  private func stage(isPaced: Bool = false) throws -> Stage {
    let stage = try Stage { $0.prefetchLevels = 0 }
    if isPaced { try stage.map.setPacing(byHost: true) }
    try stage.map.setCamera(Camera(center: LonLat(10, 10), zoom: 5.5))
    try stage.map.setStyle(Self.style, base: "")
    for (name, color) in [("red", [255, 0, 0, 255]), ("blue", [0, 0, 255, 255])] as [(String, [UInt8])] {
      try stage.map.addImage(
        StyleImage(
          name: name, width: 2, height: 2, pixelRatio: 1, isSDF: false, pixels: (0..<4).flatMap { _ in color }
        ))
    }
    return stage
  }

  /// Of the middle of a drawn frame.
  private func blue(_ map: LiveMap) throws -> Int {
    let bitmap = try map.draw().bitmap
    return withExtendedLifetime(bitmap) {
      Int(bitmap.pixels[bitmap.height / 2 * bitmap.width + bitmap.width / 2] >> 16 & 255)
    }
  }

  private func camera(_ zoom: Double) -> Camera { Camera(center: LonLat(10, 10), zoom: zoom) }

  @Test func aHostThatDrawsSeesThemGoOverAndThenTheMapRests() throws {
    let stage = try stage()
    stage.run()
    #expect(try blue(stage.map) == 0 && stage.problems.isEmpty)
    stage.events.removeAll()
    var seen: [Int] = []
    stage.handle = { map, event in
      if case .renderFrameFinished = event, let color = try? blue(map) { seen.append(color) }
    }
    let began = MonotonicClock.milliseconds
    try stage.map.setCamera(camera(6.1))
    stage.run()
    #expect(MonotonicClock.milliseconds - began >= 300, "patterns take their time")
    #expect(Set(seen).count > 3 && seen.last == 255 && seen == seen.sorted(), "\(seen)")
    #expect(seen.first.map { $0 < 200 } == true)
    #expect(stage.events.last == .mapIdle && stage.events.filter { $0 == .mapIdle }.count == 1)
    let repaints = stage.events.compactMap { event -> Bool? in
      if case .renderFrameFinished(_, let repaint, _) = event { repaint } else { nil }
    }
    #expect(repaints.last == false && repaints.first == true && !stage.map.isBusy)
  }

  @Test func aHostThatStopsDrawingIsNotKeptWaiting() throws {
    let stage = try stage()
    stage.run()
    _ = try blue(stage.map)
    let began = MonotonicClock.milliseconds
    try stage.map.setCamera(camera(6.1))
    stage.run()
    #expect(MonotonicClock.milliseconds - began < 290 && stage.events.last == .mapIdle)
    #expect(try blue(stage.map) == 255 && !stage.map.isBusy)
  }

  @Test func withoutAFadeDurationTheyAreThere() throws {
    let stage = try stage()
    try stage.map.setFadeDuration(0)
    stage.run()
    var seen: Set<Int> = []
    _ = try blue(stage.map)
    stage.handle = { map, event in
      if case .renderFrameFinished = event, let color = try? blue(map) { seen.insert(color) }
    }
    try stage.map.setCamera(camera(6.1))
    stage.run()
    #expect(seen == [255] && stage.events.last == .mapIdle)
  }

  /// By the host's own time, there and back, with its own duration.
  @Test func theHostsTimeIsTheirs() throws {
    let stage = try stage(isPaced: true)
    try stage.map.setFadeDuration(1000)
    func frame(_ time: Double) throws -> Int {
      try stage.map.beginFrame(atMS: time)
      for _ in 0..<20 { stage.loop.runNoWait() }
      return try blue(stage.map)
    }
    let deadline = Deadline.after(ms: 10_000)
    repeat { _ = try frame(1000) } while !stage.map.isLoaded && !deadline.isOver
    #expect(try frame(1000) == 0)
    // A tenth of the way to the next zoom has gone already.
    try stage.map.setCamera(camera(6.1))
    #expect(try abs(frame(2000) - 26) <= 1)
    #expect(try abs(frame(2500) - 140) <= 1 && frame(2500) == frame(2500))
    // Half way it turns round.
    try stage.map.setCamera(camera(5.8))
    #expect(try abs(frame(2500) - 204) <= 1)
    #expect(try abs(frame(3000) - 102) <= 1)
    // Another duration ends it.
    try stage.map.setFadeDuration(500)
    #expect(try frame(3000) == 0)
    try stage.map.setCamera(camera(6.1))
    #expect(try abs(frame(3100) - 26) <= 1)
    #expect(try frame(3600) == 255)
  }
}
