import NeatBase
import NeatJSON

/// Rewrites a style so that it holds expressions where it held legacy filters, legacy functions and texts
/// with `{name}` tokens. All else comes out as it went in, unknown members and the order of members too; so
/// does what cannot be converted because it is faulty.
package struct StyleMigration {
  private var writer = JSONWriter()
  /// Layers by id: those with a `ref` take their type from another.
  private var types: [String: String] = [:]

  /// The rewritten style as JSON text. Throws `style` where the JSON is no object.
  package static func migrate(_ style: JSON) throws(NeatError) -> [UInt8] {
    guard style.isObject else {
      throw NeatError(.style, "a style must be an object, \(style.typeName) found", offset: style.offset)
    }
    var migration = StyleMigration()
    migration.write(style: style)
    return migration.writer.bytes
  }

  private mutating func write(style: JSON) {
    for layer in style["layers"].map(\.elements) ?? JSON.array([]).elements {
      if let id = layer["id"]?.string, let type = layer["type"]?.string { types[id] = type }
    }
    rewrite(style) { migration, name, value in
      switch name {
      case "layers" where value.isArray:
        migration.writer.beginArray()
        for layer in value.elements { migration.write(layer: layer) }
        migration.writer.endArray()
      case "sources": migration.rewrite(value) { $0.write(source: $2) }
      case "light": migration.write(properties: value, .light)
      case "sky": migration.write(properties: value, .sky)
      case "fog": migration.write(properties: value, .fog)
      case "projection": migration.write(properties: value, .projection)
      default: migration.writer.value(value)
      }
    }
  }

  /// Writes an object member by member; a value that is no object as it is.
  private mutating func rewrite(_ object: JSON, _ body: (inout StyleMigration, String, JSON) -> Void) {
    guard object.isObject else { return writer.value(object) }
    writer.beginObject()
    for (name, value) in object.members {
      writer.key(name)
      body(&self, name, value)
    }
    writer.endObject()
  }

  private mutating func write(layer: JSON) {
    let type = (layer["type"]?.string ?? layer["ref"]?.string.flatMap { types[$0] }).flatMap(
      LayerType.init(name:))
    rewrite(layer) { migration, name, value in
      switch name {
      case "filter": migration.write(filter: value)
      case "layout", "paint":
        guard let type else { return migration.writer.value(value) }
        migration.write(properties: value, type.owner, name == "layout" ? .layout : .paint)
      default: migration.writer.value(value)
      }
    }
  }

  private mutating func write(source: JSON) {
    rewrite(source) { migration, name, value in
      if name == "filter" { migration.write(filter: value) } else { migration.writer.value(value) }
    }
  }

  private mutating func write(filter: JSON) {
    guard !filter.isNull, case .success(let expression) = LegacyConversion.filter(filter) else {
      return writer.value(filter)
    }
    writer.value(expression)
  }

  private mutating func write(properties: JSON, _ owner: PropertyOwner, _ group: PropertySpec.Group? = nil) {
    rewrite(properties) { migration, name, value in
      guard let property = PropertySpec.find(name, of: owner), group == nil || property.spec.group == group,
        case .success(let expression) = LegacyConversion.expression(value, spec: property.spec.reference)
      else { return migration.writer.value(value) }
      migration.writer.value(expression)
    }
  }
}
