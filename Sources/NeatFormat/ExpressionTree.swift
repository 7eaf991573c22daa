import NeatJSON
import NeatStyle

/// A style expression under construction. Parts may be shared; it is written out once, at the end.
indirect enum ExpressionTree {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  /// An expression, its operator first; within `literal` and the like, an array.
  case array([ExpressionTree])
  case object([(String, ExpressionTree)])
  /// JSON from outside, as it is.
  case json(JSON)

  static func call(_ name: String, _ arguments: ExpressionTree...) -> ExpressionTree {
    .array([.string(name)] + arguments)
  }
  static func call(_ name: String, _ arguments: [ExpressionTree]) -> ExpressionTree {
    .array([.string(name)] + arguments)
  }

  static func not(_ test: ExpressionTree) -> ExpressionTree { .call("!", test) }

  /// The operator and the arguments of an expression that is made here or came as JSON.
  var parts: [ExpressionTree]? {
    switch self {
    case .array(let parts): parts
    case .json(let json) where json.isArray: json.elements.map(ExpressionTree.json)
    default: nil
    }
  }

  var text: String? {
    switch self {
    case .string(let text): text
    case .json(let json): json.string
    default: nil
    }
  }

  /// Whether to write it twice costs little: constants, attributes, variables.
  var isShort: Bool { isShort(0) }

  private func isShort(_ depth: Int) -> Bool {
    guard case .array(let parts) = self else {
      if case .json(let json) = self { return json.count == 0 }
      return true
    }
    guard depth < 3, parts.count > 1, let name = parts[0].text else { return parts.count == 1 }
    return ["get", "var"].contains(name) && parts.allSatisfy { $0.isShort(depth + 1) }
  }

  // MARK: Types

  /// What the value is known to be; `value` where that is not known before it is evaluated.
  var type: ExpressionType {
    switch self {
    case .null: .null
    case .bool: .boolean
    case .number: .number
    case .string: .string
    case .object: .object
    case .array(let parts): ExpressionTree.type(parts)
    case .json(let json):
      switch json.kind {
      case .null: .null
      case .bool: .boolean
      case .number: .number
      case .string: .string
      case .object: .object
      case .array: ExpressionTree.type(json.elements.prefix(4).map(ExpressionTree.json))
      }
    }
  }

  private static let types: [String: ExpressionType] = [
    "to-boolean": .boolean, "boolean": .boolean, "in": .boolean, "within": .boolean, "==": .boolean,
    "!=": .boolean, "<": .boolean,
    ">": .boolean, "<=": .boolean, ">=": .boolean, "to-number": .number, "number": .number, "length": .number,
    "index-of": .number,
    "distance": .number, "to-string": .string, "string": .string, "number-format": .string, "object": .object,
    "array": .anyArray,
    "semiliteral": .anyArray, "to-color": .color, "format": .formatted, "image": .resolvedImage,
    "collator": .collator,
  ]

  private static func type(_ parts: [ExpressionTree]) -> ExpressionType {
    guard let name = parts.first?.text else { return .value }
    if name == "literal", parts.count == 2 {
      switch parts[1] {
      case .array: return .anyArray
      case .json(let json) where json.isArray: return .anyArray
      default: return parts[1].type
      }
    }
    return types[name] ?? ExpressionOperators.resultType(name) ?? .value
  }

  // MARK: Filters

  private static let comparisons: Set<String> = ["==", "!=", "<", ">", "<=", ">="]

  /// The same filter, so written that it is not taken for one of the legacy form, in which a string in the
  /// first place is a property's name.
  func unambiguousFilter() -> ExpressionTree {
    guard case .array(let parts) = self, parts.count > 1, let name = parts[0].text else { return self }
    switch name {
    case "all", "any": return .array([parts[0]] + parts.dropFirst().map { $0.unambiguousFilter() })
    case "has" where parts[1].text == "$id" || parts[1].text == "$type": break
    case "in" where parts.count == 3 && parts[1].text != nil && parts[2].parts == nil: break
    case _
    where ExpressionTree.comparisons.contains(name) && parts.count == 3 && parts[1].parts == nil
      && parts[2].parts == nil:
      break
    default: return self
    }
    return .array([parts[0], .call("literal", parts[1])] + parts[2...])
  }

  // MARK: Writing

  /// The JSON text.
  func written() throws(FormatStringError) -> [UInt8] {
    var writer = JSONWriter()
    try write(to: &writer, depth: 1)
    return writer.bytes
  }

  private func write(to writer: inout JSONWriter, depth: Int) throws(FormatStringError) {
    guard depth + nesting <= ExpressionLimits.depth else {
      throw FormatStringError(.limit, "the expression is nested deeper than \(ExpressionLimits.depth)", 0)
    }
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .number(let value): writer.number(value)
    case .string(let value): writer.string(value)
    case .json(let value): writer.value(value)
    case .array(let parts):
      writer.beginArray()
      for part in parts { try part.write(to: &writer, depth: depth + 1) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for (key, value) in members {
        writer.key(key)
        try value.write(to: &writer, depth: depth + 1)
      }
      writer.endObject()
    }
    guard writer.bytes.count <= FormatStringLimits.output else {
      throw FormatStringError(.limit, "the expression is longer than \(FormatStringLimits.output) bytes", 0)
    }
  }

  /// Levels of arrays and objects in JSON from outside.
  private var nesting: Int { if case .json(let json) = self { ExpressionTree.nesting(json) } else { 0 } }

  private static func nesting(_ json: JSON) -> Int {
    var depth = 0
    if json.isArray { for element in json.elements { depth = max(depth, 1 + nesting(element)) } }
    if json.isObject { for member in json.members { depth = max(depth, 1 + nesting(member.value)) } }
    return depth
  }
}
