import Foundation
import Neatline
import Testing

@Suite struct StyleDocumentTests {
  /// JSON whose members have no order, and of which the last of equal names counts.
  private func normalized(_ json: JSONValue) -> JSONValue {
    switch json {
    case .array(let items): .array(items.map(normalized))
    case .object(let members):
      .object(
        Dictionary(members.map { ($0.key, normalized($0.value)) }, uniquingKeysWith: { $1 }).sorted {
          $0.key < $1.key
        }.map {
          .init($0.key, $0.value)
        })
    default: json
    }
  }

  private func check(_ text: String, _ name: String) throws {
    let json = try JSONValue(parsing: text)
    let document = try StyleDocument(json: json)
    #expect(normalized(document.json) == normalized(json), "\(name)")
    let coded = try JSONDecoder().decode(StyleDocument.self, from: JSONEncoder().encode(document))
    #expect(normalized(coded.json) == normalized(json), "\(name) through Codable")
  }

  /// Whether what a layer holds reads as the property's type.
  private func checkLayers(_ document: StyleDocument, _ name: String) {
    for layer in document.layers {
      guard let value = layer.value else { continue }
      #expect(value.unreadProperties == [], "\(name) \(value.id)")
    }
  }

  @Test func publishedStylesAreWrittenBackAsTheyWereRead() throws {
    guard let files = SharedFolder.jsonFiles("data/styles") else { return }
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      try check(text, file.lastPathComponent)
      let document = try StyleDocument(parsing: text)
      #expect(!document.layers.isEmpty)
      checkLayers(document, file.lastPathComponent)
      checkLayers(try document.migrated(), file.lastPathComponent)
    }
  }

  @Test func validStylesOfTheSuiteAreWrittenBackAsTheyWereRead() throws {
    guard let files = SharedFolder.jsonFiles("conformance/style-validation") else { return }
    var count = 0
    for file in files where file.lastPathComponent.hasSuffix(".input.json") {
      let text = try String(contentsOf: file, encoding: .utf8)
      guard let faults = try? validateStyle(text), !faults.contains(where: { !$0.isWarning }) else {
        continue
      }
      count += 1
      try check(text, file.lastPathComponent)
    }
    #expect(count > 5)
  }

  @Test func oddMembersAreKept() throws {
    try check(
      """
      {"odd":{"a":null},"version":8,"sources":{"a":{"type":"vector","x":[1]},"b":{"type":"odd"},"c":7},
       "layers":[{"id":"a","type":"fill","layout":{},"paint":null,"filter":["odd"]},{"id":"b","ref":"a"},{"type":"line"},5,
                 {"id":"c","type":"line","paint":{"line-width":"wide","odd":1},"layout":[1]}],"sky":{"fog":1}}
      """, "odd")
    try check(#"{"version":8}"#, "bare")
    #expect(throws: StyleCodingError.self) { try StyleDocument(parsing: "[]") }
    #expect(throws: StyleCodingError.self) { try StyleDocument(parsing: #"{"layers":{}}"#) }
    #expect(throws: StyleCodingError.self) { try StyleDocument(parsing: #"{"sources":[]}"#) }
    #expect(throws: JSONError.self) { try StyleDocument(parsing: "{") }
  }

  @Test func documentsAreBuiltAndChanged() throws {
    var document = StyleDocument()
    document.name = "Test"
    document.center = [1, 2]
    document[source: "s"] = .geojson(GeoJSONSource())
    var line = LineLayer(id: "l")
    line.source = "s"
    document.layers.append(AnyLayer(line))
    document.layers.append(AnyLayer(SkyLayer(id: "sky")))
    try document.updateLayer(withId: "l", type: LineLayer.self) { $0.lineWidth = .constant(3) }
    #expect(
      document.json.text
        == #"{"version":8,"sources":{"s":{"type":"geojson"}},"layers":[{"id":"l","type":"line","source":"s","paint":{"line-width":3}},{"id":"sky","type":"sky"}],"name":"Test","center":[1,2]}"#
    )
    #expect(try document.layer(withId: "l", type: LineLayer.self).lineWidth == .constant(3))
    #expect(throws: StyleCodingError.self) { try document.layer(withId: "l", type: FillLayer.self) }
    #expect(throws: StyleCodingError.self) {
      try document.updateLayer(withId: "x", type: FillLayer.self) { _ in }
    }
    document[layer: "l"] = nil
    document[source: "s"] = nil
    #expect(document.layers.map(\.id) == ["sky"] && document.sources.isEmpty)
    #expect(AnyLayer(json: ["id": "c", "type": "custom"]).typeName == "custom")
    #expect(AnySource(json: ["type": "raster-dem"]).typeName == "raster-dem")
  }

  @Test func propertiesThatDoNotReadAreNamed() throws {
    let layer = try LineLayer(
      json: [
        "id": "a", "type": "line",
        "paint": ["line-width": "wide", "odd": 1, "line-color": "red", "line-color-transition": [:]],
      ])
    #expect(layer.unreadProperties == ["line-width", "odd"])
  }

  @Test func everyPropertyOfALayerTypeIsListed() {
    #expect(LineLayer.properties.map(\.name).contains("line-gap-width"))
    #expect(SkyLayer.properties.count == 10)
    for type in LayerType.allCases {
      #expect(type.layerType.properties.contains { $0.name == "visibility" && $0.group == .layout })
    }
  }

  @Test func skyLayersAreTyped() throws {
    var layer = SkyLayer(id: "sky-layer")
    layer.skyType = .constant(.atmosphere)
    layer.skyAtmosphereSun = .constant([0.0, 0.0])
    layer.skyAtmosphereSunIntensity = .constant(15.0)
    layer.skyGradient = .expression(
      Exp(.interpolate) {
        Exp(.linear); Exp(.skyRadialProgress); 0.8; StyleColor(.skyblue); 1; StyleColor(.white)
      })
    let text = StyleDocument.wrapping(layer).json.text
    #expect(try validateStyle(text).map(\.message) == [])
  }

  @Test func theStyleOfAMapIsReadAndChanged() throws {
    let loop = try EventLoop()
    let map = try Map(loop: loop, width: 16, height: 16)
    try map.setStyle(
      json: """
        {"version":8,"sources":{"p":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]}}},
         "layers":[{"id":"a","type":"background"},{"id":"t","type":"symbol","source":"p","layout":{"text-field":"{name}"}}]}
        """)
    loop.run(timeout: 10_000)
    try map.style.addLayer(SkyLayer(id: "sky"))
    try map.style.addLayer(CircleLayer(id: "c", source: "p"), layerPosition: .below("t"))
    try map.style.addLayer(CircleLayer(id: "d", source: "p"), layerPosition: .above("c"))
    try map.style.addLayer(CircleLayer(id: "e", source: "p"), layerPosition: .at(0))
    #expect(try map.style.document.layers.map(\.id) == ["e", "a", "c", "d", "t", "sky"])
    try map.style.moveLayer(withId: "e", to: .at(5))
    #expect(try map.style.document.layers.map(\.id) == ["a", "c", "d", "t", "sky", "e"])
    #expect(throws: NeatlineError.self) { try map.style.moveLayer(withId: "e", to: .at(9)) }
    try map.style.updateLayer(withId: "c", type: CircleLayer.self) {
      $0.circleRadius = .constant(7)
      $0.filter = Exp(.has) { "x" }
      $0.minZoom = 3
    }
    let circle: CircleLayer = try map.style.layer(withId: "c")
    #expect(circle.circleRadius == .constant(7) && circle.minZoom == 3 && circle.filter == Exp(.has) { "x" })
    try map.style.setLayerProperty(for: "c", property: "circle-color", value: "red")
    try map.style.setLayerProperty(for: "c", property: "visibility", value: "none")
    #expect(throws: StyleCodingError.self) {
      try map.style.setLayerProperty(for: "c", property: "line-color", value: "red")
    }
    try map.style.localizeLabels(into: "ja")
    let label: SymbolLayer = try map.style.layer(withId: "t")
    #expect(
      label.textField?.json.text
        == #"["to-string",["coalesce",["get","name_ja"],["get","name:ja"],["get","name"]]]"#)
    var source = GeoJSONSource()
    source.data = .inline(["type": "FeatureCollection", "features": []])
    try map.style.addSource(source, id: "q")
    #expect(try map.style.source(withId: "q", type: GeoJSONSource.self) == source)
    try map.style.removeSource(withId: "q")
    loop.run(timeout: 10_000)
  }
}

extension StyleDocument {
  fileprivate static func wrapping(_ layer: some Layer) -> StyleDocument {
    var document = StyleDocument()
    document.layers = [AnyLayer(layer)]
    return document
  }
}

extension CircleLayer {
  fileprivate init(id: String, source: String) {
    self.init(id: id)
    self.source = source
  }
}
