import NeatStyle
import Testing

@testable import NeatMap

/// Layers that show the same labels, as they are remembered for a version of the style.
@Suite struct SymbolTwinsTests {
  private func style(_ sizes: [Int]) throws -> Style {
    let layers = sizes.enumerated().map { place, size in
      #"""
      {"id": "\#(place)", "type": "symbol", "source": "s", "source-layer": "l",
       "layout": {"text-field": "a", "text-size": \#(size)}, "paint": {"text-opacity": 0.\#(place + 1)}}
      """#
    }
    return try Style(
      parsing: Array(
        #"""
        {"version": 8, "sources": {"s": {"type": "vector", "tiles": ["http://a/{z}/{x}/{y}"]}},
         "glyphs": "http://a/{fontstack}/{range}", "layers": [\#(layers.joined(separator: ","))]}
        """#.utf8))
  }

  @Test func theyAreThoseOfTheVersion() throws {
    let memory = ViewMemory()
    let (two, one) = (try style([12, 12, 14, 12]), try style([12, 13, 14, 14]))
    for _ in 0..<2 { #expect(memory.facts(7, two).twins.followers == [0: [1, 3]]) }
    for _ in 0..<2 { #expect(memory.facts(8, one).twins.followers == [2: [3]]) }
    #expect(memory.facts(7, two).twins.followers == [0: [1, 3]])
    memory.removeAll()
    #expect(memory.facts(7, one).twins.followers == [2: [3]])
  }
}
