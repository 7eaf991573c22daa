import NeatBase
import NeatCamera
import NeatImage
import NeatJSON
import NeatRaster
import NeatStyle
import Testing

@testable import NeatMap

/// One change, one layer: how many layers of tiles are laid out anew by what, and that the picture is that of
/// a map which began with the changed style.
@Suite struct LayerChangeTests {
  private static let size = ViewSize(width: 64, height: 64, pixelRatio: 1)

  private static let text = """
    {"version": 8, "state": {"shown": {"default": "a"}},
     "sources": {
      "s": {"type": "geojson", "data": {"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": 1, "properties": {"r": 9, "kind": "a"}, "geometry": {"type": "Point", "coordinates": [2, 2]}},
        {"type": "Feature", "id": 2, "properties": {"r": 5, "kind": "b"}, "geometry": {"type": "Point", "coordinates": [-20, 9]}},
        {"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": [[-60, -20], [60, 30]]}}]}},
      "t": {"type": "geojson", "data": {"type": "Point", "coordinates": [-9, -9]}}},
     "layers": [
      {"id": "ground", "type": "background", "paint": {"background-color": "white"}},
      {"id": "line", "type": "line", "source": "s", "paint": {"line-width": 4}},
      {"id": "dots", "type": "circle", "source": "s", "paint": {"circle-radius": 8, "circle-color": "red"}},
      {"id": "sized", "type": "circle", "source": "s", "paint": {"circle-radius": ["get", "r"], "circle-color": "blue",
        "circle-opacity": ["case", ["boolean", ["feature-state", "on"], false], 1, 0.5]}},
      {"id": "shown", "type": "circle", "source": "s", "filter": ["==", ["get", "kind"], ["global-state", "shown"]],
        "paint": {"circle-radius": 3, "circle-color": "lime"}},
      {"id": "pin", "type": "symbol", "source": "s", "layout": {"icon-image": "pin", "icon-allow-overlap": true}},
      {"id": "other", "type": "circle", "source": "t"}]}
    """

  /// What the map lays out for the first picture: five layers of the one source, one of the other.
  private static let all = 6

  private func map(_ style: Style) -> MapCore { MapCore(style: style, base: "") }

  private func picture(_ core: MapCore) throws -> [UInt32] {
    let client = ResourceClient { $0.map { _ in .missing } }
    let transform = try Transform(camera: Camera(), size: Self.size)
    try core.load(transform, client: client, executor: .inline)
    let bitmap = try core.frame(transform).rasterize(.inline)
    return withExtendedLifetime(bitmap) {
      Array(UnsafeBufferPointer(start: bitmap.pixels, count: bitmap.width * bitmap.height))
    }
  }

  /// The layers laid out by a change, whose picture is then compared with that of a fresh map.
  private func cost(
    of change: (MapCore) throws -> Void, fresh: (MapCore) throws -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Int {
    let core = map(try Style(parsing: Array(Self.text.utf8)))
    let first = try picture(core)
    #expect(core.laidOutLayerCount == Self.all, sourceLocation: sourceLocation)
    #expect(try picture(core) == first && core.laidOutLayerCount == Self.all, sourceLocation: sourceLocation)
    try change(core)
    let changed = try picture(core)
    let count = core.laidOutLayerCount - Self.all
    let other = map(core.style)
    try fresh(other)
    #expect(
      try picture(other) == changed, "the picture of a map that began so", sourceLocation: sourceLocation)
    return count
  }

  private func edit(_ core: MapCore, _ body: (inout StyleEditor) throws -> Void) rethrows {
    var editor = StyleEditor(core.style)
    try body(&editor)
    _ = core.replaceStyle(editor.style)
  }

  private func json(_ text: String) throws -> JSON { try JSON.parse(text) }

  @Test func aPaintConstantLaysNothingOut() throws {
    for (layer, name, value) in [
      ("dots", "circle-radius", "12"), ("dots", "circle-color", #""black""#), ("line", "line-width", "9"),
      ("line", "line-color", #""red""#), ("line", "line-offset", "3"), ("sized", "circle-blur", "0.5"),
      ("ground", "background-color", #""green""#), ("pin", "icon-opacity", "0.5"),
      ("dots", "circle-radius", #"["interpolate", ["linear"], ["zoom"], 0, 3, 9, 20]"#),
      ("dots", "circle-translate", "[5, 4]"),
    ] {
      let count = try cost { core in
        try edit(core) { try $0.setPaintProperty(layer: layer, name, json(value)) }
      }
      #expect(count == 0, "\(layer) \(name)")
    }
  }

  @Test func paintOfFeaturesLaysItsLayerOut() throws {
    for (layer, name, value) in [
      ("dots", "circle-radius", #"["get", "r"]"#), ("sized", "circle-radius", "4"),
      ("line", "line-dasharray", "[2, 1]"), ("line", "line-pattern", #""stripes""#),
    ] {
      let count = try cost { core in
        try edit(core) { try $0.setPaintProperty(layer: layer, name, json(value)) }
      }
      #expect(count == 1, "\(layer) \(name)")
    }
  }

  @Test func aLayoutPropertyLaysItsLayerOut() throws {
    #expect(
      try cost { core in
        try edit(core) { try $0.setLayoutProperty(layer: "line", "line-cap", json(#""round""#)) }
      } == 1)
    #expect(
      try cost { core in
        try edit(core) { try $0.setFilter(layer: "dots", json(#"["==", ["get", "r"], 5]"#)) }
      } == 1)
    // Nothing is laid out of a layer that is not shown.
    #expect(
      try cost { core in
        try edit(core) { try $0.setLayoutProperty(layer: "dots", "visibility", json(#""none""#)) }
      } == 0)
  }

  @Test func layersThatComeGoAndMoveLeaveTheOthers() throws {
    let dot = #"{"id": "new", "type": "circle", "source": "s", "paint": {"circle-color": "cyan"}}"#
    #expect(try cost { core in try edit(core) { try $0.addLayer(json(dot), before: "line") } } == 1)
    #expect(try cost { core in try edit(core) { try $0.addLayer(json(dot)) } } == 1)
    #expect(try cost { core in try edit(core) { try $0.removeLayer("dots") } } == 0)
    #expect(try cost { core in try edit(core) { try $0.moveLayer("line") } } == 0)
    #expect(try cost { core in try edit(core) { try $0.moveLayer("other", before: "ground") } } == 0)
    // The same id for another layer.
    let count = try cost { core in
      try edit(core) {
        try $0.removeLayer("line")
        try $0.addLayer(json(#"{"id": "line", "type": "circle", "source": "t"}"#))
      }
    }
    #expect(count == 1)
  }

  @Test func aSourceLaysItsTilesOut() throws {
    let data = Array(#"{"type": "Point", "coordinates": [30, 30]}"#.utf8)
    let count = try cost(of: { try $0.setGeoJSON(source: "t", data) }) {
      try $0.setGeoJSON(source: "t", data)
    }
    #expect(count == 1)
    #expect(
      try cost(of: { try $0.setGeoJSON(source: "s", data) }) { try $0.setGeoJSON(source: "s", data) } == 5)
    let added = try cost { core in
      try edit(core) {
        try $0.addSource("u", json(#"{"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}"#))
      }
    }
    #expect(added == 0)
  }

  @Test func anImageLaysOutWhatNamesIt() throws {
    let pixels = [UInt8](repeating: 200, count: 256)
    func image(_ name: String) -> StyleImage {
      StyleImage(name: name, width: 8, height: 8, pixelRatio: 1, isSDF: false, pixels: pixels)
    }
    #expect(try cost(of: { $0.addImage(image("pin")) }) { $0.addImage(image("pin")) } == 1)
    #expect(try cost(of: { $0.addImage(image("nobody's")) }) { $0.addImage(image("nobody's")) } == 0)
    let core = map(try Style(parsing: Array(Self.text.utf8)))
    core.addImage(image("pin"))
    let with = try picture(core)
    try core.removeImage("pin")
    #expect(try picture(core) != with && core.laidOutLayerCount == Self.all + 1)
    #expect(throws: NeatError.self) { try core.removeImage("pin") }
    #expect(try picture(core) != with && core.laidOutLayerCount == Self.all + 1)
  }

  @Test func statesLayOutWhatLooksAtThem() throws {
    let target = try json(#"{"source": "s", "id": "1"}"#), on = try json(#"{"on": true}"#)
    #expect(try cost(of: { try $0.setFeatureState(target, on) }) { try $0.setFeatureState(target, on) } == 1)
    let b = try json(#""b""#)
    #expect(try cost(of: { try $0.setGlobalState("shown", b) }) { try $0.setGlobalState("shown", b) } == 1)
    #expect(
      try cost(of: { try $0.setGlobalState("nobody's", b) }) { try $0.setGlobalState("nobody's", b) } == 0)
  }

  /// A pattern that takes what there is of images is laid out anew when a sprite brings more.
  @Test func aSpriteThatArrivesLaysOutWhatLooksAtImages() throws {
    let square = #"[[[-60, -40], [60, -40], [60, 40], [-60, 40], [-60, -40]]]"#
    let style = try Style(
      parsing: Array(
        """
        {"version": 8, "sources": {"s": {"type": "geojson", "data": {"type": "Feature", "properties": {"p": "new"},
          "geometry": {"type": "Polygon", "coordinates": \(square)}}}},
         "layers": [{"id": "f", "type": "fill", "source": "s", "paint": {
           "fill-pattern": ["coalesce", ["image", ["get", "p"]], ["image", "fallback"]]}}]}
        """.utf8))
    let core = map(style)
    func pixels(_ value: UInt8) -> [UInt8] { [UInt8](repeating: value, count: 256) }
    core.addImage(
      StyleImage(name: "fallback", width: 8, height: 8, pixelRatio: 1, isSDF: false, pixels: pixels(90)))
    let before = try picture(core)
    let sheet = encodePNG(PixelImage(width: 8, height: 8, pixels: pixels(255), isPremultiplied: true))
    let index = Array(#"{"new": {"x": 0, "y": 0, "width": 8, "height": 8, "pixelRatio": 1}}"#.utf8)
    try edit(core) { try $0.setSprite(json(#""http://h/sprite""#)) }
    let client = ResourceClient { requests in
      requests.map { $0.kind == .spriteJSON ? .data(index) : .data(sheet) }
    }
    let bitmap = try core.render(camera: Camera(), size: Self.size, client: client, executor: .inline)
    let middle = withExtendedLifetime(bitmap) { bitmap.pixels[32 * 64 + 32] }
    #expect(middle == 0xffff_ffff && before[32 * 64 + 32] != middle)
    #expect(core.laidOutLayerCount == 2)
  }

  /// Random edits one after the other end in the picture of a map that began with their style.
  @Test func randomEditsEndInTheSamePicture() throws {
    var random = SystemRandomNumberGenerator()
    let changes: [(inout StyleEditor) throws -> Void] = [
      { try $0.setPaintProperty(layer: "dots", "circle-radius", JSON.parse("5")) },
      { try $0.setPaintProperty(layer: "dots", "circle-radius", JSON.parse(#"["get", "r"]"#)) },
      { try $0.setPaintProperty(layer: "dots", "circle-radius", nil) },
      { try $0.setPaintProperty(layer: "sized", "circle-color", JSON.parse(#""yellow""#)) },
      { try $0.moveLayer("line") }, { try $0.moveLayer("line", before: "dots") },
      { try $0.moveLayer("other", before: "sized") }, { try $0.setFilter(layer: "dots", nil) },
      { try $0.setFilter(layer: "dots", JSON.parse(#"["has", "kind"]"#)) },
      { try $0.setLayoutProperty(layer: "shown", "visibility", JSON.parse(#""none""#)) },
      { try $0.setLayoutProperty(layer: "shown", "visibility", nil) },
      { try $0.removeLayer("pin") },
      { try $0.addLayer(JSON.parse(#"{"id": "pin", "type": "line", "source": "s"}"#), before: "sized") },
      { try $0.addLayer(JSON.parse(#"{"id": "pin", "type": "circle", "source": "t"}"#)) },
    ]
    for _ in 0..<20 {
      let core = map(try Style(parsing: Array(Self.text.utf8)))
      for _ in 0..<12 {
        edit(core) { try? changes.randomElement(using: &random)?(&$0) }
        if Bool.random(using: &random) { _ = try picture(core) }
      }
      #expect(try picture(core) == picture(map(core.style)))
    }
  }
}
