import NeatBase
import NeatCamera
import NeatJSON
import NeatLayout
import NeatStyle
import NeatText
import Synchronization
import Testing

@testable import NeatMap

/// Expressions that go past a budget cost an image their property, which its report names, and nothing else.
@Suite struct ExpressionBudgetTests {
  /// A text that an expression doubles so many times.
  private static func doubled(_ inner: String, _ times: Int) -> String {
    var text = #"["var","a"]"#
    for _ in 0..<times { text = #"["let","a",["concat",["var","a"],["var","a"]],\#(text)]"# }
    return #"["let","a",\#(inner),\#(text)]"#
  }

  private static let bomb = doubled(#"["get","name"]"#, 40)
  private static let point =
    #"{"type":"Feature","properties":{"name":"0123456789"},"geometry":{"type":"Point","coordinates":[0,0]}}"#

  private func points(_ count: Int) -> String {
    let features = (0..<count).map {
      #"{"type":"Feature","properties":{"name":"name \#($0)"},"geometry":{"type":"Point","coordinates":[\#(Double($0 % 100) / 1e4),\#(Double($0 / 100) / 1e4)]}}"#
    }
    return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
  }

  private func map(
    _ layers: String, data: String = point, source: String = "",
    _ options: MapCore.Options = MapCore.Options()
  ) throws -> MapCore {
    let style =
      #"{"version":8,"sources":{"s":{"type":"geojson","data":\#(data)\#(source)}},"layers":[\#(layers)]}"#
    return MapCore(style: try Style(json: try JSON.parse(Array(style.utf8))), base: "", options: options)
  }

  private func draw(_ map: MapCore, isOver: @escaping @Sendable () -> Bool = { false }) throws -> Report {
    try map.draw(
      camera: Camera(center: LonLat(0, 0), zoom: 13), size: ViewSize(width: 64, height: 64),
      client: ResourceClient(isOver: isOver) { $0.map { _ in .missing } }, executor: .inline
    ).report
  }

  private func overruns(_ report: Report) -> [String] {
    // Layers are left out tile by tile.
    Set(report.entries.filter { $0.code == .limitExceeded }.map { "\($0.resource): \($0.message)" }).sorted()
  }

  @Test(
    "A layer's property past the budget of an evaluation is named in every report",
    arguments: [
      (
        #"{"id":"l","type":"symbol","source":"s","layout":{"text-field":\#(bomb)}}"#,
        "layers.l.layout.text-field"
      ),
      (
        #"{"id":"l","type":"symbol","source":"s","layout":{"icon-image":\#(bomb)}}"#,
        "layers.l.layout.icon-image"
      ),
      (
        #"{"id":"l","type":"circle","source":"s","paint":{"circle-radius":["length",\#(bomb)]}}"#,
        "layers.l.paint.circle-radius"
      ),
      (#"{"id":"l","type":"circle","source":"s","filter":["!=",\#(bomb),""]}"#, "layers.l.filter"),
      (
        #"{"id":"l","type":"symbol","source":"s","layout":{"text-field":"a","text-font":["literal",["A"]],"symbol-sort-key":["length",\#(bomb)]}}"#,
        "layers.l.layout.symbol-sort-key"
      ),
      (
        #"{"id":"l","type":"background","paint":{"background-opacity":["length",\#(doubled(#"["to-string",["zoom"]]"#, 0))]}}"#,
        ""
      ),
    ])
  func properties(_ layer: String, _ place: String) throws {
    let map = try map(layer)
    for _ in 0..<2 {
      let found = overruns(try draw(map))
      #expect(found == (place.isEmpty ? [] : ["\(place): The evaluation takes more than 16 MiB"]))
    }
  }

  @Test("What a frame evaluates for a whole layer is named too")
  func frames() throws {
    // Not computed when it is compiled: the global state is not known then.
    let text = Self.doubled(#"["to-string",["global-state","x"]]"#, 40)
    let style =
      #"{"version":8,"sources":{},"state":{"x":{"default":"0123456789"}},"layers":[{"id":"b","type":"background","paint":{"background-opacity":["length",\#(text)]}}]}"#
    let map = MapCore(style: try Style(json: try JSON.parse(Array(style.utf8))), base: "")
    #expect(
      overruns(try draw(map)) == ["layers.b.paint.background-opacity: The evaluation takes more than 16 MiB"])
  }

  @Test("The budget of an evaluation is an option")
  func option() throws {
    var options = MapCore.Options()
    options.evaluation.bytes = 20
    let layer =
      #"{"id":"l","type":"circle","source":"s","paint":{"circle-radius":["length",["concat",["get","name"],["get","name"]]]}}"#
    #expect(overruns(try draw(try map(layer, options))).isEmpty, "20 bytes")
    options.evaluation.bytes = 19
    #expect(
      overruns(try draw(try map(layer, options))) == [
        "layers.l.paint.circle-radius: The evaluation takes more than 19 bytes"
      ])
  }

  @Test("What the layouts of an image keep of texts is bounded, and the next image tries again")
  func keptTexts() throws {
    var options = MapCore.Options()
    options.work.bytes = 1_000_000
    let layer =
      #"{"id":"l","type":"symbol","source":"s","layout":{"text-field":\#(Self.doubled(#"["get","name"]"#, 10))}}"#
    let map = try map(layer, data: points(1000), options)
    for _ in 0..<2 {
      #expect(
        overruns(try draw(map)) == [
          "layers.l: The image takes more than 1000000 bytes for values of expressions"
        ])
    }
    options.work.bytes = 100_000_000
    #expect(overruns(try draw(try self.map(layer, data: points(1000), options))).isEmpty)
  }

  @Test("The steps of an image's evaluations are bounded over all of its features and layers")
  func steps() throws {
    var options = MapCore.Options()
    options.work.steps = 200_000
    let layers = (0..<20).map {
      #"{"id":"l\#($0)","type":"circle","source":"s","paint":{"circle-radius":["length",\#(Self.doubled(#"["get","name"]"#, 5))]}}"#
    }
    let found = overruns(try draw(try map(layers.joined(separator: ","), data: points(1000), options)))
    #expect(!found.isEmpty && found.count <= 20)
    #expect(found.allSatisfy { $0.contains("The expressions of the image take more than 200000 steps") })
    options.work.steps = 200_000_000
    #expect(overruns(try draw(try map(layers.joined(separator: ","), data: points(1000), options))).isEmpty)
  }

  @Test("An image past its deadline ends soon, says what it lacks, and the next one has it")
  func deadline() throws {
    // 1.5 seconds of work and more, each evaluation within its budget.
    let slow = #"["length",\#(Self.doubled(#"["get","name"]"#, 20))]"#
    let layer = #"{"id":"l","type":"circle","source":"s","paint":{"circle-radius":\#(slow)}}"#
    let plain = #"{"id":"p","type":"circle","source":"s"}"#
    var options = MapCore.Options()
    options.evaluation = EvaluationBudget(bytes: 1 << 30, steps: .max)
    options.work = WorkBudget(bytes: .max, steps: .max)
    let map = try map(plain + "," + layer, data: points(400), options)
    let start = MonotonicClock.milliseconds
    let report = try draw(map) { MonotonicClock.milliseconds > start + 50 }
    let took = MonotonicClock.milliseconds - start
    #expect(took < 50 + 1000, "a debug build, on a busy machine: \(took) ms")
    let late = report.entries.filter { $0.code == .timeout }
    // On a slow machine there is no time for the other one either.
    #expect(late.contains { $0.resource == "layers.l" })
    #expect(Set(late.map(\.message)) == ["The time for the image is over"])
    #expect(!report.isComplete)
  }

  @Test("Clusters whose property grows past a text's limit lose it, and the map says so")
  func clusters() throws {
    let source =
      #","cluster":true,"clusterRadius":100,"clusterProperties":{"names":[["concat",["accumulated"],["accumulated"],["get","names"]],["get","name"]]}"#
    let map = try map(
      #"{"id":"l","type":"circle","source":"s"}"#, data: points(400), source: source)
    _ = try draw(map)
    let messages = map.problems.map(\.message)
    #expect(messages == ["clusterProperties.names: The cluster takes more than 1 MiB"])
  }

  @Test("A query's filter has a budget")
  func queries() throws {
    var options = MapCore.Options()
    options.work.steps = 1000
    let map = try map(#"{"id":"l","type":"circle","source":"s"}"#, data: points(2000), options)
    _ = try? draw(map)
    var query = SourceQuery(source: "s")
    query.filter = try CompiledFilter.compile(JSON.parse(#"["!=",["upcase",["get","name"]],""]"#)).get()
    let transform = try map.transform(
      Camera(center: LonLat(0, 0), zoom: 13), ViewSize(width: 64, height: 64))
    #expect(throws: NeatError(.limitExceeded, "The expressions of the query take more than 1000 steps")) {
      try map.answer(.sourceFeatures(query), transform)
    }
  }
}
