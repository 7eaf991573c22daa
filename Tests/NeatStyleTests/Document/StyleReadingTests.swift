import NeatBase
import NeatJSON
import NeatStyle
import Testing

@Suite struct StyleReadingTests {
  @Test func readsRealStylesWithoutIssues() throws {
    guard let shared = StyleFixtures.shared else {
      print("skipped: no shared data beside the package")
      return
    }
    for file in StyleFixtures.list(shared + "/data/styles", suffix: ".json") {
      let bytes = try #require(StyleFixtures.read("\(shared)/data/styles/\(file)"))
      let style = try Style(parsing: bytes)
      #expect(style.issues == [], "\(file)")
      #expect(style.layers.count == (try JSON.parse(bytes))["layers"]?.count)
    }
  }

  @Test func readsTheRoot() throws {
    let style = try Style(
      json: .parse(
        """
        {"version": 8, "name": "n", "center": [1, 2], "zoom": 3, "bearing": 4, "pitch": 5, "roll": 6, "glyphs": "g",
         "sprite": [{"id": "default", "url": "a"}, {"id": "b", "url": "c"}], "transition": {"duration": 10},
         "light": {"anchor": "map", "intensity": 0.25}, "terrain": {"source": "d", "exaggeration": 2},
         "state": {"k": {"default": [1]}}, "projection": {"type": "globe"},
         "font-faces": {"F": [{"url": "u", "unicode-range": ["U+0600-06FF", "U+4??"]}], "G": "w"},
         "sources": {"d": {"type": "raster-dem", "url": "x", "encoding": "custom", "redFactor": 2}}, "layers": []}
        """))
    #expect(style.issues == [])
    #expect(style.name == "n")
    #expect(style.center == LonLat(1, 2))
    #expect([style.zoom, style.bearing, style.pitch, style.roll] == [3, 4, 5, 6])
    #expect(style.sprites == [.init(id: "default", url: "a"), .init(id: "b", url: "c")])
    #expect(style.transition == StyleTransition(duration: 10, delay: 0))
    #expect(style.light[.lightAnchor].enumValue(Evaluator(), at: .camera(zoom: 0)) == "map")
    #expect(style.light[.lightIntensity].constantNumber == 0.25)
    #expect(style.light[.lightPosition].numbers(Evaluator(), at: .camera(zoom: 0)) == [1.15, 210, 30])
    #expect(style.terrain == .init(source: "d", exaggeration: 2))
    #expect(style.state.map(\.name) == ["k"])
    #expect(style.sky == nil)
    #expect(style.fontFaces.map(\.family) == ["F", "G"])
    #expect(style.fontFaces[0].ranges == [0x600...0x6FF, 0x400...0x4FF])
    #expect(style.source("d")?.tiled?.encoding == .custom(red: 2, green: 1, blue: 1, shift: 0))
  }

  @Test func readsSources() throws {
    let style = try Style(
      json: .parse(
        """
        {"version": 8, "layers": [], "sources": {
          "v": {"type": "vector", "tiles": ["t"], "minzoom": 1, "maxzoom": 9, "bounds": [1, 2, 3, 4], "scheme": "tms",
                "promoteId": {"roads": "id"}},
          "g": {"type": "geojson", "data": "u", "cluster": true, "clusterRadius": 30, "promoteId": "id", "lineMetrics": true},
          "i": {"type": "image", "url": "u", "coordinates": [[1, 2], [3, 4], [5, 6], [7, 8]]},
          "bad": {"type": "image", "url": "u"}, "what": {"type": "x"}}}
        """))
    #expect(style.sources.map(\.id) == ["v", "g", "i"])
    #expect(style.issues.count == 2)
    let tiled = try #require(style.source("v")?.tiled)
    #expect(
      tiled.minZoom == 1 && tiled.maxZoom == 9 && tiled.bounds == SIMD4(1, 2, 3, 4) && tiled.isTMS == true)
    #expect(tiled.promoteID?.property(ofLayer: "roads") == "id")
    #expect(tiled.promoteID?.property(ofLayer: "water") == nil)
    let geojson = try #require(style.source("g")?.geojson)
    #expect(
      geojson.isClustered && geojson.clusterRadius == 30 && geojson.hasLineMetrics && geojson.buffer == 128)
    #expect(geojson.promoteID?.property(ofLayer: "any") == "id")
  }

  @Test func readsConstantsAndDefaults() throws {
    let style = try StyleFixtures.style(
      """
      {"id": "a", "type": "line", "source": "v", "source-layer": "s", "minzoom": 3, "maxzoom": 24,
       "layout": {"line-cap": "round", "visibility": "none"},
       "paint": {"line-width": 2.5, "line-translate": [1, 2], "line-dasharray": [1, 2, 3], "line-width-transition": {"delay": 5}}},
      {"id": "b", "type": "symbol", "source": "v", "source-layer": "s", "layout": {"text-field": "x", "icon-image": "i"}}
      """)
    #expect(style.issues == [])
    let line = try #require(style.layer("a"))
    #expect(line.minZoom == 3 && line.maxZoom == .infinity)
    #expect(line[.lineWidth].constantNumber == 2.5 && line.isSet(.lineWidth))
    #expect(line[.lineOpacity].constantNumber == 1 && !line.isSet(.lineOpacity))
    #expect(line[.lineCap].enumValue(Evaluator(), at: .camera(zoom: 0)) == "round")
    #expect(line[.lineJoin].enumValue(Evaluator(), at: .camera(zoom: 0)) == "miter")
    #expect(line[.lineTranslate].numbers2(Evaluator(), at: .camera(zoom: 0)) == SIMD2(1, 2))
    #expect(line[.lineDasharray].numbers(Evaluator(), at: .camera(zoom: 0)) == [1, 2, 3])
    #expect(!line.isVisible(zoom: 5, Evaluator()))
    #expect(line.properties.transition(.lineWidth) == StyleTransition(duration: 300, delay: 5))
    // A property of another layer type reads as its default.
    #expect(line[.circleRadius].constantNumber == 5)
    let symbol = try #require(style.layer("b"))
    #expect(symbol[.textField].formatted(Evaluator(), at: .camera(zoom: 0)).text == "x")
    #expect(symbol[.iconImage].image(Evaluator(), at: .camera(zoom: 0))?.name == "i")
    #expect(symbol[.textSize].constantNumber == 16)
    #expect(symbol[.textOverlap].enumIndex(Evaluator(), at: .camera(zoom: 0)) == -1)
    #expect(symbol.isVisible(zoom: 5, Evaluator()))
  }

  @Test func readsColorsPaddingsAndFonts() throws {
    let style = try StyleFixtures.style(
      """
      {"id": "b", "type": "symbol", "source": "v", "source-layer": "s",
       "layout": {"text-font": ["A", "B"], "icon-padding": [1, 2], "text-variable-anchor": ["top", "left"]}, "paint": {"text-color": "red"}}
      """)
    #expect(style.issues == [])
    let symbol = try #require(style.layer("b"))
    #expect(symbol[.textColor].color(Evaluator(), at: .camera(zoom: 0)) == Color(r: 1, g: 0, b: 0, a: 1))
    #expect(symbol[.textHaloColor].color(Evaluator(), at: .camera(zoom: 0)) == .transparent)
    #expect(symbol[.iconPadding].padding(Evaluator(), at: .camera(zoom: 0)) == SIMD4(1, 2, 1, 2))
    #expect(symbol[.textFont].strings(Evaluator(), at: .camera(zoom: 0)) == ["A", "B"])
    #expect(symbol[.textVariableAnchor].enumIndices(Evaluator(), at: .camera(zoom: 0)) == [3, 1])
  }

  @Test func evaluatesExpressionsAndFallsBackToDefaults() throws {
    let style = try StyleFixtures.style(
      """
      {"id": "a", "type": "circle", "source": "g",
       "paint": {"circle-radius": ["interpolate", ["linear"], ["zoom"], 0, 0, 10, 20], "circle-opacity": ["get", "o"],
                 "circle-blur": {"stops": [[0, 1], [2, 3]]}, "circle-color": ["rgb", 255, 0, 0]}}
      """)
    #expect(style.issues == [])
    let layer = try #require(style.layer("a"))
    let evaluator = Evaluator()
    let camera = EvaluationPoint.camera(zoom: 5)
    #expect(layer[.circleRadius].kind == .camera)
    #expect(layer[.circleRadius].number(evaluator, at: camera) == 10)
    #expect(layer[.circleRadius].zoomStops == [0, 10])
    #expect(layer[.circleRadius].interpolationFactor(zoom: 5, lower: 4, upper: 8) == 0.25)
    #expect(layer[.circleOpacity].kind == .source && layer[.circleOpacity].isDataDriven)
    #expect(layer[.circleOpacity].number(evaluator, at: camera) == 1)
    #expect(layer[.circleBlur].number(evaluator, at: camera) == 3)
    #expect(layer[.circleColor].color(Evaluator(), at: .camera(zoom: 0)) == Color(r: 1, g: 0, b: 0, a: 1))
  }

  @Test func leavesOutWhatIsWrongAndSaysSo() throws {
    let style = try StyleFixtures.style(
      """
      {"id": "a", "type": "fill", "source": "v", "source-layer": "s", "paint": {"fill-opacity": "x", "fill-wrong": 1, "fill-color": null}},
      {"id": "a", "type": "fill", "source": "v", "source-layer": "s"},
      {"type": "fill", "source": "v"}, {"id": "c", "type": "custom"}, 7,
      {"id": "d", "type": "fill", "source": "nowhere"}
      """)
    #expect(style.layers.map(\.id) == ["a", "d"])
    #expect(style.layers[0][.fillOpacity].constantNumber == 1)
    #expect(style.issues.count == 7)
    #expect(style.issues[0].key == "layers[0].paint.fill-opacity")
    #expect(style.issues[0].line == 3)
  }

  @Test func takesTheShapeOfReferencedLayers() throws {
    let style = try StyleFixtures.style(
      """
      {"id": "b", "ref": "a", "paint": {"line-width": 3}},
      {"id": "a", "type": "line", "source": "v", "source-layer": "s", "layout": {"line-cap": "round"}}, {"id": "c", "ref": "b"}
      """)
    #expect(style.layers.map(\.id) == ["b", "a"])
    #expect(style.layers[0].sourceLayer == "s")
    #expect(style.layers[0][.lineCap].enumValue(Evaluator(), at: .camera(zoom: 0)) == "round")
    #expect(style.issues.count == 1)
  }

  @Test func refusesWhatIsNoStyle() {
    #expect(throws: NeatError.self) { try Style(json: .parse("[]")) }
    #expect(throws: NeatError.self) { try Style(json: .parse("{\"version\": 7}")) }
    #expect(throws: NeatError.self) { try Style(parsing: Array("{".utf8)) }
  }

  @Test func keepsNoMoreLayersAndSourcesThanTheLimits() throws {
    let layer = #"{"id":"x","type":"background"}"#
    let many = (0...Style.Limits.layers).map { layer.replacing("x", with: String($0)) }.joined(separator: ",")
    let style = try Style(json: .parse("{\"version\":8,\"sources\":{},\"layers\":[\(many)]}"))
    #expect(style.layers.count == Style.Limits.layers)
    #expect(style.issues.count == 1)
  }

  @Test func neverTrapsOnDamagedStyles() throws {
    let text =
      """
      {"version": 8, "sources": {"g": {"type": "geojson", "data": {"a": [1]}, "clusterProperties": {"m": ["max", ["get", "x"]]}, "cluster": true}},
       "light": {"position": [1, 2, 3]}, "sprite": [{"id": "a", "url": "b"}], "state": {"k": {"default": 1}},
       "layers": [{"id": "a", "type": "symbol", "source": "g", "filter": ["all", ["==", "$type", "Point"], ["in", "a", 1, "b"]],
         "layout": {"text-field": "{a} b", "text-font": ["match", ["get", "f"], "a", ["literal", ["A"]], ["literal", ["B"]]],
                    "text-size": {"property": "s", "stops": [[{"zoom": 0, "value": 1}, 2], [{"zoom": 5, "value": 3}, 4]]}},
         "paint": {"text-color": ["interpolate", ["linear"], ["zoom"], 0, "red", 5, "#00f"], "text-color-transition": {"delay": 1}}}]}
      """
    let original = Array(text.utf8)
    let alphabet = Array(#"[]{}",:0159-.eaxtrue$ "#.utf8)
    var seed: UInt64 = 1
    func random(_ bound: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % UInt64(bound))
    }
    var read = 0
    for _ in 0..<1500 {
      var bytes = original
      for _ in 0...random(3) {
        let place = random(bytes.count)
        switch random(3) {
        case 0: bytes[place] = alphabet[random(alphabet.count)]
        case 1: bytes.remove(at: place)
        default: bytes.insert(alphabet[random(alphabet.count)], at: place)
        }
      }
      if (try? Style(parsing: bytes)) != nil { read += 1 }
      _ = validateStyle(bytes)
    }
    #expect(read > 150)
  }

  @Test func theLastOfEqualSourceNamesCounts() throws {
    let style = try Style(
      json: .parse(
        #"{"version":8,"layers":[],"sources":{"a":{"type":"vector","url":"x"},"a":{"type":"vector","url":"y"}}}"#
      ))
    #expect(style.sources.count == 1)
    #expect(style.source("a")?.tiled?.url == "y")
  }

  @Test func turnsTokensIntoExpressions() throws {
    let style = try StyleFixtures.style(
      """
      {"id": "a", "type": "symbol", "source": "g", "layout": {"text-field": "{name} ({ref})", "icon-image": "x-{class}"}},
      {"id": "b", "type": "symbol", "source": "g", "layout": {"text-field": {"stops": [[0, "{a}"], [5, "plain"]]}}}
      """)
    #expect(style.issues == [])
    let evaluator = Evaluator()
    let camera = EvaluationPoint.camera(zoom: 0)
    #expect(style.layers[0][.textField].isDataDriven)
    #expect(style.layers[0][.textField].formatted(evaluator, at: camera).text == " ()")
    #expect(style.layers[0][.iconImage].image(evaluator, at: camera)?.name == "x-")
    #expect(style.layers[1][.textField].kind == .composite)
    #expect(style.layers[1][.textField].formatted(evaluator, at: .camera(zoom: 6)).text == "plain")
  }
}

extension String {
  fileprivate func replacing(_ character: Character, with text: String) -> String {
    map { $0 == character ? text : String($0) }.joined()
  }
}
