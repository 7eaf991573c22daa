import CNeatline

extension Exp {
  /// The expression that means the same as a legacy function, for the property of that name: its type and
  /// default decide what the function does.
  ///
  ///     try Exp<Double>(legacyFunction: ["base": 1.5, "stops": [[5, 1], [10, 4]]], property: "line-width")
  ///
  /// Texts with `{name}` tokens are taken as well, for properties that know them; expressions and constants
  /// come back as they are. Throws `expression` for a faulty function, `invalidArgument` where no property
  /// has the name.
  @_disfavoredOverload
  public init(legacyFunction: JSONValue, property: String) throws(NeatlineError) {
    json = try convertLegacy(legacyFunction, spec: .string(property))
  }

  /// As `init(legacyFunction:property:)`, for properties of the type that the expression yields.
  @_disfavoredOverload
  public init(legacyFunction: JSONValue) throws(NeatlineError) {
    json = try convertLegacy(legacyFunction, spec: legacySpec(Result.self))
  }
}

extension Exp where Result == JSONValue {
  /// As `init(legacyFunction:property:)`, where nothing else gives the type.
  public init(legacyFunction: JSONValue, property: String) throws(NeatlineError) {
    json = try convertLegacy(legacyFunction, spec: .string(property))
  }

  /// As `init(legacyFunction:)`, where nothing else gives the type: functions interpolate unless they say
  /// otherwise.
  public init(legacyFunction: JSONValue) throws(NeatlineError) {
    json = try convertLegacy(legacyFunction, spec: nil)
  }
}

extension Exp where Result == Bool {
  /// The expression that lets the same features through as a legacy filter (`["in", "class", "a", "b"]`,
  /// `["none", …]`); an expression comes back as it is. Throws `expression` for a faulty filter.
  public init(legacyFilter: JSONValue) throws(NeatlineError) {
    let text = legacyFilter.text
    json = try jsonValue { out in text.withText { neat_filter_from_legacy($0, $1, out) } }
  }
}

func convertLegacy(_ json: JSONValue, spec: JSONValue?) throws(NeatlineError) -> JSONValue {
  let text = json.text
  return try jsonValue { out in
    text.withText { text, size in spec.withText { neat_expression_from_legacy(text, size, $0, $1, out) } }
  }
}

/// What the style reference would say of a property whose constants are of a Swift type.
func legacySpec<T: StyleConvertible>(_ type: T.Type) -> JSONValue? {
  var spec: JSONValue = ["type": .string("*"), "property-type": "data-driven"]
  switch type {
  case is Double.Type: spec["type"] = "number"
  case is Bool.Type: spec["type"] = "boolean"
  case is StyleColor.Type: spec["type"] = "color"
  case is String.Type:
    spec["type"] = "formatted"
    spec["tokens"] = true
  case is ResolvedImage.Type:
    spec["type"] = "resolvedImage"
    spec["tokens"] = true
  case is [Double].Type:
    spec["type"] = "array"
    spec["value"] = "number"
  case is [String].Type:
    spec["type"] = "array"
    spec["value"] = "string"
  case let type as any StyleEnum.Type:
    spec["type"] = "enum"
    spec["values"] = .array(type.names.map(JSONValue.string))
  default: break
  }
  spec["expression"] = [
    "interpolated": .bool(type is any InterpolatableResult.Type), "parameters": ["zoom", "feature"],
  ]
  return spec
}

extension StyleEnum {
  static var names: [String] { allCases.map(\.rawValue) }
}
