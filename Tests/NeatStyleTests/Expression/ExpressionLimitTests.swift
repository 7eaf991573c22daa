import NeatBase
import NeatJSON
import NeatStyle
import NeatTile
import NeatTestSupport
import Testing

@Suite("Limits of expressions")
struct ExpressionLimitTests {
  private func nested(_ open: String, _ inner: String, _ close: String, _ depth: Int) -> String {
    String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
  }

  @Test(
    "Nesting up to the limit compiles and runs, past it is an error",
    arguments: [
      (#"["-","#, #"["get","x"]"#, "]"), (#"["case",["has","x"],"#, #"["get","x"]"#, ",0]"),
      (#"["let","a",1,"#, #"["get","x"]"#, "]"),
      (#"["interpolate",["linear"],["get","x"],0,0,1,"#, #"["get","x"]"#, "]"),
      (#"["coalesce","#, #"["get","x"]"#, "]"),
      (#"["all",["has","x"],"#, #"["has","x"]"#, "]"), (#"["!","#, #"["has","x"]"#, "]"),
      (#"["concat","#, #"["get","x"]"#, "]"),
    ])
  func depth(_ open: String, _ inner: String, _ close: String) throws {
    let spec = ReferenceSpec.expression(.any)
    let expression = try CompiledExpression.compileExpression(
      JSON.parse(nested(open, inner, close, ExpressionLimits.depth - 2)), spec: spec
    ).get()
    _ = expression.value(Evaluator(), at: .feature(0, of: try makeLayer([#"{"x":1}"#]), zoom: 0))
    let messages = try errors(nested(open, inner, close, ExpressionLimits.depth + 1)).map(\.message)
    #expect(messages == ["Expression is nested too deeply (limit \(ExpressionLimits.depth))."])
  }

  @Test("Failing operators with several signatures do not make parsing exponential")
  func overloads() throws {
    let messages = try errors(nested(#"["all","#, #"["nope"]"#, ",true]", 150)).map(\.message)
    #expect(messages == ["Expression is too large (limit \(ExpressionLimits.nodes))."] || messages.count == 1)
  }

  @Test("The number of expressions is limited")
  func nodes() throws {
    func sum(_ groups: Int, _ count: Int) -> String {
      let group = #"["+","# + String(repeating: "1,", count: count) + #"["get","x"]]"#
      return #"["+","# + Array(repeating: group, count: groups).joined(separator: ",") + "]"
    }
    #expect(try errors(sum(9, 10_000)).isEmpty)
    #expect(
      try errors(sum(11, 10_000)).map(\.message) == [
        "Expression is too large (limit \(ExpressionLimits.nodes))."
      ])
    #expect(
      try errors(sum(1, 40_000)).map(\.message) == [
        "Too many arguments (limit \(ExpressionLimits.arguments))."
      ])
  }

  @Test("An expression that needs too many registers is an error")
  func registers() throws {
    let wide = #"["concat","# + String(repeating: #"["get","x"],"#, count: 29_000) + #"""]"#
    #expect(try errors(wide).count == 1)
    let constants = #"["concat","# + (0..<29_500).map { "\"\($0)\"," }.joined() + #"["get","x"]]"#
    #expect(try errors(constants).count == 1)
  }

  @Test("A long match is found by its labels")
  func longMatch() throws {
    let text = #"["match",["get","x"]"# + (0..<14_000).map { ",\"k\($0)\",\($0)" }.joined() + ",-1]"
    let expression = try compile(text, ReferenceSpec.expression(.number))
    let evaluator = Evaluator()
    let place = EvaluationPoint.layer(try makeLayer([#"{"x":"k13999"}"#, #"{"x":"none"}"#]), zoom: 0)
    #expect(expression.number(evaluator, at: place.feature(0)) == 13_999)
    #expect(expression.number(evaluator, at: place.feature(1)) == -1)
  }

  @Test("Random expressions, and mutations of the suite's, never trap")
  func fuzz() throws {
    var random = Random(seed: 20_260_801)
    var corpus: [JSON] = []
    if let root = SharedFiles.path("conformance/expression") {
      for file in SharedFiles.find("test.json", in: root) {
        if let bytes = SharedFiles.read(file), bytes.count < 4000,
          let expression = try? JSON.parse(bytes)["expression"]
        {
          corpus.append(expression)
        }
      }
    }
    let evaluator = Evaluator()
    let layer = try makeLayer(
      [#"{"x":1,"s":"text","b":true,"n":null,"a":[1,"2",null],"o":{"k":[{}]}}"#, "{}"],
      types: [.point, .line])
    var compiled = 0
    for round in 0..<6000 {
      let text =
        round % 2 == 0 || corpus.isEmpty
        ? random.expression(4) : random.mutation(corpus[random.below(corpus.count)], corpus)
      guard let json = try? JSON.parse(text) else { continue }
      let spec = ReferenceSpec.expression(
        Random.kinds[random.below(Random.kinds.count)], element: .number, values: ["a"],
        tokens: true)
      if case .success(let filter) = CompiledFilter.compile(json) {
        _ = filter.matches(evaluator, at: .feature(0, of: layer, zoom: 0))
      }
      for result in [
        CompiledExpression.compile(json, spec: spec), CompiledExpression.compileExpression(json, spec: spec),
      ] {
        guard case .success(let expression) = result else { continue }
        compiled += 1
        for feature in -1...2 {
          let point = EvaluationPoint.feature(
            feature, of: layer, tile: TileID(z: 3, x: 4, y: 4), zoom: Double(random.below(25)))
          _ = expression.value(evaluator, at: point)
          _ = (
            expression.number(evaluator, at: point), expression.color(evaluator, at: point),
            expression.formatted(evaluator, at: point),
            expression.numbers(evaluator, at: point)
          )
        }
      }
    }
    #expect(compiled > 300)
  }
}

private struct Random {
  static let kinds: [ReferenceSpec.Kind] = [
    .any, .number, .string, .boolean, .color, .enumeration, .formatted, .resolvedImage, .padding,
    .numberArray,
    .colorArray, .projectionDefinition,
    .variableAnchorOffsetCollection, .array,
  ]
  static let names = [
    "let", "var", "literal", "semiliteral", "array", "at", "in", "index-of", "slice", "case", "match",
    "coalesce", "step", "interpolate",
    "interpolate-hcl", "interpolate-lab", "typeof", "string", "number", "boolean", "object", "collator",
    "format", "image", "global-state",
    "number-format", "to-string", "to-number", "to-boolean", "to-rgba", "to-color", "rgb", "rgba", "get",
    "has", "length", "properties",
    "feature-state", "geometry-type", "id", "zoom", "+", "*", "-", "/", "%", "^", "min", "max", "round",
    "distance", "==", "!=", ">", "<",
    ">=",
    "<=", "all", "any", "!", "within", "upcase", "concat", "resolved-locale", "split", "join", "accumulated",
    "error", "none", "!in",
    "!has",
  ]
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func below(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % max(1, count)
  }

  mutating func atom() -> String {
    let atoms = [
      "0", "1", "-1", "0.5", "1e300", "-1e-300", "9007199254740993", "null", "true", "false", "\"x\"",
      "\"s\"", "\"a\"", "\"red\"", "\"\"",
      "\"{x}\"",
      "\"$type\"", "\"\\ud83d\\ude00\"", "[]", "{}", "[\"linear\"]", "[\"exponential\",2]",
      "[\"cubic-bezier\",0,0.2,1,1]", "[\"zoom\"]",
      "[\"get\",\"x\"]", "[\"get\",\"a\"]", "[\"literal\",[1,2]]", "{\"locale\":\"de\"}",
      "{\"font-scale\":2}", "[\"var\",\"v\"]",
      "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[5,0],[5,5],[0,0]]]}", "{\"stops\":[[0,1],[1,2]]}",
    ]
    return atoms[below(atoms.count)]
  }

  mutating func expression(_ depth: Int) -> String {
    if depth == 0 || below(5) == 0 { return atom() }
    let name = Random.names[below(Random.names.count)]
    var parts = ["\"\(name)\""]
    if name == "let" { parts.append("\"v\"") }
    for _ in 0..<below(6) { parts.append(expression(depth - 1)) }
    return "[" + parts.joined(separator: ",") + "]"
  }

  /// The expression with parts of it exchanged for parts of others.
  mutating func mutation(_ json: JSON, _ corpus: [JSON]) -> String {
    if below(12) == 0 { return below(2) == 0 ? atom() : corpus[below(corpus.count)].text }
    switch json.kind {
    case .array:
      var parts: [String] = []
      for element in json.elements where below(40) > 0 {
        parts.append(mutation(element, corpus))
        if below(40) == 0 { parts.append(atom()) }
      }
      return "[" + parts.joined(separator: ",") + "]"
    case .object:
      return "{"
        + json.members.map { "\(JSON.string($0.key).text):" + mutation($0.value, corpus) }.joined(
          separator: ",") + "}"
    case .string where below(10) == 0: return "\"\(Random.names[below(Random.names.count)])\""
    default: return json.text
    }
  }
}
