import NeatBase
import NeatJSON
import NeatStyle
import NeatTile
import Testing

/// A layer of features from JSON properties, one feature a line: `{"class": "a"}`. All are polygons unless a
/// type is given.
func makeLayer(_ properties: [String], types: [GeometryType] = []) throws -> TileLayer {
  var builder = TileLayerBuilder(name: "layer", extent: 4096)
  for (index, text) in properties.enumerated() {
    builder.beginFeature(index < types.count ? types[index] : .polygon, id: UInt64(index + 1))
    for (name, value) in try JSON.parse(text).members {
      let number: UInt32
      switch value.kind {
      case .null: number = builder.borrowedValue(.null)
      case .bool: number = builder.borrowedValue(.bool(value.bool == true))
      case .number: number = builder.borrowedValue(.double(value.number ?? 0))
      case .string: number = builder.string(value.string ?? "")
      case .array, .object: number = builder.json(value.text)
      }
      builder.addTag(key: builder.key(name), value: number)
    }
    builder.endFeature()
  }
  return builder.build()
}

func compile(_ text: String, _ spec: ReferenceSpec) throws -> CompiledExpression {
  try CompiledExpression.compile(JSON.parse(text), spec: spec).get()
}

func compileFilter(_ text: String) throws -> CompiledFilter {
  try CompiledFilter.compile(JSON.parse(text)).get()
}

/// The errors of an expression that must not compile.
func errors(_ text: String, _ spec: ReferenceSpec = ReferenceSpec.expression(.any)) throws
  -> [ExpressionError]
{
  switch CompiledExpression.compileExpression(try JSON.parse(text), spec: spec) {
  case .success: []
  case .failure(let errors): errors.errors
  }
}
