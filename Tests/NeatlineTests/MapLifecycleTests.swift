import Neatline
import Testing

/// The life of a map through the Swift module, and what bad input gets.
struct MapLifecycleTests {
  private static let plain = """
    {"version":8,"sources":{"p":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]}}},
     "layers":[{"id":"bg","type":"background","paint":{"background-color":"#102030"}},
               {"id":"dot","type":"circle","source":"p","paint":{"circle-radius":10,"circle-color":"#ffffff"}}]}
    """

  private final class Log {
    var events: [MapEvent] = []
  }

  private func map(_ log: Log) throws -> (EventLoop, Map) {
    let loop = try EventLoop()
    let map = try Map(loop: loop, width: 64, height: 64)
    map.onEvery { log.events.append($0.payload) }
    return (loop, map)
  }

  @Test func eventsComeInTheOrderOfTheLifecycle() throws {
    let log = Log()
    let (loop, map) = try map(log)
    try map.setStyle(json: Self.plain)
    loop.run(timeout: 10_000)
    let kinds = log.events.map(\.kind)
    #expect(kinds.first == .styleDataLoaded)
    let order: [MapEvent.Kind] = [
      .styleDataLoaded, .sourceAdded, .styleLoaded, .renderFrameStarted, .renderFrameFinished, .mapLoaded,
      .mapIdle,
    ]
    let places = order.map { kind in kinds.firstIndex(of: kind) }
    #expect(!places.contains(nil), "\(kinds)")
    #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted(), "\(kinds)")
    #expect(kinds.filter { $0 == .mapLoaded }.count == 1)
    #expect(map.isLoaded)
  }

  /// A sprite, a source with metadata of its own, one whose data is loaded: every part is told once, in
  /// order, and before the first frame.
  @Test func thePartsOfAStyleAreToldInOrder() throws {
    let log = Log()
    let (loop, map) = try map(log)
    try map.setStyle(
      json: """
        {"version":8,"sprite":"data:,none",
         "sources":{"p":{"type":"geojson","data":"data:application/json,{%22type%22:%22Point%22,%22coordinates%22:[0,0]}"},
                    "q":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]}},
                    "gone":{"type":"geojson","data":"/nowhere/points.geojson"}},
         "layers":[{"id":"a","type":"circle","source":"p"},{"id":"b","type":"circle","source":"gone"},
                   {"id":"c","type":"symbol","source":"q","layout":{"icon-image":"nobody"}}]}
        """)
    loop.run(timeout: 10_000)
    let told = log.events.filter {
      [.styleDataLoaded, .styleLoaded, .renderFrameStarted, .mapLoaded, .mapIdle].contains($0.kind)
    }
    #expect(
      Array(told.prefix(4)) == [
        .styleDataLoaded(.style), .styleDataLoaded(.sprite), .styleDataLoaded(.sources), .styleLoaded,
      ])
    #expect(told.suffix(2) == [.mapLoaded, .mapIdle])
    #expect(log.events.filter { $0 == .styleImageMissing(name: "nobody") }.count == 1)
    let loaded = log.events.filter { $0.kind == .sourceDataLoaded }
    #expect(
      Set(loaded) == [.sourceDataLoaded(source: "p", tile: nil), .sourceDataLoaded(source: "q", tile: nil)])
    #expect(
      log.events.contains {
        if case .mapLoadingError(let error) = $0 {
          error.resource == "/nowhere/points.geojson"
        } else {
          false
        }
      })
    log.events = []
    try map.setStyle(json: Self.plain)
    #expect(Set(log.events.filter { $0.kind == .sourceRemoved }).count == 3)
  }

  @Test func aLoadedMapDrawsItsData() throws {
    let (loop, map) = try map(Log())
    try map.setStyle(json: Self.plain)
    loop.run(timeout: 10_000)
    let image = try map.draw()
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
      image.withPixels { Array($0[(y * 64 + x) * 4..<(y * 64 + x) * 4 + 4]) }
    }
    #expect(pixel(2, 2) == [0x10, 0x20, 0x30, 255])
    #expect(pixel(32, 32) == [255, 255, 255, 255])
  }

  @Test func aMissingStyleIsToldAndTheLoopEnds() throws {
    let log = Log()
    let (loop, map) = try map(log)
    try map.loadStyle("/nowhere/style.json")
    #expect(loop.run(timeout: 10_000) == false)
    let failures = log.events.filter { $0.kind == .mapLoadingError }
    #expect(failures.count == 1)
    #expect("\(failures)".contains("/nowhere/style.json"))
    #expect(!log.events.contains { $0.kind == .mapLoaded })
    #expect(throws: NeatlineError.self) { try map.draw() }
  }

  @Test func aMissingSourceCostsItselfOnly() throws {
    let log = Log()
    let (loop, map) = try map(log)
    let broken = Self.plain.replacing(
      #"{"type":"Point","coordinates":[0,0]}"#, with: #""/nowhere/points.geojson""#)
    try map.setStyle(json: broken)
    loop.run(timeout: 10_000)
    #expect(log.events.contains { $0.kind == .mapLoadingError })
    #expect(log.events.contains { $0.kind == .mapLoaded }, "the map goes on without the source")
    let image = try map.draw()
    #expect(image.withPixels { Array($0[0..<4]) } == [0x10, 0x20, 0x30, 255])
  }

  @Test(arguments: ["", "{", "[]", #"{"version":7}"#, "\u{0}"])
  func whatIsNoStyleIsRefused(_ text: String) throws {
    let (_, map) = try map(Log())
    #expect(throws: NeatlineError.self) { try map.setStyle(json: text) }
  }

  @Test func aBrokenLayerCostsItselfAndIsNamed() throws {
    let style = #"""
      {"version":8,"sources":{},"layers":[{"id":"bg","type":"background","paint":{"background-color":"#00ff00"}},
      {"id":"bad","type":"fill","source":"none","paint":{"fill-color":["get"]}}]}
      """#
    let renderer = try Renderer(json: style)
    let image = try renderer.draw(width: 8, height: 8)
    #expect(image.withPixels { Array($0[0..<4]) } == [0, 255, 0, 255])
    #expect(try renderer.problems.contains { $0.message.contains("layers[1]") })
  }

  @Test func changesAreDrawn() throws {
    let (loop, map) = try map(Log())
    try map.setStyle(json: Self.plain)
    loop.run(timeout: 10_000)
    try map.setPaintProperty(layer: "bg", "background-color", "#ff0000")
    loop.run(timeout: 10_000)
    #expect(try map.draw().withPixels { Array($0[0..<4]) } == [255, 0, 0, 255])
    #expect(throws: NeatlineError.self) {
      try map.setPaintProperty(layer: "nobody", "background-color", "#ff0000")
    }
    #expect(throws: NeatlineError.self) { try map.setPaintProperty(layer: "bg", "background-color", 12) }
    try map.removeLayer("dot")
    #expect(throws: NeatlineError.self) { try map.removeLayer("dot") }
  }

  @Test func aStyleGoesOverToAnotherStepByStep() throws {
    let log = Log()
    let (loop, map) = try map(log)
    #expect(throws: NeatlineError.self) { try map.updateStyle(json: Self.plain) }
    try map.setStyle(json: Self.plain)
    loop.run(timeout: 10_000)
    let other = Self.plain.replacing("#102030", with: "#ff0000").replacing(
      "\"circle-radius\":10", with: "\"circle-radius\":12")
    #expect(
      try styleSteps(from: Self.plain, to: other) == [
        StyleStep(command: "setPaintProperty", arguments: ["dot", "circle-radius", 12]),
        StyleStep(command: "setPaintProperty", arguments: ["bg", "background-color", "#ff0000"]),
      ])
    #expect(try styleSteps(from: other, to: other).isEmpty)
    try map.updateStyle(json: other)
    loop.run(timeout: 10_000)
    #expect(try map.draw().withPixels { Array($0[0..<4]) } == [255, 0, 0, 255])
    #expect(!log.events.contains { $0.kind == .sourceRemoved })
    #expect(try map.property(layer: "dot", "circle-radius") == 12)
    #expect(try map.property(layer: "dot", "circle-blur") == .null)
    #expect(try map.property(layer: "dot", "source") == "p")
    #expect(throws: NeatlineError.self) { try map.property(layer: "dot", "line-width") }
    #expect(throws: NeatlineError.self) { try map.updateStyle(json: "[]") }
    #expect(try map.property(layer: "dot", "circle-radius") == 12)
  }

  @Test(arguments: [Double.nan, .infinity, -3, 30]) func camerasOutOfRangeAreRefused(_ zoom: Double) throws {
    let renderer = try Renderer(json: Self.plain)
    #expect(throws: NeatlineError.self) { try renderer.draw(camera: Camera(zoom: zoom), width: 8, height: 8) }
  }

  @Test(arguments: [(0, 8), (8, 0), (20_000, 8), (-1, 8)]) func sizesOutOfRangeAreRefused(
    _ width: Int, _ height: Int
  ) throws {
    let renderer = try Renderer(json: Self.plain)
    #expect(throws: NeatlineError.self) { try renderer.draw(width: width, height: height) }
  }

  @Test func threadCountDoesNotChangePixels() throws {
    func pixels(_ threads: Int) throws -> [UInt8] {
      var options = Options()
      options.threadCount = threads
      return try Renderer(json: Self.plain, options: options).draw(
        camera: Camera(zoom: 2, bearing: 30), width: 200, height: 150
      ).withPixels { Array($0) }
    }
    let one = try pixels(1)
    #expect(try pixels(4) == one)
  }

  @Test func damagedImagesAndTilesAreRefused() {
    #expect(throws: NeatlineError.self) { try Image(decoding: [0x89, 0x50, 0x4E, 0x47, 0, 0, 0, 0]) }
    #expect(throws: NeatlineError.self) {
      try Tile(decoding: [0x1A, 0xFF, 0xFF, 0xFF, 0x7F], isStrict: true)
    }
    #expect(throws: NeatlineError.self) { try Archive(path: "/nowhere/x.mbtiles") }
    #expect(throws: NeatlineError.self) { try Archive(parsing: Array("PMTiles\u{3}".utf8)) }
  }
}
