import NeatBase
import NeatJSON
import Testing

@Suite struct DepthTests {
  @Test(arguments: [
    ("1", 0), (#""a""#, 0), ("[]", 1), ("{}", 1), ("[1,[2],3]", 2), (#"{"a":[],"b":{"c":[1]}}"#, 3),
    ("[[],[],[[]]]", 3),
  ])
  func nestingIsCounted(text: String, depth: Int) throws {
    let json = try JSON.parse(Array(text.utf8))
    #expect(!json.isNested(deeperThan: depth))
    if depth > 0 { #expect(json.isNested(deeperThan: depth - 1)) }
  }

  @Test func aPartIsCountedByItself() throws {
    let json = try JSON.parse(Array(#"{"a":[[1]],"b":2}"#.utf8))
    #expect(!json["a"]!.isNested(deeperThan: 2) && json["a"]!.isNested(deeperThan: 1))
    #expect(!json["b"]!.isNested(deeperThan: 0))
  }
}
