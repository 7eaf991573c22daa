import NeatBase
import NeatCamera
import NeatJSON
import NeatMap
import NeatStyle
import NeatTestSupport
import Testing

@testable import NeatLive

/// Memory that is given back, and pictures that are the same after it.
@Suite struct ReduceMemoryTests {
  private func pixels(_ picture: Picture) -> [UInt32] {
    let bitmap = picture.bitmap
    return withExtendedLifetime(bitmap) { (0..<bitmap.width * bitmap.height).map { bitmap.pixels[$0] } }
  }

  private func mixed(_ world: World) -> [UInt8] {
    let points = (0..<200).map { number in
      #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[\#(number % 60),\#(number % 50)]}}"#
    }
    return Array(
      """
      {"version": 8, "sources": {
         "s": {"type": "vector", "url": "\(world.server.url("/source.json"))"},
         "p": {"type": "geojson", "data": {"type": "FeatureCollection", "features": [\(points.joined(separator: ","))]}}},
       "layers": [{"id": "b", "type": "background", "paint": {"background-color": "#00f"}},
                  {"id": "f", "type": "fill", "source": "s", "source-layer": "l",
                   "paint": {"fill-color": "#f00", "fill-opacity": 0.5}},
                  {"id": "c", "type": "circle", "source": "p", "paint": {"circle-radius": 3}}]}
      """.utf8)
  }

  @Test func aMapGivesBackWhatItDoesNotShow() throws {
    let world = World()
    let stage = try Stage()
    try stage.map.setStyle(mixed(world), base: "")
    for zoom in [0.0, 1.4, 2.3, 3.7, 2.3] {
      try stage.map.setCamera(Camera(center: LonLat(10, 10), zoom: zoom))
      stage.run()
    }
    let core = try stage.map.loadedCore()
    let before = (bytes: core.cachedBytes, requests: world.tileCount, pixels: pixels(try stage.map.draw()))
    stage.map.reduceMemoryUse()
    let bytes = core.cachedBytes
    #expect(bytes > 0 && bytes < before.bytes / 2, "\(before.bytes) bytes before, \(bytes) after")
    #expect(pixels(try stage.map.draw()) == before.pixels)
    stage.map.invalidate()
    stage.run()
    #expect(world.tileCount == before.requests, "what is shown is not asked for again")
    #expect(pixels(try stage.map.draw()) == before.pixels)
    #expect(core.cachedBytes == bytes)
    // What was dropped comes again.
    try stage.map.setCamera(Camera(center: LonLat(10, 10), zoom: 3.7))
    stage.run()
    #expect(world.tileCount > before.requests && stage.map.isLoaded && stage.failures == [])
  }

  @Test func aMapWithoutAStyleHasNothingToGiveBack() throws {
    let stage = try Stage()
    stage.map.reduceMemoryUse()
    #expect(stage.events == [])
  }

  /// An ancestor that stands in for tiles that are on their way is shown, and stays.
  @Test func whatStandsInStays() throws {
    let world = World { request in
      request.path.hasPrefix("/tiles/") && !request.path.hasPrefix("/tiles/0/") ? .silence : nil
    }
    let stage = try Stage()
    try stage.map.setStyle(mixed(world), base: "")
    stage.run()
    try stage.map.setCamera(Camera(center: LonLat(10, 10), zoom: 1))
    for _ in 0..<20 { stage.loop.runNoWait() }
    let before = pixels(try stage.map.draw())
    stage.map.reduceMemoryUse()
    #expect(pixels(try stage.map.draw()) == before)
  }

  @Test func aRendererGivesBackAllOfIt() throws {
    let world = World()
    let style = try Style(parsing: mixed(world))
    var options = MapEnvironment.Options()
    options.threadCount = 1
    let renderer = try Renderer(style: style, base: "", options: options)
    let camera = Camera(center: LonLat(10, 10), zoom: 2.3)
    let size = ViewSize(width: 64, height: 64)
    let first = pixels(try renderer.draw(camera, size))
    let core = renderer.core(pixelRatio: 1)
    #expect(core.cachedBytes > 1000)
    renderer.reduceMemoryUse()
    #expect(core.cachedBytes < 1000)
    let asked = world.tileCount
    #expect(pixels(try renderer.draw(camera, size)) == first)
    #expect(world.tileCount > asked)
  }
}
