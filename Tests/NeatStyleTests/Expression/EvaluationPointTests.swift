import NeatBase
import NeatJSON
import NeatStyle
import NeatTile
import Testing

@Suite("Where expressions are evaluated")
struct EvaluationPointTests {
  private let number = ReferenceSpec.expression(.number)
  private let evaluator = Evaluator()

  @Test("A point is four words: loops make one a feature")
  func size() { #expect(MemoryLayout<EvaluationPoint>.size <= 32) }

  @Test("Features of several layers in turn are read each from their own")
  func layersInTurn() throws {
    let expression = try compile(#"["get","x"]"#, number)
    let first = EvaluationPoint.layer(try makeLayer([#"{"x":1}"#, #"{"x":2}"#]), zoom: 0)
    let second = EvaluationPoint.layer(try makeLayer([#"{"y":9,"x":3}"#]), zoom: 0)
    for _ in 0..<40 {
      #expect(expression.number(evaluator, at: first.feature(1)) == 2)
      #expect(expression.number(evaluator, at: second.feature(0)) == 3)
      #expect(expression.number(evaluator, at: first.feature(0)) == 1)
    }
  }

  @Test("After features a layer's own properties see none")
  func cameraAfterFeatures() throws {
    let expression = try compile(
      #"["case",["boolean",["feature-state","on"],false],["get","x"],["has","x"],5,9]"#,
      ReferenceSpec.expression(.any))
    let layer = try makeLayer([#"{"x":1}"#])
    let feature = EvaluationPoint.feature(0, of: layer, zoom: 7, state: ["on": .bool(true)])
    #expect(try expression.value(evaluator, at: feature).get() == .number(1))
    #expect(try expression.value(evaluator, at: .layer(layer, zoom: 8)).get() == .number(9))
    #expect(try expression.value(evaluator, at: .camera(zoom: 9)).get() == .number(9))
    #expect(try expression.value(evaluator, at: feature.feature(0)).get() == .number(5), "without its state")
  }

  @Test("What does not depend on the feature follows the zoom of each point")
  func zoomsInTurn() throws {
    let expression = try compile(
      #"["interpolate",["linear"],["zoom"],0,["get","x"],10,["+",["get","x"],100]]"#, number)
    let filter = try compileFilter(#"["<",["number",["get","x"]],["*",["zoom"],["zoom"]]]"#)
    let place = EvaluationPoint.layer(try makeLayer((0..<50).map { #"{"x":\#($0)}"# }), zoom: 3)
    for feature in 0..<50 {
      let point = place.feature(feature)
      for zoom in [3.0, 4, 5] {
        #expect(
          expression.number(evaluator, at: point.at(zoom: zoom)) == Double(feature) + zoom * 10,
          "feature \(feature) at \(zoom)")
        #expect(filter.matches(evaluator, at: point.at(zoom: zoom)) == (Double(feature) < zoom * zoom))
      }
    }
  }

  @Test("A layer that is gone is not taken for the one that has its memory")
  func memory() throws {
    let expression = try compile(#"["get","x"]"#, number)
    for value in 0..<200 {
      let layer = try makeLayer(["{\"x\":\(value)}"])
      #expect(expression.number(evaluator, at: .feature(0, of: layer, zoom: 0)) == Double(value))
    }
  }

  @Test("Ramps read their own input, and 0 elsewhere")
  func ramps() throws {
    let inputs = RampInputs(heatmapDensity: 0.25, lineProgress: 0.5, elevation: 800, skyRadialProgress: 0.75)
    for (name, value) in [
      ("heatmap-density", 0.25), ("line-progress", 0.5), ("elevation", 800), ("sky-radial-progress", 0.75),
    ] {
      let expression = try compile("[\"+\",[\"\(name)\"],1]", ReferenceSpec.expression(.any))
      #expect(
        try expression.value(evaluator, at: .ramp(inputs, zoom: 3)).get() == .number(value + 1), "\(name)")
      #expect(try expression.value(evaluator, at: .camera(zoom: 3)).get() == .number(1), "\(name)")
    }
  }

  @Test("Columns of a point without a layer hold nothing")
  func noLayer() throws {
    var numbers = [1.0, 2]
    let expression = try compile(#"["get","x"]"#, number)
    numbers.withUnsafeMutableBufferPointer {
      expression.numbers(evaluator, at: .camera(zoom: 0), into: $0)
    }
    #expect(numbers[0].isNaN && numbers[1].isNaN)
    var indices: [UInt32] = [7, 7]
    let filter = try compileFilter(#"["has","x"]"#)
    #expect(
      indices.withUnsafeMutableBufferPointer { filter.matches(evaluator, at: .camera(zoom: 0), into: $0) }
        == 0)
  }

  @Test("Columns of text hold strings, formatted text and names of images, of constants too")
  func textColumns() throws {
    let layer = try makeLayer([#"{"n":"a"}"#, "{}", #"{"n":"bc"}"#])
    func column(_ text: String, _ kind: ReferenceSpec.Kind) throws -> [String] {
      var starts = [UInt32](repeating: 9, count: 4)
      var bytes: [UInt8] = []
      let expression = try compile(text, ReferenceSpec.expression(kind))
      try starts.withUnsafeMutableBufferPointer { (buffer) throws(NeatError) in
        try expression.strings(evaluator, at: .layer(layer, zoom: 0), starts: buffer, text: &bytes)
      }
      return (0..<3).map { String(decoding: bytes[Int(starts[$0])..<Int(starts[$0 + 1])], as: UTF8.self) }
    }
    #expect(try column(#"["get","n"]"#, .string) == ["a", "", "bc"])
    #expect(
      try column(#"["format",["get","n"],{},"!",{"font-scale":2}]"#, .formatted) == ["a!", "!", "bc!"])
    #expect(try column(#"["image",["string",["get","n"],"x"]]"#, .resolvedImage) == ["a", "x", "bc"])
    for kind in [ReferenceSpec.Kind.string, .formatted, .resolvedImage] {
      #expect(try column("\"k\"", kind) == ["k", "k", "k"], "\(kind)")
    }
  }
}
