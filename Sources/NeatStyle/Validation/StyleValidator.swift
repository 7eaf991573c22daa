import NeatBase
import NeatJSON

/// Walks a style beside the specification's tables and collects what differs. Values are checked in the
/// style's order; the messages are then put in the order of lines.
struct StyleValidator {
  let style: JSON
  private var messages: [ValidationMessage] = []
  /// What the constants of all expressions may take together.
  let compilation = CompilationBudget(ledger: WorkLedger("style", CompilationBudget.style))
  /// Layers by id, made when the first layer is checked.
  var ids: [String: [(index: Int, layer: JSON)]]?

  init(style: JSON) { self.style = style }

  /// Whether no further message is kept.
  var isFull: Bool { messages.count >= ValidationLimits.messages }

  /// Adds a message about `value`; a null or missing value has no line.
  mutating func report(
    _ key: String, _ value: JSON?, _ message: String, severity: ValidationMessage.Severity = .error,
    identifier: String? = nil
  ) {
    if isFull { return }
    var line: Int?
    if let value, !value.isNull { line = value.line }
    messages.append(
      ValidationMessage(
        line: line,
        message: (key.isEmpty ? message : "\(key): \(message)").clipped(to: ValidationLimits.messageBytes),
        severity: severity, identifier: identifier, key: key.clipped(to: ValidationLimits.messageBytes)))
  }

  /// The place of a member. Long names are cut: the names of all that is in a member begin with its own.
  static func path(_ key: String, _ name: String) -> String {
    let name = name.clipped(to: ValidationLimits.nameBytes)
    return key.isEmpty ? name : "\(key).\(name)"
  }

  /// By line; those without a line stay behind the message before them.
  func sortedMessages() -> [ValidationMessage] {
    var current = 0
    let keyed = messages.enumerated().map { index, message in
      current = message.line ?? current
      return (line: current, index: index, message: message)
    }
    return keyed.sorted { ($0.line, $0.index) < ($1.line, $1.index) }.map(\.message)
  }

  // MARK: Dispatch

  /// Checks a value that is no property: what its specification says of its type.
  mutating func value(_ value: JSON, _ spec: ReferenceSpec, _ key: String, context: PropertyContext? = nil) {
    if spec.allowsExpression {
      if value.isObject { return function(value, spec, key, context) }
      if Self.isExpression(value) {
        return expression(value, spec, key, context.map(ExpressionUse.property) ?? .other)
      }
    }
    switch spec.kind {
    case .any, .layout, .paint, .function, .functionStop: break
    case .number: number(value, spec, key)
    case .string: string(value, key)
    case .boolean:
      if value.bool == nil { report(key, value, "boolean expected, \(value.typeName) found") }
    case .color: color(value, key)
    case .enumeration: enumeration(value, spec.values, key)
    case .array: array(value, spec, key)
    case .formatted, .resolvedImage: textOrImage(value, spec, key, context)
    case .padding: padding(value, key)
    case .numberArray, .colorArray: oneOrMore(value, spec, key)
    case .variableAnchorOffsetCollection: anchorOffsets(value, key)
    case .projectionDefinition: projectionDefinition(value, key)
    case .filter: filter(value, key)
    case .source: source(value, key)
    case .sources:
      object(value, key) { validator, name, member in validator.source(member, Self.path(key, name)) }
    case .layer: break
    case .light, .sky, .fog, .projection, .terrain: section(value, spec.kind, key)
    case .transition: members(value, Reference.transition, key)
    case .sprite: sprite(value, key)
    case .fontFaces: fontFaces(value, key)
    case .state: object(value, key) { _, _, _ in }
    case .promoteId: promoteID(value, key)
    }
  }

  /// Whether a value is an array that begins with the name of an operator.
  static func isExpression(_ value: JSON) -> Bool {
    guard let name = value[0]?.string else { return false }
    return Reference.expressionOperators.contains(name)
  }

  // MARK: Objects

  /// Calls `body` for each member; reports a value that is no object.
  mutating func object(_ value: JSON, _ key: String, _ body: (inout StyleValidator, String, JSON) -> Void) {
    guard value.isObject else { return report(key, value, "object expected, \(value.typeName) found") }
    for (name, member) in value.members { body(&self, name, member) }
  }

  /// Checks the members of an object against a table. `custom` takes the members that it returns true for;
  /// what is required of those it checks itself.
  mutating func members(
    _ value: JSON, _ fields: [ReferenceField], _ key: String, customNames: Set<String> = [],
    allowsUnknown: Bool = false,
    custom: (inout StyleValidator, String, JSON, String) -> Void = { _, _, _, _ in }
  ) {
    guard value.isObject else { return report(key, value, "object expected, \(value.typeName) found") }
    let anyField = fields.first { $0.name == "*" }
    for (name, member) in value.members {
      let memberKey = Self.path(key, name)
      let baseName =
        name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
        ?? name
      if customNames.contains(baseName) {
        custom(&self, baseName, member, memberKey)
      } else if let field = fields.first(where: { $0.name == baseName }) {
        self.value(member, field.spec, memberKey)
      } else if let anyField {
        self.value(member, anyField.spec, memberKey)
      } else if !allowsUnknown {
        report(key, member, "unknown property \"\(name)\"")
      }
    }
    for field in fields
    where field.spec.isRequired && field.spec.defaultText == nil && !customNames.contains(field.name) {
      if value[field.name] == nil { report(key, value, "missing required property \"\(field.name)\"") }
    }
  }
}
