import NeatBase
import NeatJSON

extension StyleLayer {
  /// What the layer sets under a name, null where it sets nothing: a layout or paint property, the transition
  /// of one, or a member of the layer itself.
  package func value(named name: String) throws(NeatError) -> JSON {
    switch name {
    case "type": return .string(type.name)
    case "source": return source.map { .string($0) } ?? .null
    case "source-layer": return sourceLayer.map { .string($0) } ?? .null
    case "minzoom": return minZoom > 0 ? .number(minZoom) : .null
    case "maxzoom": return maxZoom < .infinity ? .number(maxZoom) : .null
    case "filter": return filterJSON ?? .null
    case "metadata": return metadata ?? .null
    default: break
    }
    let suffix = "-transition"
    let isTransition = name.hasSuffix(suffix)
    guard
      let property = PropertySpec.find(
        isTransition ? String(name.dropLast(suffix.count)) : name, of: type.owner)
    else {
      throw NeatError(.notFound, "layers of type \(type.name) have no property \"\(name)\"", resource: id)
    }
    let entries = isTransition ? properties.transitions : properties.entries
    return entries.first { $0.property == property }?.json ?? .null
  }
}
