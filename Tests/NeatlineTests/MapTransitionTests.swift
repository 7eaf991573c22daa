import Neatline
import Testing

/// Changes that take their time, in a map on its loop and in real pictures.
struct MapTransitionTests {
  private final class Log {
    var events: [MapEvent.Kind] = []
    /// The first pixel of each frame.
    var colors: [[UInt8]] = []
  }

  private static let red: [UInt8] = [255, 0, 0, 255], blue: [UInt8] = [0, 0, 255, 255]

  /// A red map that is loaded and idle; what happens from then on goes to the log.
  private func redMap(_ paint: String = "") throws -> (EventLoop, Map, Log) {
    let (loop, log) = (try EventLoop(), Log())
    let map = try Map(loop: loop, width: 16, height: 16)
    try map.setStyle(
      json:
        #"{"version": 8, "sources": {}, "layers": [{"id": "b", "type": "background", "paint": {"background-color": "red"\#(paint)}}]}"#
    )
    loop.run(timeout: 10_000)
    map.onEvery { [unowned map] event in
      log.events.append(event.kind)
      guard event.kind == .renderFrameFinished, let image = try? map.draw() else { return }
      log.colors.append(image.withPixels { Array($0[0..<4]) })
    }
    return (loop, map, log)
  }

  @Test func framesFollowAColourToItsTargetAndTheMapIsIdleAfterwards() throws {
    let (loop, map, log) = try redMap(#", "background-color-transition": {"duration": 1000}"#)
    try map.setPaintProperty(layer: "b", "background-color", "blue")
    #expect(loop.run(timeout: 10_000) == false)
    #expect(log.colors.first != Self.blue)
    #expect(log.colors.last == Self.blue)
    let between = log.colors.filter { $0 != Self.red && $0 != Self.blue }
    #expect(!between.isEmpty)
    #expect(between.allSatisfy { $0[1] == 0 && $0[3] == 255 })
    #expect(log.colors.map { $0[2] } == log.colors.map { $0[2] }.sorted(), "blue never goes back")
    #expect(log.events.filter { $0 == .mapIdle }.count == 1)
    #expect(log.events.last == .mapIdle)
    #expect(log.events.filter { $0 == .renderFrameStarted }.count == log.colors.count)
    #expect(try map.property(layer: "b", "background-color") == "blue")
  }

  @Test func fadeDurationsAreSaid() throws {
    let (_, map, _) = try redMap()
    #expect(try map.fadeDuration == 300)
    for duration in [0, 150.5, 60_000] {
      try map.setFadeDuration(duration)
      #expect(try map.fadeDuration == duration)
    }
    for duration in [-1, 60_000.5, .nan, .infinity] {
      #expect { try map.setFadeDuration(duration) } throws: {
        ($0 as? NeatlineError)?.status == .invalidArgument && "\($0)".contains("0 to 60000")
      }
    }
  }

  @Test func aDelayIsWaitedFor() throws {
    let (loop, map, log) = try redMap()
    try map.style.setTransition(StyleTransition(duration: 0, delay: 400))
    loop.run(timeout: 10_000)
    log.colors = []
    log.events = []
    try map.setPaintProperty(layer: "b", "background-color", "blue")
    loop.run(timeout: 10_000)
    #expect(log.colors.first == Self.red)
    #expect(log.colors.last == Self.blue)
    #expect(Set(log.colors).count == 2)
    #expect(log.events.last == .mapIdle)
  }

  @Test func withoutDurationOneFrameIsEnough() throws {
    let (loop, map, log) = try redMap(#", "background-color-transition": {"duration": 0}"#)
    try map.setPaintProperty(layer: "b", "background-color", "blue")
    loop.run(timeout: 10_000)
    #expect(log.colors == [Self.blue])
    #expect(log.events.last == .mapIdle)
  }

  @Test func transitionsCanBeSwitchedOff() throws {
    let (loop, map, log) = try redMap()
    try map.setTransitions(enabled: false)
    loop.run(timeout: 10_000)
    log.colors = []
    try map.setPaintProperty(layer: "b", "background-color", "blue")
    #expect(try map.draw().withPixels { Array($0[0..<4]) } == Self.blue)
    loop.run(timeout: 10_000)
    #expect(log.colors == [Self.blue])
    // What is on its way is there at once.
    try map.setTransitions(enabled: true)
    try map.setPaintProperty(layer: "b", "background-color", "red")
    #expect(try map.draw().withPixels { Array($0[0..<4]) } == Self.blue)
    log.events = []
    try map.setTransitions(enabled: false)
    #expect(try map.draw().withPixels { Array($0[0..<4]) } == Self.red)
    loop.run(timeout: 10_000)
    #expect(log.events.filter { $0 == .renderFrameFinished }.count == 1)
    #expect(log.events.last == .mapIdle)
  }

  @Test func aStylesFirstFrameHasItsOwnValuesAndOthersTakeTheirTime() throws {
    let (loop, log) = (try EventLoop(), Log())
    let map = try Map(loop: loop, width: 16, height: 16)
    let style =
      #"{"version": 8, "transition": {"duration": 60}, "sources": {}, "layers": [{"id": "b", "type": "background"}]}"#
    try map.setStyle(json: style)
    try map.setPaintProperty(layer: "b", "background-color", "red")
    map.onEvery(.renderFrameFinished) { [unowned map] _ in
      if let image = try? map.draw() { log.colors.append(image.withPixels { Array($0[0..<4]) }) }
    }
    loop.run(timeout: 10_000)
    #expect(Set(log.colors) == [Self.red])
    log.colors = []
    let other = style.replacing(
      #""background"}"#, with: ##""background", "paint": {"background-color": "#00f"}}"##)
    try map.updateStyle(json: other)
    loop.run(timeout: 10_000)
    #expect(log.colors.count > 1)
    #expect(log.colors.last == Self.blue)
    // Another style, not a change of this one.
    log.colors = []
    try map.setStyle(json: style)
    loop.run(timeout: 10_000)
    #expect(Set(log.colors) == [[0, 0, 0, 255]])
  }

  @Test(arguments: [["duration": -1], ["delay": "soon"], 12, ["speed": 3]] as [JSONValue])
  func faultyTransitionsAreRefused(_ transition: JSONValue) throws {
    let (_, map, _) = try redMap()
    #expect(throws: NeatlineError.self) { try map.setStyleProperty("transition", transition) }
    #expect(throws: NeatlineError.self) {
      try map.setPaintProperty(layer: "b", "background-color-transition", transition)
    }
  }

  @Test func framesForGPUsShowWhatPicturesShow() throws {
    let loop = try EventLoop()
    let map = try Map(loop: loop, width: 64, height: 64)
    try map.setStyle(
      json: """
        {"version": 8, "transition": {"duration": 0, "delay": 600000}, "sources": {"s": {"type": "geojson", "data": {"type": "Polygon",
          "coordinates": [[[-90, -60], [90, -60], [90, 60], [-90, -60]]]}}},
         "layers": [{"id": "f", "type": "fill", "source": "s", "paint": {"fill-color": "red"}},
                    {"id": "l", "type": "line", "source": "s", "paint": {"line-width": 3}}]}
        """)
    loop.run(timeout: 10_000)
    try map.setPaintProperty(layer: "f", "fill-color", "blue")
    try map.setPaintProperty(layer: "l", "line-width", 9)
    loop.run(timeout: 100)
    let waiting = try map.frame()
    #expect(waiting.commands.first { $0.kind == .fill }?.values.color.0 == 1, "red, while the delay lasts")
    #expect(waiting.commands.first { $0.kind == .line }?.values.line.width_px == 3)
    #expect(
      waiting.commands.first { $0.kind == .line }?.values.line.floor_width_px == 9,
      "dashes are those of the width to come")
    try map.setTransitions(enabled: false)
    let final = try map.frame()
    #expect(final.commands.first { $0.kind == .fill }?.values.color.0 == 0)
    #expect(final.commands.first { $0.kind == .line }?.values.line.width_px == 9)
  }
}
