import NeatBase
import NeatJSON
import Testing

/// Large objects are searched by tables; what is found is what a search one by one finds.
struct JSONIndexTests {
  /// Members with escapes and repeated names among them.
  private func object(_ count: Int) throws -> JSON {
    var members = (0..<count).map { "\"k\($0)\": \($0)" }
    members.insert(#""k\u0033": "escaped", "": "empty", "é": 1"#, at: count / 2)
    members.append(#""k5": "last""#)
    return try JSON.parse("{\(members.joined(separator: ","))}")
  }

  @Test(arguments: [8, 63, 64, 65, 1000]) func `a member is found however often it is looked for`(count: Int)
    throws
  {
    let json = try object(count)
    for _ in 0..<8 {
      #expect(json["k5"]?.string == "last")
      #expect(json["k\(count - 1)"]?.int == count - 1)
      #expect(json[""]?.string == "empty")
      #expect(json["missing"] == nil)
      #expect(json["é"]?.int == 1)
      // Names are compared by their bytes, as JSON has them.
      #expect(json["e\u{301}"] == nil)
    }
    // Of "k3" and "k\u0033" the later one counts.
    let expected = count / 2 <= 3 ? "3" : "\"escaped\""
    for _ in 0..<8 { #expect(json["k3"]?.text == expected) }
  }

  @Test func `nested large objects have their own tables`() throws {
    let inner = (0..<100).map { "\"k\($0)\": \($0)" }.joined(separator: ",")
    let outer = (0..<100).map { "\"o\($0)\": {\(inner), \"own\": \($0)}" }.joined(separator: ",")
    let json = try JSON.parse("{\(outer)}")
    for _ in 0..<6 {
      for index in [0, 50, 99] { #expect(json["o\(index)"]?["own"]?.int == index) }
    }
  }

  @Test func `large objects are equal whatever the order of their members`() throws {
    let forward = try JSON.parse("{\((0..<500).map { "\"k\($0)\": \($0)" }.joined(separator: ","))}")
    let backward = try JSON.parse(
      "{\((0..<500).reversed().map { "\"k\($0)\": \($0)" }.joined(separator: ","))}")
    #expect(forward == backward)
    let other = try JSON.parse(
      "{\((0..<500).map { "\"k\($0)\": \($0 == 250 ? 0 : $0)" }.joined(separator: ","))}")
    #expect(forward != other)
  }

  @Test func `lines are counted from one`() throws {
    let json = try JSON.parse("{\n\"a\": 1,\n\n\"b\": [\n2]}")
    #expect(json.line == 1 && json["a"]?.line == 2 && json["b"]?.line == 4 && json["b"]?[0]?.line == 5)
  }
}
