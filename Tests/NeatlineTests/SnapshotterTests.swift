import NeatTestSupport
import Neatline
import Testing

/// Pictures of a map that nobody sees.
struct SnapshotterTests {
  private static let demo =
    #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/Examples/demo"
  private static let grey = """
    {"version":8,"sources":{"s":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]},"attribution":"© us"}},
     "layers":[{"id":"b","type":"background","paint":{"background-color":"#808080"}},
               {"id":"c","type":"circle","source":"s","paint":{"circle-radius":4,"circle-color":"#ff0000"}}]}
    """

  /// What became of snapshots, in order.
  private final class Ends {
    var list: [String] = []
    func hear(_ result: Result<MapSnapshot, NeatlineError>, _ name: String = "") {
      switch result {
      case .success(let snapshot): list.append("\(name)\(snapshot.image.width)x\(snapshot.image.height)")
      case .failure(let error): list.append("\(name)\(error.status)")
      }
    }
  }

  private func make(
    _ width: Int = 64, _ height: Int = 64, pixelRatio: Double = 1, ornaments: OrnamentOptions = .hidden
  ) throws -> Snapshotter {
    try Snapshotter(
      options: MapSnapshotOptions(
        width: width, height: height, pixelRatio: pixelRatio, resourceOptions: ResourceOptions(),
        ornaments: ornaments), loop: EventLoop())
  }

  private func pixel(_ image: Image, _ x: Int, _ y: Int) -> [UInt8] {
    image.withPixels { Array($0[4 * (y * image.width + x)..<4 * (y * image.width + x) + 4]) }
  }

  @Test(arguments: [1.0, 2]) func withoutAnOverlayThePixelsAreTheRenderers(ratio: Double) throws {
    let snapshotter = try make(300, 200, pixelRatio: ratio)
    snapshotter.style.uri = StyleURI(rawValue: Self.demo + "/style.json")
    let camera = Camera(longitude: 10, latitude: 49, zoom: 3.3, bearing: 20, pitch: 30)
    try snapshotter.setCamera(to: CameraOptions(camera))
    var made: MapSnapshot?
    snapshotter.start { made = try? $0.get() }
    snapshotter.loop.run(timeout: 30_000)
    let snapshot = try #require(made)
    let renderer = try Renderer(styleURL: Self.demo + "/style.json")
    let picture = try renderer.draw(camera: camera, width: 300, height: 200, pixelRatio: ratio)
    #expect(snapshot.image.pixels == picture.pixels && snapshot.report == picture.report)
    #expect(snapshot.attributions == (try renderer.attribution()) && snapshot.cameraState.zoom == 3.3)
  }

  @Test func aMapOnAGlobeHasItsLimits() throws {
    let globe = Self.grey.replacing(
      "\"version\":8,", with: "\"version\":8,\"projection\":{\"type\":\"globe\"},")
    let polar = CameraOptions(center: Coordinate(latitude: 80, longitude: 20), zoom: 1)
    // Asked for before it is known what the map lies on, and after.
    for isBefore in [true, false] {
      for (style, isHeld) in [(globe, false), (Self.grey, true)] {
        let map = try make(512, 512).mapboxMap
        if !isBefore { try map.setStyle(json: style) }
        try map.setCamera(polar)
        if isBefore { try map.setStyle(json: style) }
        let camera = try map.camera
        #expect((camera.latitude < 79) == isHeld && camera.longitude == 20, "\(isBefore) \(camera)")
      }
    }
    let map = try make(512, 512).mapboxMap
    try map.setCamera(polar)
    try map.setNorthOrientation(.rightwards)
    try map.setStyle(json: globe)
    #expect(try map.camera.latitude == 80 && map.camera.north == 90)
    try map.setCamera(CameraOptions(center: Coordinate(latitude: 0, longitude: 0), zoom: 3))
    // The globe is as large at both ends, and so it stays between them.
    var course = CameraCourse(
      .ease, from: Camera(longitude: 0, latitude: 0, zoom: 3), to: Camera(longitude: 0, latitude: 60, zoom: 2)
    )
    course.projection = .globe
    let half = try course.camera(at: 0.5, in: PictureSize(512, 512))
    // log2(cos 30°)
    #expect(abs(half.zoom - (3 - 0.207_518_749_639)) < 1e-9)
    let held = try Camera(longitude: 0, latitude: 80, zoom: 1).constrained(
      by: CameraLimits(), in: PictureSize(512, 512), projection: .globe)
    #expect(held.latitude == 80)
  }

  @Test func aSnapshotKnowsWhatIsWhere() throws {
    let snapshotter = try make(100, 50, pixelRatio: 2)
    try snapshotter.mapboxMap.setStyle(json: Self.grey)
    try snapshotter.setCamera(to: CameraOptions(center: Coordinate(latitude: 0, longitude: 5), zoom: 2))
    var made: MapSnapshot?
    snapshotter.start { made = try? $0.get() }
    snapshotter.loop.run(timeout: 10_000)
    let snapshot = try #require(made)
    #expect(snapshotter.snapshotSize == PictureSize(100, 50, pixelRatio: 2))
    let point = try snapshot.point(for: Coordinate(latitude: 0, longitude: 0))
    #expect(pixel(snapshot.image, Int(point.x * 2), Int(point.y * 2)) == [255, 0, 0, 255])
    let place = try #require(try snapshot.coordinate(for: point))
    #expect(abs(place.longitude) < 1e-6 && abs(place.latitude) < 1e-6)
    #expect(try snapshot.point(for: Coordinate(latitude: 0, longitude: 90)) == .outside)
    #expect(throws: NeatlineError.self) { try snapshot.point(for: Coordinate(latitude: .nan, longitude: 0)) }
    #expect(snapshot.attributions == ["© us"] && snapshot.report.isComplete)
  }

  /// Far from the centre places of a globe are elsewhere than those of the plane.
  @Test func onAGlobeTooASnapshotKnowsWhatIsWhere() throws {
    let place = Coordinate(latitude: 30, longitude: 60)
    let style = Self.grey.replacingOccurrence(of: "[0,0]", with: "[60,30]").replacingOccurrence(
      of: "\"version\":8,", with: "\"version\":8,\"projection\":{\"type\":\"globe\"},")
    let snapshotter = try make(512, 512)
    try snapshotter.mapboxMap.setStyle(json: style)
    try snapshotter.setCamera(to: CameraOptions(center: Coordinate(latitude: 0, longitude: 0), zoom: 1))
    var made: MapSnapshot?
    var overlayPoint: ScreenPoint?
    snapshotter.start(overlayHandler: { overlayPoint = $0.pointForCoordinate(place) }) {
      made = try? $0.get()
    }
    snapshotter.loop.run(timeout: 10_000)
    let snapshot = try #require(made)
    #expect(snapshot.projection == .globe)
    let point = try snapshot.point(for: place)
    #expect(pixel(snapshot.image, Int(point.x), Int(point.y)) == [255, 0, 0, 255] && overlayPoint == point)
    let back = try #require(try snapshot.coordinate(for: point))
    #expect(abs(back.longitude - 60) < 1e-6 && abs(back.latitude - 30) < 1e-6)
    let map = snapshotter.mapboxMap
    #expect(try map.point(for: place) == point && map.points(for: [place]) == [point])
    #expect(try map.coordinate(for: point) == back && map.coordinates(for: [point]) == [back])
    #expect(try map.coordinateInfo(for: ScreenPoint(0, 0)).isOnSurface == false)
    #expect(try map.projection(atZoom: 11.4) == .globe && map.projection(atZoom: 11.6) == .mercator)
    let renderer = try Renderer(json: style)
    #expect(try renderer.projection(atZoom: 1) == .globe && renderer.projection(atZoom: 14) == .mercator)
    for zoom in [-2.1, 25.6, .nan, .infinity] {
      #expect(throws: NeatlineError.self) { try map.projection(atZoom: zoom) }
      #expect(throws: NeatlineError.self) { try renderer.projection(atZoom: zoom) }
    }
    #expect(try Renderer(json: Self.grey).projection(atZoom: 1) == .mercator)
    let empty = try make().mapboxMap
    #expect(try empty.projection(atZoom: 1) == .mercator)
    #expect(throws: NeatlineError.self) { try empty.projection(atZoom: .nan) }
  }

  @Test func aHostDrawsBeforeAndAfterTheMap() throws {
    let snapshotter = try make(40, 20, pixelRatio: 2)
    try snapshotter.mapboxMap.setStyle(
      json: Self.grey.replacingOccurrence(of: "#808080", with: "rgba(0,0,0,0)"))
    let dot = try Image(width: 2, height: 2, pixels: [UInt8](repeating: 128, count: 16))
    var made: MapSnapshot?
    var order: [String] = []
    snapshotter.start { under in
      order.append("under")
      #expect(under.context.width == 80 && under.context.height == 40 && under.context.pixelRatio == 2)
      under.context.withPixels { pixels in
        for index in stride(from: 0, to: pixels.count, by: 4) {
          pixels[index + 2] = 255; pixels[index + 3] = 255
        }
      }
    } overlayHandler: { over in
      order.append("over")
      let middle = over.pointForCoordinate(Coordinate(latitude: 0, longitude: 0))
      #expect(abs(middle.x - 20) < 1e-6 && abs(middle.y - 10) < 1e-6)
      #expect(over.coordinateForPoint(ScreenPoint(20, 10)).map { abs($0.latitude) < 1e-6 } == true)
      over.context.draw(dot, at: middle)
      over.context.draw(dot, at: ScreenPoint(0, 0), anchor: .topLeft)
      // Past the edge and far away: what is in the picture is drawn.
      over.context.draw(dot, at: ScreenPoint(40, 20))
      over.context.draw(dot, at: ScreenPoint(1e300, .nan))
    } completion: {
      made = try? $0.get()
    }
    snapshotter.loop.run(timeout: 10_000)
    let image = try #require(made).image
    #expect(order == ["under", "over"])
    #expect(pixel(image, 20, 20) == [0, 0, 255, 255], "seen through the map")
    #expect(pixel(image, 36, 20) == [255, 0, 0, 255], "the map's circle")
    #expect(pixel(image, 40, 20) == [255, 128, 128, 255], "over the circle")
    #expect(pixel(image, 1, 1) == [128, 128, 255, 255] && pixel(image, 2, 2) == [0, 0, 255, 255])
    #expect(pixel(image, 79, 39) == [128, 128, 255, 255])
  }

  @Test func ornamentsAreDrawnOnWish() throws {
    var ornaments = OrnamentOptions.hidden
    ornaments.compass.visibility = .visible
    let snapshotter = try make(200, 100, ornaments: ornaments)
    try snapshotter.mapboxMap.setStyle(json: Self.grey)
    var made: MapSnapshot?
    snapshotter.start { made = try? $0.get() }
    snapshotter.loop.run(timeout: 10_000)
    let (image, plain) = (try #require(made).image, try Renderer(json: Self.grey))
    #expect(image.pixels != (try plain.draw(width: 200, height: 100).pixels))
    #expect(try image.pixels == plain.draw(width: 200, height: 100, ornaments: ornaments).pixels)
  }

  @Test func eachStartHasOneCompletion() throws {
    let (snapshotter, ends) = (try make(), Ends())
    snapshotter.start { ends.hear($0, "early ") }
    #expect(ends.list == ["early state"], "there is no style")
    try snapshotter.mapboxMap.setStyle(json: Self.grey)
    snapshotter.start { ends.hear($0, "first ") }
    snapshotter.start { ends.hear($0, "second ") }
    #expect(ends.list.last == "first cancelled")
    snapshotter.loop.run(timeout: 10_000)
    #expect(ends.list.last == "second 64x64")
    // Nothing has changed since.
    snapshotter.start { ends.hear($0, "third ") }
    #expect(ends.list.count == 3)
    snapshotter.loop.run(timeout: 10_000)
    snapshotter.cancel()
    snapshotter.loop.run(timeout: 100)
    #expect(ends.list == ["early state", "first cancelled", "second 64x64", "third 64x64"])
  }

  @Test func oneMayBeCancelledAlsoWithinItsCompletion() throws {
    let (snapshotter, ends) = (try make(), Ends())
    try snapshotter.mapboxMap.setStyle(json: Self.grey)
    snapshotter.start { result in
      ends.hear(result)
      snapshotter.cancel()
    }
    snapshotter.cancel()
    #expect(ends.list == ["cancelled"])
    snapshotter.start { result in
      ends.hear(result)
      snapshotter.cancel()
      // And the next one is begun there.
      snapshotter.start { ends.hear($0, "next ") }
    }
    snapshotter.loop.run(timeout: 10_000)
    #expect(ends.list == ["cancelled", "64x64", "next 64x64"])
    snapshotter.start { _ in
      snapshotter.cancel()
    } overlayHandler: { _ in
      ends.list.append("over")
    } completion: {
      ends.hear($0, "within ")
    }
    snapshotter.loop.run(timeout: 10_000)
    #expect(ends.list.contains("within cancelled") && ends.list.filter { $0.hasPrefix("within") }.count == 1)
  }

  @Test func whoIsReplacedMayStartAnotherOne() throws {
    let (snapshotter, ends) = (try make(), Ends())
    try snapshotter.mapboxMap.setStyle(json: Self.grey)
    snapshotter.start { result in
      ends.hear(result, "first ")
      snapshotter.start { ends.hear($0, "third ") }
    }
    snapshotter.start { ends.hear($0, "second ") }
    snapshotter.loop.run(timeout: 10_000)
    #expect(ends.list == ["first cancelled", "second cancelled", "third 64x64"])
  }

  @Test func aStyleThatFailsFailsTheSnapshot() throws {
    let server = TestServer { _ in .status(404) }
    defer { server.stop() }
    let (snapshotter, ends) = (try make(), Ends())
    snapshotter.style.uri = StyleURI(rawValue: server.url("/style.json"))
    var message = ""
    snapshotter.start { result in
      ends.hear(result)
      if case .failure(let error) = result { message = error.message }
    }
    snapshotter.loop.run(timeout: 20_000)
    #expect(ends.list == ["notFound"] && message.contains("/style.json"))
    snapshotter.start { ends.hear($0, "known ") }
    #expect(ends.list.last == "known notFound", "it is known by now")
    // Another style is another matter.
    #expect(throws: NeatlineError.self) { try snapshotter.mapboxMap.setStyle(json: "{") }
    try snapshotter.mapboxMap.setStyle(json: Self.grey)
    snapshotter.start { ends.hear($0, "other ") }
    snapshotter.loop.run(timeout: 10_000)
    #expect(ends.list.last == "other 64x64")
  }

  @Test func whatIsWrongInAStyleFailsNoSnapshot() throws {
    let (snapshotter, ends) = (try make(), Ends())
    try snapshotter.mapboxMap.setStyle(
      json: """
        {"version":8,"imports":[{"id":"gone","url":"/no/such/style.json"}],"sources":{},"layers":[
         {"id":"b","type":"background","paint":{"background-color":"#808080","background-opacity":"much"}}]}
        """)
    for name in ["first ", "second "] {
      snapshotter.start { ends.hear($0, name) }
      snapshotter.loop.run(timeout: 10_000)
    }
    #expect(ends.list == ["first 64x64", "second 64x64"])
  }

  @Test func whatCannotBeHadIsReportedAndFailsNothing() throws {
    let server = TestServer { _ in .status(500) }
    defer { server.stop() }
    var engine = Options()
    engine.retryCount = Options.noRetries
    let (ends, loop) = (Ends(), try EventLoop())
    let snapshotter = try Snapshotter(
      options: MapSnapshotOptions(
        width: 64, height: 64, resourceOptions: ResourceOptions(),
        engineOptions: {
          var resources = Resources.Options()
          resources.retryCount = 0
          engine.resources = try? Resources(resources)
          return engine
        }()), loop: loop)
    let source = #"{"type":"vector","tiles":["\#(server.url("/{z}/{x}/{y}.pbf"))"]}"#
    let layer = #"{"id":"f","type":"fill","source":"s","source-layer":"l"}"#
    try snapshotter.mapboxMap.setStyle(
      json: #"{"version":8,"sources":{"s":\#(source)},"layers":[\#(layer)]}"#)
    var made: MapSnapshot?
    snapshotter.start { result in
      ends.hear(result)
      made = try? result.get()
    }
    for _ in 0..<50 where ends.list.isEmpty { loop.run(timeout: 200) }
    #expect(ends.list == ["64x64"])
    #expect(made?.report.isComplete == false && made?.report.missing.contains { $0.kind == .tile } == true)
  }

  @Test func oneThatGoesAwayTellsWhoWaits() throws {
    let ends = Ends()
    var gone: Snapshotter? = try make()
    try gone?.mapboxMap.setStyle(json: Self.grey)
    gone?.start { ends.hear($0) }
    gone = nil
    #expect(ends.list == ["cancelled"])
  }

  @Test func sizesAndCamerasThatAreNoneAreRefused() throws {
    for (width, height, ratio) in [(0, 10, 1.0), (10, -1, 1), (20_000, 10, 1), (10, 10, 0), (10, 10, .nan)] {
      #expect(throws: NeatlineError.self) { try make(width, height, pixelRatio: ratio) }
    }
    let snapshotter = try make()
    #expect(throws: NeatlineError.self) { try snapshotter.setCamera(to: CameraOptions(zoom: 99)) }
    #expect(snapshotter.cameraState.zoom == 0)
  }
}

extension String {
  fileprivate func replacingOccurrence(of old: String, with new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
