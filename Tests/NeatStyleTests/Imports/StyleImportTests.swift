import NeatBase
import NeatJSON
import Testing

@testable import NeatStyle

/// Styles that take in others become one.
@Suite struct StyleImportTests {
  private func json(_ text: String) throws -> JSON { try JSON.parse(Array(text.utf8)) }

  private let basemap = """
    {"version": 8, "glyphs": "fonts/{fontstack}/{range}.pbf", "sprite": "icons", "center": [1, 2], "zoom": 3,
     "light": {"intensity": 0.1},
     "schema": {"water": {"default": "#00f", "type": "color"}, "labels": {"default": true, "type": "boolean"},
                "width": {"default": 2, "type": "number", "minValue": 1, "maxValue": 9},
                "season": {"default": "summer", "type": "string", "values": ["summer", "winter"]},
                "fonts": {"default": ["Noto"], "type": "string", "array": true}},
     "sources": {"tiles": {"type": "vector", "url": "tiles.json"},
                 "shapes": {"type": "geojson", "data": "shapes.geojson"}},
     "layers": [
      {"id": "land", "type": "background", "paint": {"background-color": "#eee"}},
      {"id": "water", "type": "fill", "source": "tiles", "source-layer": "water",
       "paint": {"fill-color": ["config", "water"]}},
      {"id": "middle", "type": "slot"},
      {"id": "roads", "type": "line", "source": "tiles", "source-layer": "roads",
       "paint": {"line-width": ["interpolate", ["linear"], ["zoom"], 5, 1, 10, ["config", "width"]]},
       "filter": ["literal", true]},
      {"id": "top", "type": "slot"},
      {"id": "names", "type": "symbol", "source": "shapes",
       "layout": {"text-font": ["config", "fonts"], "text-field": ["get", "name"]}}]}
    """

  private func root(_ imports: String, _ layers: String = "[]", _ more: String = "") throws -> StyleImports {
    StyleImports(
      try json(
        """
        {"version": 8, "imports": \(imports), "sources": {"own": {"type": "geojson", "data": "own.geojson"}},
         "layers": \(layers)\(more)}
        """), base: "http://root.example/styles/root.json")
  }

  private let url = "http://base.example/basemap/style.json"

  @Test func anImportLiesBelowUnderNamesOfItsOwn() throws {
    var imports = try root(
      #"[{"id": "basemap", "url": "http://base.example/basemap/style.json"}]"#,
      #"""
      [{"id": "a", "type": "circle", "source": "own"}, {"id": "b", "type": "circle", "source": "own", "slot": "middle"},
       {"id": "c", "type": "circle", "source": "own", "slot": "middle"},
       {"id": "d", "type": "line", "source": "basemap/tiles", "source-layer": "roads", "slot": "top"}]
      """#)
    #expect(imports.lacking == [url])
    imports.take(url, .success(Array(basemap.utf8)))
    #expect(imports.lacking == [])
    let style = try imports.style()
    #expect(style.issues.isEmpty, "\(style.issues)")
    #expect(
      style.layers.map(\.id) == [
        "basemap/land", "basemap/water", "b", "c", "basemap/roads", "d", "basemap/names", "a",
      ])
    #expect(style.sources.map(\.id) == ["basemap/tiles", "basemap/shapes", "own"])
    #expect(style.layer("basemap/water")?.source == "basemap/tiles")
    #expect(style.source("basemap/tiles")?.json["url"]?.string == "http://base.example/basemap/tiles.json")
    #expect(
      style.source("basemap/shapes")?.json["data"]?.string == "http://base.example/basemap/shapes.geojson")
    #expect(style.source("own")?.json["data"]?.string == "own.geojson", "it starts where the root is")
    #expect(style.glyphs == "http://base.example/basemap/fonts/{fontstack}/{range}.pbf")
    #expect(
      style.sprites == [
        Style.Sprite(id: "basemap/default", url: "http://base.example/basemap/icons", prefix: "")
      ])
    #expect(style.center?.lon == 1 && style.zoom == 3)
    #expect(style.slots.map(\.name) == ["middle", "top"])
    #expect(style.slots.map(\.before) == ["basemap/roads", "basemap/names"])
    // Read again, it is the same, and takes in nothing.
    let again = try Style(json: style.json)
    #expect(again.layers.map(\.id) == style.layers.map(\.id) && again.sprites == style.sprites)
    #expect(!StyleImports.concerns(style.json))
  }

  @Test func configurationTakesItsPlaceInExpressions() throws {
    var imports = try root(
      #"""
      [{"id": "one", "url": "http://base.example/basemap/style.json", "config": {"width": 5, "water": "red"}},
       {"id": "two", "url": "http://base.example/basemap/style.json", "config": {"width": 20, "nothing": 1}}]
      """#)
    imports.take(url, .success(Array(basemap.utf8)))
    var style = try imports.style()
    func value(_ layer: String, _ name: String) throws -> String {
      try style.layer(layer)?.value(named: name).text ?? "?"
    }
    #expect(try value("one/water", "fill-color") == #"["to-color","red"]"#)
    #expect(try value("one/roads", "line-width") == #"["interpolate",["linear"],["zoom"],5,1,10,5]"#)
    #expect(try value("two/roads", "line-width") == #"["interpolate",["linear"],["zoom"],5,1,10,2]"#)
    #expect(try value("one/names", "text-font") == #"["literal",["Noto"]]"#)
    #expect(try value("one/roads", "filter") == #"["literal",true]"#)
    #expect(style.issues.count == 2, "20 is too wide, and there is no \"nothing\": \(style.issues)")
    try imports.set("one", "width", .number(9))
    try imports.set("one", "water", try json(#"["match", ["get", "class"], "lake", "blue", "navy"]"#))
    style = try imports.style()
    #expect(try value("one/roads", "line-width").hasSuffix(",9]"))
    #expect(try value("one/water", "fill-color").hasPrefix(#"["match""#))
    #expect(imports.entries.map(\.path) == ["", "one", "two"])
    #expect(imports.entries[1].config.first { $0.name == "width" }?.value.number == 9)
    try imports.set("one", "width", nil)
    style = try imports.style()
    #expect(try value("one/roads", "line-width").hasSuffix(",5]"), "what the import says")
    for (path, name, value, code): (String, String, JSON, ErrorCode) in [
      ("one", "width", .number(10), ErrorCode.invalidArgument),
      ("one", "width", .string("5"), .invalidArgument),
      ("one", "season", .string("spring"), .invalidArgument), ("one", "labels", .number(1), .invalidArgument),
      ("one", "water", .number(1), .invalidArgument),
      ("one", "fonts", .array([.number(1)]), .invalidArgument),
      ("three", "width", .number(5), .notFound), ("one", "nothing", .number(5), .notFound),
      ("", "width", .number(5), .notFound),
    ] {
      do throws(NeatError) {
        try imports.set(path, name, value)
        Issue.record("\(path) \(name) was set")
      } catch { #expect(error.code == code) }
    }
  }

  @Test func stylesWithinStylesHandOnTheirSlotsAndValues() throws {
    let inner = """
      {"version": 8, "schema": {"c": {"default": "red", "type": "color"}}, "sources": {}, "layers": [
       {"id": "i", "type": "background", "paint": {"background-color": ["config", "c"]}}, {"id": "s", "type": "slot"},
       {"id": "above", "type": "background"}]}
      """
    let outer = """
      {"version": 8, "schema": {"main": {"default": "green", "type": "color"}},
       "imports": [{"id": "inner", "data": \(inner), "config": {"c": ["config", "main"]}}], "sources": {},
       "layers": [{"id": "o", "type": "background", "slot": "s"}]}
      """
    var imports = try root(
      #"[{"id": "outer", "data": \#(outer)}]"#, #"[{"id": "mine", "type": "background", "slot": "s"}]"#)
    #expect(imports.lacking.isEmpty)
    try imports.set("outer", "main", .string("blue"))
    let style = try imports.style()
    #expect(style.issues.isEmpty, "\(style.issues)")
    #expect(style.layers.map(\.id) == ["outer/inner/i", "outer/o", "mine", "outer/inner/above"])
    #expect(
      try style.layer("outer/inner/i")?.value(named: "background-color").text
        == #"["to-color","blue"]"#)
    #expect(imports.entries.map(\.path) == ["", "outer", "outer/inner"])
  }

  @Test func theRootCountsBeforeWhatItTakesIn() throws {
    let one =
      #"{"version": 8, "sprite": "http://a/s", "light": {"intensity": 0.2}, "state": {"x": {"default": 1}, "y": {"default": 1}}, "sources": {}, "layers": []}"#
    let two =
      #"{"version": 8, "sprite": [{"id": "default", "url": "http://a/s"}, {"id": "poi", "url": "http://b/s"}], "light": {"intensity": 0.3}, "terrain": {"source": "dem"}, "sources": {"dem": {"type": "raster-dem", "tiles": []}}, "layers": []}"#
    let imports = try root(
      #"[{"id": "one", "data": \#(one)}, {"id": "two", "data": \#(two)}]"#, "[]",
      #", "sprite": "http://c/s", "zoom": 7, "state": {"y": {"default": 2}}"#)
    let style = try imports.style()
    #expect(style.issues.isEmpty, "\(style.issues)")
    #expect(style.zoom == 7)
    #expect(style.light.json(group: nil)?["intensity"]?.number == 0.3, "the last one")
    #expect(style.terrain?.source == "two/dem")
    #expect(Dictionary(style.state.map { ($0.name, $0.value.number) }) { $1 } == ["x": 1, "y": 2])
    #expect(
      style.sprites.map(\.url) == ["http://c/s", "http://a/s", "http://b/s"], "each once, the root's first")
    #expect(style.sprites.map(\.prefix) == ["", "", "poi:"])
  }

  @Test func aLayerThatIsAddedLaterGoesIntoItsSlot() throws {
    var imports = try root(#"[{"id": "basemap", "url": "http://base.example/basemap/style.json"}]"#)
    imports.take(url, .success(Array(basemap.utf8)))
    var editor = StyleEditor(try imports.style())
    try editor.addLayer(json(#"{"id": "x", "type": "circle", "source": "own", "slot": "middle"}"#))
    try editor.addLayer(json(#"{"id": "y", "type": "circle", "source": "own", "slot": "middle"}"#))
    #expect(
      editor.style.layers.map(\.id) == [
        "basemap/land", "basemap/water", "x", "y", "basemap/roads", "basemap/names",
      ])
    #expect(throws: NeatError.self) {
      try editor.addLayer(json(#"{"id": "z", "type": "circle", "source": "own", "slot": "nowhere"}"#))
    }
  }

  @Test func whatIsWrongWithAnImportIsAnIssueAndTheRestStands() throws {
    var imports = try root(
      #"""
      [{"id": "", "url": "a"}, {"id": "a/b", "url": "a"}, {"id": "gone", "url": "gone.json"}, {"id": "gone", "url": "x"},
       {"id": "none"}, 7, {"id": "self", "url": "self.json"}, {"id": "text", "url": "text.json"}]
      """#, #"[{"id": "mine", "type": "background", "slot": "nowhere"}]"#)
    let place = "http://root.example/styles/"
    #expect(imports.lacking == ["gone", "self", "text"].map { "\(place)\($0).json" })
    imports.take("\(place)gone.json", .failure(NeatError(.notFound, "no such style")))
    imports.take(
      "\(place)self.json",
      .success(
        Array(
          #"{"version": 8, "imports": [{"id": "again", "url": "self.json"}], "sources": {}, "layers": []}"#
            .utf8)))
    imports.take("\(place)text.json", .success(Array("no style".utf8)))
    #expect(imports.lacking.isEmpty)
    let style = try imports.style()
    #expect(style.layers.map(\.id) == ["mine"])
    #expect(style.issues.count == 9, "\(style.issues.map(\.description))")
    #expect(imports.entries.filter { !$0.isThere }.map(\.path) == ["gone", "text"])
    #expect(throws: NeatError.self) {
      try StyleImports(json(#"{"version": 7, "imports": []}"#), base: "").style()
    }
  }

  /// A server's style says what is asked of servers, and not what is read here.
  @Test func aStyleOfAServerNamesNoFilesOfThisMachine() throws {
    let foreign = """
      {"version": 8, "imports": [{"id": "file", "url": "file:///etc/style.json"}], "sprite": "file:///etc/sprite",
       "glyphs": "file:///etc/{fontstack}/{range}.pbf", "sources": {
        "a": {"type": "geojson", "data": "file:///etc/a.geojson"}, "b": {"type": "vector", "url": "mbtiles:///etc/b"},
        "c": {"type": "raster", "tiles": ["file:///etc/{z}/{x}/{y}.png"]}, "d": {"type": "vector", "url": "d.json"}},
       "layers": [{"id": "l", "type": "line", "source": "a"}]}
      """
    for (isAllowed, count) in [(false, 5), (true, 0)] {
      var imports = StyleImports(
        try json(
          #"{"version": 8, "imports": [{"id": "x", "url": "http://x.example/s.json"}], "sources": {}, "layers": []}"#
        ),
        base: "", allowsFiles: isAllowed)
      imports.take("http://x.example/s.json", .success(Array(foreign.utf8)))
      imports.take(
        "file:///etc/style.json", .success(Array(#"{"version": 8, "sources": {}, "layers": []}"#.utf8)))
      let style = try imports.style()
      #expect(style.issues.count == count, "\(style.issues.map(\.description))")
      #expect(style.json.text.contains("file:///etc/") == isAllowed)
      #expect(style.layers.map(\.id) == ["x/l"], "layers stand, without anything to draw")
      #expect(style.source("x/d")?.json["url"]?.string == "http://x.example/d.json")
    }
  }

  @Test func manyLayersInSlotsAreTakenInTheirOrder() throws {
    let count = 20_000
    let layers = (0..<count).map { #"{"id": "\#($0)", "type": "background", "slot": "s"}"# }.joined(
      separator: ",")
    let inner =
      #"{"version": 8, "sources": {}, "layers": [{"id": "s", "type": "slot"}, {"id": "top", "type": "background"}]}"#
    let imports = try root(#"[{"id": "i", "data": \#(inner)}]"#, "[\(layers)]")
    let style = try imports.style()
    #expect(style.layers.prefix(3).map(\.id) == ["0", "1", "2"])
    #expect(style.issues.count >= 1, "more layers than a style may have are left out")
  }

  @Test func thereAreLimitsOfImportsDepthAndValues() throws {
    let many = (0..<200).map { #"{"id": "i\#($0)", "data": {"version": 8, "sources": {}, "layers": []}}"# }
    let wide = try root("[\(many.joined(separator: ","))]")
    #expect(wide.entries.count == StyleImports.limit + 1)
    #expect(try wide.style().issues.count == 1)

    var deep = #"{"version": 8, "sources": {}, "layers": []}"#
    for _ in 0..<20 {
      deep = #"{"version": 8, "imports": [{"id": "i", "data": \#(deep)}], "sources": {}, "layers": []}"#
    }
    let nested = StyleImports(try json(deep), base: "")
    #expect(nested.entries.count == StyleImports.depthLimit + 1)
    #expect(try nested.style().issues.count == 1)

    let long = String(repeating: "x", count: 1 << 16)
    let uses = Array(repeating: #"["config", "long"]"#, count: 100).joined(separator: ",")
    let bomb = StyleImports(
      try json(
        """
        {"version": 8, "schema": {"long": {"default": "\(long)", "type": "string"}}, "sources": {},
         "layers": [{"id": "b", "type": "background", "metadata": {}, "paint": {"background-opacity": ["length", ["concat", \(uses)]]}}]}
        """), base: "")
    #expect(try bomb.style().issues.contains { $0.message.contains("bytes of values") })
  }
}
