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
