import Neatline

/// Legacy functions: stops over zoom, over a property, or over both.
enum OracleFunction {
  static func read(_ json: JSONValue, type: OracleType?, isInterpolated: Bool) throws -> OracleNode {
    let node = try readBare(json, type: type, isInterpolated: isInterpolated)
    guard type == .formatted || type == .image else { return node }
    // Text may name properties in braces.
    return OracleNode(node.type) { context in try tokens(try node.string(context)).evaluate(context) }
  }

  private static func readBare(_ json: JSONValue, type: OracleType?, isInterpolated: Bool) throws
    -> OracleNode
  {
    let kind =
      json["type"]?.string
      ?? (json["stops"] == nil ? "identity" : isInterpolated ? "exponential" : "interval")
    let property = json["property"]?.string
    let fallback = try json["default"].map { try value($0, type) }
    let result = type ?? .value
    if kind == "identity" {
      guard let property else { throw OracleError(message: "identity without a property") }
      return OracleNode(result) { context in
        try converted(context.feature.properties[property] ?? .null, type) ?? fallback
          ?? { throw OracleError(message: "no value") }()
      }
    }
    let stops = json["stops"]?.array?.compactMap(\.array) ?? []
    guard !stops.isEmpty, stops.allSatisfy({ $0.count == 2 }) else {
      throw OracleError(message: "a function without stops")
    }
    let base = json["base"]?.number ?? 1
    if stops[0][0].object != nil {
      // Of zoom and property: for each zoom a function of the property.
      guard let property else { throw OracleError(message: "a composite function without a property") }
      var zooms: [Double] = []
      var groups: [[(OracleValue, OracleValue)]] = []
      for stop in stops {
        guard let zoom = stop[0]["zoom"]?.number, let input = stop[0]["value"] else {
          throw OracleError(message: "a composite stop")
        }
        if zooms.last != zoom {
          zooms.append(zoom)
          groups.append([])
        }
        groups[groups.count - 1].append((OracleValue(input), try value(stop[1], type)))
      }
      // `base` counts for neither way: so the reference converts such functions, and draws them.
      let curves = groups.map { curve($0, kind, 1) }
      return OracleNode(result) { context in
        let input = context.feature.properties[property] ?? .null
        let outputs = { (index: Int) throws -> OracleValue in
          guard let output = curves[index](input) ?? fallback else { throw OracleError(message: "no value") }
          return output
        }
        guard let upper = zooms.firstIndex(where: { $0 > context.zoom }) else {
          return try outputs(zooms.count - 1)
        }
        guard upper > 0 else { return try outputs(0) }
        guard isInterpolated else { return try outputs(upper - 1) }
        let t = OracleCurve.exponential(1).factor(context.zoom, zooms[upper - 1], zooms[upper])
        return try OracleParser.mix(try outputs(upper - 1), try outputs(upper), t)
      }
    }
    let list = try stops.map { (OracleValue($0[0]), try value($0[1], type)) }
    let run = curve(list, kind, base)
    return OracleNode(result) { context in
      let input = property.map { context.feature.properties[$0] ?? .null } ?? .number(context.zoom)
      guard let output = run(input) ?? fallback else { throw OracleError(message: "no value") }
      return output
    }
  }

  /// The value of a list of stops for an input; nil where the input does not fit.
  private static func curve(_ stops: [(OracleValue, OracleValue)], _ kind: String, _ base: Double) -> (
    OracleValue
  ) -> OracleValue? {
    if kind == "categorical" { return { input in stops.first { $0.0.isSame(input) }?.1 } }
    let inputs = stops.map { $0.0.number ?? .nan }
    return { input in
      guard let number = input.number, !number.isNaN else { return nil }
      guard let upper = inputs.firstIndex(where: { $0 > number }) else { return stops[stops.count - 1].1 }
      guard upper > 0 else { return stops[0].1 }
      if kind == "interval" { return stops[upper - 1].1 }
      let t = OracleCurve.exponential(base).factor(number, inputs[upper - 1], inputs[upper])
      return try? OracleParser.mix(stops[upper - 1].1, stops[upper].1, t)
    }
  }

  private static func value(_ json: JSONValue, _ type: OracleType?) throws -> OracleValue {
    guard let value = try converted(OracleValue(json), type) else {
      throw OracleError(message: "a value of another type than the property's")
    }
    return value
  }

  /// The value as the property has it; nil where it is of another type.
  private static func converted(_ value: OracleValue, _ type: OracleType?) throws -> OracleValue? {
    switch (type, value) {
    case (.color?, .string(let text)): return OracleColor.parse(text).map { .color($0) }
    case (.color?, .color), (.number?, .number), (.boolean?, .bool), (.string?, .string), (nil, _),
      (.value?, _):
      return value
    case (.formatted?, _), (.image?, _): return value == .null ? nil : .string(value.text)
    case (.array?, .array): return value
    default: return nil
    }
  }

  /// Text with the names of properties in braces.
  static func tokens(_ text: String) -> OracleNode {
    var parts: [(isName: Bool, text: String)] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      parts.append((false, String(rest[..<open])))
      parts.append((true, String(rest[rest.index(after: open)..<close])))
      rest = rest[rest.index(after: close)...]
    }
    parts.append((false, String(rest)))
    let list = parts
    return OracleNode(.string) { context in
      .string(list.map { $0.isName ? (context.feature.properties[$0.text] ?? .null).text : $0.text }.joined())
    }
  }
}
