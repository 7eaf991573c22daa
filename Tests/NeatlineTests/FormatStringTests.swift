import CNeatline
import Neatline
import Testing

@Suite("Format strings in the Swift module and the C interface")
struct FormatStringTests {
  @Test("Expressions take arguments of every type")
  func expressions() throws {
    #expect(try Exp(format: "$zoomLevel + 1").json.text == #"["+",["zoom"],1]"#)
    let stops: [Double: StyleColor] = [10: "red", 2.5: StyleColor(.yellow)]
    let color = try Exp(
      format: "mgl_interpolate:withCurveType:parameters:stops:(mag, 'linear', nil, %@)", stops)
    #expect(
      color.json.text == #"["interpolate",["linear"],["get","mag"],2.5,["rgb",255,255,0],10,["rgb",255,0,0]]"#
    )
    #expect(
      try CompiledExpression(color, property: "circle-color").evaluate(zoom: 0, properties: ["mag": 10])[0]?
        .number == 1)
    let width = try Exp(format: "%@ * %f + %d", Exp(.get) { "lanes" }, 1.5, 2)
    #expect(width.json.text == #"["+",["*",["get","lanes"],1.5],2]"#)
    #expect(try CompiledExpression(width).evaluate(zoom: 0, properties: ["lanes": 4]) == 8)
    let steps = try Exp(
      format: "mgl_step:from:stops:(x, %@, %@)", Value<Double>.constant(1),
      [5: Value<Double>.expression(Exp(.id))])
    #expect(steps.json.text == #"["step",["get","x"],1,5,["id"]]"#)
    let let1 = try Exp(format: "FUNCTION($a + $b, 'mgl_expressionWithContext:', %@)", ["b": 2, "a": 1])
    #expect(let1.json.text == #"["let","a",1,"b",2,["+",["var","a"],["var","b"]]]"#)
    let nothing: String? = nil
    #expect(
      try Exp(format: "mgl_coalesce({%K, %@, %@})", "a", nothing, true).json.text
        == #"["coalesce",["get","a"],null,true]"#)
  }

  @Test("Parts of labels have attributes of their own")
  func attributed() throws {
    let options = FormatOptions(
      fontScale: .constant(1.5), textFont: .constant(["Bold"]), textColor: .constant("red"))
    let label = try Exp(
      format: "mgl_attributed({%@, ' ', %@})",
      AttributedExpression(Exp(.get) { "name" }, attributes: options), AttributedExpression("x"))
    #expect(
      label.json.text
        == #"["format",["get","name"],{"font-scale":1.5,"text-font":["literal",["Bold"]],"text-color":["rgb",255,0,0]}," ","x",{}]"#
    )
    _ = try CompiledExpression(label, property: "text-field")
  }

  @Test("Predicates become filters")
  func predicates() throws {
    let filter = try Exp(predicateFormat: "class = 'food' AND %K >= %d AND NOT id IN %@", "rank", 5, [1, 2])
    #expect(
      filter.json.text
        == #"["all",["==",["get","class"],"food"],[">=",["get","rank"],5],["!",["in",["get","id"],["literal",[1,2]]]]]"#
    )
    _ = try Filter(filter.json)
    let box: JSONValue = ["type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]]
    #expect(try Exp(predicateFormat: "SELF IN %@", box).json[0] == "within")
    #expect(
      try Exp(predicateFormat: "flag == %d", arguments: [true]).json.text == #"["==",["get","flag"],true]"#)
  }

  @Test("Errors have a status and the byte at fault")
  func errors() {
    func error(_ format: String, _ arguments: any FormatArgument...) -> NeatlineError? {
      do throws(NeatlineError) {
        _ = try Exp(format: format, arguments: arguments)
        return nil
      } catch {
        return error
      }
    }
    #expect(error("name MATCHES 'x'")?.status == .unsupported)
    #expect(
      error("name MATCHES 'x'")?.message
        == "MATCHES needs regular expressions, which style expressions do not have (byte 5)")
    #expect(error("a =")?.status == .expression)
    #expect(error("%d", "x")?.status == .invalidArgument)
    #expect(error(String(repeating: "(", count: 1000))?.status == .limitExceeded)
  }

  @Test("The C function refuses what it cannot take")
  func boundaries() {
    var out: OpaquePointer?
    #expect(
      neat_expression_from_format(nil, 3, nil, 0, NEAT_FORMAT_KIND_EXPRESSION, &out)
        == NEAT_STATUS_INVALID_ARGUMENT)
    #expect(
      neat_expression_from_format("a", 1, nil, 0, NEAT_FORMAT_KIND_EXPRESSION, nil)
        == NEAT_STATUS_INVALID_ARGUMENT)
    #expect(
      neat_expression_from_format("a", 1, nil, 0, neat_format_kind(rawValue: 7), &out)
        == NEAT_STATUS_INVALID_ARGUMENT)
    #expect(
      neat_expression_from_format("a", 1, "[", 1, NEAT_FORMAT_KIND_EXPRESSION, &out) == NEAT_STATUS_JSON)
    #expect(String(cString: neat_last_error()).hasPrefix("arguments: "))
    #expect(
      neat_expression_from_format("a", 1, "5", 1, NEAT_FORMAT_KIND_EXPRESSION, &out)
        == NEAT_STATUS_INVALID_ARGUMENT)
    #expect(
      neat_expression_from_format("", 0, nil, 0, NEAT_FORMAT_KIND_PREDICATE, &out) == NEAT_STATUS_EXPRESSION)
    #expect(out == nil)
    #expect(neat_expression_from_format("a", 1, nil, 0, NEAT_FORMAT_KIND_EXPRESSION, &out) == NEAT_STATUS_OK)
    #expect(neat_buffer_size(out) == 11)
    neat_buffer_destroy(out)
  }
}
