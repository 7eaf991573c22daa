import NeatBase
import NeatJSON
import NeatStyle
import NeatTestSupport
import Testing

/// Diffs move as few layers as there can be, and end at the other style.
struct StyleDiffTests {
  private func style(_ order: [Int]) throws -> Style {
    let layers = order.map { "{\"id\":\"l\($0)\",\"type\":\"background\"}" }.joined(separator: ",")
    return try Style(parsing: Array("{\"version\":8,\"sources\":{},\"layers\":[\(layers)]}".utf8))
  }

  private func moves(_ from: [Int], _ to: [Int]) throws -> Int {
    let (from, to) = (try style(from), try style(to))
    let operations = Style.diff(from: from, to: to)
    var editor = StyleEditor(from)
    for operation in operations { try editor.apply(operation) }
    #expect(editor.style.layers.map(\.id) == to.layers.map(\.id))
    return operations.count {
      if case .addLayer = $0 { true } else { false }
    }
  }

  @Test func `one layer that goes elsewhere is one move`() throws {
    let order = Array(0..<50)
    #expect(try moves(order, order) == 0)
    #expect(try moves(order, [49] + order.dropLast()) == 1)
    #expect(try moves(order, Array(order.dropFirst()) + [0]) == 1)
    #expect(try moves(order, Array(order.reversed())) == 49)
  }

  @Test func `any order becomes any other by the fewest moves`() throws {
    var random = SplitMix(seed: 3)
    for _ in 0..<100 {
      let from = Array(0..<12).shuffled(using: &random).filter { _ in Bool.random(using: &random) }
      let to = Array(0..<12).shuffled(using: &random).filter { _ in Bool.random(using: &random) }
      let places = to.compactMap { from.firstIndex(of: $0) }
      let staying = longestIncreasingSubsequence(of: places).count
      #expect(try moves(from, to) == to.count - staying)
    }
  }

  @Test func `many sources and states are compared by name`() throws {
    func style(_ shift: Int) throws -> Style {
      let sources = (0..<200).map { "\"s\($0 + shift)\":{\"type\":\"vector\",\"url\":\"u\"}" }
      let states = (0..<200).map { "\"k\($0 + shift)\":{\"default\":\($0)}" }
      return try Style(
        parsing: Array(
          "{\"version\":8,\"sources\":{\(sources.joined(separator: ","))},\"state\":{\(states.joined(separator: ","))},\"layers\":[]}"
            .utf8))
    }
    let (from, to) = (try style(0), try style(100))
    var editor = StyleEditor(from)
    let operations = Style.diff(from: from, to: to)
    #expect(operations.count { if case .addSource = $0 { true } else { false } } == 100)
    #expect(operations.count { if case .removeSource = $0 { true } else { false } } == 100)
    #expect(operations.count { if case .setGlobalState = $0 { true } else { false } } == 300)
    for operation in operations { try editor.apply(operation) }
    #expect(Set(editor.style.sources.map(\.id)) == Set(to.sources.map(\.id)))
    #expect(Set(editor.style.state.map(\.name)) == Set(to.state.map(\.name)))
  }
}
