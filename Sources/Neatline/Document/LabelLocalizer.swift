import CNeatline

/// A locale, by its identifier (`ja`, `pt_BR`, `zh-Hant`). Foundation's is one with `import
/// NeatlineFoundation`.
public protocol LabelLocale {
  /// The locale's identifier, such as `de_AT`.
  var identifier: String { get }
}

/// Puts names in one language where the text of labels has names.
///
/// `["get", "name"]`, and the same of a field for one language or script (`name_en`, `name:en`, `name_int`,
/// `name:latin`), becomes the first of the language's own fields (`name_ja`, `name:ja`) that a feature has,
/// and failing these the name it had, without a language. Neighbours in a `coalesce` are replaced together,
/// so that a localised text can be localised again. `name:nonlatin` stays: styles have it for a second line
/// in the local script.
struct LabelLocalizer {
  /// Most particular first.
  let languages: [String]

  init(identifier: String) { languages = LabelLocalizer.languages(identifier) }

  /// `zh_TW` means `zh-Hant`, then `zh`; `de_AT` means `de`.
  private static func languages(_ identifier: String) -> [String] {
    let parts = identifier.prefix { $0 != "@" && $0 != "." }.split { $0 == "_" || $0 == "-" }.map(String.init)
    guard let language = parts.first?.lowercased(), (2...3).contains(language.count),
      language.allSatisfy(\.isLetter)
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
  func localized(textField: JSONValue) -> JSONValue? {
    guard !languages.isEmpty else { return nil }
    let text = textField.text
    let property = "\"text-field\""
    let expression = try? jsonValue { out in
      text.withText { text, size in property.withText { neat_expression_from_legacy(text, size, $0, $1, out) }
      }
    }
    guard let expression else { return nil }
    let result = localized(expression)
    if result == expression { return nil }
    return result
  }

  private func localized(_ json: JSONValue) -> JSONValue {
    guard let items = json.array, let name = json[0]?.string, name != "literal" else { return json }
    if let field = Self.nameField(json) { return .array(["coalesce"] + alternatives([field])) }
    guard name == "coalesce" else { return .array([items[0]] + items.dropFirst().map(localized)) }
    var result: [JSONValue] = [items[0]]
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

  private func alternatives(_ fields: [String]) -> [JSONValue] {
    var names = languages.flatMap { ["name_\($0)", "name:\($0)"] }
    let others = fields.filter { !Self.isOfLanguage($0) }
    for name in others.isEmpty ? ["name"] : others where !names.contains(name) { names.append(name) }
    return names.map { ["get", .string($0)] }
  }

  /// The field that `["get", field]` reads, where it holds a name.
  private static func nameField(_ json: JSONValue) -> String? {
    guard json.array?.count == 2, json[0] == "get", let field = json[1]?.string else { return nil }
    return field == "name" || neutral.contains(field) || isOfLanguage(field) ? field : nil
  }

  /// Names that are not of one language.
  private static let neutral: Set<String> = ["name_int", "name:int", "name_latin", "name:latin"]

  /// Whether the field is `name_` or `name:` and the tag of a language: two or three letters, and a script or
  /// region at most.
  private static func isOfLanguage(_ field: String) -> Bool {
    guard field.hasPrefix("name_") || field.hasPrefix("name:"), !neutral.contains(field) else { return false }
    let parts = field.dropFirst(5).split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    guard let language = parts.first, (2...3).contains(language.count),
      language.allSatisfy({ $0.isLowercase && $0.isASCII })
    else {
      return false
    }
    return parts.count <= 3 && !["alt", "old", "loc", "ref"].contains(String(language))
  }
}

extension StyleDocument {
  /// Puts the names in the labels of symbol layers in a language, where the data has them; `layerIds`: only
  /// in these layers. Layers without a name in their text, and ids that no symbol layer has, are left alone.
  public mutating func localizeLabels(into language: String, forLayerIds layerIds: [String]? = nil) {
    let localizer = LabelLocalizer(identifier: language)
    for index in layers.indices {
      guard case .symbol(var layer) = layers[index], layerIds?.contains(layer.id) ?? true,
        let field = layer.contents.layout.members.last(where: { $0.key == "text-field" })?.value,
        let localized = localizer.localized(textField: field)
      else { continue }
      layer.contents.layout["text-field"] = localized
      layers[index] = .symbol(layer)
    }
  }

  /// As `localizeLabels(into:forLayerIds:)`, the language that of a locale.
  public mutating func localizeLabels(into locale: some LabelLocale, forLayerIds layerIds: [String]? = nil) {
    localizeLabels(into: locale.identifier, forLayerIds: layerIds)
  }
}
