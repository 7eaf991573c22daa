import NeatBase
import NeatJSON
import NeatStyle
import NeatTile
import Testing

@Suite("Compiled expressions")
struct CompiledExpressionTests {
  private let number = ReferenceSpec.expression(.number)
  private let color = ReferenceSpec.expression(.color)

  private let evaluator = Evaluator()
  private let camera = EvaluationPoint.camera(zoom: 0)

  private func feature(_ properties: String = "{}", zoom: Double = 0) throws -> EvaluationPoint {
    .feature(0, of: try makeLayer([properties]), zoom: zoom)
  }

  @Test("Kinds follow from what the value depends on")
  func kinds() throws {
    #expect(try compile("3", number).kind == .constant)
    #expect(try compile(#"["interpolate",["linear"],["zoom"],0,1,10,2]"#, number).kind == .camera)
    #expect(try compile(#"["get","x"]"#, number).kind == .source)
    let composite = try compile(#"["interpolate",["linear"],["zoom"],0,["get","x"],10,2]"#, number)
    #expect(composite.kind == .composite)
    #expect(composite.zoomStops == [0, 10])
    #expect(composite.interpolationFactor(zoom: 5, lower: 0, upper: 10) == 0.5)
    let step = try compile(#"["step",["zoom"],1,8,2]"#, number)
    #expect(step.zoomStops == [-.infinity, 8])
    #expect(step.interpolationFactor(zoom: 5, lower: 0, upper: 10) == 0)
    #expect(
      try compile(#"["feature-state","hover"]"#, ReferenceSpec.expression(.boolean)).isFeatureStateDependent)
    #expect(try compile(#"["number",["global-state","k"],3]"#, number).globalStateKeys == ["k"])
  }

  @Test("What a value depends on, where that is properties alone")
  func keysAlone() throws {
    func keys(_ text: String) throws -> [String]? {
      try compile(text, ReferenceSpec.expression(.string)).keysAlone.map { $0.sorted() }
    }
    #expect(try keys(#""road""#) == [])
    #expect(try keys(#"["to-string",["get","name"]]"#) == ["name"])
    #expect(try keys(#"["concat",["get","b"]," ",["get","a"],["get","b"]]"#) == ["a", "b"])
    #expect(try keys(#"["step",["zoom"],["get","a"],5,"x"]"#) == ["a"])
    #expect(try keys(#"["case",["has","a"],"x",["match",["get","b"],"c","y","z"]]"#) == ["a", "b"])
    for more in [
      #"["get",["get","a"]]"#, #"["get","a",["properties"]]"#, #"["id"]"#, #"["geometry-type"]"#,
      #"["feature-state","a"]"#, #"["has",["get","a"]]"#, #"["accumulated"]"#, #"["line-progress"]"#,
    ] {
      #expect(try keys(#"["concat",["get","name"],["to-string",\#(more)]]"#) == nil, "\(more)")
    }
    let within = #"["within",{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}]"#
    #expect(try keys(#"["case",\#(within),["get","a"],"b"]"#) == nil)
  }

  @Test("Numbers over zoom")
  func numbers() throws {
    let curve = try compile(#"["interpolate",["exponential",2],["zoom"],0,0,2,3]"#, number)
    for (zoom, value) in [(-1.0, 0.0), (0, 0), (1, 1), (2, 3), (30, 3), (1, 1)] {
      #expect(curve.number(evaluator, at: .camera(zoom: zoom)) == value)
    }
    #expect(curve.number(evaluator, at: .camera(zoom: .nan)) == nil)
  }

  @Test("Failures and null have no value, and say why when asked")
  func failures() throws {
    let expression = try compile(#"["*",2,["get","x"]]"#, number)
    #expect(expression.number(evaluator, at: try feature(#"{"x":4}"#)) == 8)
    #expect(expression.number(evaluator, at: try feature(#"{"x":"4"}"#)) == nil)
    let failure = expression.value(evaluator, at: try feature(#"{"x":"4"}"#))
    #expect(
      failure
        == .failure(
          ExpressionError(
            key: "[2]", message: "Expected value to be of type number, but found string instead.")))
    #expect(try compile(#"["sqrt",-1]"#, number).number(evaluator, at: camera) == nil)
  }

  @Test("Colours interpolate unpremultiplied")
  func colors() throws {
    let curve = try compile(
      ##"["interpolate",["linear"],["zoom"],0,"rgba(255,0,0,0)","10","#00f"]"##.replacing(
        "\"10\"", with: "10"), color)
    let value = try #require(curve.color(evaluator, at: try feature(zoom: 5)))
    #expect(value == Color(r: 0.5, g: 0, b: 0.5, a: 0.5))
    let data = try compile(
      ##"["match",["get","c"],"a",["rgb",255,0,0],["to-color",["get","c"],"#0f0"]]"##, color)
    #expect(data.color(evaluator, at: try feature(#"{"c":"a"}"#)) == Color(r: 1, g: 0, b: 0, a: 1))
    #expect(data.color(evaluator, at: try feature(#"{"c":"blue"}"#)) == Color(r: 0, g: 0, b: 1, a: 1))
    #expect(data.color(evaluator, at: try feature(#"{"c":"nothing"}"#)) == Color(r: 0, g: 1, b: 0, a: 1))
  }

  @Test("A variable is computed once it is used, and may be used anywhere")
  func variables() throws {
    let text =
      #"["let","a",["+",["get","x"],1],["let","b",["*",["var","a"],["var","a"]],["case",["<",["var","b"],10],["var","a"],["-",["var","b"],["var","a"]]]]]"#
    #expect(try compile(text, number).number(evaluator, at: try feature(#"{"x":1}"#)) == 2)
    #expect(try compile(text, number).number(evaluator, at: try feature(#"{"x":4}"#)) == 20)
    let unused = try compile(
      #"["let","a",["number",["get","x"]],["interpolate",["linear"],["get","y"],0,5,1,["var","a"]]]"#, number)
    #expect(unused.number(evaluator, at: try feature(#"{"y":0}"#)) == 5)
    #expect(unused.number(evaluator, at: try feature(#"{"y":1}"#)) == nil)
    #expect(unused.number(evaluator, at: try feature(#"{"y":0.5,"x":15}"#)) == 10)
  }

  @Test("Variables of variables do not multiply the code")
  func variableGrowth() throws {
    // Bindings of one `let` do not see each other: they are nested.
    var text = #"["let","v0",["get","x"],"#
    for level in 1...30 {
      text += #"["let","v\#(level)",["+",["var","v\#(level - 1)"],["var","v\#(level - 1)"]],"#
    }
    text += #"["var","v30"]"# + String(repeating: "]", count: 31)
    #expect(try compile(text, number).number(evaluator, at: try feature(#"{"x":1}"#)) == 1_073_741_824)
  }

  @Test("Nested curves keep their stops apart")
  func nestedCurves() throws {
    let text =
      #"["interpolate",["linear"],["get","x"],0,["interpolate",["linear"],["get","y"],0,0,10,100],10,["step",["get","y"],1000,5,["*",["get","y"],1000]]]"#
    let expression = try compile(text, number)
    #expect(expression.number(evaluator, at: try feature(#"{"x":0,"y":5}"#)) == 50)
    #expect(expression.number(evaluator, at: try feature(#"{"x":5,"y":2}"#)) == 510)
    #expect(expression.number(evaluator, at: try feature(#"{"x":10,"y":7}"#)) == 7000)
  }

  @Test("Tokens in constant strings stand for properties")
  func tokens() throws {
    let text = ReferenceSpec.expression(.formatted, tokens: true)
    #expect(
      try compile(#""{name} ({ref})""#, text).formatted(evaluator, at: try feature(#"{"name":"A","ref":5}"#))?
        .text
        == "A (5)")
    #expect(try compile(#""{name}""#, text).formatted(evaluator, at: try feature())?.text == "")
    #expect(try compile(#""{} {a""#, text).formatted(evaluator, at: try feature())?.text == "{} {a")
    let image = ReferenceSpec.expression(.resolvedImage, tokens: true)
    #expect(
      try compile(#""{maki}-11""#, image).image(evaluator, at: try feature(#"{"maki":"bus"}"#))?.name
        == "bus-11")
  }

  @Test("Constants of every type")
  func constants() throws {
    #expect(
      try compile("[1,2]", ReferenceSpec.expression(.array, element: .number, length: 2)).numbers(
        evaluator, at: camera)
        == [1, 2])
    #expect(
      try compile(#"["Open Sans","Arial"]"#, ReferenceSpec.expression(.array, element: .string)).strings(
        evaluator, at: camera)?.count == 2)
    #expect(
      try compile("[1,2,3]", ReferenceSpec.expression(.padding)).numbers(evaluator, at: camera) == [
        1, 2, 3, 2,
      ])
    #expect(
      try compile("4", ReferenceSpec.expression(.padding)).numbers(evaluator, at: camera) == [4, 4, 4, 4])
    #expect(
      try compile(#"["top",[0,1],"left",[2,3]]"#, ReferenceSpec.expression(.variableAnchorOffsetCollection))
        .anchorOffsets(evaluator, at: camera)?[1].y
        == 3)
    #expect(
      try compile(#""globe""#, ReferenceSpec.expression(.projectionDefinition)).projection(
        evaluator, at: camera)?.to
        == "globe")
    #expect(
      try compile(#"["red","blue"]"#, ReferenceSpec.expression(.colorArray)).colors(evaluator, at: camera)?
        .count == 2)
    let enumeration = ReferenceSpec.expression(.enumeration, values: ["butt", "round", "square"])
    #expect(try compile(#""round""#, enumeration).enumIndex(evaluator, at: camera) == 1)
    #expect(
      try compile(#"["get","cap"]"#, enumeration).enumIndex(evaluator, at: try feature(#"{"cap":"square"}"#))
        == 2)
    #expect(
      try compile(#"["get","cap"]"#, enumeration).enumIndex(evaluator, at: try feature(#"{"cap":"squarer"}"#))
        == nil)
    if case .success = CompiledExpression.compile(.string("nocolor"), spec: color) {
      Issue.record("compiles")
    }
  }

  @Test("Coalesce takes the first image that is there, and else names the first")
  func images() throws {
    let expression = try compile(
      #"["coalesce",["image",["get","a"]],["image","b"],["image","c"]]"#,
      ReferenceSpec.expression(.resolvedImage))
    let feature = try feature(#"{"a":"x"}"#)
    evaluator.availableImages = ["c"]
    #expect(expression.image(evaluator, at: feature) == ResolvedImage(name: "c", isAvailable: true))
    evaluator.availableImages = ["b", "c"]
    #expect(expression.image(evaluator, at: feature) == ResolvedImage(name: "b", isAvailable: true))
    evaluator.availableImages = []
    #expect(expression.image(evaluator, at: feature) == ResolvedImage(name: "x", isAvailable: false))
    #expect(expression.isImageDependent)
    #expect(expression.imageNames == ["b", "c"])
  }

  @Test("Feature state and global state are read")
  func state() throws {
    let hover = try compile(#"["case",["boolean",["feature-state","hover"],false],1,0.5]"#, number)
    let feature = try feature()
    #expect(hover.number(evaluator, at: feature) == 0.5)
    #expect(hover.number(evaluator, at: feature.feature(0, state: ["hover": .bool(true)])) == 1)
    #expect(hover.number(evaluator, at: feature) == 0.5, "a state is that of its point alone")
    evaluator.globalState = ["n": .number(7)]
    #expect(try compile(#"["global-state","n"]"#, number).number(evaluator, at: camera) == 7)
  }

  @Test("Results of many evaluations in a row do not mix")
  func repetition() throws {
    let layer = try makeLayer((0..<200).map { #"{"n":"name \#($0)","k":\#($0)}"# })
    let label = try compile(
      #"["concat",["upcase",["get","n"]],"/",["get","k"]]"#, ReferenceSpec.expression(.string))
    let list = try compile(
      #"["semiliteral",[["get","k"],["*",2,["get","k"]]]]"#,
      ReferenceSpec.expression(.array, element: .number, length: 2))
    let place = EvaluationPoint.layer(layer, zoom: 0)
    for feature in 0..<200 {
      let point = place.feature(feature)
      #expect(label.string(evaluator, at: point) == "NAME \(feature)/\(feature)")
      #expect(list.numbers(evaluator, at: point) == [Double(feature), Double(feature * 2)])
    }
  }

  @Test("Numbers are formatted by the rules of the locale")
  func numberFormat() throws {
    func format(_ options: String, _ value: String = "1234.5") throws -> String? {
      try compile("[\"number-format\",\(value),\(options)]", ReferenceSpec.expression(.string)).string(
        evaluator, at: camera)
    }
    #expect(try format("{}") == "1,234.5")
    #expect(try format(#"{"min-fraction-digits":2}"#) == "1,234.50")
    #expect(try format(#"{"max-fraction-digits":1}"#, "0.25") == "0.3")
    #expect(try format(#"{"max-fraction-digits":1}"#, "99.96") == "100")
    #expect(try format(#"{"locale":"de","currency":"usd"}"#, "-1e6") == "-1.000.000,00\u{A0}$")
    #expect(try format(#"{"unit":"kilometer-per-hour"}"#, "88") == "88 km/h")
    #expect(try format("{}", "1e21") == "1,000,000,000,000,000,000,000")
    #expect(
      try errors(#"["number-format",1,{"min-fraction-digits":101}]"#).map(\.message) == [
        "minimumFractionDigits value is out of range."
      ])
  }

  @Test("CSS colours of every form")
  func cssColors() {
    for (text, expected) in [
      ("#f00", Color(r: 1, g: 0, b: 0, a: 1)), ("#FF000000", Color(r: 1, g: 0, b: 0, a: 0)),
      (" Red ", Color(r: 1, g: 0, b: 0, a: 1)),
      ("rgb(255,0,0)", Color(r: 1, g: 0, b: 0, a: 1)),
      ("rgba(100%, 0%, 0%, 50%)", Color(r: 1, g: 0, b: 0, a: 0.5)),
      ("rgb(255 0 0 / 0.5)", Color(r: 1, g: 0, b: 0, a: 0.5)),
      ("hsl(0,100%,50%)", Color(r: 1, g: 0, b: 0, a: 1)),
      ("hsla(0deg 100% 50% / 25%)", Color(r: 1, g: 0, b: 0, a: 0.25)),
      ("rgb(300,-5,0)", Color(r: 1, g: 0, b: 0, a: 1)),
      ("hsl(-360, 1e2%, 50%)", Color(r: 1, g: 0, b: 0, a: 1)), ("transparent", Color(r: 0, g: 0, b: 0, a: 0)),
    ] { #expect(RGBA(css: text)?.color == expected, "\(text)") }
    for text in [
      "", "#", "#ff", "#fffff", "rgb()", "rgb(1,2)", "rgb(1 2,3)", "rgb(1,2,3", "rgb(1,2,3,4,5)",
      "rgb(1%,2,3)", "hsl(1,2,3)",
      "hsl(1%,2%,3%)",
      "rgb(1,2,3/4)", "rgb(1 2 3,4)", "rgb(a,b,c)", "rgb(1.2.3,0,0)", "nocolor", "é",
      String(repeating: "f", count: 500),
    ] { #expect(RGBA(css: text) == nil, "\(text)") }
  }

  @Test("Strings compare as JavaScript's do")
  func stringOrder() throws {
    let less = try compile(
      #"["<",["string",["get","a"]],["string",["get","b"]]]"#, ReferenceSpec.expression(.boolean))
    for (a, b) in [
      ("a", "b"), ("", "a"), ("a", "ab"), ("Z", "a"), ("é", "\u{1F600}"), ("\u{1F600}", "\u{FF5E}"),
    ] {
      #expect(less.bool(evaluator, at: try feature("{\"a\":\"\(a)\",\"b\":\"\(b)\"}")) == true)
      #expect(less.bool(evaluator, at: try feature("{\"a\":\"\(b)\",\"b\":\"\(a)\"}")) == false)
    }
  }
}
