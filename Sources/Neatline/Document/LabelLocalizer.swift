import CNeatline

/// A locale, by its identifier (`ja`, `pt_BR`, `zh-Hant`). Foundation's is one with `import
/// NeatlineFoundation`.
public protocol LabelLocale {
  /// The locale's identifier, such as `de_AT`.
  var identifier: String { get }
}

/// Puts names in one language where the text of labels has names: the engine's, over the text of a style.
enum LabelLocalizer {
  /// The ids of layers as the engine takes them; nothing: all.
  static func json(_ layerIds: [String]?) -> String {
    layerIds.map { JSONValue.array($0.map { .string($0) }).text } ?? ""
  }

  /// Texts in the language; nil for what is no language, and texts without a name.
  static func localized(_ fields: [JSONValue], into language: String) -> [JSONValue]? {
    let layers = fields.map { field -> JSONValue in
      .object([
        .init("id", ""), .init("type", "symbol"),
        .init("layout", .object([.init("text-field", field)])),
      ])
    }
    let style = JSONValue.object([.init("layers", .array(layers))]).text
    let answer = try? jsonValue { out in
      style.withText { style, size in
        language.withText { neat_style_localize_labels(style, size, $0, $1, nil, 0, out) }
      }
    }
    return answer?["layers"]?.array?.compactMap { $0["layout"]?["text-field"] }
  }
}

extension StyleDocument {
  /// Puts the names in the labels of symbol layers in a language, where the data has them; `layerIds`: only
  /// in these layers. Layers without a name in their text, and ids that no symbol layer has, are left alone.
  public mutating func localizeLabels(into language: String, forLayerIds layerIds: [String]? = nil) {
    var places: [Int] = []
    var fields: [JSONValue] = []
    for index in layers.indices {
      guard case .symbol(let layer) = layers[index], layerIds?.contains(layer.id) ?? true,
        let field = layer.contents.layout.members.last(where: { $0.key == "text-field" })?.value
      else { continue }
      places.append(index)
      fields.append(field)
    }
    guard let localized = LabelLocalizer.localized(fields, into: language), localized.count == fields.count
    else { return }
    for (index, field) in zip(places, localized) {
      guard case .symbol(var layer) = layers[index] else { continue }
      layer.contents.layout["text-field"] = field
      layers[index] = .symbol(layer)
    }
  }

  /// As `localizeLabels(into:forLayerIds:)`, the language that of a locale.
  public mutating func localizeLabels(into locale: some LabelLocale, forLayerIds layerIds: [String]? = nil) {
    localizeLabels(into: locale.identifier, forLayerIds: layerIds)
  }
}
