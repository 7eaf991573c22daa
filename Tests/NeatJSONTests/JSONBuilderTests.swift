import NeatBase
import NeatJSON
import Testing

@Suite("Documents made by code")
struct JSONBuilderTests {
  /// Writes a document as it stands.
  private func rebuilt(_ text: String) throws -> JSON {
    var builder = JSONBuilder()
    builder.value(try JSON.parse(text))
    return try #require(builder.finish())
  }

  /// Every value with its place in the text, in document order.
  private func places(_ json: JSON) -> [String] {
    var result = ["\(json.kind) \(json.offset) \(json.count) \(json.sourceText)"]
    for element in json.elements { result += places(element) }
    for member in json.members { result += ["key \(member.key)"] + places(member.value) }
    return result
  }

  @Test(
    "What is built is what its text parses to, place by place",
    arguments: [
      "null", "true", "-1.5", "\"\"", "[]", "{}", "[[],{}]", #"{"a":{"b":[1,2,{"c":null}]},"d":[[],[[]]]}"#,
      #"["quote \" and \\ line\nbreak","plain","é😀",1e+300,-0.25,false]"#, #"{"":0,"a\"b":[true],"a":"}"}"#,
    ])
  func sameAsParsed(_ text: String) throws {
    let built = try rebuilt(text)
    let parsed = try JSON.parse(built.text)
    #expect(built == parsed && built.text == text)
    #expect(places(built) == places(parsed))
  }

  @Test("Members and elements are found in what is built")
  func access() throws {
    var builder = JSONBuilder()
    builder.beginObject()
    builder.key("list")
    builder.beginArray()
    builder.int(7)
    builder.string("x")
    builder.number(.nan)
    builder.endArray()
    builder.key("last")
    builder.bool(true)
    builder.endObject()
    let json = try #require(builder.finish())
    #expect(json.count == 2 && json["last"]?.bool == true)
    let list = try #require(json["list"])
    #expect(list.count == 3 && list[0]?.int == 7 && list[1]?.string == "x" && list[2]?.isNull == true)
    #expect(json.text == #"{"list":[7,"x",null],"last":true}"#)
  }

  @Test("Nesting is limited as that of a text is")
  func depth() throws {
    func nested(_ depth: Int) -> JSON? {
      var builder = JSONBuilder()
      for _ in 0..<depth { builder.beginArray() }
      for _ in 0..<depth { builder.endArray() }
      return builder.finish()
    }
    let limit = JSONDocument.Limits().depth
    #expect(nested(limit) != nil)
    #expect(nested(limit + 1) == nil)
    #expect(JSON.array([try #require(nested(limit))]).isNull)
  }
}
