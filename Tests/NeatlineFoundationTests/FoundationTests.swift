import Foundation
import Neatline
import NeatlineFoundation
import Testing

/// Both modules in one file: a name that means two things would not compile here.
@Suite struct FoundationTests {
  private static let json = #"""
    {"version":8,"sources":{"points":{"type":"geojson","data":{"type":"FeatureCollection","features":[]}}},
     "layers":[{"id":"bg","type":"background","paint":{"background-color":"#f00"}},
               {"id":"names","type":"symbol","source":"points","layout":{"text-field":["get","name"]}}]}
    """#

  private func map() throws -> Neatline.Map {
    let map = try Map(loop: EventLoop(), width: 32, height: 32)
    try map.setStyle(json: Self.json)
    map.loop.run(timeout: 5000)
    return map
  }

  @Test func namesAreNotFoundations() throws {
    let width = try CompiledExpression(["interpolate", ["linear"], ["zoom"], 2, 3, 4, 5])
    #expect(try width.evaluate(zoom: 3) == 4)
    let foundation: Foundation.Expression<Int, Int> = #Expression { $0 + 1 }
    #expect(try foundation.evaluate(2) == 3)
    _ = (
      Feature.self, Geometry.self, Point.self, Image.self, Camera.self, Filter.self, Options.self,
      Polygon.self, Light.self, Frame.self
    )
  }

  @Test func rendererAndArchiveTakeURLs() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "neatline ü \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "style one.json")
    try Data(Self.json.utf8).write(to: file)
    let picture = try Renderer(styleURL: file).draw(width: 8, height: 8)
    #expect(try Image(decoding: picture.pngData()).width == 8)
    #expect(throws: NeatlineError.self) { try Renderer(styleURL: folder.appending(path: "none.json")) }
    #expect(throws: NeatlineError.self) { try Archive(url: folder.appending(path: "none.mbtiles")) }

    let map = try Map(loop: EventLoop(), width: 8, height: 8)
    #expect(map.style.url == nil && !map.style.isLoaded && map.style.allLayerIdentifiers.isEmpty)
    try map.loadStyle(file)
    map.loop.run(timeout: 5000)
    #expect(
      map.style.url?.path(percentEncoded: false) == file.path(percentEncoded: false) && map.style.isLoaded)
  }

  @Test func localesLocaliseLabels() throws {
    let map = try map()
    try map.style.localizeLabels(into: Locale(identifier: "de_AT"))
    #expect(try map.property(layer: "names", "text-field").text.contains("name:de"))
  }

  @Test func valuesOfFoundationBecomeJSON() throws {
    let value: [String: Any] = [
      "b": true, "n": NSNumber(value: 2.5), "i": 7, "t": "x", "z": NSNull(),
      "l": [1, "a", nil as Int? as Any], "u": UInt8(3),
    ]
    #expect(
      try JSONValue(any: value).text == #"{"b":true,"i":7,"l":[1,"a",null],"n":2.5,"t":"x","u":3,"z":null}"#)
    let read = try JSONSerialization.jsonObject(with: Data(#"{"a":[1,true,null,"x",{"b":1.5}]}"#.utf8))
    #expect(try JSONValue(any: read).text == #"{"a":[1,true,null,"x",{"b":1.5}]}"#)
    #expect(JSONValue.array([1, "a", true]).any as? [AnyHashable] == [1.0, "a", true])
  }

  @Test func whatIsNoJSONIsNamed() {
    #expect { try JSONValue(any: ["a": [1, Date()]]) } throws: {
      "\($0)".contains("value.a[1]") && "\($0)".contains("Date")
    }
    #expect { try JSONValue(any: ["a": Double.nan]) } throws: { "\($0)".contains("value.a is nan") }
    var deep: Any = 1
    for _ in 0..<300 { deep = [deep] }
    #expect { try JSONValue(any: deep) } throws: { ($0 as? NeatlineError)?.status == .limitExceeded }
  }

  @Test func stylesAreChangedByDictionaries() throws {
    let map = try map()
    try map.style.addSource(
      withId: "more",
      properties: ["type": "geojson", "data": ["type": "FeatureCollection", "features": [] as [Any]]])
    try map.style.addLayer(
      with: ["id": "dots", "type": "circle", "source": "more", "paint": ["circle-radius": 4]], below: "names")
    #expect(map.style.allLayerIdentifiers.map(\.id) == ["bg", "dots", "names"])
    #expect(map.style.allSourceIdentifiers.map(\.type) == [.geojson, .geojson])
    try map.style.setLayerProperty(
      for: "dots", property: "circle-radius", value: ["+", 1, ["get", "n"]] as [Any])
    #expect(try map.property(layer: "dots", "circle-radius").text == #"["+",1,["get","n"]]"#)
    try map.style.setLayerProperties(for: "dots", properties: ["circle-color": "#00f", "visibility": "none"])
    #expect(try map.style.layerProperty(for: "dots", property: "visibility") as? String == "none")
    #expect(throws: StyleCodingError.self) {
      try map.style.setLayerProperty(for: "dots", property: "line-width", value: 1)
    }
    #expect((try map.style.layerProperties(for: "dots"))["id"] as? String == "dots")
    try map.setFeatureState(sourceId: "more", featureId: "7", state: ["hover": true])
  }
}

/// The main queue as what runs a loop.
struct MainQueueTests {
  @Test @MainActor func theMainQueueRunsALoop() async throws {
    let loop = try EventLoop()
    let runner = loop.runOnMainQueue()
    let map = try Map(loop: loop, width: 16, height: 16)
    let events = map.events(.mapIdle, .cameraChanged)
    let style = try await map.loadStyleJSON(
      #"{"version": 8, "sources": {}, "layers": [{"id": "b", "type": "background"}]}"#)
    #expect(style.isLoaded)
    var camera = try map.camera
    camera.zoom = 3
    // Begun between two turns of the loop, which waits without a timer by then.
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next()?.kind == .mapIdle)
    try map.ease(to: camera, duration: 0.05)
    var last: MapEvent.Kind?
    while let event = await iterator.next(), event.kind != .mapIdle { last = event.kind }
    let zoom = try map.camera.zoom
    #expect(last == .cameraChanged && zoom == 3)
    runner.cancel()
    runner.cancel()
  }

  @Test @MainActor func aSnapshotIsAwaited() async throws {
    let loop = try EventLoop()
    let runner = loop.runOnMainQueue()
    let snapshotter = try Snapshotter(
      options: MapSnapshotOptions(
        size: CGSize(width: 15.6, height: 8), pixelRatio: 2, resourceOptions: ResourceOptions()), loop: loop)
    await #expect(throws: NeatlineError.self) { try await snapshotter.start() }
    try snapshotter.mapboxMap.setStyle(
      json: #"{"version": 8, "sources": {}, "layers": [{"id": "b", "type": "background"}]}"#)
    let snapshot = try await snapshotter.start()
    #expect(snapshot.image.width == 32 && snapshot.image.height == 16)
    runner.cancel()
  }
}
