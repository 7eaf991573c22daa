import NeatBase
import NeatFormat
import NeatJSON
import NeatStyle
import Testing

@Suite("Format strings become expressions")
struct FormatStringRowTests {
  @Test(
    "Predicates",
    arguments: FormatRows.comparisons + FormatRows.compounds + FormatRows.aggregates + FormatRows.options
      + FormatRows.strings)
  func predicates(_ row: FormatRow) throws { try check(row) }

  @Test("Operands and variables", arguments: FormatRows.operands + FormatRows.variables)
  func operands(_ row: FormatRow) throws { try check(row) }

  @Test("Functions", arguments: FormatRows.functions + FormatRows.mapFunctions + FormatRows.customFunctions)
  func functions(_ row: FormatRow) throws { try check(row) }

  private func check(_ row: FormatRow) throws {
    let text = try convert(row.format, row.arguments, row.kind)
    #expect(text == row.expected, "\(row.format)")
    // As values too: the order of members and the spelling of numbers do not matter to anybody.
    #expect(try JSON.parse(text) == JSON.parse(row.expected))
    for (input, value) in row.values {
      let found = try evaluate(text, row.kind, JSON.parse(input))
      #expect(found == value, "\(row.format) for \(input)")
    }
  }
}

/// The expression of a format string, as text.
func convert(_ format: String, _ arguments: String = "[]", _ kind: FormatString.Kind = .expression) throws
  -> String
{
  String(
    decoding: try FormatString.convert(Array(format.utf8), arguments: JSON.parse(arguments), as: kind),
    as: UTF8.self)
}

private let inputNames: Set<String> = [
  "zoom", "heatmapDensity", "lineProgress", "accumulated", "id", "geometry", "coordinates",
]

/// The value of an expression, or the outcome of a filter, for a feature whose attributes stand beside its
/// geometry, its id and the map's state.
private func evaluate(_ text: String, _ kind: FormatString.Kind, _ input: JSON) throws -> String {
  let attributes = JSON.object(
    input.members.filter { !inputNames.contains($0.key) }.map { ($0.key, $0.value) })
  var feature: [(String, JSON)] = [("properties", attributes)]
  if let id = input["id"] { feature.append(("id", id)) }
  if let type = input["geometry"] {
    feature.append(("geometry", .object([("type", type), ("coordinates", input["coordinates"] ?? .null)])))
  }
  let evaluator = Evaluator()
  let tile = try JSON.parse(#"{"canonicalID":{"z":3,"x":4,"y":3}}"#)
  let globals = JSON.object(
    input.members.map { ($0.key, $0.value) } + tile.members.map { ($0.key, $0.value) })
  let point = ExpressionCase.point(globals: globals, feature: .object(feature))
  switch kind {
  case .predicate:
    #expect(CompiledFilter.isExpression(try JSON.parse(text)), "\(text) is taken for a legacy filter")
    return try CompiledFilter.compile(JSON.parse(text)).get().matches(evaluator, at: point) ? "true" : "false"
  case .expression:
    let spec = ReferenceSpec.expression(.any)
    return ExpressionCase.text(try compileAny(text, spec).value(evaluator, at: point).get())
  }
}

/// Compiles also what is not an array, as a constant is none.
private func compileAny(_ text: String, _ spec: ReferenceSpec) throws -> CompiledExpression {
  try CompiledExpression.compileExpression(JSON.parse(text), spec: spec).get()
}
