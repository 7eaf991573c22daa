import NeatBase
import NeatJSON
import NeatStyle
import Testing

@Suite struct StyleMigrationTests {
  private func migrated(_ text: String) throws -> String {
    String(decoding: try StyleMigration.migrate(JSON.parse(text)), as: UTF8.self)
  }

  @Test func everyLegacyPartIsConvertedAndTheRestKeptInItsOrder() throws {
    let style = """
      {"x":{"stops":[[0,1]]},"version":8,"light":{"intensity":{"stops":[[0,0.1],[9,0.9]]},"y":1},
       "sources":{"g":{"type":"geojson","filter":["==","a",1],"data":{"filter":["==","a",1]}},"n":null},
       "layers":[
        {"type":"line","id":"a","odd":[1,{"b":null}],"paint":{"line-width":{"stops":[[0,1],[9,3]]},"zz":{"stops":[]},
          "line-width-transition":{"duration":1}},"filter":["none",["has","b"]]},
        {"id":"r","ref":"a","paint":{"line-width":{"base":2,"stops":[[0,1],[9,3]]}}},
        {"id":"s","type":"symbol","layout":{"text-field":"{name}","icon-image":{"stops":[[0,"{a}-1"],[5,"b"]]},"text-font":["A"]}},
        {"id":"c","type":"custom","paint":{"line-width":{"stops":[[0,1]]}},"filter":["!has","q"]},
        {"id":"f","type":"fill","filter":["==",5],"paint":{"fill-color":{"stops":[]}}},7]}
      """
    let wanted = """
      {"x":{"stops":[[0,1]]},"version":8,"light":{"intensity":["interpolate",["linear"],["zoom"],0,0.1,9,0.9],"y":1},
       "sources":{"g":{"type":"geojson","filter":["==",["get","a"],1],"data":{"filter":["==","a",1]}},"n":null},
       "layers":[
        {"type":"line","id":"a","odd":[1,{"b":null}],"paint":{"line-width":["interpolate",["linear"],["zoom"],0,1,9,3],"zz":{"stops":[]},
          "line-width-transition":{"duration":1}},"filter":["!",["any",["has","b"]]]},
        {"id":"r","ref":"a","paint":{"line-width":["interpolate",["exponential",2],["zoom"],0,1,9,3]}},
        {"id":"s","type":"symbol","layout":{"text-field":["to-string",["get","name"]],
          "icon-image":["step",["zoom"],["concat",["get","a"],"-1"],5,"b"],"text-font":["A"]}},
        {"id":"c","type":"custom","paint":{"line-width":{"stops":[[0,1]]}},"filter":["!",["has","q"]]},
        {"id":"f","type":"fill","filter":["==",5],"paint":{"fill-color":{"stops":[]}}},7]}
      """
    #expect(try migrated(style) == JSON.parse(wanted).text)
  }

  @Test func whatIsMigratedStaysAsItIs() throws {
    let once = try migrated(
      #"{"layers":[{"id":"a","type":"fill","filter":["in","c",1,2],"paint":{"fill-opacity":{"stops":[[0,0],[1,1]]}}}]}"#
    )
    #expect(try migrated(once) == once)
  }

  @Test func aStyleIsAnObject() throws {
    #expect(throws: NeatError.self) { try migrated("[]") }
    #expect(try migrated("{}") == "{}")
    #expect(try migrated(#"{"layers":5,"sources":[],"light":7}"#) == #"{"layers":5,"sources":[],"light":7}"#)
  }

  @Test func publishedStylesStayValidAndHoldNoLegacyPart() throws {
    guard let shared = StyleFixtures.shared else {
      return print("skipped: no shared data beside the package")
    }
    for name in StyleFixtures.list(shared + "/data/styles", suffix: ".json") {
      let bytes = try #require(StyleFixtures.read("\(shared)/data/styles/\(name)"))
      let result = try StyleMigration.migrate(JSON.parse(bytes))
      let faults = validateStyle(result).filter { $0.severity == .error }.map(\.message)
      #expect(
        faults.count <= validateStyle(bytes).filter { $0.severity == .error }.count, "\(name): \(faults)")
      for layer in try JSON.parse(result)["layers"]?.elements ?? JSON.array([]).elements {
        let id = "\(name) \(layer["id"]?.string ?? "")"
        if let filter = layer["filter"] { #expect(CompiledFilter.isExpression(filter), "\(id)") }
        for group in ["layout", "paint"] {
          for (property, value) in layer[group]?.members ?? JSON.object([]).members {
            #expect(value["stops"] == nil, "\(id) \(property)")
            if property == "text-field" { #expect(value.string?.contains("{") != true, "\(id)") }
          }
        }
      }
    }
  }
}
