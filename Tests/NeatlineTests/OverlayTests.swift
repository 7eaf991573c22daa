import Neatline
import Testing

/// Overlays: what one picture shows over its map, through the Swift module and the C interface below it.
@Suite struct OverlayTests {
  private static let style = """
    {"version": 8, "sources": {"square": {"type": "geojson", "data": {"type": "Polygon", "coordinates":
      [[[-10, -10], [10, -10], [10, 10], [-10, 10], [-10, -10]]]}}},
     "layers": [{"id": "paper", "type": "background", "paint": {"background-color": "#ffffff"}},
       {"id": "square", "type": "fill", "source": "square",
        "paint": {"fill-color": "#0000ff", "fill-antialias": false}}]}
    """
  private static let red = """
    {"type": "Feature", "properties": {"fill": "#ff0000", "fill-opacity": 1, "stroke-width": 0}, "geometry":
      {"type": "Polygon", "coordinates": [[[-5, -5], [5, -5], [5, 5], [-5, 5], [-5, -5]]]}}
    """

  private func renderer() throws -> Renderer { try Renderer(json: Self.style) }

  private func draw(_ renderer: Renderer, _ overlay: Overlay?) throws -> Image {
    try renderer.draw(
      camera: Camera(longitude: 0, latitude: 0, zoom: 2), width: 64, height: 64, overlay: overlay)
  }

  private func pixel(_ image: Image, _ x: Int, _ y: Int) -> [UInt8] {
    Array(image.pixels[4 * (y * image.width + x)..<4 * (y * image.width + x) + 4])
  }

  @Test func geoJSONIsDrawnAsItSaysAndIsGoneAfterwards() throws {
    let renderer = try renderer()
    let plain = try draw(renderer, nil)
    let over = try draw(renderer, try Overlay(json: Self.red))
    #expect(pixel(plain, 32, 32) == [0, 0, 255, 255] && pixel(over, 32, 32) == [255, 0, 0, 255])
    // Around it the map is as it was.
    #expect(pixel(over, 32, 1) == pixel(plain, 32, 1))
    #expect(try draw(renderer, nil).pixels == plain.pixels)
    #expect(try draw(renderer, try Overlay(json: #"{"layers": []}"#)).pixels == plain.pixels)
  }

  /// A layer of the type `simplestyle` draws its source as an overlay that is GeoJSON is drawn.
  @Test func aLayerMayDrawItsSourceAsItsFeaturesSay() throws {
    let renderer = try renderer()
    let source = JSONValue.Member("s", ["type": "geojson", "data": try JSONValue(parsing: Self.red)])
    let layer: JSONValue = ["id": "s", "type": "simplestyle", "source": "s"]
    let image = try draw(renderer, try Overlay(sources: [source], layers: [layer]))
    #expect(try image.pixels == draw(renderer, try Overlay(json: Self.red)).pixels)
    // Below a layer as others are, and beside others.
    let below = try Overlay(sources: [source], layers: [layer], before: "square")
    #expect(try draw(renderer, below).pixels == draw(renderer, nil).pixels)
  }

  @Test(arguments: [
    (#"{"type": "simplestyle", "source": "s"}"#, "\"id\""),
    (#"{"type": "simplestyle", "id": "s"}"#, "\"source\""),
    (#"{"type": "simplestyle", "id": "s", "source": "s", "paint": {}}"#, "paint"),
  ])
  func aSimpleLayerThatIsNoneIsRefused(_ layer: String, _ word: String) {
    #expect { _ = try Overlay(json: #"{"layers": [\#(layer)]}"#) } throws: { "\($0)".contains(word) }
  }

  /// The text is read where it stands: what lies around it, and how numbers are written, does not matter.
  @Test func geoJSONIsReadAsItStands() throws {
    let renderer = try renderer()
    let spaced = "\n \t" + Self.red.replacing("-5", with: "-5.0e0") + " \n"
    let image = try draw(renderer, try Overlay(json: spaced))
    #expect(try image.pixels == draw(renderer, try Overlay(json: Self.red)).pixels)
    #expect(try Overlay(json: spaced).bounds.west == -5)
  }

  @Test func theBoundsOfSeveralSourcesAreThoseOfAll() throws {
    func point(_ longitude: Double) -> JSONValue {
      ["type": "geojson", "data": ["type": "Point", "coordinates": [.number(longitude), 1]]]
    }
    let box = try Overlay(sources: [.init("a", point(170)), .init("b", point(-170))], layers: []).bounds
    #expect(box.west == 170 && box.east == -170)
  }

  /// The picture is that of a style which has the overlay in itself.
  @Test func layersGoBelowALayerOfTheStyle() throws {
    let source = JSONValue.Member("over", ["type": "geojson", "data": try JSONValue(parsing: Self.red)])
    let layer: JSONValue = [
      "id": "over", "type": "fill", "source": "over", "paint": ["fill-color": "#ff0000"],
    ]
    let renderer = try renderer()
    let below = try Overlay(sources: [source], layers: [layer], before: "square")
    #expect(try draw(renderer, below).pixels == draw(renderer, nil).pixels)
    let top = try Overlay(sources: [source], layers: [layer])
    var whole = try JSONValue(parsing: Self.style)
    whole["sources"]?["over"] = source.value
    whole["layers"] = .array(whole["layers"]!.array! + [layer])
    #expect(try draw(renderer, top).pixels == draw(try Renderer(json: whole.text), nil).pixels)
  }

  @Test func layersMayDrawFromTheStylesSources() throws {
    let layer: JSONValue = [
      "id": "again", "type": "fill", "source": "square",
      "paint": ["fill-color": "#00ff00", "fill-antialias": false],
    ]
    let renderer = try renderer()
    _ = try draw(renderer, nil)
    let image = try draw(renderer, try Overlay(sources: [], layers: [layer]))
    #expect(pixel(image, 32, 32) == [0, 255, 0, 255])
  }

  @Test func imagesAreTheOverlaysOwn() throws {
    let overlay = try Overlay(
      sources: [.init("p", ["type": "geojson", "data": ["type": "Point", "coordinates": [0, 0]]])],
      layers: [["id": "p", "type": "symbol", "source": "p", "layout": ["icon-image": "dot"]]])
    try overlay.addImage(
      "dot", try Image(width: 8, height: 8, pixels: [UInt8](repeating: 255, count: 256)))
    let renderer = try renderer()
    let image = try draw(renderer, overlay)
    #expect(pixel(image, 32, 32) == [255, 255, 255, 255] && image.report.missing.isEmpty)
    let without = try Overlay(
      sources: [.init("p", ["type": "geojson", "data": ["type": "Point", "coordinates": [0, 0]]])],
      layers: [["id": "p", "type": "symbol", "source": "p", "layout": ["icon-image": "dot"]]])
    #expect(try draw(renderer, without).report.missing.map(\.resource) == ["dot"])
  }

  @Test(arguments: [
    (#"{"layer": []}"#, "layer"), (#"{"layers": {}}"#, "array"), (#"{"sources": []}"#, "object"),
    (#"{"before": 3}"#, "before"), ("[]", "object"), ("{", "end of JSON"),
  ])
  func whatIsNoOverlayIsRefused(_ json: String, _ word: String) {
    #expect { _ = try Overlay(json: json) } throws: { "\($0)".contains(word) }
  }

  @Test(arguments: [
    (
      #"{"sources": {"square": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}}}"#,
      "square"
    ),
    (#"{"layers": [{"id": "paper", "type": "background"}]}"#, "paper"),
    (#"{"layers": [{"id": "x", "type": "fill", "source": "nowhere"}]}"#, "nowhere"),
    (#"{"layers": [{"id": "x", "type": "background"}], "before": "nobody"}"#, "nobody"),
    (
      #"{"layers": [{"id": "x", "type": "background", "paint": {"background-color": 3}}]}"#,
      "background-color"
    ),
  ])
  func whatDoesNotFitTheStyleIsRefusedByName(_ json: String, _ word: String) throws {
    let renderer = try renderer()
    let overlay = try Overlay(json: json)
    #expect { _ = try draw(renderer, overlay) } throws: { "\($0)".contains(word) }
    #expect(try pixel(draw(renderer, nil), 32, 32) == [0, 0, 255, 255])
  }

  @Test func moreLayersThanTheLimitAreRefused() throws {
    func layers(_ count: Int) -> [JSONValue] {
      (0..<count).map { ["id": .string("\($0)"), "type": "background"] }
    }
    _ = try draw(renderer(), Overlay(sources: [], layers: layers(256)))
    #expect { _ = try Overlay(sources: [], layers: layers(257)) } throws: {
      ($0 as? NeatlineError)?.status == .limitExceeded
    }
  }

  // MARK: Bounds

  @Test(arguments: [
    (#"{"type": "MultiPoint", "coordinates": [[5, 45], [15, 55]]}"#, [5.0, 45, 15, 55]),
    (#"{"type": "MultiPoint", "coordinates": [[170, -20], [-175, -10]]}"#, [170, -20, -175, -10]),
    (#"{"type": "LineString", "coordinates": [[-170, 0], [170, 10]]}"#, [-170, 0, 170, 10]),
    (#"{"type": "Point", "coordinates": [1, 2]}"#, [1, 2, 1, 2]),
    (#"{"type": "MultiPoint", "coordinates": [[179, 0], [-179, 0], [0, 0]]}"#, [0, 0, -179, 0]),
  ])
  func boundsAreTheSmallest(_ json: String, _ expected: [Double]) throws {
    let box = try Overlay(json: json).bounds
    #expect([box.west, box.south, box.east, box.north] == expected)
  }

  @Test func boundsOfNothingAreNotFound() throws {
    for json in [#"{"type": "FeatureCollection", "features": []}"#, "{}"] {
      #expect { _ = try Overlay(json: json).bounds } throws: { ($0 as? NeatlineError)?.status == .notFound }
    }
  }

  // MARK: Ornaments

  @Test func attributionAndScaleBarStandInTheCorners() throws {
    let renderer = try renderer()
    let camera = Camera(longitude: 0, latitude: 0, zoom: 2)
    let plain = try renderer.draw(camera: camera, width: 300, height: 100)
    let told = try renderer.draw(
      camera: camera, width: 300, height: 100, attribution: .text("Somebody"), scaleBar: .metric)
    func differs(_ xs: Range<Int>, _ ys: Range<Int>) -> Bool {
      ys.contains { y in xs.contains { pixel(plain, $0, y) != pixel(told, $0, y) } }
    }
    #expect(differs(0..<150, 60..<100) && differs(240..<300, 70..<100))
    #expect(!differs(0..<300, 0..<50) && !differs(190..<220, 0..<100))
    // A tilt moves the map and not them.
    let tilted = try renderer.draw(
      camera: Camera(longitude: 0, latitude: 0, zoom: 2, pitch: 60), width: 200, height: 100,
      attribution: .text("Somebody"))
    let flat = try renderer.draw(camera: camera, width: 200, height: 100, attribution: .text("Somebody"))
    #expect(pixel(tilted, 188, 86) == pixel(flat, 188, 86) && pixel(flat, 188, 86) != pixel(plain, 188, 86))
  }

  @Test func labelMarginsPastTheLimitAreRefused() throws {
    let renderer = try renderer()
    _ = try renderer.draw(width: 16, height: 16, labelMargin: 4096)
    #expect { _ = try renderer.draw(width: 16, height: 16, labelMargin: 4097) } throws: {
      ($0 as? NeatlineError)?.status == .invalidArgument
    }
  }
}
