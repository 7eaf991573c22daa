import Neatline
import Testing

/// Cameras over a picture through the C functions: what is seen where, fits, limits, ways.
@Suite struct CameraViewTests {
  private let size = PictureSize(800, 600, pixelRatio: 2)

  @Test func placesAndPointsAreThereAndBack() throws {
    let camera = Camera(longitude: 11.39, latitude: 47.27, zoom: 12, bearing: 30, pitch: 40)
    let places = [(11.38, 47.27), (11.41, 47.28)].map { Coordinate(longitude: $0.0, latitude: $0.1) }
    let points = try camera.points(for: places, in: size)
    for (place, back) in zip(places, try camera.coordinates(for: points, in: size)) {
      let back = try #require(back)
      #expect(abs(back.longitude - place.longitude) + abs(back.latitude - place.latitude) < 1e-9)
    }
    #expect(try camera.points(for: [], in: size).isEmpty)
  }

  @Test func whatIsNotSeenIsOutside() throws {
    let camera = Camera(zoom: 4, pitch: 80)
    #expect(try camera.point(for: Coordinate(longitude: 100, latitude: 0), in: size) == .outside)
    #expect(try camera.coordinate(for: ScreenPoint(400, 0), in: size) == nil)
    #expect(try !camera.coordinateInfo(for: ScreenPoint(400, 0), in: size).isOnSurface)
    let globe = Camera(zoom: 1)
    let far = Coordinate(longitude: 180, latitude: 0)
    #expect(try globe.point(for: far, in: size, projection: .globe) == .outside)
    #expect(try globe.projected([far], in: size, projection: .globe)[0] != nil)
    #expect(try globe.coordinate(for: ScreenPoint(0, 0), in: size, projection: .globe) != nil)
  }

  @Test func boundsAreWrappedOrGoOn() throws {
    let camera = Camera(longitude: 179.9, zoom: 10)
    let wrapped = try camera.coordinateBounds(in: size)
    #expect(wrapped.west > 0 && wrapped.east < 0)
    let open = try camera.coordinateBoundsUnwrapped(in: size)
    #expect(open.east > 180 && open.west == wrapped.west)
    let rect = try #require(try camera.rect(for: open, in: size))
    #expect(abs(rect.0.x) + abs(rect.0.y) + abs(rect.1.x - 800) + abs(rect.1.y - 600) < 1e-5)
  }

  @Test func aShapeIsFittedAtAnyPitch() throws {
    let line = LineString([
      Coordinate(longitude: 11.3, latitude: 47.2), Coordinate(longitude: 11.5, latitude: 47.3),
    ])
    let options = FitOptions(padding: .init(top: 20, left: 20, bottom: 20, right: 20))
    let camera = try Camera(bearing: 70, pitch: 60).fitting(line, in: size, options: options)
    let rooms = try camera.points(for: line.coordinates, in: size).map {
      min(min($0.x, 800 - $0.x), min($0.y, 600 - $0.y)) - 20
    }
    #expect(abs(rooms.min() ?? 1) < 0.01)
    #expect((camera.bearing, camera.pitch, camera.padding) == (70, 60, .init()))
    #expect(throws: NeatlineError.self) { try Camera().fitting(GeometryCollection([]), in: size) }
  }

  private static func style(_ members: String) -> String {
    """
    {"version":8,\(members)"sources":{"s":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]}}},
     "layers":[{"id":"b","type":"background"}]}
    """
  }

  /// Places of northern lands, which a fit of the plane would cut: pixels that they are inside the view.
  private func room(_ camera: Camera, _ bounds: GeographicBounds) throws -> Double {
    let corners = [
      (bounds.west, bounds.south), (bounds.east, bounds.south),
      ((bounds.west + bounds.east) / 2, bounds.south),
      (bounds.west, bounds.north), (bounds.east, bounds.north),
      ((bounds.west + bounds.east) / 2, bounds.north),
    ]
    return try corners.map { Coordinate(longitude: $0.0, latitude: $0.1) }.map {
      let point = try #require(try camera.projected([$0], in: size, projection: .globe)[0])
      return min(min(point.x, 800 - point.x), min(point.y, 600 - point.y))
    }.min() ?? 0
  }

  @Test func fitsAreOfTheGlobeWhereTheMapIsOne() throws {
    let north = GeographicBounds(west: -141, south: 42, east: -52, north: 83)
    #expect(try room(Camera().fitting(north, in: size), north) < -5, "that of the plane cuts it")
    let asked = try Camera().fitting(north, in: size, options: FitOptions(projection: .globe))
    #expect(try abs(room(asked, north)) < 1)
    for (members, isGlobe) in [("\"projection\":{\"type\":\"globe\"},", true), ("", false)] {
      let wanted = isGlobe ? asked : try Camera().fitting(north, in: size)
      let renderer = try Renderer(json: Self.style(members))
      #expect(try renderer.camera(for: north, in: size) == wanted)
      let map = try Map(loop: EventLoop(), width: 800, height: 600, pixelRatio: 2)
      try map.setStyle(json: Self.style(members))
      #expect(try map.camera(for: north) == wanted)
      let line = LineString([
        Coordinate(longitude: -141, latitude: 42), Coordinate(longitude: -52, latitude: 42),
      ])
      let fitted = try Camera().fitting(
        line, in: size, options: FitOptions(projection: isGlobe ? .globe : .mercator))
      #expect(try renderer.camera(for: line, in: size) == fitted && map.camera(for: line) == fitted)
      #expect(try map.camera(for: line.coordinates) == fitted)
      // An overview goes there too.
      let options = OverviewViewportStateOptions(geometry: line, pitch: 0)
      let state = try map.viewport.makeOverviewViewportState(options: options)
      map.viewport.transition(to: state, transition: try map.viewport.makeImmediateViewportTransition())
      map.loop.run(timeout: 1000)
      let there = try map.camera
      #expect(abs(there.zoom - fitted.zoom) < 1e-6 && abs(there.latitude - fitted.latitude) < 1e-6)
    }
  }

  @Test func limitsAndWaysAreThere() throws {
    let limits = CameraLimits(mode: .screen, bounds: .init(west: 5, south: 45, east: 12, north: 49))
    let seen = try Camera(longitude: 40, zoom: 3).constrained(by: limits, in: size).coordinateBounds(in: size)
    #expect(seen.west > 4.999 && seen.east < 12.001)
    let (paris, berlin) = (
      Camera(longitude: 2.35, latitude: 48.86, zoom: 12), Camera(longitude: 13.4, latitude: 52.5, zoom: 12)
    )
    var course = CameraCourse(.fly, from: paris, to: berlin)
    #expect(try course.camera(at: 0.5, in: size).zoom < 8)
    #expect(try course.duration(in: size) > 1)
    course.kind = .ease
    #expect(try course.camera(at: 0.5, in: size).zoom == 12)
    course.curve = 0
    course.kind = .fly
    #expect(throws: NeatlineError.self) { try course.camera(at: 0.5, in: size) }
    course.curve = 1.42
    for t in [Double.nan, -0.1, 1.1, .infinity] {
      #expect(throws: NeatlineError.self) { try course.camera(at: t, in: size) }
    }
    course.around = Coordinate(longitude: 3, latitude: 49)
    #expect(throws: NeatlineError.self) { try course.camera(at: 0.5, in: size) }
  }

  @Test func aMapSaysWhereThingsAre() throws {
    let map = try Map(loop: EventLoop(), width: 300, height: 200)
    try map.setCamera(Camera(longitude: 8, latitude: 47, zoom: 9))
    let place = Coordinate(longitude: 8, latitude: 47)
    #expect(try map.point(for: place) == ScreenPoint(150, 100))
    try map.setSize(width: 400, height: 200)
    #expect(try map.point(for: place) == ScreenPoint(200, 100))
    #expect(throws: NeatlineError.self) { try map.setSize(width: 0, height: 200) }
    #expect(map.size == PictureSize(400, 200))
    let camera = try map.camera(
      for: [place, Coordinate(longitude: 9, latitude: 47)], bearing: 90, maxZoom: 6)
    #expect((camera.bearing, camera.zoom) == (90, 6))
  }
}
