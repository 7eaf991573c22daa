import Foundation
import NeatTestSupport
import Neatline
import Testing

/// Options of maps: what each changes.
struct MapOptionsTests {
  private static let halves = """
    {"version":8,"sources":{"s":{"type":"geojson","data":{"type":"Polygon","coordinates":
      [[[-180,0],[180,0],[180,85],[-180,85],[-180,0]]]}}},
     "layers":[{"id":"b","type":"background","paint":{"background-color":"#0000ff"}},
               {"id":"north","type":"fill","source":"s","paint":{"fill-color":"#ff0000","fill-antialias":false}}]}
    """
  private static let plain = #"{"version":8,"sources":{},"layers":[{"id":"b","type":"background"}]}"#

  private func view(_ options: MapOptions = MapOptions(), _ style: String = MapOptionsTests.halves) throws
    -> MapView
  {
    let mapView = try MapView(
      width: 40, height: 40,
      mapInitOptions: MapInitOptions(
        resourceOptions: ResourceOptions(), mapOptions: options, cameraOptions: CameraOptions(zoom: 2),
        styleJSON: style), loop: EventLoop())
    mapView.loop.run(timeout: 10_000)
    return mapView
  }

  private func pixel(_ map: Map, _ x: Int, _ y: Int) throws -> [UInt8] {
    let image = try map.draw()
    return image.withPixels { Array($0[4 * (y * image.width + x)..<4 * (y * image.width + x) + 3]) }
  }

  private let red: [UInt8] = [255, 0, 0]
  private let blue: [UInt8] = [0, 0, 255]

  @Test func aMapViewHasWhatItBeginsWith() throws {
    let mapView = try view(MapOptions(pixelRatio: 2))
    #expect(mapView.size == PictureSize(40, 40, pixelRatio: 2) && mapView.cameraState.zoom == 2)
    let image = try mapView.mapboxMap.draw()
    #expect(image.width == 80 && image.height == 80)
    let map = mapView.mapboxMap
    #expect(mapView.camera === map.cameraAnimations && mapView.annotations === map.annotations)
    #expect(mapView.location === map.location && mapView.gestures === map.gestures)
    #expect(mapView.ornaments === map.ornaments && mapView.viewport === map.viewport)
    try mapView.setSize(width: 20, height: 30)
    #expect(mapView.size == PictureSize(20, 30, pixelRatio: 2))
    #expect(throws: NeatlineError.self) { try mapView.setSize(width: 0, height: 30) }
    for options in [MapOptions(pixelRatio: 0), MapOptions(pixelRatio: .nan)] {
      #expect(throws: NeatlineError.self) { try view(options) }
    }
    #expect(throws: NeatlineError.self) { try view(MapOptions(), "{") }
  }

  @Test func aThreadHasOneLoopOfItsOwn() throws {
    #expect(try EventLoop.current === EventLoop.current)
    let options = MapInitOptions(resourceOptions: ResourceOptions(), styleJSON: Self.plain)
    let (a, b) = (
      try MapView(width: 8, height: 8, mapInitOptions: options),
      try MapView(width: 8, height: 8, mapInitOptions: options)
    )
    #expect(a.loop === b.loop)
    try EventLoop.current.run(timeout: 5000)
    #expect(a.mapboxMap.isLoaded && b.mapboxMap.isLoaded)
  }

  @Test func picturesMayBeUpsideDown() throws {
    let mapView = try view()
    #expect(try pixel(mapView.mapboxMap, 20, 5) == red && pixel(mapView.mapboxMap, 20, 35) == blue)
    let (place, point) = (Coordinate(latitude: 10, longitude: 0), ScreenPoint(20, 5))
    let before = (
      try mapView.mapboxMap.point(for: place), try mapView.mapboxMap.query(in: (20, 5, 20, 5)).count
    )
    try mapView.mapboxMap.setViewportMode(.flippedY)
    #expect(try pixel(mapView.mapboxMap, 20, 5) == blue && pixel(mapView.mapboxMap, 20, 35) == red)
    #expect(try mapView.mapboxMap.point(for: place) == before.0, "points stay")
    #expect(try mapView.mapboxMap.query(in: (point.x, point.y, point.x, point.y)).count == before.1)
    // An odd number of rows, and from the start.
    let flipped = try view(MapOptions(viewportMode: .flippedY))
    try flipped.setSize(width: 40, height: 39)
    flipped.loop.run(timeout: 5000)
    let (up, down) = (try mapView.mapboxMap.draw(), try flipped.mapboxMap.draw())
    #expect(down.height == 39 && up.height == 40)
    #expect(try pixel(flipped.mapboxMap, 20, 2) == blue && pixel(flipped.mapboxMap, 20, 36) == red)
    try flipped.mapboxMap.setViewportMode(.default)
    #expect(try pixel(flipped.mapboxMap, 20, 2) == red)
  }

  @Test(arguments: [
    (NorthOrientation.upwards, 20, 5), (.rightwards, 35, 20), (.downwards, 20, 35), (.leftwards, 5, 20),
  ]) func northIsWhereTheOrientationSays(orientation: NorthOrientation, x: Int, y: Int) throws {
    let mapView = try view(MapOptions(orientation: orientation))
    let map = mapView.mapboxMap
    #expect(try pixel(map, x, y) == red && pixel(map, 39 - x, 39 - y) == blue)
    #expect(
      mapView.cameraState.bearing == 0 && mapView.cameraState.north == 90 * Double(orientation.rawValue))
    // Points, fits, queries and pictures of the same camera agree with it.
    let place = try #require(try map.coordinate(for: ScreenPoint(Double(x), Double(y))))
    #expect(place.latitude > 2 && abs(place.longitude) < 3)
    #expect(try map.query(in: (Double(x), Double(y), Double(x), Double(y))).count == 1)
    let renderer = try Renderer(json: Self.halves)
    #expect(try renderer.draw(camera: map.camera, width: 40, height: 40).pixels == map.draw().pixels)
    let wide = try map.camera(
      for: [Coordinate(latitude: 0, longitude: -10), Coordinate(latitude: 0, longitude: 10)])
    try map.setCamera(CameraOptions(wide))
    for longitude in [-10.0, 10] {
      let point = try map.point(for: Coordinate(latitude: 0, longitude: longitude))
      #expect((-0.01...40.01).contains(point.x) && (-0.01...40.01).contains(point.y))
    }
    // A finger keeps what is under it.
    try map.setCamera(CameraOptions(zoom: 4))
    let held = try #require(try map.coordinate(for: ScreenPoint(10, 10)))
    try map.gestures.handle(PointerEvent(.down, at: ScreenPoint(10, 10), milliseconds: 0))
    for step in 1...4 {
      try map.gestures.handle(
        PointerEvent(
          .move, at: ScreenPoint(10 + 5 * Double(step), 10 + 2 * Double(step)),
          milliseconds: 20 * Double(step)))
    }
    let now = try map.point(for: held)
    #expect(abs(now.x - 30) < 0.01 && abs(now.y - 18) < 0.01)
    map.gestures.cancel()
  }

  @Test func anOrientationLivesThroughStylesAndCameras() throws {
    let map = try view(MapOptions(orientation: .downwards)).mapboxMap
    var changes = 0
    map.onEvery(.cameraChanged) { _ in changes += 1 }
    try map.setCamera(Camera(zoom: 2))
    try map.setStyle(json: Self.halves)
    map.loop.run(timeout: 5000)
    #expect(try pixel(map, 20, 35) == red && map.camera.north == 180)
    changes = 0
    try map.setNorthOrientation(.upwards)
    #expect(changes == 1, "the view is another one")
    try map.setNorthOrientation(.upwards)
    #expect(changes == 1)
    map.loop.run(timeout: 5000)
    #expect(try pixel(map, 20, 5) == red && map.camera.bearing == 0)
  }

  @Test func theConstrainModeHoldsTheView() throws {
    func center(_ mode: ConstrainMode, _ camera: CameraOptions) throws -> Camera {
      let mapView = try view(MapOptions(constrainMode: mode))
      try mapView.mapboxMap.setCamera(camera)
      return mapView.cameraState
    }
    let far = CameraOptions(center: Coordinate(latitude: 85, longitude: 179), zoom: 0)
    let (free, high) = (try center(.none, far), try center(.heightOnly, far))
    #expect(abs(free.latitude - 85) < 1e-6 && abs(free.longitude - 179) < 1e-6)
    #expect(high.latitude < 84.9 && abs(high.longitude - 179) < 1e-6)
    let both = try center(.widthAndHeight, far)
    #expect(both.latitude < 84.9 && both.longitude < 178)
    #expect(ConstrainMode.heightOnly == .height && MapOptions().constrainMode == .height)
  }

  private static let crossing = """
    {"version":8,"sources":{"a":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]}},
                            "b":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]}}},
     "layers":[{"id":"a","type":"symbol","source":"a","layout":{"icon-image":"red","icon-offset":[-6,0]}},
               {"id":"b","type":"symbol","source":"b","layout":{"icon-image":"blue","icon-offset":[6,0]}}]}
    """

  private func icon(_ color: [UInt8]) throws -> Image {
    try Image(width: 16, height: 16, pixels: [UInt8]((0..<256).flatMap { _ in color + [255] }))
  }

  @Test(arguments: [true, false]) func labelsOfOtherSourcesKeepClear(crossSource: Bool) throws {
    let mapView = try view(MapOptions(crossSourceCollisions: crossSource), Self.crossing)
    let map = mapView.mapboxMap
    try map.setFadeDuration(0)
    try map.addImage("red", icon(red))
    try map.addImage("blue", icon(blue))
    map.loop.run(timeout: 10_000)
    let seen = [try pixel(map, 10, 20), try pixel(map, 30, 20)]
    #expect(seen.contains(blue) && (seen.contains(red) != crossSource), "\(seen)")
    // The same for the renderer's pictures, through an overlay's images.
    var options = Options()
    options.crossSourceCollisions = crossSource
    let renderer = try Renderer(json: Self.crossing, options: options)
    let overlay = try Overlay(sources: [], layers: [])
    try overlay.addImage("red", icon(red))
    try overlay.addImage("blue", icon(blue))
    let picture = try renderer.draw(camera: Camera(zoom: 2), width: 40, height: 40, overlay: overlay)
    let hasRed = picture.withPixels { pixels in
      stride(from: 0, to: pixels.count, by: 4).contains { pixels[$0] == 255 && pixels[$0 + 3] == 255 }
    }
    #expect(hasRed != crossSource)
  }
}

/// Which text is drawn from font files.
struct GlyphRasterizationTests {
  private static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

  /// A server of glyphs that has none, and what it is asked for.
  private func asked(_ mode: GlyphsRasterizationMode?, _ text: String) throws -> (count: Int, isDrawn: Bool) {
    let server = TestServer { _ in .status(200, [:], []) }
    defer { server.stop() }
    var engine = Options()
    engine.fontPaths = [Self.font]
    engine.usesSystemFonts = false
    let style = """
      {"version":8,"glyphs":"\(server.url("/{fontstack}/{range}.pbf"))",
       "sources":{"s":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]}}},
       "layers":[{"id":"b","type":"background","paint":{"background-color":"#ffffff"}},
                 {"id":"t","type":"symbol","source":"s","layout":{"text-field":"\(text)","text-font":["DejaVu Sans"]}}]}
      """
    let options = MapSnapshotOptions(
      width: 64, height: 32,
      glyphsRasterizationOptions: mode.map { GlyphsRasterizationOptions(rasterizationMode: $0) },
      resourceOptions: ResourceOptions(), engineOptions: engine)
    let snapshotter = try Snapshotter(options: options, loop: EventLoop())
    try snapshotter.mapboxMap.setStyle(json: style)
    var made: MapSnapshot?
    snapshotter.start { made = try? $0.get() }
    snapshotter.loop.run(timeout: 20_000)
    let image = try #require(made).image
    let isDrawn = image.withPixels { $0.contains { $0 != 255 } }
    return (server.countOfPaths { _ in true }, isDrawn)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: font), "needs DejaVu Sans"))
  func theModeSaysWhoDraws() throws {
    // The server has empty ranges: what it lacks is the fonts'.
    #expect(try asked(nil, "Ab") == (1, true))
    #expect(try asked(.noGlyphsRasterizedLocally, "Ab") == (1, false))
    #expect(try asked(.ideographsRasterizedLocally, "Ab") == (1, true))
    #expect(try asked(.allGlyphsRasterizedLocally, "Ab") == (0, true))
    // Ideographs and hangul are not asked for, kana are.
    #expect(try asked(nil, "\u{4E2D}\u{AC00}").count == 2)
    #expect(try asked(.ideographsRasterizedLocally, "\u{4E2D}\u{AC00}").count == 0)
    #expect(try asked(.ideographsRasterizedLocally, "\u{4E2D}\u{3042}").count == 1)
    #expect(GlyphsRasterizationOptions().rasterizationMode == .ideographsRasterizedLocally)
  }
}

/// Where resources come from, by the names of version 10.
struct ResourceOptionsTests {
  @Test func equalOptionsShareTheirResources() throws {
    let options = ResourceOptions(accessToken: "names-tests", baseURL: "https://maps.example")
    let shared = try options.resources
    #expect(try options.resources === shared)
    #expect(try ResourceOptions(accessToken: "other").resources !== shared)
    let store = TileStore(resources: shared)
    var withStore = ResourceOptions(tileStore: store)
    #expect(try withStore.resources === shared)
    withStore.tileStoreUsageMode = .readAndUpdate
    #expect(try withStore.resources === shared)
    #expect(try OfflineManager(resourceOptions: withStore).resources === shared)
    #expect(try OfflineRegionManager(resourceOptions: options).resources === shared)
    withStore.tileStoreUsageMode = .disabled
    #expect(try withStore.resources !== shared)
    #expect(throws: NeatlineError.self) {
      try ResourceOptions(accessToken: "t", baseURL: "no server").resources
    }
    #expect(throws: NeatlineError.self) { try ResourceOptions(dataPath: "/nowhere/at/all").resources }
  }

  @Test func theDataPathKeepsWhatServersAnswered() throws {
    let server = TestServer { _ in
      .status(
        200, ["Cache-Control": "max-age=9999"],
        Array(#"{"version":8,"sources":{},"layers":[{"id":"b","type":"background"}]}"#.utf8))
    }
    defer { server.stop() }
    let folder = WorkFolder()
    for _ in 0..<2 {
      let options = ResourceOptions(dataPath: folder.path)
      _ = try options.resources.load(.style, server.url("/s.json"))
    }
    #expect(server.count("/s.json") == 1)
    #expect(FileManager.default.fileExists(atPath: folder.path + "/map_data.db"))
  }

  @Test func assetsAreFilesOfTheirFolderAlone() throws {
    let folder = WorkFolder()
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    func write(_ name: String, _ text: String) throws {
      let url = URL(filePath: folder.path + "/" + name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    try write("in/style.json", #"{"version":8,"sources":{},"layers":[{"id":"a","type":"background"}]}"#)
    try write("in/a b/points.geojson", #"{"type":"Point","coordinates":[0,0]}"#)
    try write("secret.json", "{}")
    let options = ResourceOptions(assetPath: folder.path + "/in")
    let resources = try options.resources
    #expect(try !resources.load(.style, "asset://style.json").isEmpty)
    #expect(try !resources.load(.geojson, "asset://a%20b/points.geojson").isEmpty)
    for address in [
      "asset://../secret.json", "asset://a b/../../secret.json", "asset://%2e%2e/secret.json",
      "asset:../secret.json",
    ] {
      #expect {
        try resources.load(.style, address)
      } throws: {
        ($0 as? NeatlineError)?.status == .unsupported
      }
    }
    #expect(throws: NeatlineError.self) { try resources.load(.style, "asset://none.json") }
    #expect(throws: NeatlineError.self) { try resources.load(.style, "asset://") }
    #expect {
      try ResourceOptions(accessToken: "no assets").resources.load(.style, "asset://style.json")
    } throws: {
      ($0 as? NeatlineError)?.message.contains("asset") == true
    }
    // A style from there has its sources there too.
    let mapView = try MapView(
      width: 8, height: 8,
      mapInitOptions: MapInitOptions(resourceOptions: options, styleURI: "asset://style.json"),
      loop: EventLoop())
    mapView.loop.run(timeout: 5000)
    #expect(mapView.mapboxMap.isLoaded)
  }

  @Test func boundsHaveCorners() {
    let bounds = CoordinateBounds(
      southwest: Coordinate(latitude: 1, longitude: 2), northeast: Coordinate(latitude: 3, longitude: 4))
    #expect(bounds == GeographicBounds(west: 2, south: 1, east: 4, north: 3))
    #expect(bounds.southwest.latitude == 1 && bounds.northeast.longitude == 4)
  }
}

/// Letters on bends.
struct SpreadLetterTests {
  private static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

  private static func style(_ text: String) -> String {
    """
    {"version":8,"sources":{"a":{"type":"geojson","data":{"type":"LineString","coordinates":
      [[-80,40],[0,-20],[80,40]]}}},
     "layers":[{"id":"a","type":"symbol","source":"a","layout":{"symbol-placement":"line-center",
       "text-field":"\(text)","text-font":["DejaVu Sans"],"text-size":24,"text-max-angle":180}}]}
    """
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: font), "needs DejaVu Sans"))
  func lettersMoveApartUnlessTheyShallNot() throws {
    var gains: [Int] = []
    for count in 8...14 {
      let ink = try [true, false].map { spreads in
        var options = Options()
        (options.fontPaths, options.usesSystemFonts, options.spreadLetters) = ([Self.font], false, spreads)
        let image = try Renderer(json: Self.style(String(repeating: "H", count: count)), options: options)
          .draw(camera: Camera(zoom: 1), width: 400, height: 400)
        return image.withPixels { picture in
          stride(from: 3, to: picture.count, by: 4).reduce(0) { $0 + Int(picture[$1]) }
        }
      }
      #expect(ink[1] > 0)
      gains.append(ink[0] - ink[1])
    }
    // Ink that lies on other ink is not seen: letters that stand apart have more of it.
    #expect(gains.contains { $0 > 2000 } && gains.allSatisfy { $0 > -2000 }, "\(gains)")
  }
}

@Suite struct SmoothEdgeTests {
  private static let house = """
    {"version":8,"sources":{"a":{"type":"geojson","data":{"type":"Polygon","coordinates":
      [[[-0.0003,-0.0003],[0.0003,-0.0002],[0.0002,0.0003],[-0.0003,0.0002],[-0.0003,-0.0003]]]}}},
     "layers":[{"id":"a","type":"fill-extrusion","source":"a","paint":{"fill-extrusion-height":10}}]}
    """

  @Test(arguments: [true, false]) func edgesOfExtrusionsAreSmoothUnlessTheyShallNot(isSmooth: Bool) throws {
    var options = Options()
    options.smoothEdges = isSmooth
    let camera = Camera(zoom: 16.5, bearing: 20, pitch: 50)
    var pictures: [[UInt8]] = []
    for threads in [1, 3] {
      options.threadCount = threads
      let image = try Renderer(json: Self.house, options: options).draw(
        camera: camera, width: 200, height: 200)
      pictures.append(image.withPixels { Array($0) })
    }
    #expect(pictures[0] == pictures[1])
    let alphas = Set(stride(from: 3, to: pictures[0].count, by: 4).map { pictures[0][$0] })
    #expect(alphas == (isSmooth ? [0, 64, 128, 191, 255] : [0, 255]))
  }
}
