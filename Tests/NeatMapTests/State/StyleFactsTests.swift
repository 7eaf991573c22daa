import NeatBase
import NeatStyle
import Testing

@testable import NeatMap

/// What a style says for all views is what its layers say one by one.
@Suite struct StyleFactsTests {
  private func style(_ layers: [String], terrain: String = "") throws -> Style {
    try Style(
      parsing: Array(
        #"""
        {"version": 8, \#(terrain) "glyphs": "http://a/{fontstack}/{range}", "sources": {
          "z": {"type": "vector", "tiles": ["http://a/{z}/{x}/{y}"]},
          "a": {"type": "vector", "tiles": ["http://a/{z}/{x}/{y}"]},
          "dem": {"type": "raster-dem", "tiles": ["http://a/{z}/{x}/{y}"]}},
         "layers": [\#(layers.joined(separator: ","))]}
        """#.utf8))
  }

  private func layer(_ id: Int, _ type: String, _ source: String, _ more: String = "") -> String {
    #"{"id": "\#(id)", "type": "\#(type)", "source": "\#(source)", "source-layer": "l"\#(more)}"#
  }

  /// Layer by layer, without what is known of the style.
  private func expected(_ style: Style, zoom: Double, _ evaluator: Evaluator) -> [String] {
    let visible = style.layers.filter { $0.isVisible(zoom: zoom, evaluator) }
    return style.sources.compactMap { source in
      let own = visible.filter { $0.source == source.id }
      guard !own.isEmpty || style.terrain?.source == source.id else { return nil }
      return source.id + (own.contains { $0.type == .symbol } ? " labels" : "")
    }
  }

  private func found(_ style: Style, zoom: Double, _ evaluator: Evaluator) -> [String] {
    StyleFacts(style).sources(zoom: zoom) { style.layers[$0].isVisible(zoom: zoom, evaluator) }
      .map { $0.id + ($0.hasLabels ? " labels" : "") }
  }

  @Test func sourcesAreThoseOfVisibleLayers() throws {
    // Zoom ranges that touch, overlap, lie apart and cover nothing; layers that are hidden, or by a global state.
    let byState = #", "layout": {"visibility": ["global-state", "shown"]}"#
    let styles = [
      try style([
        layer(0, "fill", "a", #", "minzoom": 3, "maxzoom": 5"#),
        layer(1, "line", "a", #", "minzoom": 5, "maxzoom": 6.5"#),
        layer(2, "line", "a", #", "minzoom": 9, "maxzoom": 8"#),
        layer(3, "symbol", "a", #", "minzoom": 4, "maxzoom": 4.5"#),
        layer(4, "circle", "a", #", "minzoom": 10"#),
      ]),
      try style([
        layer(0, "fill", "z", #", "layout": {"visibility": "none"}"#), layer(1, "symbol", "a", byState),
        layer(2, "line", "z", #", "maxzoom": 6"#), layer(3, "line", "a", #", "minzoom": 5"#),
      ]),
      try style([layer(0, "fill", "z", #", "minzoom": 7"#)], terrain: #""terrain": {"source": "dem"},"#),
      try style([]),
    ]
    var seen: Set<[String]> = []
    for style in styles {
      #expect(style.issues.isEmpty, "\(style.issues)")
      for shown in ["visible", "none"] {
        let evaluator = Evaluator(globalState: ["shown": .string(shown)])
        for zoom in stride(from: -1.0, through: 24, by: 0.25) {
          let visible = StyleFacts(style).visible(zoom: zoom) {
            style.layers[$0].isVisible(zoom: zoom, evaluator)
          }
          let places = style.layers.indices.filter { style.layers[$0].isVisible(zoom: zoom, evaluator) }
          #expect(visible == places, "zoom \(zoom), \(shown)")
          let sources = found(style, zoom: zoom, evaluator)
          #expect(sources == expected(style, zoom: zoom, evaluator), "zoom \(zoom), \(shown)")
          seen.insert(sources)
        }
      }
    }
    // What is compared is not always the same.
    #expect(seen.isSuperset(of: [[], ["a"], ["a labels"], ["z"], ["z", "a"], ["dem"], ["z", "dem"]]))
  }

  @Test func layersAreKnownByPlace() throws {
    let facts = StyleFacts(
      try style([
        layer(0, "fill", "a", #", "paint": {"fill-pattern": "p"}"#), layer(1, "fill", "a"),
        layer(2, "line", "z", #", "paint": {"line-pattern": "p"}"#), layer(3, "symbol", "a"),
        layer(4, "symbol", "z"), layer(5, "symbol", "a"), layer(6, "circle", "a"),
        #"{"id": "7", "type": "background", "paint": {"background-pattern": "p"}}"#,
        layer(8, "fill-extrusion", "a", #", "paint": {"fill-extrusion-pattern": "p"}"#),
        layer(9, "fill", "a", #", "paint": {"fill-layer-opacity": 1}"#), layer(10, "line", "a"),
        layer(11, "line", "a", #", "paint": {"line-layer-opacity": 0.5}"#), layer(12, "fill", "gone"),
      ]))
    #expect(facts.patterned == [0, 2, 7, 8])
    #expect(
      facts.isPlain
        == [false, true, false, false, false, false, true, false, false, false, true, false, true])
    #expect(facts.sourceNumbers == [0, 0, 1, 0, 1, 0, 0, -1, 0, 0, 0, 0, 2])
    #expect(!facts.hasHeatmaps)
    #expect(StyleFacts(try style([layer(0, "line", "a"), layer(1, "heatmap", "z")])).hasHeatmaps)
    #expect(facts.symbolLayers(of: "a") == [3, 5])
    #expect(facts.symbolLayers(of: "z") == [4])
    #expect(facts.symbolLayers(of: "dem") == [])
  }
}
