import NeatBase
import NeatJSON

// The style's own members, other than sources and layers.
extension StyleValidator {
  mutating func validateRoot() {
    for (name, limit) in [("sources", Style.Limits.sources), ("layers", Style.Limits.layers)] {
      if let value = style[name], value.count > limit {
        report(name, value, Style.Limits.message(name, limit))
      }
    }
    members(style, Reference.root, "", customNames: ["glyphs"], allowsUnknown: true) {
      validator, _, value, key in
      validator.glyphs(value, key)
    }
    camera()
    if let constants = style["constants"], !constants.isNull, constants.bool != false {
      report("constants", constants, "constants have been deprecated as of v8")
    }
  }

  /// The specification has no ranges for where a map begins; what a camera cannot be is held, and told as a
  /// warning.
  private mutating func camera() {
    guard style.isObject else { return }
    for name in ["zoom", "bearing", "pitch", "roll"] {
      if let value = style[name], let number = value.number,
        let fault = CameraRange.faultOfStyle(name, number)
      {
        report(name, value, fault, severity: .warning)
      }
    }
    if let value = style["center"], let fault = Style.centerFault(value) {
      report("center", value, fault, severity: .warning)
    }
  }

  private mutating func glyphs(_ value: JSON, _ key: String) {
    guard string(value, key), let url = value.string else { return }
    for token in ["{fontstack}", "{range}"] where !url.contains(token) {
      report(key, value, "\"glyphs\" url must include a \"\(token)\" token")
    }
  }

  /// Light, sky, fog, projection and terrain: their messages name the member only.
  mutating func section(_ value: JSON, _ kind: ReferenceSpec.Kind, _ key: String) {
    let fields =
      switch kind {
      case .light: Reference.light
      case .sky: Reference.sky
      case .fog: Reference.fog
      case .projection: Reference.projection
      default: Reference.terrain
      }
    let suffix = "-transition"
    object(value, key) { validator, name, member in
      if let field = fields.first(where: { $0.name == name }) {
        validator.value(member, field.spec, name)
      } else if kind == .light || kind == .fog, name.hasSuffix(suffix),
        fields.contains(where: { $0.name == name.dropLast(suffix.count) && $0.spec.hasTransition })
      {
        validator.members(member, Reference.transition, name)
      } else {
        validator.report(name, member, "unknown property \"\(name)\"")
      }
    }
  }

  mutating func sprite(_ value: JSON, _ key: String) {
    guard value.isArray else {
      string(value, key)
      return
    }
    let fields = [
      ReferenceField("id", ReferenceSpec(.string, required: true)),
      ReferenceField("url", ReferenceSpec(.string, required: true)),
    ]
    var ids: Set<String> = []
    var urls: Set<String> = []
    for (index, item) in value.elements.enumerated() {
      if let id = item["id"]?.string, !ids.insert(id).inserted {
        report(key, value, "all the sprites' ids must be unique, but \(id) is duplicated")
      }
      if let url = item["url"]?.string, !urls.insert(url).inserted {
        report(key, value, "all the sprites' URLs must be unique, but \(url) is duplicated")
      }
      members(item, fields, "\(key)[\(index)]")
    }
  }

  mutating func fontFaces(_ value: JSON, _ key: String) {
    let fields = [
      ReferenceField("url", ReferenceSpec(.string, required: true)),
      ReferenceField("unicode-range", ReferenceSpec(.array, element: ReferenceSpec(.string))),
    ]
    object(value, key) { validator, name, face in
      let faceKey = Self.path(key, name)
      if face.isArray {
        for (index, item) in face.elements.enumerated() {
          validator.members(item, fields, "\(faceKey)[\(index)]")
        }
      } else if face.string == nil {
        validator.report(faceKey, face, "string or array expected, \(face.typeName) found")
      }
    }
  }

  mutating func promoteID(_ value: JSON, _ key: String) {
    if value.string != nil { return }
    object(value, key) { validator, name, member in validator.string(member, Self.path(key, name)) }
  }
}
