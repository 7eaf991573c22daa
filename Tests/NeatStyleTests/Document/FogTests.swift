import NeatBase
import NeatJSON
import NeatStyle
import Testing

/// The root `fog`: read, kept, validated and edited.
@Suite struct FogTests {
  private static let fog =
    ##"{"color":"#dc9f9f","range":[0.8,8],"color-transition":{"duration":50,"delay":5}}"##

  private func style(_ fog: String) throws -> Style {
    try Style(json: JSON.parse(#"{"version":8,"fog":\#(fog),"sources":{},"layers":[]}"#))
  }

  @Test func itIsReadWithItsDefaultsAndWritten() throws {
    let style = try style(Self.fog)
    let fog = try #require(style.fog)
    let (evaluator, low, high) = (
      Evaluator(), EvaluationPoint.camera(zoom: 0), EvaluationPoint.camera(zoom: 9)
    )
    #expect(fog[.rootFogRange].numbers2(evaluator, at: low) == SIMD2(0.8, 8))
    #expect(fog[.rootFogHorizonBlend].number(evaluator, at: low) == 0.2)
    #expect(fog[.rootFogHorizonBlend].number(evaluator, at: high) == 0.1)
    #expect(fog[.rootFogStarIntensity].number(evaluator, at: high) == 0)
    #expect(fog[.rootFogVerticalRange].numbers2(evaluator, at: low) == .zero)
    #expect(fog.transition(.rootFogColor, base: StyleTransition()).duration == 50)
    #expect(style.issues.isEmpty && style.json["fog"]?["color"]?.string == "#dc9f9f")
    #expect(style.json["fog"]?.count == 3)
    #expect(try self.style("null").fog == nil && self.style("{}").json["fog"]?.count == 0)
  }

  @Test func faultsAreNamed() throws {
    func messages(_ fog: String) throws -> [String] {
      validateStyle(try JSON.parse(#"{"version":8,"sources":{},"layers":[],"fog":\#(fog)}"#)).map(\.message)
    }
    #expect(try messages(Self.fog) == [])
    #expect(
      try messages(#"{"range":[-21,1]}"#).first?.contains("-21 is less than the minimum value -20") == true)
    #expect(try messages(#"{"range":[1]}"#).first?.contains("length 2") == true)
    #expect(try messages(#"{"colour":"red"}"#) == [#"colour: unknown property "colour""#])
    #expect(
      try messages(#"{"star-intensity":2}"#).first?.contains("greater than the maximum value 1") == true)
    #expect(try messages(#"{"color":"colour"}"#).count == 1 && messages("7").count == 1)
    #expect(try messages(#"{"color-transition":{"duration":"long"}}"#).count == 1)
  }

  @Test func editorAndDiffKnowIt() throws {
    let (one, other) = (
      try style(Self.fog), try Style(json: JSON.parse(#"{"version":8,"sources":{},"layers":[]}"#))
    )
    for (from, to) in [(one, other), (other, one), (one, try style(#"{"range":[1,2]}"#))] {
      var editor = StyleEditor(from)
      let operations = Style.diff(from: from, to: to)
      #expect(operations.count == 1)
      for operation in operations { try editor.apply(operation) }
      #expect(editor.style.json["fog"] == to.json["fog"] && Style.diff(from: editor.style, to: to) == [])
    }
    var editor = StyleEditor(one)
    #expect(throws: NeatError.self) { try editor.setRoot("fog", JSON.parse(#"{"range":[99,1]}"#)) }
    #expect(editor.style.json["fog"] == one.json["fog"])
    try editor.setRoot("fog", .null)
    #expect(editor.style.fog == nil && editor.style.json["fog"] == nil)
  }
}
