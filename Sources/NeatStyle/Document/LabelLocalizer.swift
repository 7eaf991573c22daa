import NeatBase
import NeatJSON

/// Puts names in one language where the text of labels has names.
///
/// `["get", "name"]`, and the same of a field for one language or script (`name_en`, `name:en`, `name_int`,
/// `name:latin`), becomes the first of the language's own fields (`name_ja`, `name:ja`) that a feature has,
/// and failing these the name it had, without a language. Neighbours in a `coalesce` are replaced together,
/// so that a localised text can be localised again. `name:nonlatin` stays: styles have it for a second line
/// in the local script.
package struct LabelLocalizer: Sendable {
  /// Most particular first.
  let languages: [String]

  /// - Parameter identifier: of a language or locale: `ja`, `zh-Hant`, `pt_BR`. Throws `invalidArgument` for
  ///   what is none.
  package init(identifier: String) throws(NeatError) {
    languages = LabelLocalizer.languages(identifier)
    guard !languages.isEmpty else {
      throw NeatError(
        .invalidArgument, "\"\(identifier)\" is no language, as \"ja\", \"pt_BR\", \"zh-Hant\" are")
    }
  }

  /// `zh_TW` means `zh-Hant`, then `zh`; `de_AT` means `de`.
  private static func languages(_ identifier: String) -> [String] {
    let parts = identifier.prefix { $0 != "@" && $0 != "." }.split { $0 == "_" || $0 == "-" }.map(String.init)
    guard let language = parts.first?.lowercased(), (2...3).contains(language.utf8.count),
      language.utf8.allSatisfy({ (97...122).contains($0) })
    else { return [] }
    var script = parts.dropFirst().first { $0.count == 4 && $0.allSatisfy(\.isLetter) }?.lowercased()
    if language == "zh", script == nil {
      let isTraditional = parts.dropFirst().contains { ["TW", "HK", "MO"].contains($0.uppercased()) }
      script = isTraditional ? "hant" : "hans"
    }
    guard let script else { return [language] }
    return ["\(language)-\(script.prefix(1).uppercased())\(script.dropFirst())", language]
  }

  /// The text field in the language; nil where it has no name to replace. Tokens and functions are made
  /// expressions first.
  package func localized(textField: JSON) -> JSON? {
    guard
      case .success(let expression) = LegacyConversion.expression(
        textField, spec: Property.textField.spec.reference)
    else { return nil }
    let result = localized(expression)
    return result == expression ? nil : result
  }

  private func localized(_ json: JSON) -> JSON {
    guard json.isArray, let name = json[0]?.string, name != "literal" else { return json }
    let items = Array(json.elements)
    if let field = Self.nameField(json) {
      return .array([.string("coalesce")] + alternatives([field]))
    }
    guard name == "coalesce" else { return .array([items[0]] + items.dropFirst().map(localized)) }
    var result: [JSON] = [items[0]]
    var run: [String] = []
    for item in items.dropFirst() {
      if let field = Self.nameField(item) {
        run.append(field)
        continue
      }
      if !run.isEmpty { result += alternatives(run) }
      run = []
      result.append(localized(item))
    }
    if !run.isEmpty { result += alternatives(run) }
    return .array(result)
  }

  private func alternatives(_ fields: [String]) -> [JSON] {
    var names = languages.flatMap { ["name_\($0)", "name:\($0)"] }
    let others = fields.filter { !Self.isOfLanguage($0) }
    for name in others.isEmpty ? ["name"] : others where !names.contains(name) { names.append(name) }
    return names.map { .array([.string("get"), .string($0)]) }
  }

  /// The field that `["get", field]` reads, where it holds a name.
  private static func nameField(_ json: JSON) -> String? {
    guard json.isArray, json.count == 2, json[0]?.string == "get", let field = json[1]?.string else {
      return nil
    }
    return field == "name" || neutral.contains(field) || isOfLanguage(field) ? field : nil
  }

  /// Names that are not of one language.
  private static let neutral: Set<String> = ["name_int", "name:int", "name_latin", "name:latin"]

  /// Whether the field is `name_` or `name:` and the tag of a language: two or three letters, and a script or
  /// region at most.
  private static func isOfLanguage(_ field: String) -> Bool {
    guard field.hasPrefix("name_") || field.hasPrefix("name:"), !neutral.contains(field) else { return false }
    let parts = field.dropFirst(5).split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    guard let language = parts.first, (2...3).contains(language.utf8.count),
      language.utf8.allSatisfy({ (97...122).contains($0) })
    else { return false }
    return parts.count <= 3 && !["alt", "old", "loc", "ref"].contains(String(language))
  }
}

extension LabelLocalizer {
  /// A style's text with its labels in the language; `layers`: only of these.
  package func localized(style: JSON, layers: Set<String>? = nil) throws(NeatError) -> JSON {
    guard style.isObject, let known = style["layers"], known.isArray else {
      throw NeatError(.style, "a style must be an object with an array of layers")
    }
    let changed = known.elements.map { layer in
      guard layer["type"]?.string == "symbol", let id = layer["id"]?.string, layers?.contains(id) ?? true,
        let layout = layer["layout"], let field = layout["text-field"],
        let text = localized(textField: field)
      else { return layer }
      return layer.setting("layout", layout.setting("text-field", text))
    }
    return style.setting("layers", .array(changed))
  }
}

extension Style {
  /// The same with its labels in a language; nil: as they are.
  package func localized(_ localizer: LabelLocalizer?) throws(NeatError) -> Style {
    guard let localizer else { return self }
    var editor = StyleEditor(self)
    try editor.localizeLabels(localizer)
    return editor.style
  }
}

extension StyleEditor {
  /// Puts the names in the labels of symbol layers in a language, where the data has them; `layers`: only in
  /// these. Layers without a name in their text, and ids that no symbol layer has, are left alone.
  package mutating func localizeLabels(_ localizer: LabelLocalizer, layers: Set<String>? = nil)
    throws(NeatError)
  {
    for layer in style.layers where layer.type == .symbol && layers?.contains(layer.id) ?? true {
      guard let field = layer.properties.entries.first(where: { $0.property == .textField })?.json,
        let text = localizer.localized(textField: field)
      else { continue }
      try setLayoutProperty(layer: layer.id, "text-field", text)
    }
  }
}
