import NeatBase
import NeatStyle
import NeatText
import NeatTile
import Testing

@testable import NeatLayout

/// Names that many features share.
@Suite struct SymbolTextTests {
  private let evaluator = Evaluator()

  private func roads(_ names: [String?]) -> TileLayer {
    var builder = TileLayerBuilder(name: "x", extent: 4096)
    let key = builder.key("name")
    for (index, name) in names.enumerated() {
      builder.beginFeature(.line)
      if let name { builder.addTag(key: key, value: builder.string(name)) }
      for x in [index, index + 1] { builder.addPoint(SIMD2(Int32(x) * 20, 2048)) }
      builder.endPart()
      builder.endFeature()
    }
    return builder.build()
  }

  private func request(
    _ properties: String, _ data: TileLayer, _ store: GlyphStore
  ) throws -> SymbolLayoutRequest {
    SymbolLayoutRequest(
      layer: try symbolLayer(properties), tileLayer: data,
      tile: OverscaledTileID(canonical: TileID(z: 0, x: 0, y: 0)), store: store, evaluator: evaluator)
  }

  private static let along = #"""
    "layout": {"text-field": ["get", "name"], "symbol-placement": "line", "text-size": 12
    """#

  @Test func namesThatBecomeOneAreOneLine() throws {
    let names = ["Main St", "MAIN ST", "main st", "Other", "Main St"]
    let store = try boxGlyphs()
    let (shouted, plain) = (
      try request(SymbolTextTests.along + #", "text-transform": "uppercase"}"#, roads(names), store),
      try request(SymbolTextTests.along + "}", roads(names), store)
    )
    #expect(shouted.featureCount == 3, "the first three are one line")
    #expect(plain.featureCount == 5)
  }

  @Test func manyNamesAreToldApart() throws {
    // Two pieces of each name, far more names than a table begins with, and some without one.
    let names = (0..<3000).map { $0 % 7 == 6 ? nil : "Road \($0 / 2)" }
    let request = try request(SymbolTextTests.along + "}", roads(names), try boxGlyphs())
    var expected = 0
    for (index, name) in names.enumerated() where name != nil {
      if index == 0 || names[index - 1] != name { expected += 1 }
    }
    #expect(request.featureCount == expected)
  }

  /// More names than are remembered, each in turn, so that places are taken over again and again; and texts of two
  /// properties, of which one is shared.
  @Test func rememberedTextsAreThoseOfTheirFeatures() throws {
    var builder = TileLayerBuilder(name: "x", extent: 4096)
    let keys = ["name", "ref"].map { builder.key($0) }
    var expected: [String] = []
    for index in 0..<9000 {
      let name = index % 5 == 4 ? nil : "Road \(index * 7 % 2500)"
      let number = index % 3 == 2 ? nil : "B\(index % 6)"
      builder.beginFeature(.line)
      if let name { builder.addTag(key: keys[0], value: builder.string(name)) }
      if let number { builder.addTag(key: keys[1], value: builder.string(number)) }
      for x in [0, 20] { builder.addPoint(SIMD2(Int32(x), Int32(index) % 4096)) }
      builder.endPart()
      builder.endFeature()
      let text = (name ?? "") + "/" + (number ?? "")
      expected.append(text)
    }
    let data = builder.build()
    let style = #""layout": {"text-field": ["concat", ["get", "name"], "/", ["get", "ref"]], "text-size": 12"#
    let request = try request(
      style + #", "symbol-placement": "line-center"}"#, data, try boxGlyphs())
    #expect(request.features.map { $0.text?.string } == expected)
  }

  @Test func textsOfMoreThanPropertiesAreNotRemembered() throws {
    var builder = TileLayerBuilder(name: "x", extent: 4096)
    let key = builder.key("name")
    for index in 0..<40 {
      builder.beginFeature(index % 2 == 0 ? .line : .polygon, id: UInt64(index))
      builder.addTag(key: key, value: builder.string("A"))
      for point in [SIMD2<Int32>(10, 10), SIMD2(90, 10), SIMD2(90, 90)] { builder.addPoint(point) }
      builder.endPart()
      builder.endFeature()
    }
    let data = builder.build()
    func texts(_ field: String) throws -> [String?] {
      try request(
        #""layout": {"text-field": \#(field), "symbol-placement": "line-center"}"#, data, try boxGlyphs()
      ).features.map { $0.text?.string }
    }
    #expect(
      try texts(#"["concat", ["get", "name"], ["to-string", ["id"]]]"#) == (0..<40).map { "A\($0)" })
    #expect(
      try texts(#"["case", ["==", ["geometry-type"], "Polygon"], ["get", "name"], "line"]"#)
        == (0..<40).map { $0 % 2 == 0 ? "line" : "A" })
    #expect(try texts(#"["get", ["get", "name"]]"#) == [])
  }

  @Test func fontsOfFeaturesKeepTheirTexts() throws {
    let store = try boxGlyphs()
    let font = #""text-font": ["match", ["get", "name"], "A", ["literal", ["One"]], ["literal", ["Two"]]]}"#
    let request = try request(SymbolTextTests.along + "," + font, roads(["A", "B", "A"]), store)
    #expect(request.featureCount == 3)
    let stacks = Set(request.needs.ranges.keys.map { store.name(of: $0) })
    #expect(stacks == ["One", "Two"])
  }

  @Test func whatATextNeedsIsAskedForOnceForAll() throws {
    let store = GlyphStore()
    let request = try request(
      SymbolTextTests.along + "}", roads(["Ab", "Ab", "Щ", nil, ""]), store)
    #expect(request.needs.ranges.count == 1)
    #expect(request.needs.ranges.values.first == [0, 4])
  }

  /// Names that differ in a few bits of words that follow one another: by multiplying and mixing, whatever that begins
  /// with, all of them come out as one number.
  @Test func namesMadeToCollideAreToldApartSoon() throws {
    let blocks = 14
    var texts = ReadTexts()
    let start = ContinuousClock.now
    for number in 0..<1 << blocks {
      let words = (0..<blocks).flatMap { block -> [UInt64] in
        number >> block & 1 == 0 ? [0, 0] : [1 << 63 | 1 << 31, 1 << 63 | 1 << 34]
      }
      words.withUnsafeBytes { raw in
        raw.withMemoryRebound(to: UInt8.self) { key in
          let place = texts.place(of: key)
          #expect(texts[place] == nil, "another name")
          texts.keep(key, at: place)
          texts.add(SymbolText(sections: [], string: "", number: Int32(number)))
        }
      }
    }
    // Each one compared with all before it takes a hundred times that.
    #expect(ContinuousClock.now - start < .seconds(5))
  }
}
