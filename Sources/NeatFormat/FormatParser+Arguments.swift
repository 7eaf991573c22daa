import NeatBase
import NeatJSON
import NeatStyle

// Arguments in the place of their placeholders.
extension FormatParser {
  /// The argument of a placeholder.
  mutating func argument(_ placeholder: FormatPlaceholder) throws(FormatStringError) -> JSON {
    var position = taken
    if let explicit = placeholder.position { position = explicit } else { taken += 1 }
    guard position < arguments.count else {
      let given = arguments.count == 1 ? "one is" : arguments.isEmpty ? "none is" : "\(arguments.count) are"
      throw FormatStringError(
        .argument, "\(placeholder.name) takes argument \(position + 1), and \(given) given", token.offset)
    }
    reached = max(reached, position + 1)
    // An argument may be used as often as there is room for numbers of it: what is done for one grows with
    // its size.
    weight += weights[position]
    guard weight <= FormatStringLimits.arguments else {
      throw FormatStringError(
        .limit, "the arguments are more than \(FormatStringLimits.arguments) bytes", token.offset)
    }
    return arguments[position]
  }

  mutating func operand(_ placeholder: FormatPlaceholder) throws(FormatStringError) -> FormatNode {
    let offset = token.offset
    let json = try argument(placeholder)
    switch placeholder.kind {
    case .keyPath: return try keyPath(json, placeholder, on: nil)
    case .value: return try make(try FormatNode.form(of: json, offset), offset)
    case .integer:
      // A boolean stays one, so that `flag == %d` compares with what flags are.
      if let flag = json.bool { return try make(.constant(.bool(flag)), offset) }
      guard let number = json.number, number == number.rounded() else {
        throw misfit(json, placeholder, "an integer")
      }
      return try make(.constant(.number(number)), offset)
    case .number:
      guard let number = json.number, number.isFinite else { throw misfit(json, placeholder, "a number") }
      return try make(.constant(.number(number)), offset)
    case .character:
      if let text = json.string, text.unicodeScalars.count == 1 {
        return try make(.constant(.string(text)), offset)
      }
      guard let number = json.number, number == number.rounded() else {
        throw misfit(json, placeholder, "one character or its number")
      }
      return try make(.constant(.number(number)), offset)
    case .text:
      guard let text = json.string else { throw misfit(json, placeholder, "a string") }
      return try make(.constant(.string(text)), offset)
    }
  }

  private func misfit(_ json: JSON, _ placeholder: FormatPlaceholder, _ wanted: String) -> FormatStringError {
    let found =
      switch json.kind {
      case .null: "null"
      case .bool: "a boolean"
      case .number: "the number \(formatNumber(json.number ?? 0))"
      case .string: "a string"
      case .array: "an array"
      case .object: "an object"
      }
    return FormatStringError(
      .argument, "\(placeholder.name) takes \(wanted), and its argument is \(found)", token.offset)
  }

  /// The attribute that the argument of `%K` names: parts between dots.
  mutating func keyPath(_ json: JSON, _ placeholder: FormatPlaceholder, on base: FormatNode?)
    throws(FormatStringError) -> FormatNode
  {
    let offset = token.offset
    guard let text = json.string else { throw misfit(json, placeholder, "a string") }
    var parts: [String] = []
    var node = base
    if let base, case .path(let before) = base.form {
      parts = before
      node = nil
    }
    for part in text.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
      if part.isEmpty {
        throw FormatStringError(.argument, "the key path of \(placeholder.name) has an empty part", offset)
      }
      if part.hasPrefix("@") {
        guard let base = node ?? (parts.isEmpty ? nil : FormatNode(.path(parts), offset)) else {
          throw FormatStringError(.argument, "\(part) follows a key path: values.\(part)", offset)
        }
        node = try make(.pathOperator(base, String(part.dropFirst())), offset, over: [base])
      } else if let base = node {
        node = try make(.member(base, part), offset, over: [base])
      } else {
        parts.append(part)
      }
      if parts.count > FormatStringLimits.depth { throw FormatNode.tooDeep(offset, FormatStringLimits.depth) }
    }
    if let node { return node }
    return try make(.path(parts), offset)
  }
}

extension FormatParser {
  /// About the bytes of an argument's text.
  static func weight(_ json: JSON) -> Int {
    switch json.kind {
    case .null, .bool, .number: return 8
    case .string: return 8 + (json.string?.utf8.count ?? 0)
    case .array: return json.elements.reduce(8) { $0 + weight($1) }
    case .object: return json.members.reduce(8) { $0 + 8 + $1.key.utf8.count + weight($1.value) }
    }
  }
}

extension FormatNode {
  /// What a value of the arguments is: `%@`, and the elements and members of arrays and dictionaries.
  static func form(of json: JSON, _ offset: Int) throws(FormatStringError) -> Form {
    switch json.kind {
    case .null: return .constant(.null)
    case .bool: return .constant(.bool(json.bool == true))
    case .number:
      guard let number = json.number, number.isFinite else {
        throw FormatStringError(.argument, "the argument's number is larger than a number can be", offset)
      }
      return .constant(.number(number))
    case .string: return .constant(.string(json.string ?? ""))
    case .array: return .data(json, hasExpressions: hasExpressions(json))
    case .object:
      if json.count == 1, let expression = json["$expression"] { return .expression(.json(expression)) }
      if json.count == 1, let color = json["$color"] {
        return .expression(try FormatNode.color(color, offset))
      }
      return .data(json, hasExpressions: hasExpressions(json))
    }
  }

  static func hasExpressions(_ json: JSON) -> Bool {
    if json.isArray { return json.elements.contains { hasExpressions($0) } }
    guard json.isObject else { return false }
    if json.count == 1, json["$expression"] != nil || json["$color"] != nil { return true }
    return json.members.contains { hasExpressions($0.value) }
  }

  private static func color(_ json: JSON, _ offset: Int) throws(FormatStringError) -> ExpressionTree {
    var color: RGBA?
    if let text = json.string {
      color = RGBA(css: text)
    } else if json.count == 3 || json.count == 4 {
      let parts = json.elements.compactMap(\.number).filter { $0 >= 0 && $0 <= 1 }
      if parts.count == json.count {
        color = RGBA(parts[0], parts[1], parts[2], parts.count == 4 ? parts[3] : 1)
      }
    }
    guard let color else {
      throw FormatStringError(.argument, "$color is CSS text, or three or four numbers in 0...1", offset)
    }
    let parts = [color.r, color.g, color.b].map { ExpressionTree.number(FormatNode.byte($0)) }
    return color.a == 1
      ? .array([.string("rgb")] + parts) : .array([.string("rgba")] + parts + [.number(color.a)])
  }

  /// A component as a style writes it, in 0...255; what was a byte is one again.
  private static func byte(_ component: Double) -> Double {
    let scaled = component * 255
    return abs(scaled - scaled.rounded()) < 1e-9 ? scaled.rounded() : scaled
  }
}
