import NeatJSON

/// Which property a value is given for.
struct PropertyContext {
  var owner: PropertyOwner
  var group: PropertySpec.Group
  var name: String
}

extension StyleValidator {
  private static let customNames: Set<String> = ["type", "filter", "layout", "paint"]

  mutating func layer(_ value: JSON, _ index: Int, _ key: String) {
    guard value.isObject else { return report(key, value, "object expected, \(value.typeName) found") }
    if isMissing(value["type"]), isMissing(value["ref"]) {
      report(key, value, "either \"type\" or \"ref\" is required")
    }
    var type = value["type"]?.string
    duplicateID(value, index, key)
    if let ref = value["ref"] {
      type = reference(value, ref, key) ?? type
    } else if type != "background", type != "sky" {
      layerSource(value, type, key)
    }
    let layerType = type.flatMap(LayerType.init(name:))
    members(value, Reference.layer, key, customNames: Self.customNames, allowsUnknown: true) {
      validator, name, member, memberKey in
      switch name {
      case "type": validator.layerType(member, memberKey)
      case "filter": validator.filter(member, memberKey)
      case "layout": validator.properties(member, layerType, .layout, memberKey)
      default: validator.properties(member, layerType, .paint, memberKey)
      }
    }
    if layerType == .raster, let paint = value["paint"], paint["resampling"] != nil,
      paint["raster-resampling"] != nil
    {
      let message =
        "redundantly specifies \"resampling\" and \"raster-resampling\" paint properties, but only one is allowed. It is advised to use \"resampling\"."
      report(key, paint, "layer \"\(value["id"]?.string ?? "")\" \(message)")
    }
  }

  /// Messages list the specification's own types only.
  private mutating func layerType(_ value: JSON, _ key: String) {
    if value.string.flatMap(LayerType.init(name:)) == nil { enumeration(value, LayerType.specified, key) }
  }

  private func isMissing(_ value: JSON?) -> Bool {
    value == nil || value?.isNull == true || value?.string == ""
  }

  private mutating func duplicateID(_ value: JSON, _ index: Int, _ key: String) {
    guard let id = value["id"], let name = id.string else { return }
    for other in layers(named: name) {
      if other.index >= index || isFull { break }
      let line = (other.layer["id"] ?? other.layer).line
      report(key, id, "duplicate layer id \"\(name)\", previously used at line \(line)")
    }
  }

  /// The layers that have an id, in their order.
  private mutating func layers(named name: String) -> [(index: Int, layer: JSON)] {
    if ids == nil {
      var table: [String: [(index: Int, layer: JSON)]] = [:]
      for (place, layer) in (style["layers"]?.elements ?? JSON.array([]).elements).enumerated() {
        if let name = layer["id"]?.string { table[name, default: []].append((place, layer)) }
      }
      ids = table
    }
    return ids?[name] ?? []
  }

  /// Checks a layer that takes its shape from another; returns that layer's type.
  private mutating func reference(_ value: JSON, _ ref: JSON, _ key: String) -> String? {
    for name in ["type", "source", "source-layer", "filter", "layout"] {
      if let member = value[name] { report(key, member, "\"\(name)\" is prohibited for ref layers") }
    }
    let parent = ref.string.flatMap { layers(named: $0).first?.layer }
    guard let parent else {
      report(key, ref, "ref layer \"\(ref.string ?? ref.text)\" not found")
      return nil
    }
    if parent["ref"] != nil {
      report(key, ref, "ref cannot reference another ref layer")
      return nil
    }
    return parent["type"]?.string
  }

  private mutating func layerSource(_ value: JSON, _ type: String?, _ key: String) {
    guard let id = value["source"], !isMissing(id) else {
      return report(key, value, "missing required property \"source\"")
    }
    let layerID = value["id"]?.string ?? ""
    guard let source = id.string.flatMap({ style["sources"]?[$0] }), !source.isNull else {
      return report(key, id, "source \"\(id.string ?? id.text)\" not found")
    }
    let sourceType = source["type"]?.string
    switch (sourceType, type) {
    case ("vector", "raster"): report(key, id, "layer \"\(layerID)\" requires a raster source")
    case (let found, "hillshade") where found != "raster-dem",
      (let found, "color-relief") where found != "raster-dem":
      report(key, id, "layer \"\(layerID)\" requires a raster-dem source")
    case ("raster", let type) where type != "raster":
      report(key, id, "layer \"\(layerID)\" requires a vector source")
    case ("vector", _) where isMissing(value["source-layer"]):
      report(key, value, "layer \"\(layerID)\" must specify a \"source-layer\"")
    case ("raster-dem", let type) where type != "hillshade" && type != "color-relief":
      report(key, id, "raster-dem source can only be used with layer type 'hillshade' or 'color-relief'.")
    case (_, "line")
    where value["paint"]?["line-gradient"] != nil
      && !(sourceType == "geojson" && source["lineMetrics"]?.bool == true):
      report(
        key, value,
        "layer \"\(layerID)\" specifies a line-gradient, which requires a GeoJSON source with `lineMetrics` enabled."
      )
    default: break
    }
  }

  // MARK: Properties

  private mutating func properties(
    _ value: JSON, _ type: LayerType?, _ group: PropertySpec.Group, _ key: String
  ) {
    let suffix = "-transition"
    object(value, key) { validator, name, member in
      guard let owner = type?.owner else { return }
      let memberKey = Self.path(key, name)
      func spec(_ name: String) -> PropertySpec? {
        guard let spec = PropertySpec.find(name, of: owner)?.spec, spec.group == group else { return nil }
        return spec
      }
      if group == .paint, name.hasSuffix(suffix),
        spec(String(name.dropLast(suffix.count)))?.reference.hasTransition == true
      {
        validator.members(member, Reference.transition, memberKey)
      } else if let spec = spec(name) {
        validator.property(
          member, name, spec.reference, PropertyContext(owner: owner, group: group, name: name), memberKey)
      } else {
        validator.report(memberKey, member, "unknown property \"\(name)\"")
      }
    }
  }

  mutating func property(
    _ value: JSON, _ name: String, _ spec: ReferenceSpec, _ context: PropertyContext, _ key: String
  ) {
    if spec.allowsData, !spec.hasTokens, let text = value.string, let token = Self.singleToken(text) {
      let quoted = JSON.string(token).text
      return report(
        key, value,
        "\"\(name)\" does not support interpolation syntax\nUse an identity property function instead: `{ \"type\": \"identity\", \"property\": \(quoted) }`."
      )
    }
    if context.owner == .symbol, name == "text-font", value.isObject, value["type"]?.string == "identity" {
      report(key, value, "\"text-font\" does not support identity functions")
    }
    self.value(value, spec, key, context: context)
  }

  /// The name in a text that is nothing but `{name}`.
  private static func singleToken(_ text: String) -> String? {
    guard text.count > 2, text.first == "{", text.last == "}" else { return nil }
    let name = text.dropFirst().dropLast()
    return name.contains("}") ? nil : String(name)
  }
}
