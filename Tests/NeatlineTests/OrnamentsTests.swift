import Testing

@testable import Neatline

/// Ornaments through the Swift module and the C interface below it.
@Suite struct OrnamentsTests {
  private static let style = """
    {"version":8,"sources":{"a":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]},
    "attribution":"<a href='https://o.example'>© OpenStreetMap</a> | us"}},
    "layers":[{"id":"b","type":"background","paint":{"background-color":"#808080"}},
    {"id":"c","type":"circle","source":"a","minzoom":20}]}
    """

  private func map() throws -> Map {
    let map = try Map(loop: EventLoop(), width: 300, height: 200)
    try map.setStyle(json: OrnamentsTests.style)
    try map.setCamera(Camera(longitude: 0, latitude: 0, zoom: 3))
    map.loop.run()
    return map
  }

  private func pixel(_ image: Image, _ x: Int, _ y: Int) -> [UInt8] {
    image.withPixels { Array($0[4 * (y * image.width + x)..<4 * (y * image.width + x) + 4]) }
  }

  private func refused(
    _ word: String, _ status: NeatlineError.Status = .invalidArgument, _ body: () throws -> Void
  ) {
    #expect { try body() } throws: { error in
      guard let error = error as? NeatlineError else { return false }
      return error.status == status && "\(error)".contains(word)
    }
  }

  @Test func defaultsAreThoseOfVersionTenAndAMapHasNone() throws {
    let options = OrnamentOptions()
    #expect(options.scaleBar.position == .topLeading && options.scaleBar.visibility == .adaptive)
    #expect(options.compass.position == .topTrailing && options.compass.visibility == .adaptive)
    #expect(
      options.attributionButton.position == .bottomTrailing
        && options.attributionButton.visibility == .visible)
    #expect(options.logo.position == .bottomLeading && options.logo.visibility == .visible)
    #expect(options.compass.margins == ScreenPoint(8, 8) && options.scaleBar.useMetricUnits)
    let map = try map()
    #expect(map.ornaments.options == .hidden)
    #expect(try map.ornaments.places.isEmpty)
    #expect(try pixel(map.draw(), 280, 20) == [128, 128, 128, 255])
  }

  @Test func onePropertyShowsOneOrnament() throws {
    let map = try map()
    map.ornaments.options.scaleBar.visibility = .visible
    #expect(try map.ornaments.places.map(\.ornament) == [.scaleBar])
    map.ornaments.options.compass.visibility = .visible
    map.ornaments.options.compass.position = .bottomRight
    map.ornaments.options.compass.margins = ScreenPoint(20, 30)
    let compass = try #require(try map.ornaments.places.first { $0.ornament == .compass })
    #expect(compass == OrnamentPlace(ornament: .compass, x: 240, y: 130, width: 40, height: 40, opacity: 1))
    #expect(try map.ornaments.ornament(at: ScreenPoint(260, 150)) == .compass)
    #expect(try map.ornaments.ornament(at: ScreenPoint(150, 100)) == nil)
    #expect(try map.ornaments.ornament(at: ScreenPoint(.nan, 100)) == nil)
    #expect(try pixel(map.draw(), 251, 150)[0] < 60)
    map.ornaments.options = .hidden
    #expect(try map.ornaments.places.isEmpty)
  }

  @Test func unitsAreChosen() throws {
    let map = try map()
    map.ornaments.options.scaleBar.visibility = .visible
    var widths: [Double] = []
    for units in [ScaleBar.metric, .imperial, .nautical] {
      map.ornaments.options.scaleBar.units = units
      widths.append(try #require(try map.ornaments.places.first).width)
    }
    #expect(Set(widths).count == 3)
    map.ornaments.options.scaleBar.units = .none
    #expect(try map.ornaments.places.isEmpty)
    map.ornaments.options.scaleBar.useMetricUnits = false
    #expect(map.ornaments.options.scaleBar.units == .imperial)
  }

  @Test func aTapOnTheCompassTurnsTheMapNorth() throws {
    let map = try map()
    try map.setCamera(Camera(longitude: 0, latitude: 0, zoom: 3, bearing: 50))
    map.ornaments.options.compass.visibility = .adaptive
    map.loop.run()
    try map.gestures.handle(PointerEvent(.down, at: ScreenPoint(272, 28), milliseconds: 0))
    try map.gestures.handle(PointerEvent(.up, at: ScreenPoint(272, 28), milliseconds: 50))
    #expect(map.cameraAnimations.cameraAnimators.map(\.owner) == [.compass])
    map.loop.run()
    #expect(try map.camera.bearing == 0)
    #expect(try map.ornaments.places.isEmpty, "the map looks north")
  }

  @Test func attributionsHaveTheirLinks() throws {
    let expected = [
      AttributionLink(text: "© OpenStreetMap", href: "https://o.example"),
      AttributionLink(text: "us", href: nil),
    ]
    #expect(try map().attributionLinks == expected)
    #expect(try Renderer(json: OrnamentsTests.style).attributionLinks() == expected)
  }

  @Test func picturesHaveWhatMapsHave() throws {
    let map = try map()
    var options = OrnamentOptions()
    options.logo.image = try Image(width: 20, height: 10, pixels: [UInt8](repeating: 255, count: 800))
    map.ornaments.options = options
    let renderer = try Renderer(json: OrnamentsTests.style)
    let camera = Camera(longitude: 0, latitude: 0, zoom: 3)
    let picture = try renderer.draw(camera: camera, width: 300, height: 200, ornaments: options)
    #expect(try map.draw().pixels == picture.pixels)
    let turned = Camera(longitude: 0, latitude: 0, zoom: 3, bearing: 20)
    let image = try renderer.draw(camera: turned, width: 300, height: 200, ornaments: options)
    #expect(pixel(image, 263, 28)[0] < 60 && pixel(image, 10, 185) == [255, 255, 255, 255])
    refused("ornaments") {
      _ = try renderer.draw(
        camera: camera, width: 300, height: 200, attribution: .sources, ornaments: options)
    }
  }

  @Test func whatIsOutOfItsRangeIsRefusedAndChangesNothing() throws {
    let map = try map()
    map.ornaments.options.compass.visibility = .visible
    let before = map.ornaments.options
    func changed(_ change: (inout OrnamentOptions) throws -> Void) rethrows -> OrnamentOptions {
      var options = before
      try change(&options)
      return options
    }
    refused("margins") { try map.ornaments.setOptions(changed { $0.logo.margins = ScreenPoint(-1, 8) }) }
    refused("compass") { try map.ornaments.setOptions(changed { $0.compass.margins = ScreenPoint(8, 5000) }) }
    refused("scaleBar") {
      try map.ornaments.setOptions(changed { $0.scaleBar.margins = ScreenPoint(.nan, 8) })
    }
    refused("2048", .limitExceeded) {
      try map.ornaments.setOptions(
        changed {
          $0.logo.image = try Image(width: 2049, height: 1, pixels: [UInt8](repeating: 0, count: 8196))
        })
    }
    refused("pixel ratio") {
      try map.ornaments.setOptions(
        changed {
          $0.compass.image = try Image(width: 1, height: 1, pixels: [0, 0, 0, 0])
          $0.compass.imagePixelRatio = 17
        })
    }
    #expect(map.ornaments.options == before)
    #expect(try map.ornaments.places.map(\.ornament) == [.compass])
    // Setting the property leaves what is refused out too.
    map.ornaments.options.compass.margins = ScreenPoint(-5, 0)
    #expect(map.ornaments.options == before)
  }

  @Test func withoutAStyleThereAreNoPlaces() throws {
    let map = try Map(loop: EventLoop(), width: 300, height: 200)
    map.ornaments.options = OrnamentOptions()
    refused("style", .state) { _ = try map.ornaments.places }
    refused("style", .state) { _ = try map.ornaments.ornament(at: ScreenPoint(1, 1)) }
  }
}
