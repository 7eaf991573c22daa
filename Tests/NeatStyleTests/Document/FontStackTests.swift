import NeatJSON
import NeatStyle
import Testing

@Suite struct FontStackTests {
  private func stacks(_ layouts: String...) throws -> [String] {
    let layers = layouts.enumerated().map {
      #"{"id":"\#($0.offset)","type":"symbol","source":"s","source-layer":"x","layout":\#($0.element)}"#
    }
    let text = """
      {"version":8,"sources":{"s":{"type":"vector","tiles":["t"]}},"layers":[\(layers.joined(separator: ","))]}
      """
    return try Style(parsing: Array(text.utf8)).fontStacks
  }

  @Test func allThatTextsMayBeSetInIsFound() throws {
    #expect(try stacks(#"{"text-field":"a"}"#) == ["Open Sans Regular,Arial Unicode MS Regular"])
    #expect(try stacks(#"{"text-font":["A"]}"#, #"{"icon-image":"a","text-font":["A"]}"#) == [])
    #expect(
      try stacks(#"{"text-field":"a","text-font":["A","B"]}"#, #"{"text-field":"b","text-font":["A","B"]}"#)
        == ["A,B"])
    #expect(
      try stacks(
        #"{"text-field":"a","text-font":["case",["has","x"],["literal",["A"]],["literal",["B","C"]]]}"#)
        == ["A", "B,C"])
    #expect(try stacks(#"{"text-field":"a","text-font":["literal",["D"]]}"#) == ["D"])
    #expect(
      try stacks(#"{"text-field":"a","text-font":{"stops":[[0,["E"]],[9,["F","G"]]]}}"#) == ["E", "F,G"])
    #expect(
      try stacks(
        #"{"text-field":["format","a",{"text-font":["literal",["H"]]},["get","n"],{}],"text-font":["I"]}"#)
        == ["I", "H"])
  }
}
