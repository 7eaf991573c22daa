import Foundation
import Neatline
import Testing

@Suite struct TypedStyleTests {
  @Test func buildsExpressions() {
    let dark = true
    let expression = Exp(.interpolate) {
      Exp(.linear)
      Exp(.zoom)
      5
      1.0
      if dark { 10 } else { 12 }
      Exp(.sum) {
        7
        Exp(.get) { "width" }
      }
      for stop in [14, 16] {
        stop
        StyleColor(.red)
      }
    }
    #expect(
      expression.json.text
        == #"["interpolate",["linear"],["zoom"],5,1,10,["+",7,["get","width"]],14,"red",16,"red"]"#)
    #expect(expression.operator == .interpolate)
    #expect(expression.arguments.count == 10)
    #expect(
      Exp(.match) {
        Exp(.get) { "c" }; ["a", "b"]; true; false
      }.json.text == #"["match",["get","c"],["a","b"],true,false]"#)
    #expect(
      Exp(.format) {
        "x"; FormatOptions(fontScale: .constant(2), textFont: .constant(["A"]))
      }.json.text
        == #"["format","x",{"font-scale":2,"text-font":["literal",["A"]]}]"#)
  }

  @Test func writesLayersAsStyleJSON() {
    var layer = LineLayer(id: "roads")
    layer.source = "v"
    layer.sourceLayer = "transportation"
    layer.minZoom = 4
    layer.filter = Exp(.eq) {
      Exp(.get) { "class" }; "primary"
    }
    layer.lineCap = .constant(.round)
    layer.lineColor = .constant(StyleColor(red: 255, green: 136, blue: 0))
    layer.lineWidth = .expression(Exp(.zoom))
    layer.lineWidthTransition = StyleTransition(duration: 100)
    layer.lineTranslate = .constant([1, 2])
    #expect(
      layer.json.text
        == #"{"id":"roads","type":"line","source":"v","source-layer":"transportation","minzoom":4,"filter":["==",["get","class"],"primary"],"layout":{"line-cap":"round"},"paint":{"line-color":"rgba(255, 136, 0, 1)","line-width":["zoom"],"line-width-transition":{"duration":100,"delay":0},"line-translate":[1,2]}}"#
    )
    layer.lineCap = nil
    #expect(layer.json["layout"] == nil)
  }

  @Test func readsLayersBackThroughCodable() throws {
    var layer = SymbolLayer(id: "labels")
    layer.source = "v"
    layer.textField = .constant("{name}")
    layer.textFont = .constant(["A", "B"])
    layer.iconImage = .constant("pin")
    layer.textVariableAnchor = .constant([.top, .bottomLeft])
    layer.textVariableAnchorOffset = .constant([VariableAnchorOffset(.top, x: 0, y: 1)])
    layer.iconPadding = .constant([2])
    let read = try JSONDecoder().decode(SymbolLayer.self, from: try JSONEncoder().encode(layer))
    #expect(read.id == "labels")
    #expect(read.textFont?.constant == ["A", "B"])
    #expect(read.textVariableAnchor?.constant == [.top, .bottomLeft])
    #expect(read.textVariableAnchorOffset?.constant == [VariableAnchorOffset(.top, x: 0, y: 1)])
    #expect(read.iconImage?.constant == .name("pin"))
  }

  @Test func tellsConstantsFromExpressions() throws {
    let json = try JSONValue(
      parsing:
        #"{"id":"a","type":"symbol","source":"v","x":1,"layout":{"text-font":["get","f"],"text-size":{"stops":[]},"icon-size":"wrong"}}"#
    )
    let layer = try #require(try LayerType.layer(json: json) as? SymbolLayer)
    #expect(layer.textFont == .expression(Exp(.get) { "f" }))
    #expect(layer.textSize?.expression != nil)
    #expect(layer.iconSize == nil)
    // What the accessors do not know is kept.
    #expect(layer.json["x"] == 1)
  }

  @Test func refusesOtherTypes() throws {
    #expect(throws: StyleCodingError.self) { try FillLayer(json: ["id": "a", "type": "line"]) }
    #expect(throws: StyleCodingError.self) { try FillLayer(json: ["type": "fill"]) }
    #expect(throws: StyleCodingError.self) { try LayerType.layer(json: ["id": "a", "type": "custom"]) }
    #expect(throws: StyleCodingError.self) { try SourceType.source(json: ["type": "canvas"]) }
    #expect(throws: StyleCodingError.self) { try VectorSource(json: ["type": "raster"]) }
  }

  @Test func writesSources() throws {
    var source = GeoJSONSource()
    source.data = .url("a.geojson")
    source.cluster = true
    source.clusterRadius = 30
    source.promoteId = .byLayer(["l": "id"])
    #expect(
      source.json.text
        == #"{"type":"geojson","data":"a.geojson","cluster":true,"clusterRadius":30,"promoteId":{"l":"id"}}"#)
    var elevation = RasterDemSource()
    elevation.tileSize = 512
    elevation.encoding = .terrarium
    let read = try #require(try SourceType.source(json: elevation.json) as? RasterDemSource)
    #expect(read == elevation)
    var image = ImageSource()
    image.coordinates = [[0, 1], [1, 1], [1, 0], [0, 0]]
    #expect(image.json["coordinates"]?.text == "[[0,1],[1,1],[1,0],[0,0]]")
  }

  @Test func writesSections() {
    var terrain = Terrain(sourceId: "dem")
    terrain.exaggeration = .constant(1.5)
    #expect(terrain.json.text == #"{"source":"dem","exaggeration":1.5}"#)
    var light = Light()
    light.anchor = .constant(.map)
    light.color = .constant("white")
    #expect(light.json.text == #"{"anchor":"map","color":"white"}"#)
    #expect(Projection("globe").json.text == #"{"type":"globe"}"#)
    var fog = Fog()
    fog.range = .constant([0.8, 8])
    fog.color = .constant("white")
    fog.colorTransition = StyleTransition(duration: 50, delay: 0)
    #expect(
      fog.json.text
        == #"{"range":[0.8,8],"color":"white","color-transition":{"duration":50,"delay":0}}"#)
  }

  @Test func fogOfAMapIsSetAndTakenAway() throws {
    let map = try Map(loop: EventLoop(), width: 32, height: 32)
    try map.setStyle(
      json: #"""
        {"version": 8, "pitch": 80, "zoom": 12, "sources": {}, "layers": [
          {"id": "b", "type": "background", "paint": {"background-color": "red"}}]}
        """#)
    map.loop.run(timeout: 10_000)
    let clear = try map.draw()
    var fog = Fog()
    fog.range = .constant([0, 1])
    try map.style.setFog(fog)
    try map.setTransitions(enabled: false)
    #expect(try map.style.document.fog == fog)
    let hidden = try map.draw()
    #expect(hidden.pixels != clear.pixels && hidden.pixels[3] == 255 && clear.pixels[3] == 0)
    // What is out of its range is named, and changes nothing.
    fog.range = .constant([0, 21])
    #expect { try map.style.setAtmosphere(fog) } throws: {
      "\($0)".contains("21 is greater than the maximum value 20")
    }
    #expect(try map.draw().pixels == hidden.pixels)
    try map.style.removeAtmosphere()
    #expect(try map.style.document.fog == nil && map.draw().pixels == clear.pixels)
  }
}
