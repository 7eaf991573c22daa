import NeatJSON

extension Style {
  /// The font stacks that texts of the style may be set in, each name as glyph servers are asked for it; in the
  /// order of the layers. Outputs that an expression computes, and does not hold as literals, are not among
  /// them.
  package var fontStacks: [String] {
    var found = FontStacks()
    for layer in layers where layer.type == .symbol && layer.isSet(.textField) {
      if let fonts = layer.properties.json(.textFont) {
        found.add(property: fonts)
      } else {
        found.add(layer[.textFont].strings(Evaluator(), at: .camera(zoom: 0)))
      }
      // Sections of a text may have fonts of their own.
      if let text = layer.properties.json(.textField) { found.addSections(text) }
    }
    return found.names
  }
}

/// Font stacks as they are found, each once.
private struct FontStacks {
  private(set) var names: [String] = []
  private var seen: Set<String> = []

  mutating func add(_ fonts: [String]) {
    let name = fonts.joined(separator: ",")
    if !fonts.isEmpty, seen.insert(name).inserted { names.append(name) }
  }

  /// A `text-font`: the names themselves, a function or an expression.
  mutating func add(property json: JSON) {
    if json.isArray {
      let texts = json.elements.compactMap(\.string)
      // An expression begins with its operator, and has more than names behind it; a list of names that begins
      // as one does is refused by the reader of styles.
      if texts.count == json.count, texts.first.map({ !FontStacks.operators.contains($0) }) ?? false {
        add(texts)
      } else {
        addLiterals(json)
      }
    } else if json.isObject {
      for output in FontStacks.outputs(json) { add(property: output) }
      if let fallback = json["default"] { add(property: fallback) }
    }
  }

  /// Operators whose arguments may all be texts.
  private static let operators: Set<String> = [
    "literal", "get", "var", "global-state", "feature-state", "array",
  ]

  private mutating func addLiterals(_ json: JSON) {
    guard json.isArray else { return }
    if json[0]?.string == "literal", let list = json[1], list.isArray {
      let texts = list.elements.compactMap(\.string)
      if texts.count == list.count { add(texts) }
      return
    }
    for element in json.elements { addLiterals(element) }
  }

  /// What a legacy function gives at its stops.
  private static func outputs(_ function: JSON) -> [JSON] {
    (function["stops"] ?? .null).elements.compactMap { $0[1] }
  }

  mutating func addSections(_ json: JSON) {
    if json.isObject {
      for output in FontStacks.outputs(json) { addSections(output) }
      return
    }
    guard json.isArray, json[0]?.string != "literal" else { return }
    let isFormat = json[0]?.string == "format"
    for element in json.elements {
      if isFormat, element.isObject, let fonts = element["text-font"] { add(property: fonts) }
      addSections(element)
    }
  }
}
