import NeatBase
import NeatCamera
import NeatJSON
import NeatMap
import Testing

@testable import NeatLive

/// The user's location on a map, at times that the test says: the host paces the frames.
@Suite struct LiveMapLocationTests {
  static let style = Array(
    """
    {"version": 8, "sources": {"g": {"type": "geojson", "data": {"type": "Polygon", "coordinates":
      [[[-60, -60], [60, -60], [60, 60], [-60, 60], [-60, -60]]]}}},
     "layers": [{"id": "b", "type": "background", "paint": {"background-color": "#fff"}},
                {"id": "f", "type": "fill", "source": "g", "paint": {"fill-color": "#eee"}}]}
    """.utf8)

  static func stage(paced: Bool = true, draws: Bool = true) throws -> Stage {
    let stage = try Stage()
    if paced { try stage.map.setPacing(byHost: true) }
    try stage.map.setStyle(style, base: "")
    try stage.map.setCamera(Camera(center: LonLat(11, 47), zoom: 14))
    stage.run()
    if paced { try stage.map.beginFrame(atMS: 0) }
    if draws { _ = try stage.map.draw() }
    stage.run()
    stage.events = []
    return stage
  }

  private func puck(_ change: (inout Puck2D) -> Void = { _ in }) -> LocationOptions {
    var (options, puck) = (LocationOptions(), Puck2D())
    change(&puck)
    options.puck = puck
    return options
  }

  /// Straight red, green and blue of a pixel.
  private func pixel(_ stage: Stage, _ x: Int = 32, _ y: Int = 32) throws -> [UInt8] {
    let bitmap = try stage.map.draw().bitmap
    let bits = bitmap.pixels[y * bitmap.width + x]
    return [UInt8(bits & 255), UInt8(bits >> 8 & 255), UInt8(bits >> 16 & 255)]
  }

  private let blue: [UInt8] = [74, 144, 226]

  @Test func aPuckStandsWhereTheUserIs() throws {
    let stage = try LiveMapLocationTests.stage()
    let ground = try pixel(stage)
    try stage.map.setLocationOptions(puck())
    #expect(try pixel(stage) == ground, "nobody has said where")
    try stage.map.push(Location(LonLat(11, 47)))
    #expect(stage.events.contains(.locationChanged(Location(LonLat(11, 47)))))
    #expect(try pixel(stage) == blue && pixel(stage, 32, 41) == [255, 255, 255])
    #expect(try pixel(stage, 2, 2) == ground)
    try stage.map.forgetLocation()
    #expect(try pixel(stage) == ground)
    try stage.map.push(Location(LonLat(11, 47)))
    try stage.map.setLocationOptions(LocationOptions())
    #expect(try pixel(stage) == ground)
  }

  @Test func aStyleThatIsLoadedKeepsThePuck() throws {
    let stage = try LiveMapLocationTests.stage()
    try stage.map.setLocationOptions(puck())
    try stage.map.push(Location(LonLat(11, 47)))
    try stage.map.setStyle(
      Array(#"{"version":8,"sources":{},"layers":[{"id":"b","type":"background"}]}"#.utf8), base: "")
    stage.run()
    #expect(try pixel(stage) == blue)
  }

  @Test func thePuckGoesFromLocationToLocation() throws {
    let stage = try LiveMapLocationTests.stage()
    try stage.map.setLocationOptions(puck())
    try stage.map.push(Location(LonLat(11, 47)))
    try stage.map.beginFrame(atMS: 1000)
    stage.events = []
    try stage.map.push(Location(LonLat(11.001, 47)))
    stage.run()
    #expect(stage.events.contains(.frameDue) && stage.map.isFrameDue)
    #expect(stage.map.shownLocation?.place == LonLat(11, 47))
    try stage.map.beginFrame(atMS: 2000)
    try stage.map.beginFrame(atMS: 2550)
    #expect(abs((stage.map.shownLocation?.place.lon ?? 0) - 11.0005) < 1e-9)
    // 0.0005 degrees are 11.7 pixels at this zoom.
    #expect(try pixel(stage, 43, 32) == blue)
    try stage.map.beginFrame(atMS: 3100)
    #expect(stage.map.shownLocation?.place == LonLat(11.001, 47))
    let moved = stage.events.filter { if case .puckMoved = $0 { true } else { false } }
    #expect(moved.count == 2)
    _ = try stage.map.draw()
    stage.run()
    #expect(stage.events.contains(.mapIdle) && !stage.map.isFrameDue)
  }

  @Test func aPuckAt60HertzLaysOutNoTile() throws {
    let stage = try LiveMapLocationTests.stage()
    try stage.map.setLocationOptions(
      puck {
        $0.showsAccuracyRing = true; $0.pulsing = .init()
      })
    try stage.map.push(Location(LonLat(11, 47)))
    _ = try stage.map.draw()
    let before = try #require(stage.map.core?.laidOutLayerCount)
    #expect(before > 0)
    for frame in 0..<600 {
      var location = Location(LonLat(11 + Double(frame) * 1e-6, 47))
      location.horizontalAccuracy = 20
      try stage.map.push(location)
      try stage.map.push(Heading(Double(frame)))
      try stage.map.beginFrame(atMS: Double(frame) * 1000 / 60)
      _ = try stage.map.draw()
      stage.run()
    }
    #expect(stage.map.core?.laidOutLayerCount == before)
  }

  @Test func aPulsingPuckKeepsTheMapFromRest() throws {
    let stage = try LiveMapLocationTests.stage()
    try stage.map.setLocationOptions(puck { $0.pulsing = .init() })
    try stage.map.push(Location(LonLat(11, 47)))
    try stage.map.beginFrame(atMS: 0)
    _ = try stage.map.draw()
    stage.events = []
    let ground = try pixel(stage, 4, 32)
    // 30 pixels by three seconds, and by half of them nearly all of it.
    try stage.map.beginFrame(atMS: 1500)
    #expect(try pixel(stage, 8, 32) != ground)
    stage.run()
    #expect(!stage.events.contains(.mapIdle) && stage.map.isFrameDue)
    try stage.map.beginFrame(atMS: 3000)
    #expect(try pixel(stage, 8, 32) == ground, "it begins anew")
    // A reduced location has no pulses, and neither has a puck that is told not to.
    try stage.map.setAccuracyAuthorization(.reduced)
    try stage.map.beginFrame(atMS: 3100)
    _ = try stage.map.draw()
    stage.run()
    #expect(stage.events.contains(.mapIdle))
  }

  /// A host that never takes a frame sees no pulse: its map comes to rest.
  @Test func whereNobodyLooksNothingPulses() throws {
    let stage = try LiveMapLocationTests.stage(paced: false, draws: false)
    try stage.map.setLocationOptions(puck { $0.pulsing = .init() })
    try stage.map.push(Location(LonLat(11, 47)))
    stage.run(seconds: 10)
    #expect(stage.events.last == .mapIdle && !stage.map.isBusy)
  }

  /// Where the loop paces frames, pulses begin with the first frame that somebody takes.
  @Test func theLoopPacesPulsesForWhoLooks() throws {
    let stage = try LiveMapLocationTests.stage(paced: false)
    try stage.map.setLocationOptions(puck { $0.pulsing = .init() })
    try stage.map.push(Location(LonLat(11, 47)))
    _ = try stage.map.draw()
    stage.events = []
    stage.run(seconds: 1)
    let frames = stage.events.filter { $0 == .renderFrameStarted }.count
    #expect(stage.map.isBusy && frames > 5 && !stage.events.contains(.mapIdle))
    try stage.map.setLocationOptions(puck())
    stage.run()
    #expect(stage.events.last == .mapIdle && !stage.map.isBusy)
  }

  @Test func theLoopPacesPucksToo() throws {
    let stage = try LiveMapLocationTests.stage(paced: false)
    try stage.map.setLocationOptions(puck())
    try stage.map.push(Location(LonLat(11, 47)))
    stage.run()
    stage.events = []
    try stage.map.push(Location(LonLat(11.001, 47)))
    stage.run()
    #expect(stage.map.shownLocation?.place == LonLat(11.001, 47) && stage.events.last == .mapIdle)
    let moved = stage.events.filter { if case .puckMoved = $0 { true } else { false } }
    #expect(moved.count > 5)
  }

  @Test func reducedAccuracyShowsTheRingAlone() throws {
    let stage = try LiveMapLocationTests.stage()
    try stage.map.setLocationOptions(puck { $0.ringColor = Color(r: 1, g: 0, b: 0, a: 1) })
    var location = Location(LonLat(11, 47))
    location.horizontalAccuracy = 3000
    try stage.map.push(location)
    #expect(try pixel(stage) == blue)
    try stage.map.setAccuracyAuthorization(.reduced)
    #expect(stage.events.contains(.accuracyAuthorizationChanged(.reduced)))
    stage.events = []
    try stage.map.setAccuracyAuthorization(.reduced)
    #expect(!stage.events.contains(.accuracyAuthorizationChanged(.reduced)), "it is that already")
    #expect(try pixel(stage) == [255, 0, 0] && pixel(stage, 1, 1) == [255, 0, 0])
    // Far out it is 11 pixels.
    try stage.map.setCamera(Camera(center: LonLat(11, 47), zoom: 2))
    #expect(try pixel(stage, 41, 32) == [255, 0, 0] && pixel(stage, 45, 32) != [255, 0, 0])
  }

  @Test func courseOrHeadingTurnsThePuck() throws {
    let stage = try LiveMapLocationTests.stage()
    var pixels = [UInt8](repeating: 0, count: 40 * 40 * 4)
    for y in 0..<20 {
      for x in 0..<40 { (pixels[(y * 40 + x) * 4], pixels[(y * 40 + x) * 4 + 3]) = (255, 255) }
    }
    let image = PixelImage(width: 40, height: 40, pixels: pixels, isPremultiplied: true)
    var options = puck()
    for kind in PuckImageKind.allCases { options.puck?.images[kind] = try PuckImage(image, pixelRatio: 1) }
    try stage.map.setLocationOptions(options)
    var location = Location(LonLat(11, 47))
    location.course = 180
    try stage.map.push(location)
    try stage.map.push(Heading(90))
    let red: [UInt8] = [255, 0, 0]
    #expect(try pixel(stage, 42, 32) == red && pixel(stage, 22, 32) != red, "east")
    options.puckBearing = .course
    try stage.map.setLocationOptions(options)
    #expect(try pixel(stage, 32, 42) == red && pixel(stage, 32, 22) != red, "south")
    options.puckBearingEnabled = false
    try stage.map.setLocationOptions(options)
    #expect(try pixel(stage, 32, 22) == red && pixel(stage, 32, 42) != red, "north")
    // The map's bearing turns all of it.
    try stage.map.setCamera(Camera(center: LonLat(11, 47), zoom: 14, bearing: 180))
    #expect(try pixel(stage, 32, 42) == red && pixel(stage, 32, 22) != red)
  }

  @Test func imagesHaveLimits() throws {
    func picture(_ edge: Int) -> PixelImage {
      PixelImage(
        width: edge, height: edge, pixels: [UInt8](repeating: 0, count: edge * edge * 4),
        isPremultiplied: true)
    }
    #expect(throws: NeatError.self) { try PuckImage(picture(0), pixelRatio: 1) }
    #expect(throws: NeatError.self) { try PuckImage(picture(1025), pixelRatio: 1) }
    #expect(throws: NeatError.self) { try PuckImage(picture(4), pixelRatio: .nan) }
    #expect(throws: Never.self) { try PuckImage(picture(1024), pixelRatio: 2) }
    let stage = try LiveMapLocationTests.stage()
    #expect(throws: NeatError.self) {
      try stage.map.setPuckImage(.top, try PuckImage(picture(4), pixelRatio: 1))
    }
  }

  /// Whatever the camera and the place: nothing but a picture comes of it.
  @Test func everyCameraDrawsEveryPlace() throws {
    let stage = try LiveMapLocationTests.stage()
    try stage.map.setLocationOptions(
      puck {
        $0.showsAccuracyRing = true; $0.scale = try! PuckScale(.number(50))
      })
    for place in [LonLat(0, 90), LonLat(180, -90), LonLat(-179.999, 0), LonLat(11, 47), LonLat(11, 47.02)] {
      for accuracy in [0, 10, 1e8] {
        try stage.map.forgetLocation()
        var location = Location(place)
        location.horizontalAccuracy = accuracy
        try stage.map.push(location)
        for (zoom, pitch) in [(0.0, 0.0), (14, 85), (22, 60), (2, 85)] {
          try stage.map.setCamera(
            Camera(center: LonLat(11, 47), zoom: zoom, bearing: 33, pitch: pitch, roll: 20))
          _ = try stage.map.draw()
          _ = try stage.map.meshFrame()
        }
      }
    }
  }

  @Test func aMeshFrameHasThePuckAboveAllLayers() throws {
    let stage = try LiveMapLocationTests.stage()
    try stage.map.setLocationOptions(puck { $0.showsAccuracyRing = true })
    var location = Location(LonLat(11, 47))
    location.horizontalAccuracy = 50
    try stage.map.push(location)
    let frame = try stage.map.meshFrame()
    #expect(frame.layers.last == "neatline-puck")
    let own = frame.commands.filter { $0.layer == frame.layers.count - 1 }
    #expect(own.map(\.kind) == [.fill, .fillOutline, .raster, .raster])
    #expect(frame.commands.suffix(4).allSatisfy { $0.layer == frame.layers.count - 1 })
    // The next frame has the same buffers and textures: a host uploads nothing.
    let next = try stage.map.meshFrame()
    #expect(
      next.textures.map(\.id) == frame.textures.map(\.id) && next.buffers.map(\.id) == frame.buffers.map(\.id)
    )
  }

  // MARK: Providers

  private final class Heard {
    var updates: [[Bool]] = []
    var keys: [String] = []
    var then: () -> Void = {}
  }

  private func provider(_ heard: Heard) -> LocationProvider {
    LocationProvider(
      update: {
        heard.updates.append([$0, $1]); heard.then()
      }, requestFullAccuracy: { heard.keys.append($0) })
  }

  @Test func aProviderIsToldWhatIsWanted() throws {
    let (stage, heard) = (try LiveMapLocationTests.stage(), Heard())
    try stage.map.setLocationProvider(provider(heard))
    #expect(heard.updates.isEmpty, "nothing shows a location")
    try stage.map.setLocationOptions(puck())
    #expect(heard.updates == [[true, true]])
    var options = puck()
    options.puckBearing = .course
    try stage.map.setLocationOptions(options)
    #expect(heard.updates.last == [true, false])
    options.updates = .always
    options.puck = nil
    try stage.map.setLocationOptions(options)
    #expect(heard.updates.last == [true, true])
    try stage.map.requestFullAccuracy(purposeKey: "route")
    #expect(heard.keys == ["route"])
    try stage.map.setLocationProvider(nil)
    #expect(heard.updates.last == [false, false])
    #expect(throws: NeatError.self) { try stage.map.requestFullAccuracy(purposeKey: "route") }
    let last = Heard()
    try stage.map.setLocationProvider(provider(last))
    stage.map.destroy()
    #expect(last.updates == [[true, true], [false, false]] && heard.updates.count == 4)
  }

  @Test func aProviderMayCallBackAndDestroyTheMap() throws {
    let (stage, heard) = (try LiveMapLocationTests.stage(), Heard())
    heard.then = { try? stage.map.push(Location(LonLat(1, 2))) }
    try stage.map.setLocationProvider(provider(heard))
    try stage.map.setLocationOptions(puck())
    #expect(stage.map.latestLocation?.place == LonLat(1, 2))
    heard.then = { stage.map.destroy() }
    try stage.map.setLocationOptions(LocationOptions())
    #expect(throws: NeatError.self) { try stage.map.push(Location(LonLat(1, 2))) }
    #expect(heard.updates.last == [false, false])
  }

  @Test func aHandlerMayDestroyTheMapWithinALocation() throws {
    for kind in 0..<2 {
      let stage = try LiveMapLocationTests.stage()
      try stage.map.setLocationOptions(puck())
      stage.handle = { map, event in
        switch event {
        case .locationChanged where kind == 0: map.destroy()
        case .puckMoved where kind == 1: map.destroy()
        default: break
        }
      }
      try stage.map.push(Location(LonLat(11, 47)))
      stage.run()
      #expect(stage.map.isDestroyed)
    }
  }

  @Test func errorsAreTold() throws {
    let stage = try LiveMapLocationTests.stage()
    try stage.map.failLocation(NeatError(.timeout, "no satellites"))
    #expect(stage.events == [.locationFailed(NeatError(.timeout, "no satellites"))])
  }

  // MARK: Replays

  private func recording(_ count: Int, every seconds: Double = 1) throws -> LocationRecording {
    var text = "<gpx><trk><trkseg>"
    for index in 0..<count {
      let whole = Int(saturating: Double(index) * seconds)
      let (hour, minute, second) = (whole / 3600, whole / 60 % 60, whole % 60)
      func two(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
      text +=
        "<trkpt lat=\"\(47 + 0.01 * sin(Double(index) / 300))\" lon=\"\(11 + Double(index) * 5e-5)\">"
        + "<time>2024-05-01T\(two(hour)):\(two(minute)):\(two(second))Z</time></trkpt>"
    }
    return try LocationRecording(Array((text + "</trkseg></trk></gpx>").utf8))
  }

  private func places(_ stage: Stage) -> [LonLat] {
    stage.events.compactMap { if case .locationChanged(let location) = $0 { location.place } else { nil } }
  }

  @Test func aRecordingComesAtItsTimes() throws {
    let stage = try LiveMapLocationTests.stage()
    var ends: [NeatError?] = []
    try stage.map.replay(try recording(5), speed: 2) { ends.append($0) }
    #expect(places(stage).count == 1, "the first at once")
    try stage.map.beginFrame(atMS: 10_000)
    try stage.map.beginFrame(atMS: 10_499)
    #expect(places(stage).count == 1)
    try stage.map.beginFrame(atMS: 10_500)
    #expect(places(stage).count == 2)
    // What was slept through comes in order.
    try stage.map.beginFrame(atMS: 11_600)
    #expect(places(stage).count == 4 && ends.isEmpty && stage.map.isReplaying)
    try stage.map.beginFrame(atMS: 12_000)
    #expect(places(stage).count == 5 && ends.count == 1 && ends[0] == nil && !stage.map.isReplaying)
    stage.events = []
    try stage.map.beginFrame(atMS: 90_000)
    #expect(places(stage).isEmpty)
  }

  @Test func theLoopWaitsForARecordingAndEndsWithIt() throws {
    let stage = try LiveMapLocationTests.stage(paced: false)
    var ends = 0
    try stage.map.replay(try recording(8), speed: 100) { if $0 == nil { ends += 1 } }
    #expect(stage.map.isBusy)
    stage.run()
    #expect(places(stage).count == 8 && ends == 1 && !stage.map.isBusy)
    stage.events = []
    for _ in 0..<10 { stage.loop.runNoWait() }
    #expect(stage.events.isEmpty)
  }

  @Test func aReplayIsStoppedReplacedAndEndsWithTheMap() throws {
    let (stage, heard) = (try LiveMapLocationTests.stage(paced: false), Heard())
    try stage.map.setLocationProvider(provider(heard))
    try stage.map.setLocationOptions(puck())
    var ends: [ErrorCode?] = []
    let long = try recording(100)
    for _ in 0..<2 { try stage.map.replay(long, speed: 1) { ends.append($0?.code) } }
    #expect(ends == [.cancelled] && heard.updates.contains([false, false]))
    stage.map.stopReplay()
    #expect(ends == [.cancelled, .cancelled] && heard.updates.last == [true, true])
    try stage.map.replay(long, speed: 1) { ends.append($0?.code) }
    stage.map.destroy()
    #expect(ends == [.cancelled, .cancelled, .cancelled])
    let other = try LiveMapLocationTests.stage()
    for speed in [0, -1, .nan, .infinity, 10_001] as [Double] {
      #expect(throws: NeatError.self) { try other.map.replay(long, speed: speed, completion: nil) }
    }
  }

  @Test func aHandlerMayStopAReplayAndDestroyItsMap() throws {
    for destroys in [false, true] {
      let stage = try LiveMapLocationTests.stage(paced: false)
      var ends: [ErrorCode?] = []
      stage.handle = { map, event in
        guard case .locationChanged = event, self.places(stage).count == 3 else { return }
        if destroys { map.destroy() } else { map.stopReplay() }
      }
      try stage.map.replay(try recording(50), speed: 1000) { ends.append($0?.code) }
      stage.run()
      #expect(places(stage).count == 3 && ends == [.cancelled])
    }
  }

  /// An hour of a track at twenty times its speed, with a view that follows it: what is held does not grow, and after the
  /// end nothing comes.
  @Test func anHourReplayedAt20TimesItsSpeedHoldsNoMore() throws {
    // What is measured is the process's, in which other tests run: what the map itself held would grow each time.
    var growths: [Int] = []
    repeat {
      growths.append(try replayAnHour())
    } while growths.count < 4 && growths[growths.count - 1] >= 24 << 20
    #expect(growths.contains { $0 < 24 << 20 }, "\(growths)")
  }

  /// By how many bytes the process grew from a tenth on.
  private func replayAnHour() throws -> Int {
    let stage = try LiveMapLocationTests.stage()
    stage.handle = { _, _ in if stage.events.count > 100 { stage.events.removeAll(keepingCapacity: true) } }
    var options = puck { $0.showsAccuracyRing = true }
    options.puckBearing = .course
    try stage.map.setLocationOptions(options)
    var follow = FollowPuckOptions()
    follow.bearing = .course
    try stage.map.goTo(try stage.map.makeViewportState(follow))
    var isOver = false
    try stage.map.replay(try recording(3600), speed: 20) { isOver = $0 == nil }
    var time = 0.0, frames = 0, early = 0
    while !isOver, frames < 8000 {
      time += 1000.0 / 15
      frames += 1
      try stage.map.beginFrame(atMS: time)
      if frames % 4 == 0 { _ = try stage.map.draw() }
      stage.run()
      if frames == 500 { early = LiveMapLocationTests.residentBytes }
    }
    #expect(isOver && frames > 2500)
    let growth = LiveMapLocationTests.residentBytes - early
    // The last way of the puck, and no more.
    for _ in 0..<60 {
      time += 1000.0 / 15
      try stage.map.beginFrame(atMS: time)
      _ = try stage.map.draw()
      stage.run()
    }
    stage.events = []
    for _ in 0..<60 {
      time += 1000.0 / 15
      try stage.map.beginFrame(atMS: time)
      stage.run()
    }
    #expect(stage.events.isEmpty && !stage.map.isFrameDue)
    return growth
  }

  private static var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return 0 }
    let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * 4096 : 0
  }
}
