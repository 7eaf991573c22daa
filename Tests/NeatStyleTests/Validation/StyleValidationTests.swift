import NeatJSON
import NeatStyle
import Testing

@Suite struct StyleValidationTests {
  @Test func givesTheMessagesOfTheConformanceSuite() throws {
    guard let shared = StyleFixtures.shared else {
      print("skipped: no shared data beside the package")
      return
    }
    let folder = shared + "/conformance/style-validation"
    let suffix = ".input.json"
    var passed = 0
    var failed: [String] = []
    for file in StyleFixtures.list(folder, suffix: suffix) {
      let name = String(file.dropLast(suffix.count))
      let input = try #require(StyleFixtures.read("\(folder)/\(file)"))
      let expected = try JSON.parse(try #require(StyleFixtures.read("\(folder)/\(name).output.json")))
        .elements.map(describe)
      let found = validateStyle(input).map(describe)
      if found == expected {
        passed += 1
      } else {
        failed.append(name)
        for message in expected where !found.contains(message) { print("\(name): missing \(message)") }
        for message in found where !expected.contains(message) { print("\(name): extra   \(message)") }
      }
    }
    print("style-validation: \(passed) of \(passed + failed.count)")
    #expect(failed == [])
  }

  private func describe(_ json: JSON) -> String {
    "\(json["line"]?.int.map(String.init) ?? "-") \(json["severity"]?.string ?? "") \(json["identifier"]?.string ?? "") \(json["message"]?.string ?? "")"
  }

  private func describe(_ message: ValidationMessage) -> String {
    "\(message.line.map(String.init) ?? "-") \(message.severity.rawValue) \(message.identifier ?? "") \(message.message)"
  }

  @Test func validationAndReadingKnowTheSameLimits() throws {
    func style(layers: Int, sources: Int) -> [UInt8] {
      let layers = (0..<layers).map { #"{"id": "\#($0)", "type": "background"}"# }.joined(separator: ",")
      let sources = (0..<sources).map { #""\#($0)": {"type": "vector", "url": "http://host"}"# }.joined(
        separator: ",")
      return Array(#"{"version": 8, "sources": {\#(sources)}, "layers": [\#(layers)]}"#.utf8)
    }
    let fitting = style(layers: Style.Limits.layers, sources: Style.Limits.sources)
    #expect(validateStyle(fitting).isEmpty)
    #expect(try Style(parsing: fitting).issues.isEmpty)
    for (name, text) in [
      ("layers", style(layers: Style.Limits.layers + 1, sources: 0)),
      ("sources", style(layers: 0, sources: Style.Limits.sources + 1)),
    ] {
      let issue = try #require(try Style(parsing: text).issues.first)
      #expect(issue.key == name && issue.message.hasPrefix("more than"))
      #expect(validateStyle(text).map(\.message) == ["\(name): \(issue.message)"])
    }
  }

  @Test func findsNothingWrongInRealStyles() throws {
    guard let shared = StyleFixtures.shared else {
      print("skipped: no shared data beside the package")
      return
    }
    for file in StyleFixtures.list(shared + "/data/styles", suffix: ".json") {
      let messages = validateStyle(try #require(StyleFixtures.read("\(shared)/data/styles/\(file)")))
      #expect(messages.filter { $0.severity == .error } == [], "\(file)")
    }
  }

  @Test func reportsTextThatIsNoJSONWithItsLine() {
    let messages = validateStyle(Array("{\n\"version\": 8,\n oops}".utf8))
    #expect(messages.count == 1)
    #expect(messages[0].line == 3)
  }

  @Test func keepsNoMoreMessagesThanTheLimit() {
    let layers = Array(repeating: "{}", count: ValidationLimits.messages + 10).joined(separator: ",")
    let messages = validateStyle(Array("{\"version\":8,\"sources\":{},\"layers\":[\(layers)]}".utf8))
    #expect(messages.count == ValidationLimits.messages)
  }

  @Test func checksPaddingAnchorOffsetsAndArraysOfColors() throws {
    func messages(_ property: Property, _ json: String) throws -> [String] {
      validateProperty(try JSON.parse(json), property, key: "p").map(\.message)
    }
    #expect(try messages(.iconPadding, "[1,2,3,4]") == [])
    #expect(
      try messages(.iconPadding, "[1,2,3,4,5]") == ["p: padding requires 1 to 4 values; 5 values found"])
    #expect(try messages(.iconPadding, "[]") == ["p: padding requires 1 to 4 values; 0 values found"])
    #expect(
      try messages(.textVariableAnchorOffset, "[\"top\"]")
        == ["p: variableAnchorOffsetCollection requires a non-empty array of even length"])
    #expect(try messages(.textVariableAnchorOffset, "[\"top\", [1, 2]]") == [])
    #expect(try messages(.hillshadeShadowColor, "[\"red\", 3]") == ["p[1]: color expected, number found"])
    #expect(try messages(.projectionType, "3") == ["p: projection expected, invalid type \"number\" found"])
  }

  @Test func namesTheMemberOfARasterDEMSourceOnly() throws {
    let style = #"{"version":8,"sources":{"d":{"type":"raster-dem","url":"x","redFactor":2}},"layers":[]}"#
    #expect(
      validateStyle(Array(style.utf8)).map(\.message)
        == [
          "redFactor: In \"\": \"redFactor\" is only valid when \"encoding\" is set to \"custom\". Default encoding found"
        ])
  }
}
