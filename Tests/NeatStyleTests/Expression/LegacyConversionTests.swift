import NeatBase
import NeatJSON
import NeatStyle
import NeatTestSupport
import NeatTile
import Testing

/// Legacy filters and functions written as expressions.
@Suite struct LegacyConversionTests {
  private let features = [
    #"{"class":"path","rank":3,"name":"A","oneway":true}"#, #"{"class":"motorway","rank":1}"#,
    #"{"class":"path","rank":12,"name":null}"#,
    #"{"rank":"7"}"#, #"{"class":["a"],"rank":-0.5,"oneway":false}"#, #"{"class":7,"rank":null,"name":"7"}"#,
  ]

  private func converted(_ filter: String) throws -> String {
    try LegacyConversion.filter(JSON.parse(filter)).get().text
  }

  @Test(arguments: [
    (#"["==","class","path"]"#, #"["==",["get","class"],"path"]"#),
    (#"["!=","$type","Point"]"#, #"["!=",["geometry-type"],"Point"]"#),
    (#"["in","class","a","b","a"]"#, #"["match",["get","class"],["a","b"],true,false]"#),
    (#"["!in","rank",1,2]"#, #"["match",["get","rank"],[1,2],false,true]"#),
    (#"["in","rank",1.5,2]"#, #"["any",["==",["get","rank"],1.5],["==",["get","rank"],2]]"#),
    (#"["in","rank",1,"a"]"#, #"["any",["==",["get","rank"],1],["==",["get","rank"],"a"]]"#),
    (#"["!has","name"]"#, #"["!",["has","name"]]"#),
    (#"["has","$id"]"#, #"["!=",["id"],null]"#),
    (#"["<","rank",5]"#, #"["<",["get","rank"],5]"#),
    (#"["all",["<","rank",5],["has","x"]]"#, #"["all",["<",["get","rank"],5],["has","x"]]"#),
    (
      #"["none",["<","rank",5]]"#,
      #"["!",["any",["case",["==",["typeof",["get","rank"]],"number"],["<",["get","rank"],5],false]]]"#
    ),
    (#"["==","name",null]"#, #"["all",["has","name"],["==",["get","name"],null]]"#),
    (#"["!=","name",null]"#, #"["any",["!",["has","name"]],["!=",["get","name"],null]]"#),
    (
      #"["all",["==","class","a"],["==",["get","x"],1]]"#,
      #"["all",["==",["get","class"],"a"],["==",["get","x"],1]]"#
    ),
    (#"["in","class"]"#, #"["any"]"#), ("null", #"["all"]"#), (#"["has","name"]"#, #"["has","name"]"#),
    ("true", "true"),
  ])
  func filtersAreWrittenAs(_ filter: String, _ expression: String) throws {
    #expect(try converted(filter) == expression)
  }

  @Test(arguments: [
    #"["<","rank",true]"#, #"["==",5,1]"#, #"["all",7]"#, #"{"a":1}"#, "5", #"["all",["case"]]"#,
  ])
  func faultyFiltersAreRefused(_ filter: String) throws {
    #expect(throws: (any Error).self) { try converted(filter) }
  }

  @Test func deepFiltersAreRefused() throws {
    let filter =
      String(repeating: #"["none","#, count: 400) + #"["==","a",1]"# + String(repeating: "]", count: 400)
    #expect(throws: (any Error).self) { try converted(filter) }
  }

  /// A filter at random, of all forms and nested.
  private func filter(_ random: inout SplitMix, depth: Int) -> String {
    let properties = ["class", "rank", "name", "oneway", "$type", "$id", "nothing"]
    let values = [
      #""path""#, #""7""#, #""Point""#, #""Polygon""#, "1", "3", "-0.5", "12", "true", "false", "null",
    ]
    func pick(_ list: [String]) -> String { list[Int(random.next() % UInt64(list.count))] }
    if depth > 0, random.next() % 3 > 0 {
      let children = (0..<Int(random.next() % 4)).map { _ in filter(&random, depth: depth - 1) }
      return "[\"\(pick(["all", "any", "none"]))\"\(children.map { "," + $0 }.joined())]"
    }
    let property = "\"\(pick(properties))\""
    switch random.next() % 4 {
    case 0: return "[\"\(pick(["has", "!has"]))\",\(property)]"
    case 1:
      let list = (0..<Int(random.next() % 4)).map { _ in "," + pick(values) }
      return "[\"\(pick(["in", "!in"]))\",\(property)\(list.joined())]"
    case 2:
      return
        "[\"\(pick(["<", "<=", ">", ">="]))\",\(property),\(pick(values.filter { Double($0) != nil || $0.hasPrefix("\"") }))]"
    default: return "[\"\(pick(["==", "!="]))\",\(property),\(pick(values))]"
    }
  }

  @Test func filtersLetTheSameFeaturesThroughAsTheirExpressions() throws {
    var random = SplitMix(seed: 7)
    let evaluator = Evaluator()
    let place = EvaluationPoint.layer(
      try makeLayer(features, types: [.line, .line, .point, .polygon, .polygon, .point]), zoom: 0)
    for _ in 0..<4000 {
      let text = filter(&random, depth: 3)
      let expression = try converted(text)
      let old = try compileFilter(text)
      let new = try compileFilter(expression)
      #expect(try CompiledFilter.isExpression(JSON.parse(expression)), "\(text) became \(expression)")
      for index in features.indices {
        let point = place.feature(index)
        #expect(
          old.matches(evaluator, at: point) == new.matches(evaluator, at: point),
          "\(text) became \(expression), feature \(index)")
      }
    }
  }

  @Test(arguments: [
    (#"{"stops":[[5,1],[10,4]]}"#, Property.lineWidth, #"["interpolate",["linear"],["zoom"],5,1,10,4]"#),
    (
      #"{"base":2,"stops":[[5,1],[10,4]]}"#, .lineWidth,
      #"["interpolate",["exponential",2],["zoom"],5,1,10,4]"#
    ),
    (#"{"stops":[[5,"butt"],[10,"round"]]}"#, .lineCap, #"["step",["zoom"],"butt",10,"round"]"#),
    (
      #"{"property":"a","type":"categorical","stops":[["x","red"]],"default":"blue"}"#, .fillColor,
      #"["match",["get","a"],"x","red","blue"]"#
    ),
    (#"{"property":"a","type":"identity"}"#, .circleRadius, #"["get","a"]"#),
    (#""{name}""#, .textField, #"["to-string",["get","name"]]"#),
    (#""{a} ({b})""#, .textField, #"["concat",["get","a"]," (",["get","b"],")"]"#),
    (#""{icon}-15""#, .iconImage, #"["concat",["get","icon"],"-15"]"#),
    (#""plain""#, .textField, #""plain""#), ("3", .lineWidth, "3"), (#"["zoom"]"#, .lineWidth, #"["zoom"]"#),
  ])
  func valuesAreWrittenAs(_ value: String, _ property: Property, _ expression: String) throws {
    let converted = LegacyConversion.expression(try JSON.parse(value), spec: property.spec.reference)
    #expect(try converted.get().text == expression)
  }

  /// Few bytes of a legacy form are not to become gigabytes of expression.
  @Test(arguments: [(100, true), (10_000, false)])
  func whatIsRepeatedIsBounded(length: Int, fits: Bool) throws {
    let name = String(repeating: "k", count: length)
    let values = (0..<1000).map { "\($0).5" }.joined(separator: ",")
    let filter = LegacyConversion.filter(try JSON.parse("[\"in\",\"\(name)\",\(values)]"))
    let stops = (0..<1000).map { "[{\"zoom\":\($0),\"value\":1},1]" }.joined(separator: ",")
    let function = LegacyConversion.expression(
      try JSON.parse("{\"property\":\"\(name)\",\"stops\":[\(stops)]}"),
      spec: Property.lineWidth.spec.reference)
    for converted in [filter, function] {
      switch converted {
      case .success(let json): #expect(fits && json.text.utf8.count < 16 << 20)
      case .failure(let errors): #expect(!fits && errors.errors[0].message == "Expression is too large")
      }
    }
  }

  @Test(arguments: [
    #"{"stops":[]}"#, #"{"stops":[[1]]}"#, #"{"stops":[[2,1],[1,2]]}"#, #"{"type":"odd","stops":[[1,1]]}"#,
  ])
  func faultyFunctionsAreRefused(_ function: String) throws {
    #expect(throws: (any Error).self) {
      try LegacyConversion.expression(JSON.parse(function), spec: Property.lineWidth.spec.reference).get()
    }
  }
}
