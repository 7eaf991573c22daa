import NeatBase
import NeatJSON

// Functions of before expressions (`{"stops": …}`), written as the expressions that mean the same. The
// function's type, where it is not given, is "exponential" for properties that can be interpolated and
// "interval" for the others.
struct LegacyFunction {
  private let function: JSON
  private let spec: ReferenceSpec
  private var writer = JSONBuilder()

  /// The expression of a function.
  static func convert(_ function: JSON, _ spec: ReferenceSpec) -> Result<JSON, ExpressionErrors> {
    var converter = LegacyFunction(function: function, spec: spec)
    do throws(ExpressionError) {
      try converter.convert()
    } catch {
      return .failure(ExpressionErrors([error]))
    }
    guard let json = converter.writer.finish() else {
      return .failure(ExpressionErrors([ExpressionError(key: "", message: "function is nested too deeply")]))
    }
    return .success(json)
  }

  /// A constant string with `{name}` tokens as an expression; nil where it has none.
  static func convertTokens(_ text: String) -> JSON? {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return nil }
    var converter = LegacyFunction(function: .null, spec: .expression(.string))
    return converter.writeTokens(text) ? converter.writer.finish() : nil
  }

  /// The commonest function, of zoom to numbers or colours, as a node and not by way of its text; nil for any
  /// other, faulty ones among them.
  static func zoomCurve(_ function: JSON, _ spec: ReferenceSpec) -> Node? {
    guard spec.kind == .number || spec.kind == .color, spec.isInterpolated else { return nil }
    var stops: JSON?
    var base = 1.0
    for (name, value) in function.members {
      switch name {
      case "stops": stops = value
      case "base":
        guard let number = value.number else { return nil }
        base = number
      default: return nil
      }
    }
    guard let stops, stops.isArray, stops.count > 1, stops.count < ExpressionLimits.arguments / 4 else {
      return nil
    }
    var curve = Curve(shape: .exponential(base: base), stops: [])
    var children = [Node(.zoom, .number, SourcePath.root.child(2))]
    let type: ExpressionType = spec.kind == .number ? .number : .color
    for stop in stops.elements {
      guard stop.count == 2, let input = stop[0]?.number, let output = stop[1],
        curve.stops.last.map({ $0 < input }) ?? true
      else {
        return nil
      }
      let value: ExpressionValue
      if spec.kind == .number {
        guard let number = output.number else { return nil }
        value = .number(number)
      } else {
        guard let color = output.string.flatMap(RGBA.init(css:)) else { return nil }
        value = .color(color)
      }
      curve.stops.append(input)
      children.append(.literal(value, type, .root))
    }
    return Node(.interpolate, type, .root, children, .curve(curve))
  }

  private init(function: JSON, spec: ReferenceSpec) {
    self.function = function
    self.spec = spec
  }

  private typealias Stop = (input: JSON, output: JSON)

  private func fault(_ message: String) -> ExpressionError { ExpressionError(key: "", message: message) }

  private mutating func convert() throws(ExpressionError) {
    guard let list = function["stops"] else { return writeIdentity() }
    guard list.isArray, list.count > 0, list.count < ExpressionLimits.arguments / 4 else {
      throw fault("function stops must be an array with at least one stop")
    }
    var stops: [Stop] = []
    for stop in list.elements {
      guard stop.count == 2, let input = stop[0], let output = stop[1] else {
        throw fault("function stops must be pairs")
      }
      stops.append((input, output))
    }
    if stops[0].input.isObject {
      // The property and the default are written again for each zoom.
      let repeated = ["property", "default"].reduce(0) { $0 + (function[$1]?.sourceBytes.count ?? 0) }
      guard repeated * stops.count <= ExpressionLimits.repeatedBytes else {
        throw fault("Expression is too large")
      }
      try writeZoomAndProperty(stops)
    } else if function["property"] != nil {
      guard ["categorical", "interval", "exponential"].contains(type) else { throw unknownType(type) }
      writeProperty(stops, type: type, base: function["base"])
    } else {
      try writeZoom(stops)
    }
  }

  private var type: String { function["type"]?.string ?? (spec.isInterpolated ? "exponential" : "interval") }

  private var interpolateName: String {
    switch function["colorSpace"]?.string {
    case "hcl": "interpolate-hcl"
    case "lab": "interpolate-lab"
    default: "interpolate"
    }
  }

  private mutating func begin(_ name: String) {
    writer.beginArray()
    writer.string(name)
  }

  private mutating func writeCall(_ name: String) {
    begin(name)
    writer.endArray()
  }

  /// A value that must not be taken for an expression.
  private mutating func writeLiteral(_ json: JSON) {
    guard json.isArray || json.isObject else { return writer.value(json) }
    begin("literal")
    writer.value(json)
    writer.endArray()
  }

  private mutating func writeGet() {
    begin("get")
    writer.value(function["property"] ?? .null)
    writer.endArray()
  }

  private mutating func writeNumberGet() {
    begin("number")
    writeGet()
    writer.endArray()
  }

  private mutating func writeIdentity() {
    guard let fallback = function["default"] else {
      // Expressions for strings are coerced; functions were not: hence the assertion.
      guard spec.kind == .string else { return writeGet() }
      begin("string")
      writeGet()
      return writer.endArray()
    }
    switch spec.kind {
    case .enumeration:
      begin("match")
      writeGet()
      writer.beginArray()
      for name in spec.values { writer.string(name) }
      writer.endArray()
      writeGet()
      writeLiteral(fallback)
    case .array:
      begin("array")
      let item = spec.element?.kind ?? .string
      writer.string(item == .enumeration ? "string" : item.name ?? "value")
      if let length = spec.length { writer.int(length) } else { writer.null() }
      writeGet()
      writeLiteral(fallback)
    case .color, .number, .string, .boolean:
      begin(spec.kind == .color ? "to-color" : spec.kind.name ?? "string")
      writeGet()
      writeLiteral(fallback)
    default:
      begin("coalesce")
      writeGet()
      writeLiteral(fallback)
    }
    writer.endArray()
  }

  private mutating func writeShape(_ base: JSON?) {
    writer.beginArray()
    if let base, base.number != 1 {
      writer.string("exponential")
      writer.value(base)
    } else {
      writer.string("linear")
    }
    writer.endArray()
  }

  /// The stops of a curve. Stops with the input of the one before are dropped; a step curve has no first
  /// input, and at least one other.
  private mutating func writeStops<T>(
    _ stops: [(input: JSON, output: T)], isStep: Bool, _ write: (inout LegacyFunction, T) -> Void
  ) {
    var last: JSON?
    var count = 0
    for stop in stops {
      if let last, last == stop.input { continue }
      if !(isStep && count == 0) { writer.value(stop.input) }
      // The input of the first stop of a step curve was never written, and so is nothing to repeat.
      last = isStep && count == 0 ? nil : stop.input
      write(&self, stop.output)
      count += 1
    }
    if isStep && count == 1 {
      writer.int(0)
      write(&self, stops[0].output)
    }
  }

  private mutating func writeZoom(_ stops: [Stop]) throws(ExpressionError) {
    let isStep = type == "interval"
    guard isStep || type == "exponential" else { throw fault("Unknown zoom function type \"\(type)\"") }
    begin(isStep ? "step" : interpolateName)
    if !isStep { writeShape(function["base"]) }
    writeCall("zoom")
    let hasTokens = spec.hasTokens
    writeStops(stops, isStep: isStep) { converter, output in
      if hasTokens, let text = output.string, converter.writeTokens(text) { return }
      converter.writeLiteral(output)
    }
    writer.endArray()
  }

  private mutating func writeZoomAndProperty(_ stops: [Stop]) throws(ExpressionError) {
    var zooms: [Double] = []
    var groups: [Double: [Stop]] = [:]
    for stop in stops {
      guard let zoom = stop.input["zoom"]?.number, let value = stop.input["value"] else {
        throw fault("object stop key must have zoom and value")
      }
      if groups[zoom] == nil { zooms.append(zoom) }
      groups[zoom, default: []].append((value, stop.output))
    }
    // How zoom is measured depends on the property alone; how the property is, on the function.
    let isStep = !spec.isInterpolated
    let type = type
    guard ["categorical", "interval", "exponential"].contains(type) else { throw unknownType(type) }
    begin(isStep ? "step" : interpolateName)
    if !isStep { writeShape(nil) }
    writeCall("zoom")
    writeStops(zooms.map { (.number($0), groups[$0] ?? []) }, isStep: isStep) { converter, stops in
      converter.writeProperty(stops, type: type, base: nil)
    }
    writer.endArray()
  }

  private func unknownType(_ type: String) -> ExpressionError {
    fault("Unknown property function type \(type)")
  }

  /// `type` is one of the three that there are.
  private mutating func writeProperty(_ stops: [Stop], type: String, base: JSON?) {
    switch type {
    case "categorical": writeCategorical(stops)
    default:
      assert(type == "interval" || type == "exponential", "no such type of functions")
      let isStep = type == "interval"
      let fallback = function["default"]
      if fallback != nil {
        begin("case")
        begin("==")
        begin("typeof")
        writeGet()
        writer.endArray()
        writer.string("number")
        writer.endArray()
      }
      begin(isStep ? "step" : interpolateName)
      if !isStep { writeShape(base) }
      writeNumberGet()
      writeStops(stops, isStep: isStep) { $0.writeLiteral($1) }
      writer.endArray()
      if let fallback {
        writeLiteral(fallback)
        writer.endArray()
      }
    }
  }

  private mutating func writeCategorical(_ stops: [Stop]) {
    let isBoolean = stops[0].input.bool != nil
    begin(isBoolean ? "case" : "match")
    if !isBoolean { writeGet() }
    var seen: Set<String> = []
    for stop in stops {
      if isBoolean {
        begin("==")
        writeGet()
        writer.value(stop.input)
        writer.endArray()
      } else {
        // Labels that come again never counted; in an expression they are an error.
        guard seen.insert(stop.input.text).inserted else { continue }
        writer.value(stop.input)
      }
      writeLiteral(stop.output)
    }
    if let fallback = function["default"] ?? spec.defaultJSON {
      writeLiteral(fallback)
    } else if spec.kind == .resolvedImage {
      writer.string("")
    } else {
      // Without a default there is no value: the evaluation fails, and the caller takes what the property has
      // by default.
      begin("error")
      writer.string("No default value.")
      writer.endArray()
    }
    writer.endArray()
  }

  /// Writes a string with tokens as a `concat`; false (and nothing written) where it has none.
  private mutating func writeTokens(_ text: String) -> Bool {
    var parts: [(isToken: Bool, text: Substring)] = []
    let rest = text[...]
    var literal = rest.startIndex
    var place = rest.startIndex
    while let open = rest[place...].firstIndex(of: "{") {
      let inner = rest[rest.index(after: open)...]
      guard let end = inner.firstIndex(where: { $0 == "}" || $0 == "{" }) else { break }
      guard rest[end] == "}", end != inner.startIndex else {
        place = rest.index(after: open)
        continue
      }
      if literal < open { parts.append((false, rest[literal..<open])) }
      parts.append((true, inner[..<end]))
      literal = rest.index(after: end)
      place = literal
    }
    guard !parts.isEmpty else { return false }
    if literal < rest.endIndex { parts.append((false, rest[literal...])) }
    begin(parts.count == 1 ? "to-string" : "concat")
    for part in parts {
      if part.isToken {
        begin("get")
        writer.string(String(part.text))
        writer.endArray()
      } else {
        writer.string(String(part.text))
      }
    }
    writer.endArray()
    return true
  }
}
