import Neatline
import Testing

@Suite struct LocalizationTests {
  private func localized(_ field: JSONValue, into language: String) throws -> JSONValue? {
    var document = try StyleDocument(json: [
      "version": 8, "layers": [["id": "a", "type": "symbol", "layout": ["text-field": field]]],
    ])
    document.localizeLabels(into: language)
    return document.layers[0].json["layout"]?["text-field"]
  }

  @Test(arguments: [
    (#"["get","name"]"#, #"["coalesce",["get","name_ja"],["get","name:ja"],["get","name"]]"#),
    (#"["get","name_en"]"#, #"["coalesce",["get","name_ja"],["get","name:ja"],["get","name"]]"#),
    (
      #"["coalesce",["get","name_en"],["get","name"]]"#,
      #"["coalesce",["get","name_ja"],["get","name:ja"],["get","name"]]"#
    ),
    (
      #"["format",["get","name:en"],{"font-scale":2}]"#,
      #"["format",["coalesce",["get","name_ja"],["get","name:ja"],["get","name"]],{"font-scale":2}]"#
    ),
    (
      #"["coalesce",["get","ref"],["get","name_de"],["get","name"],""]"#,
      #"["coalesce",["get","ref"],["get","name_ja"],["get","name:ja"],["get","name"],""]"#
    ),
    (
      #""{name:latin}\n{name:nonlatin}""#,
      #"["concat",["coalesce",["get","name_ja"],["get","name:ja"],["get","name:latin"]],"\n",["get","name:nonlatin"]]"#
    ),
    (
      #"{"stops":[[4,"{name_en}"],[9,"{ref}"]]}"#,
      #"["step",["zoom"],["to-string",["coalesce",["get","name_ja"],["get","name:ja"],["get","name"]]],9,["to-string",["get","ref"]]]"#
    ),
    (#"["get","ref"]"#, #"["get","ref"]"#), (#""{ref}""#, #""{ref}""#), (#""name""#, #""name""#),
    (#"["get","name_alt"]"#, #"["get","name_alt"]"#),
    (#"["literal",["get","name"]]"#, #"["literal",["get","name"]]"#),
    (#"["get","name",["properties"]]"#, #"["get","name",["properties"]]"#),
  ])
  func namesAreReplacedInEveryForm(_ field: String, _ wanted: String) throws {
    let found = try localized(JSONValue(parsing: field), into: "ja")
    #expect(found?.text == wanted, "\(found?.text ?? "nil")")
  }

  @Test func aTextThatWasLocalisedIsLocalisedAgain() throws {
    let once = try #require(try localized(["get", "name_fr"], into: "ja"))
    #expect(try localized(once, into: "de") == localized(["get", "name"], into: "de"))
    #expect(try localized(once, into: "ja") == once)
  }

  @Test(arguments: [
    ("de_AT", ["de"]), ("pt-BR", ["pt"]), ("zh_TW", ["zh-Hant", "zh"]), ("zh", ["zh-Hans", "zh"]),
    ("zh-Hant-HK", ["zh-Hant", "zh"]),
    ("sr_Latn", ["sr-Latn", "sr"]), ("EN_US.UTF-8", ["en"]), ("ja@calendar=gregorian", ["ja"]),
  ])
  func identifiersOfLocalesNameTheirLanguage(_ identifier: String, _ languages: [String]) throws {
    let names = languages.flatMap { ["name_\($0)", "name:\($0)"] } + ["name"]
    let found = try localized(["get", "name"], into: identifier)?.array?.dropFirst().compactMap {
      $0[1]?.string
    }
    #expect(found == names)
  }

  @Test func whatIsNoLanguageChangesNothing() throws {
    for identifier in ["", "x", "english", "12", "_"] {
      #expect(try localized(["get", "name"], into: identifier) == ["get", "name"])
    }
  }

  private struct Place: LabelLocale { var identifier: String }

  @Test func onlyTheNamedLayersAreLocalised() throws {
    let field: JSONValue = ["text-field": ["get", "name"]]
    var document = try StyleDocument(
      json: [
        "layers": [
          ["id": "a", "type": "symbol", "layout": field], ["id": "b", "type": "symbol", "layout": field],
          ["id": "c", "type": "fill"],
          ["id": "d", "type": "symbol"],
        ]
      ])
    let before = document
    document.localizeLabels(into: Place(identifier: "es_MX"), forLayerIds: ["b", "c", "d", "nothing"])
    #expect(document.layers[0] == before.layers[0])
    #expect(document.layers[1] != before.layers[1])
    #expect(Array(document.layers[2...]) == Array(before.layers[2...]))
  }
}
