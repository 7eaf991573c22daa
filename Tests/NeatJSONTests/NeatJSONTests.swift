import NeatBase
import NeatJSON
import Testing

struct NeatJSONTests {
  @Test func readsEveryKind() throws {
    let json = try JSON.parse(
      #"{"a":[1,-2.5,3e2,true,false,null,"x\n\u00e9\ud83d\ude00"],"b":{},"a2":"é","a":7}"#)
    #expect(json.count == 4)
    #expect(json["a"]?.number == 7, "the last of equal names counts")
    let array = try #require(json.members.first { $0.value.isArray }?.value)
    #expect(array.elements.map(\.number) == [1, -2.5, 300, nil, nil, nil, nil])
    #expect(array[3]?.bool == true)
    #expect(array[6]?.string == "x\né😀")
    #expect(array[7] == nil)
    #expect(json["b"]?.isObject == true)
    #expect(json["zz"] == nil)
  }

  @Test func sourceTextKeepsEveryDigit() throws {
    let json = try JSON.parse(
      #"{"a" : 18446744073709551615 ,"b":[1.50, "x]\"}", {"c" :null}] ,"s":"\\","t":true}"#)
    #expect(json["a"]?.sourceText == "18446744073709551615")
    #expect(json["b"]?.sourceText == #"[1.50, "x]\"}", {"c" :null}]"#)
    #expect(json["b"]?[2]?["c"]?.sourceText == "null")
    #expect(json["s"]?.sourceText == #""\\""#)
    #expect(json["t"]?.sourceText == "true")
    #expect(
      json.sourceText.utf8.count == json.document.root.sourceText.utf8.count && json.sourceText.hasSuffix("}")
    )
  }

  @Test func equalityIsOfValues() throws {
    let object = try JSON.parse(#"{"a":1,"b":[1.0,"x"],"a":2}"#)
    #expect(object == object, "a name that comes twice too")
    #expect(try object == JSON.parse(#"{"a":5,"a":2.0,"b":[1,"\u0078"]}"#))
    #expect(try object != JSON.parse(#"{"a":2,"a":1,"b":[1,"x"]}"#))
    #expect(try JSON.parse(#"{"x":1,"x":1}"#) != JSON.parse(#"{"x":1,"y":2}"#))
    #expect(
      try JSON.parse("\"\u{e9}\"") != JSON.parse("\"e\u{301}\""), "strings are equal by their code points")
  }

  @Test(arguments: [
    "", "{", "[1,]", "[1 2]", "{\"a\" 1}", "{a:1}", "01", "1.", "-", "1e", "\"\\x\"", "\"\\u12g4\"", "\"a",
    "tru", "[] []", "\"\u{1}\"",
    "nul",
  ])
  func refusesWhatIsNotJSON(_ text: String) {
    #expect(throws: NeatError.self) { try JSON.parse(text) }
  }

  @Test func errorsNameTheByte() {
    #expect(throws: NeatError(.json, "expected ',' or ']'", offset: 4)) { try JSON.parse("[12 3]") }
  }

  @Test func depthIsLimited() throws {
    let fits = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    _ = try JSON.parse(fits)
    #expect(throws: NeatError(.limitExceeded, "JSON is nested deeper than 512", offset: 512)) {
      try JSON.parse("[" + fits + "]")
    }
  }

  @Test func linesCountFromOne() throws {
    let json = try JSON.parse("{\n \"a\": [\n1,\n2]}")
    #expect(json.line == 1)
    #expect(json["a"]?[1]?.line == 4)
  }

  @Test(arguments: [
    (0.1, "0.1"), (1e21, "1e+21"), (1e20, "100000000000000000000"), (1.5e-7, "1.5e-7"),
    (0.000001, "0.000001"), (-12.25, "-12.25"),
    (1e15, "1000000000000000"),
    (123456789012345680, "123456789012345680"), (1.7976931348623157e308, "1.7976931348623157e+308"),
    (-0.0, "0"),
  ])
  func printsNumbersAsJavaScript(_ value: Double, _ text: String) throws {
    #expect(formatNumber(value) == text)
    #expect(try JSON.parse(text).number == value)
  }

  @Test func writesWhatItReads() throws {
    let text = #"{"a":[1,"q\"\\\n",null,{"b":false}],"c":-0.5}"#
    #expect(try JSON.parse(text).text == text)
    #expect(JSON.object([("k", .array([.string("v"), .number(2)]))]).text == #"{"k":["v",2]}"#)
  }

  @Test func anyBytesEndInAValueOrAnError() {
    var state: UInt64 = 42
    let seed = Array(#"{"a":[1,-2.5e3,true,null,"x\u00e9"],"b":{"c":[[]]}}"#.utf8)
    for _ in 0..<20_000 {
      var bytes = seed
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
      }
      if let json = try? JSON.parse(bytes) { _ = json.text }
    }
  }
}
