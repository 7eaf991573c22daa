import Neatline
import Testing

/// What nobody reads is refused by its name, through every function that takes options.
struct OptionNameTests {
  private static let point = #"{"type":"Point","coordinates":[10,20]}"#

  private func refuses(
    _ name: String, _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(sourceLocation: sourceLocation) { try body() } throws: { error in
      guard let error = error as? NeatlineError else { return false }
      return error.status == .invalidArgument && error.message.contains("\"\(name)\"")
    }
  }

  @Test func optionsOfGeoJSON() throws {
    for name in ["maxZoom", "Buffer", "clusterradius", "", "promoteID"] {
      refuses(name) { _ = try GeoJSONIndex(Self.point, options: .members([name: 1])) }
      refuses(name) { _ = try GeoJSONIndex(Self.point, options: .members([name: .null])) }
    }
    #expect(
      try GeoJSONIndex(
        Self.point, options: .members(["maxzoom": 3, "buffer": 10, "cluster": false, "clusterRadius": 30])
      ).featureCount == 1
    )
  }

  @Test func optionsOfQueries() throws {
    let renderer = try Renderer(json: #"{"version":8,"sources":{},"layers":[]}"#)
    refuses("layer") {
      _ = try renderer.query(
        size: PictureSize(64, 64), in: (0, 0, 1, 1), options: .members(["layer": .array(["a"])]))
    }
    #expect(
      try renderer.query(
        size: PictureSize(64, 64), in: (0, 0, 1, 1), options: .members(["layers": .array([])])
      ).isEmpty)
  }

  @Test func requestsGlobalsAndTargets() throws {
    let fonts = try Fonts()
    refuses("maxwidth") { _ = try fonts.shape(["sections": .array([]), "maxwidth": 3]) }
    refuses("font") { _ = try fonts.shape(["sections": [["text": "a", "font": "F"]]]) }
    refuses("anchor") { _ = try fonts.shape(["sections": .array([]), "anchor": "middle"]) }
    let expression = try CompiledExpression(["feature-state", "hover"])
    refuses("zooom") { _ = try expression.evaluate(globals: ["zooom": 3]) }
    #expect(
      try expression.evaluate(globals: nil, feature: ["state": ["hover": true]]) == true,
      "states are read under their documented name")
    let map = try Map(loop: EventLoop(), width: 8, height: 8)
    try map.setStyle(
      json:
        #"{"version":8,"sources":{"a":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]}}},"layers":[]}"#
    )
    refuses("feature") { try map.setFeatureState(["source": "a", "feature": 1], [:]) }
  }

  @Test func negativeTimesAndCountsDoNotBecomeDefaults() throws {
    func refusesNumber(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
      #expect(sourceLocation: sourceLocation) { try body() } throws: {
        ($0 as? NeatlineError)?.status == .invalidArgument
      }
    }
    let style = #"{"version":8,"sources":{},"layers":[]}"#
    for member in [
      \Options.threadCount, \.cacheBytes, \.timeoutMilliseconds, \.memoryLimitBytes, \.unpackedLimitBytes,
    ] {
      var options = Options()
      options[keyPath: member] = -1
      refusesNumber { _ = try Renderer(json: style, options: options) }
      refusesNumber { _ = try Map(loop: EventLoop(), width: 8, height: 8, options: options) }
    }
    for count in [-1, 101, Options.noRetries + 1] {
      var options = Options()
      options.retryCount = count
      refusesNumber { _ = try Renderer(json: style, options: options) }
    }
    var options = Options()
    options.retryCount = Options.noRetries
    let renderer = try Renderer(json: style, options: options)
    refusesNumber { _ = try renderer.draw(width: 8, height: 8, deadline: -1) }
    refusesNumber { _ = try renderer.drawTile(z: -1, x: 0, y: 0) }
    refusesNumber { _ = try renderer.drawTile(z: 0, x: 0, y: 0, edge: -1) }
    refusesNumber { _ = try renderer.attribution(deadline: -1) }
  }

  @Test func qualityAndFormatOfPictures() throws {
    let image = try Image(width: 1, height: 1, pixels: [0, 0, 0, 0])
    for quality in [-1, 101, 1000] {
      #expect { try image.jpeg(quality: quality) } throws: {
        ($0 as? NeatlineError)?.status == .invalidArgument
      }
    }
    #expect { try image.encode(.png, quality: 50) } throws: {
      ($0 as? NeatlineError)?.status == .invalidArgument
    }
    #expect(try Image(decoding: image.jpeg()).pixels == [255, 255, 255, 255])
    #expect(try Image(decoding: image.webp(quality: 100)).pixels == [0, 0, 0, 0])
    #expect(
      Image.Format(path: "a/b.JPeG") == .jpeg && Image.Format(path: "a.b/c") == nil
        && Image.Format(path: "x.gif") == nil)
  }
}

/// Whom the data is owed to.
struct AttributionTests {
  private static let style = """
    {"version":8,"sources":{
      "a":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]},"attribution":"© OpenStreetMap"},
      "b":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]},"attribution":"© OpenStreetMap contributors"},
      "c":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]},"attribution":"us"},
      "d":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]},"attribution":"nobody"},
      "e":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]},"attribution":"us"},
      "f":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]},"attribution":"hidden"}},
    "layers":[
      {"id":"5","type":"circle","source":"e"},{"id":"3","type":"circle","source":"c"},{"id":"1","type":"circle","source":"a"},
      {"id":"2","type":"circle","source":"b"},{"id":"6","type":"circle","source":"f","layout":{"visibility":"none"}}]}
    """

  @Test func textsOfSourcesInUseComeOnceInTheirOrder() throws {
    let renderer = try Renderer(json: Self.style)
    let expected = ["© OpenStreetMap contributors", "us"]
    #expect(try renderer.attribution() == expected)
    #expect(try renderer.info["attribution"]?.array?.compactMap(\.string) == expected)
    let map = try Map(loop: EventLoop(), width: 64, height: 64)
    try map.setStyle(json: Self.style)
    #expect(try map.attribution == expected)
  }

  @Test func whatCannotBeHadIsLeftOutAndTold() throws {
    let renderer = try Renderer(
      json: """
        {"version":8,"sources":{"a":{"type":"vector","url":"pmtiles:///nothing/here.pmtiles"}},
         "layers":[{"id":"1","type":"line","source":"a","source-layer":"x"}]}
        """)
    #expect(try renderer.attribution() == [])
    #expect(try renderer.problems.contains { $0.resource.contains("here.pmtiles") })
  }
}

/// Views that show a box.
struct CameraBoundsTests {
  @Test func aBoxIsFittedByItsTighterSide() throws {
    let world = try Camera(
      fitting: GeographicBounds(west: -180, south: -85.051129, east: 180, north: 85.051129),
      in: PictureSize(512, 512))
    #expect(abs(world.zoom) < 1e-6 && abs(world.longitude) < 1e-9 && abs(world.latitude) < 1e-6)
    let flat = try Camera(
      fitting: GeographicBounds(west: -45, south: -1, east: 45, north: 1), in: PictureSize(512, 512))
    #expect(abs(flat.zoom - 2) < 1e-9)
    let wider = try Camera(
      fitting: GeographicBounds(west: -45, south: -1, east: 45, north: 1), in: PictureSize(1024, 512))
    #expect(abs(wider.zoom - 3) < 1e-9)
  }

  @Test func aBoxMayCrossThe180thMeridian() throws {
    let camera = try Camera(
      fitting: GeographicBounds(west: 170, south: -5, east: -160, north: 5), in: PictureSize(512, 512))
    #expect(abs(camera.longitude - -175) < 1e-9 && abs(camera.zoom - 3.585) < 0.001)
  }

  @Test func aPointIsShownFromNear() throws {
    let camera = try Camera(
      fitting: GeographicBounds(west: 10, south: 50, east: 10, north: 50), in: PictureSize(512, 512))
    #expect(camera.zoom == 22 && abs(camera.latitude - 50) < 1e-9 && camera.longitude == 10)
  }
}
