import NeatBase
import NeatJSON

extension Style {
  /// The style as JSON, edits and all. Members that this engine does not read are kept as they stood. Layers that the
  /// application draws are left out, which no style can say.
  package var json: JSON {
    var members: [(String, JSON)] = [("version", .number(Double(Self.version)))]
    func add(_ name: String, _ value: JSON?) { if let value { members.append((name, value)) } }
    add("name", name.map(JSON.string))
    add("metadata", metadata)
    add("center", center.map { .array([.number($0.lon), .number($0.lat)]) })
    add("centerAltitude", centerAltitude.map(JSON.number))
    add("zoom", zoom.map(JSON.number))
    add("bearing", bearing.map(JSON.number))
    add("pitch", pitch.map(JSON.number))
    add("roll", roll.map(JSON.number))
    add("light", light.json(group: nil))
    add("sky", skyJSON)
    add("fog", fogJSON)
    add("projection", projection.json(group: nil))
    add("terrain", terrainJSON)
    add("transition", transitionJSON)
    add("sprite", spriteJSON)
    add("glyphs", glyphs.map(JSON.string))
    add("state", state.isEmpty ? nil : .object(state.map { ($0.name, .object([("default", $0.value)])) }))
    let written = Set(members.map(\.0)).union(Self.readMembers)
    for (name, value) in original.members where !written.contains(name) { members.append((name, value)) }
    add("sources", .object(sources.map { ($0.id, $0.json) }))
    add("layers", .array(layers.filter { $0.type != .custom }.map(\.json)))
    return .object(members)
  }

  /// Members that `json` writes from what was read, and so leaves out where an edit removed them.
  private static let readMembers: Set<String> = [
    "version", "name", "metadata", "center", "centerAltitude", "zoom", "bearing", "pitch", "roll", "light",
    "sky", "fog", "projection", "terrain",
    "transition", "sprite", "glyphs", "state", "sources", "layers",
  ]

  var skyJSON: JSON? { Self.json(sky) }
  var fogJSON: JSON? { Self.json(fog) }

  /// A section that is there without members where all have their defaults.
  private static func json(_ section: PropertySet?) -> JSON? {
    section.map { $0.json(group: nil) ?? .object([]) }
  }

  var terrainJSON: JSON? {
    terrain.map { .object([("source", .string($0.source)), ("exaggeration", .number($0.exaggeration))]) }
  }

  var transitionJSON: JSON? {
    guard transition != StyleTransition() else { return nil }
    return .object([("duration", .number(transition.duration)), ("delay", .number(transition.delay))])
  }

  var spriteJSON: JSON? {
    if sprites.isEmpty { return nil }
    if sprites.count == 1, sprites[0].id == "default" { return .string(sprites[0].url) }
    return .array(
      sprites.map { sprite in
        var members: [(String, JSON)] = [("id", .string(sprite.id)), ("url", .string(sprite.url))]
        if sprite.prefix != Style.Sprite.prefix(sprite.id) {
          members.append(("prefix", .string(sprite.prefix)))
        }
        return .object(members)
      })
  }
}
