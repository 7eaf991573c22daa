import NeatBase
import NeatJSON
import NeatStyle
import NeatTestSupport
import Testing

@Suite("Reading layers on several threads")
struct StyleLayerReadingTests {
  /// Calls the body with the indices backwards, as threads might.
  private static let backwards = Executor(width: 4) { count, body in
    for index in (0..<count).reversed() { body(index) }
  }

  private func style(_ layers: [String], _ executor: Executor) throws -> Style {
    let text = """
      {"version": 8, "sources": {"v": {"type": "vector", "tiles": ["a"]}}, "layers": [\(layers.joined(separator: ","))]}
      """
    return try Style(json: .parse(text), executor: executor)
  }

  private func layer(_ id: String, _ more: String = "") -> String {
    #"{"id": "\#(id)", "type": "line", "source": "v", "source-layer": "x"\#(more)}"#
  }

  @Test("Layers and issues have their order on any number of threads")
  func order() throws {
    let layers = (0..<100).map { index -> String in
      switch index % 10 {
      case 3: layer("3", #", "paint": {"line-width": "wide", "line-hue": \#(index)}"#)
      case 5: "\(index)"
      case 7: layer("\(index)", #", "filter": ["no-such", 1]"#)
      default: layer("\(index)")
      }
    }
    let (one, several) = (try style(layers, .inline), try style(layers, Self.backwards))
    #expect(several.layers.map(\.id) == one.layers.map(\.id) && one.layers.count == 71)
    #expect(several.issues == one.issues)
    #expect(one.issues.first?.key == "layers[3].paint.line-width")
    #expect(one.issues.count { $0.message == #"duplicate layer id "3""# } == 9)
  }

  @Test("Of a style with too many issues the first are kept, on any number of threads")
  func tooManyIssues() throws {
    let layers = (0..<3000).map { "\($0)" }
    let (one, several) = (try style(layers, .inline), try style(layers, Self.backwards))
    #expect(several.issues == one.issues && one.issues.count == 1000)
    #expect(one.issues.last?.key == "layers[999]")
  }

  @Test("Filters that read the same are one, others are not")
  func filters() throws {
    let layers = [#"["==", "k", 1]"#, #"["==", "k", 2]"#, #"["==", "k", 1]"#].enumerated().map {
      layer("\($0)", #", "filter": \#($1)"#)
    }
    let read = try style(layers, .inline).layers.map(\.filter)
    #expect(read[0] != nil && read[0] === read[2] && read[0] !== read[1])
  }

  @Test("No layers are none")
  func none() throws {
    #expect(try style([], Self.backwards).layers.isEmpty)
  }
}
