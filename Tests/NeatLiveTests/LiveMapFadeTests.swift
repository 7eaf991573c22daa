import NeatBase
import NeatCamera
import NeatImage
import NeatLoop
import NeatMap
import NeatRaster
import NeatTestSupport
import Testing

@testable import NeatLive

/// Raster tiles of a map that is looked at come in, and then it rests.
@Suite struct LiveMapFadeTests {
  private static func style() -> [UInt8] {
    let pixels = (0..<16).flatMap { _ in [255, 0, 0, 255] as [UInt8] }
    let png = encodePNG(PixelImage(width: 4, height: 4, pixels: pixels, isPremultiplied: false))
    let tile = "data:image/png;base64," + base64(png)
    let text = """
      {"version": 8, "sources": {"s": {"type": "raster", "tiles": ["\(tile)"], "tileSize": 256, "maxzoom": 8}},
       "layers": [{"id": "b", "type": "background", "paint": {"background-color": "white"}},
                  {"id": "l", "type": "raster", "source": "s"}]}
      """
    return Array(text.utf8)
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : "=")
      }
    }
    return text
  }

  /// A map that has shown its first tiles.
  private func stage() throws -> Stage {
    let stage = try Stage { $0.prefetchLevels = 0 }
    try stage.map.setCamera(Camera(center: LonLat(10, 10), zoom: 6))
    try stage.map.setStyle(Self.style(), base: "")
    stage.run()
    #expect(try color(stage.map) == [255, 0, 0] && stage.problems.isEmpty)
    stage.events.removeAll()
    return stage
  }

  /// Of the middle of a drawn frame.
  private func color(_ map: LiveMap) throws -> [Int] {
    let bitmap = try map.draw().bitmap
    let pixel = withExtendedLifetime(bitmap) {
      bitmap.pixels[bitmap.height / 2 * bitmap.width + bitmap.width / 2]
    }
    return [0, 8, 16].map { Int(pixel >> $0 & 255) }
  }

  /// Somewhere else, of which nothing is there.
  private let other = Camera(center: LonLat(-120, 40), zoom: 6)

  @Test func aHostThatDrawsSeesThemComeAndThenTheMapRests() throws {
    let stage = try stage()
    var greens: [Int] = []
    stage.handle = { map, event in
      if case .renderFrameFinished = event, let color = try? color(map) { greens.append(color[1]) }
    }
    let began = MonotonicClock.milliseconds
    try stage.map.setCamera(other)
    stage.run()
    #expect(MonotonicClock.milliseconds - began >= 300, "tiles take their time")
    #expect(Set(greens).count > 3 && greens.last == 0 && greens.first == 255, "\(greens)")
    #expect(stage.events.last == .mapIdle && stage.events.filter { $0 == .mapIdle }.count == 1)
    let repaints = stage.events.compactMap { event -> Bool? in
      if case .renderFrameFinished(_, let repaint, _) = event { repaint } else { nil }
    }
    #expect(repaints.last == false && !stage.map.isBusy)
  }

  @Test func aHostThatStopsDrawingIsNotKeptWaiting() throws {
    let stage = try stage()
    let began = MonotonicClock.milliseconds
    try stage.map.setCamera(other)
    stage.run()
    #expect(MonotonicClock.milliseconds - began < 290 && stage.events.last == .mapIdle)
    #expect(try color(stage.map) == [255, 0, 0] && !stage.map.isBusy)
  }

  @Test func withoutAFadeDurationTheyAreThere() throws {
    let stage = try stage()
    try stage.map.setFadeDuration(0)
    stage.run()
    var greens: Set<Int> = []
    stage.handle = { map, event in
      if case .renderFrameFinished(let isComplete, _, _) = event, isComplete, let color = try? color(map) {
        greens.insert(color[1])
      }
    }
    try stage.map.setCamera(other)
    stage.run()
    #expect(greens == [0] && stage.events.last == .mapIdle)
  }

  /// By the host's own time, which stands still between its frames.
  @Test func theHostsTimeIsTheirs() throws {
    let stage = try Stage { $0.prefetchLevels = 0 }
    try stage.map.setPacing(byHost: true)
    try stage.map.setCamera(Camera(center: LonLat(10, 10), zoom: 6))
    try stage.map.setStyle(Self.style(), base: "")
    func frame(_ time: Double) throws -> Int {
      try stage.map.beginFrame(atMS: time)
      for _ in 0..<20 { stage.loop.runNoWait() }
      return try color(stage.map)[1]
    }
    func load(at time: Double) throws {
      let deadline = Deadline.after(ms: 10_000)
      repeat { _ = try frame(time) } while !stage.map.isLoaded && !deadline.isOver
    }
    try load(at: 1000)
    #expect(try frame(2000) == 0)
    try stage.map.setCamera(other)
    try load(at: 2000)
    #expect(try frame(2000) == 255)
    #expect(try abs(frame(2150) - 128) <= 2 && frame(2150) == frame(2150))
    #expect(try frame(2300) == 0)
  }
}
