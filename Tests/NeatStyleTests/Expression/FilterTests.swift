import NeatJSON
import NeatStyle
import NeatTile
import Testing

@Suite("Filters")
struct FilterTests {
  private let features = [
    #"{"class":"path","rank":3,"name":"A","oneway":true}"#, #"{"class":"motorway","rank":1}"#,
    #"{"class":"path","rank":12,"name":null}"#,
    #"{"rank":"7"}"#, #"{"class":["a"],"rank":-0.5,"oneway":false}"#,
  ]

  /// The features of a layer that pass, found in one call.
  private func matches(
    _ filter: CompiledFilter, _ evaluator: Evaluator, _ layer: TileLayer, zoom: Double = 0
  ) -> [Int32] {
    var indices = [UInt32](repeating: .max, count: layer.featureCount)
    let count = indices.withUnsafeMutableBufferPointer {
      filter.matches(evaluator, at: .layer(layer, zoom: zoom), into: $0)
    }
    return indices[..<count].map { Int32($0) }
  }

  private func passing(_ filter: String) throws -> [Int32] {
    let evaluator = Evaluator()
    let layer = try makeLayer(features, types: [.line, .line, .point, .polygon, .polygon])
    let filter = try compileFilter(filter)
    let one = (0..<5).filter { filter.matches(evaluator, at: .feature($0, of: layer, zoom: 0)) }
    let all = matches(filter, evaluator, layer)
    #expect(all == one.map { Int32($0) })
    return all
  }

  @Test(
    "Legacy filters",
    arguments: [
      (#"["==","class","path"]"#, [0, 2]), (#"["!=","class","path"]"#, [1, 3, 4]),
      (#"["in","class","path","motorway"]"#, [0, 1, 2]),
      (#"["!in","class","path","motorway"]"#, [3, 4]), (#"["has","name"]"#, [0, 2]),
      (#"["!has","name"]"#, [1, 3, 4]),
      (#"["==","name",null]"#, [2]), (#"["<","rank",3]"#, [1, 4]), (#"["<=","rank",3]"#, [0, 1, 4]),
      (#"[">","rank",3]"#, [2]),
      (#"[">=","rank","6"]"#, [3]), (#"["==","oneway",true]"#, [0]),
      (#"["==","$type","LineString"]"#, [0, 1]),
      (#"["!=","$type","LineString"]"#, [2, 3, 4]), (#"["in","$type","Point","Polygon"]"#, [2, 3, 4]),
      (#"["==","$id",2]"#, [1]),
      (#"["in","$id",1,4,9]"#, [0, 3]), (#"["has","$id"]"#, [0, 1, 2, 3, 4]), (#"["!has","$id"]"#, []),
      (#"[">","$id",3]"#, [3, 4]),
      (#"["all",["==","class","path"],["has","oneway"]]"#, [0]),
      (#"["any",["==","rank",1],["==","rank",12]]"#, [1, 2]),
      (#"["none",["==","class","path"],["==","$type","Polygon"]]"#, [1]), (#"["all"]"#, [0, 1, 2, 3, 4]),
      (#"["any"]"#, []),
      (#"["any",["==",["get","rank"],1],["==","rank",12]]"#, [1, 2]),
      (#"["all",["has","name"],["==","class","path"],["<",["get","rank"],5]]"#, [0]),
      (#"["none",["!has","class"],["match",["get","class"],"path",true,false]]"#, [1, 4]),
      (#"["in","class"]"#, []), ("null", [0, 1, 2, 3, 4]), ("true", [0, 1, 2, 3, 4]), ("false", []),
    ])
  func legacy(_ filter: String, _ expected: [Int32]) throws { #expect(try passing(filter) == expected) }

  @Test(
    "Expression filters",
    arguments: [
      (#"["==",["get","class"],"path"]"#, [0, 2]), (#"["!=",["get","class"],"path"]"#, [1, 3, 4]),
      (#"["!",["has","class"]]"#, [3]),
      (#"["==",["get","name"],null]"#, [1, 2, 3, 4]), (#"["==","path",["get","class"]]"#, [0, 2]),
      (#"["<",["get","rank"],3]"#, [1, 4]), (#"[">",3,["get","rank"]]"#, [1, 4]),
      (#"["!",["<",["get","rank"],3]]"#, [0, 2]),
      (#"["in",["get","class"],["literal",["path","bridge"]]]"#, [0, 2]),
      (#"["match",["get","class"],["path","motorway"],true,false]"#, [0, 1, 2]),
      (#"["any",["==",["geometry-type"],"Point"],["==",["get","rank"],1]]"#, [1, 2]),
      (#"["all",["has","rank"],["!=",["geometry-type"],"Polygon"]]"#, [0, 1, 2]),
      (#"["case",["has","oneway"],["get","oneway"],false]"#, [0]), (#"["==",["id"],3]"#, [2]),
      (
        #"["all",["any",["==",["get","rank"],12],["==",["get","rank"],1]],["!",["all",["has","name"],["has","class"]]]]"#,
        [1]
      ),
      (#"["boolean",["get","oneway"],true]"#, [0, 1, 2, 3]), (#"["<=",["zoom"],5]"#, [0, 1, 2, 3, 4]),
    ])
  func expressions(_ filter: String, _ expected: [Int32]) throws { #expect(try passing(filter) == expected) }

  @Test("What was remembered of one layer is forgotten with the next")
  func rebinding() throws {
    let filter = try compileFilter(#"["all",["==","a","x"],["in","b",1,2]]"#)
    let evaluator = Evaluator()
    // More features than are looked up one by one, so that columns are made too.
    let first = try makeLayer((0..<100).map { #"{"a":"\#($0 % 2 == 0 ? "x" : "y")","b":\#($0 % 4)}"# })
    let second = try makeLayer((0..<100).map { #"{"b":\#($0 % 3),"a":"\#($0 % 5 == 0 ? "x" : "z")"}"# })
    for _ in 0..<3 {
      #expect(matches(filter, evaluator, first) == (0..<100).filter { $0 % 4 == 2 })
      #expect(matches(filter, evaluator, second) == (0..<100).filter { $0 % 5 == 0 && $0 % 3 > 0 })
    }
    #expect(!filter.matches(evaluator, at: .camera(zoom: 0)), "no feature, whatever was looked at before")
  }

  @Test(
    "What does not depend on the feature is kept from one feature to the next, until the zoom or the state changes"
  )
  func keptParts() throws {
    let filter = try compileFilter(
      #"["all",["has","rank"],["any",[">=",["zoom"],["number",["global-state","level"]]],["==",["get","class"],"motorway"]]]"#
    )
    let evaluator = Evaluator()
    let layer = try makeLayer(features, types: [.line, .line, .point, .polygon, .polygon])
    let ranked = matches(try compileFilter(#"["has","rank"]"#), evaluator, layer)
    // Without the state, the part fails wherever it is reached.
    #expect(matches(filter, evaluator, layer) == [])
    evaluator.globalState = ["level": .number(5)]
    #expect(matches(filter, evaluator, layer, zoom: 5) == ranked)
    #expect(matches(filter, evaluator, layer, zoom: 4) == [1])
    evaluator.globalState = ["level": .number(3)]
    #expect(matches(filter, evaluator, layer, zoom: 4) == ranked)
    #expect(filter.disassembly.contains("ensure"))
  }

  @Test(
    "A part without features that fails does so for every feature, and leaves nothing behind",
    arguments: [
      #"["<",["number",["at",["zoom"],["literal",["x",1]]]],["number",["get","rank"]]]"#,
      #"["<",["+",["zoom"],-99,["number",["at",["zoom"],["literal",["x",1]]]]],["number",["get","rank"]]]"#,
      #"["<",["number",["global-state","name"]],["number",["get","rank"]]]"#,
      #"["<",["coalesce",["global-state","none"],["number",["global-state","name"]]],["number",["get","rank"]]]"#,
    ])
  func failingKeptParts(_ text: String) throws {
    let filter = try compileFilter(text)
    let evaluator = Evaluator()
    let layer = try makeLayer((0..<40).map { #"{"rank":\#($0 + 1)}"# })
    evaluator.globalState = ["name": .string("a name")]
    #expect(matches(filter, evaluator, layer) == [])
    if text.contains("zoom") {
      #expect(!matches(filter, evaluator, layer, zoom: 1).isEmpty, "where the part does not fail")
    }
  }

  @Test("What a failing part made is not read when its memory is gone")
  func failingKeptPartsAndMemory() throws {
    let long = String(repeating: "x", count: 5000)
    let filter = try compileFilter(
      #"["==",["concat",["upcase",["get","s"]],["to-string",["length",["string",["at",["zoom"],["literal",["\#(long)",1]]]]]]],"S5000"]"#
    )
    let evaluator = Evaluator()
    let layer = try makeLayer((0..<40).map { _ in #"{"s":"s"}"# })
    #expect(matches(filter, evaluator, layer, zoom: 1) == [])
    #expect(matches(filter, evaluator, layer, zoom: 0).count == 40)
    #expect(matches(filter, evaluator, layer, zoom: 1) == [])
  }

  @Test("A feature outside the layer has no properties")
  func outside() throws {
    let evaluator = Evaluator()
    let place = EvaluationPoint.layer(try makeLayer(features), zoom: 0)
    for feature in [-1, 5, Int.max, Int.min] {
      let point = place.feature(feature)
      #expect(!(try compileFilter(#"["has","rank"]"#).matches(evaluator, at: point)))
      #expect(!(try compileFilter(#"["==",["geometry-type"],"Polygon"]"#).matches(evaluator, at: point)))
      #expect(!(try compileFilter(#"["has","$id"]"#).matches(evaluator, at: point)))
    }
  }

  @Test(
    "Malformed filters are errors, not traps",
    arguments: ["3", "{}", "[\"==\",1,2]", "[[],1]", "[\"all\",3]", "[\"all\",[\"nope\"],[\"!has\",\"a\"]]"])
  func malformed(_ text: String) throws {
    if case .success = CompiledFilter.compile(try JSON.parse(text)) { Issue.record("\(text) compiles") }
  }

  @Test("Nesting past the limit is an error")
  func depth() throws {
    for wrap in ["all", "none"] {
      func nested(_ depth: Int) -> String {
        String(repeating: "[\"\(wrap)\",", count: depth) + #"["has","$id"]"#
          + String(repeating: "]", count: depth)
      }
      _ = try compileFilter(nested(ExpressionLimits.depth - 2))
      if case .success = CompiledFilter.compile(try JSON.parse(nested(ExpressionLimits.depth + 2))) {
        Issue.record("no limit")
      }
    }
  }
}
