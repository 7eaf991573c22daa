import NeatBase
import NeatJSON
import NeatStyle
import Testing

@Suite struct StyleEditorTests {
  private let layers = """
    {"id": "a", "type": "line", "source": "v", "source-layer": "s", "paint": {"line-width": 1, "line-blur": 2}},
    {"id": "b", "type": "fill", "source": "v", "source-layer": "s"}, {"id": "c", "type": "background"}
    """

  @Test func setsAndRemovesProperties() throws {
    let style = try StyleFixtures.style(layers)
    var editor = StyleEditor(style)
    try editor.setPaintProperty(layer: "a", "line-width", .number(5))
    try editor.setPaintProperty(layer: "a", "line-blur", nil)
    try editor.setLayoutProperty(layer: "a", "line-cap", .string("square"))
    let layer = try #require(editor.style.layer("a"))
    #expect(layer[.lineWidth].constantNumber == 5)
    #expect(!layer.isSet(.lineBlur) && layer[.lineBlur].constantNumber == 0)
    #expect(layer[.lineCap].enumValue(Evaluator(), at: .camera(zoom: 0)) == "square")
    // The style it came from is as it was, and untouched layers are shared.
    #expect(style.layer("a")?[.lineWidth].constantNumber == 1)
    #expect(style.layer("b") === editor.style.layer("b"))
  }

  @Test func refusesWhatIsWrongAndChangesNothing() throws {
    var editor = StyleEditor(try StyleFixtures.style(layers))
    let before = editor.style.json
    #expect(throws: NeatError.self) { try editor.setPaintProperty(layer: "a", "line-width", .string("x")) }
    #expect(throws: NeatError.self) { try editor.setPaintProperty(layer: "a", "line-opacity", .number(2)) }
    #expect(throws: NeatError.self) {
      try editor.setFilter(layer: "a", .parse(#"["==", "$type", "Circle"]"#))
    }
    #expect(throws: NeatError.self) { try editor.setLight(.parse(#"{"intensity": 2}"#)) }
    #expect(throws: NeatError.self) {
      try editor.addSource("x", .parse(#"{"type": "vector", "minzoom": "1"}"#))
    }
    #expect(throws: NeatError.self) { try editor.setPaintProperty(layer: "a", "line-cap", .string("round")) }
    #expect(throws: NeatError.self) { try editor.setPaintProperty(layer: "no", "line-width", .number(1)) }
    #expect(throws: NeatError.self) { try editor.removeLayer("no") }
    #expect(throws: NeatError.self) { try editor.addLayer(.parse(#"{"id": "a", "type": "background"}"#)) }
    #expect(throws: NeatError.self) {
      try editor.addLayer(.parse(#"{"id": "n", "type": "fill", "source": "no"}"#))
    }
    #expect(throws: NeatError.self) {
      try editor.addLayer(.parse(#"{"id": "n", "type": "background"}"#), before: "no")
    }
    #expect(throws: NeatError.self) { try editor.removeSource("v") }
    #expect(throws: NeatError.self) { try editor.addSource("v", .parse(#"{"type": "vector"}"#)) }
    #expect(throws: NeatError.self) { try editor.setZoomRange(layer: "a", minZoom: -1, maxZoom: 3) }
    #expect(throws: NeatError.self) { try editor.setGeoJSONData(source: "v", .null) }
    #expect(editor.style.json == before)
  }

  @Test func addsMovesAndRemovesLayers() throws {
    var editor = StyleEditor(try StyleFixtures.style(layers))
    try editor.addLayer(
      .parse(#"{"id": "n", "type": "circle", "source": {"type": "geojson", "data": "u"}}"#), before: "b")
    #expect(editor.style.layers.map(\.id) == ["a", "n", "b", "c"])
    #expect(editor.style.source("n")?.geojson != nil)
    try editor.moveLayer("a")
    try editor.moveLayer("c", before: "n")
    #expect(editor.style.layers.map(\.id) == ["c", "n", "b", "a"])
    try editor.removeLayer("n")
    try editor.removeSource("n")
    #expect(editor.style.sources.map(\.id) == ["v", "g"])
  }

  @Test func whatDiffFindsTurnsOneStyleIntoTheOther() throws {
    let one = try StyleFixtures.style(
      """
      {"id": "a", "type": "line", "source": "v", "source-layer": "s", "paint": {"line-width": 1, "line-blur": 2}},
      {"id": "b", "type": "fill", "source": "v", "source-layer": "s"}, {"id": "c", "type": "background"},
      {"id": "d", "type": "circle", "source": "g"}
      """, root: #""glyphs": "x", "light": {"intensity": 1}, "state": {"k": {"default": 1}}, "#)
    let other = try Style(
      json: .parse(
        """
        {"version": 8, "sky": {}, "sprite": "s", "state": {"k": {"default": 2}, "l": {"default": 3}}, "sources": {
           "v": {"type": "vector", "tiles": ["b"]},
           "g": {"type": "geojson", "data": {"type": "Point", "coordinates": [1, 2]}}, "n": {"type": "vector", "tiles": ["a"]}},
         "layers": [{"id": "c", "type": "background"}, {"id": "d", "type": "circle", "source": "g", "minzoom": 3},
           {"id": "a", "type": "line", "source": "v", "source-layer": "s", "paint": {"line-width": 3}},
           {"id": "n", "type": "fill", "source": "n", "source-layer": "s"}]}
        """))
    for (from, to) in [(one, other), (other, one), (one, one)] {
      var editor = StyleEditor(from)
      for operation in Style.diff(from: from, to: to) { try editor.apply(operation) }
      #expect(editor.style.layers.map(\.json) == to.layers.map(\.json))
      #expect(Set(editor.style.sources.map(\.id)) == Set(to.sources.map(\.id)))
      for source in to.sources { #expect(editor.style.source(source.id)?.json == source.json) }
      #expect(editor.style.glyphs == to.glyphs && editor.style.sprites == to.sprites)
      #expect((editor.style.sky == nil) == (to.sky == nil))
      #expect(Style.diff(from: editor.style, to: to) == [])
    }
  }

  @Test func diffKeepsWhatDidNotChange() throws {
    let style = try StyleFixtures.style(layers)
    #expect(Style.diff(from: style, to: style) == [])
    var editor = StyleEditor(style)
    try editor.setPaintProperty(layer: "a", "line-width", .number(9))
    #expect(
      Style.diff(from: style, to: editor.style) == [
        .setPaintProperty(layer: "a", name: "line-width", .number(9))
      ])
    try editor.setGeoJSONData(source: "g", .string("u"))
    #expect(Style.diff(from: style, to: editor.style).first == .setGeoJSONData(source: "g", .string("u")))
  }

  @Test func writesWhatItReads() throws {
    guard let shared = StyleFixtures.shared else {
      print("skipped: no shared data beside the package")
      return
    }
    for file in StyleFixtures.list(shared + "/data/styles", suffix: ".json") {
      let style = try Style(parsing: try #require(StyleFixtures.read("\(shared)/data/styles/\(file)")))
      #expect(try Style(json: style.json).json == style.json, "\(file)")
    }
  }
}
