import NeatBase
import NeatJSON

/// What a style's `schema` says of one value that it leaves open.
struct ConfigOption {
  let json: JSON

  init(_ json: JSON) { self.json = json }

  var standard: JSON? { json["default"] }
  private var isArray: Bool { json["array"]?.bool ?? false }

  /// What is wrong with a value; nil: nothing. Expressions are taken as they are.
  func fault(_ value: JSON) -> String? {
    if value.isArray, !isArray { return value[0]?.string == nil ? "no array is expected" : nil }
    if isArray, value.isArray, value[0]?.string == "literal" { return nil }
    let items = isArray && value.isArray ? Array(value.elements) : [value]
    for item in items { if let fault = itemFault(item) { return fault } }
    return nil
  }

  private func itemFault(_ value: JSON) -> String? {
    switch json["type"]?.string {
    case "string"?, "color"?:
      guard value.string != nil else { return "string expected, \(value.typeName) found" }
    case "number"?:
      guard let number = value.number else { return "number expected, \(value.typeName) found" }
      if let low = json["minValue"]?.number, number < low { return "less than \(formatNumber(low))" }
      if let high = json["maxValue"]?.number, number > high { return "more than \(formatNumber(high))" }
    case "boolean"?:
      guard value.bool != nil else { return "boolean expected, \(value.typeName) found" }
    default: break
    }
    if let values = json["values"], values.isArray, !values.elements.contains(where: { $0 == value }) {
      return "\(value.text) is none of \(values.text)"
    }
    return nil
  }

  /// What stands for `["config", name]`.
  func expression(_ value: JSON) -> JSON {
    if value.isArray, value[0]?.string != nil, !isArray { return value }
    if value.isArray { return .array([.string("literal"), value]) }
    if json["type"]?.string == "color" { return .array([.string("to-color"), value]) }
    return value
  }
}

/// The values of one style of several.
struct StyleConfig {
  private(set) var values: [(name: String, value: JSON)] = []
  private var expressions: [String: (json: JSON, size: Int)] = [:]

  /// - Parameters:
  ///   - given: by the style that takes this one in; later ones count.
  init(
    schema: JSON?, given: [[(String, JSON)]], _ log: inout IssueLog, key: String
  ) {
    var known: [String: JSON] = [:]
    for values in given { for (name, value) in values { known[name] = value } }
    for (name, option) in schema?.members.map({ ($0.key, $0.value) }) ?? [] {
      let option = ConfigOption(option)
      var value = known.removeValue(forKey: name) ?? option.standard ?? .null
      if !value.isNull, let fault = option.fault(value) {
        log.add(value, "\(key).config.\(name)", fault)
        value = option.standard ?? .null
      }
      values.append((name, value))
      let expression = option.expression(value)
      expressions[name] = (expression, expression.text.utf8.count)
    }
    for name in known.keys.sorted() {
      log.add(schema ?? .null, "\(key).config.\(name)", "the style's schema has no such value")
    }
  }

  func expression(_ name: String) -> (json: JSON, size: Int)? { expressions[name] }
}
