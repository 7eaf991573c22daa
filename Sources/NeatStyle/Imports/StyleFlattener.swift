import NeatBase
import NeatJSON

/// Makes one style of a style and those that it takes in.
struct StyleFlattener {
  struct Result {
    var json: JSON
    var issues: [StyleIssue]
    var lacking: [String]
    var entries: [StyleImports.Entry]
    /// The slots, and the layer below which what goes there is added; nil: on top.
    var slots: [(name: String, before: String?)]
  }

  /// What one style gives.
  private struct Fragment {
    enum Item {
      case layer(JSON)
      case slot(String)
    }
    var items: [Item] = []
    var sources: [(String, JSON)] = []
    var sprites: [JSON] = []
    /// Of its root: light, terrain and the like.
    var members: [String: JSON] = [:]
    var states: [(String, JSON)] = []
  }

  /// A style on the way to it.
  private struct Place {
    let style: JSON
    let base: String
    let path: String
    let key: String
    let depth: Int
    /// Addresses of those that it is taken in by.
    let trail: [String]
    var url: String? { trail.last }

    /// A style of a server names no files of this machine, unless that is allowed.
    func mayName(_ url: String, _ imports: StyleImports) -> Bool {
      imports.allowsFiles || !Address.isOfServer(base) || !StyleImports.isLocal(url)
    }

    func name(_ id: String) -> String { path.isEmpty ? id : "\(path)/\(id)" }
  }

  private static let foreign = "a style of a server may not name what is on this machine"

  /// Members of a root that are not put together, but taken from the style itself, or else from the last import
  /// that has them.
  private static let inherited = [
    "center", "centerAltitude", "zoom", "bearing", "pitch", "roll", "light", "sky", "projection", "terrain",
    "transition", "glyphs", "font-faces", "fog", "lights",
  ]

  private let imports: StyleImports
  private var log = IssueLog()
  private var lacking: [String] = []
  private var entries: [StyleImports.Entry] = []
  private var count = 0
  private var layerCount = 0
  private var configBytes = 0
  /// Bytes of what imports have given, and whether that was too much once.
  private var byteCount = 0
  private var isPastByteLimit = false

  init(_ imports: StyleImports) { self.imports = imports }

  func run() -> Result {
    var flattener = self
    let root = Place(style: imports.root, base: imports.base, path: "", key: "imports", depth: 0, trail: [])
    let fragment = flattener.flatten(root, given: [])
    return flattener.result(fragment)
  }

  private func result(_ fragment: Fragment) -> Result {
    let gone: Set<String> = ["imports", "schema", "sources", "layers", "sprite", "state"]
    var members = imports.root.members.filter {
      !gone.contains($0.key) && !StyleFlattener.inherited.contains($0.key)
    }.map { ($0.key, $0.value) }
    for name in StyleFlattener.inherited {
      if let value = fragment.members[name] { members.append((name, value)) }
    }
    // One that several of them have is one.
    var sheets: Set<String> = []
    let sprites = fragment.sprites.filter {
      sheets.insert("\($0["prefix"]?.string ?? "") \($0["url"]?.string ?? "")").inserted
    }
    if !sprites.isEmpty { members.append(("sprite", .array(sprites))) }
    if !fragment.states.isEmpty { members.append(("state", .object(fragment.states))) }
    members.append(("sources", .object(fragment.sources)))
    var layers: [JSON] = []
    var slots: [(name: String, before: String?)] = []
    var open: [Int] = []
    for item in fragment.items {
      switch item {
      case .slot(let name):
        open.append(slots.count)
        slots.append((name, nil))
      case .layer(let layer):
        for slot in open { slots[slot].before = layer["id"]?.string }
        open = []
        layers.append(layer)
      }
    }
    members.append(("layers", .array(layers)))
    return Result(
      json: .object(members), issues: log.issues, lacking: lacking, entries: entries, slots: slots)
  }

  private mutating func flatten(_ place: Place, given: [[(String, JSON)]]) -> Fragment {
    let style = place.style
    let own = imports.values[place.path].map { values in [values.map { ($0.key, $0.value) }] } ?? []
    let config = StyleConfig(
      schema: style["schema"], given: given + own, &log, key: place.path.isEmpty ? "style" : place.key)
    entries.append(
      StyleImports.Entry(
        path: place.path, url: place.url, isThere: true, config: config.values, schema: style["schema"]))
    var fragment = takeIn(place, config)
    addSources(place, &fragment)
    addSprites(place, &fragment)
    for (name, value) in style.members.map({ ($0.key, $0.value) }) where name == "state" && value.isObject {
      let names = Set(value.members.map(\.key))
      fragment.states.removeAll { names.contains($0.0) }
      fragment.states += value.members.map { ($0.key, $0.value) }
    }
    for name in StyleFlattener.inherited {
      guard let value = style[name], !value.isNull else { continue }
      fragment.members[name] = rootMember(name, substitute(value, config, place), place, fragment)
    }
    addLayers(place, config, &fragment)
    return fragment
  }

  private mutating func rootMember(_ name: String, _ value: JSON, _ place: Place, _ fragment: Fragment)
    -> JSON
  {
    guard !place.path.isEmpty else { return value }
    switch name {
    case "glyphs":
      guard let url = value.string.map({ Address.resolve($0, base: place.base) }) else { return value }
      guard place.mayName(url, imports) else {
        log.add(value, "\(place.key).glyphs", StyleFlattener.foreign)
        return .null
      }
      return .string(url)
    case "terrain":
      guard let source = value["source"]?.string else { return value }
      return value.setting("source", .string(place.name(source)))
    default: return value
    }
  }

  // MARK: Imports

  /// The styles that one takes in, one above the other.
  private mutating func takeIn(_ place: Place, _ config: StyleConfig) -> Fragment {
    var fragment = Fragment()
    guard let imports = place.style["imports"], !imports.isNull else { return fragment }
    guard imports.isArray else {
      log.add(imports, place.key, "array expected, \(imports.typeName) found")
      return fragment
    }
    var seen: Set<String> = []
    for (number, json) in imports.elements.enumerated() {
      let key = "\(place.key)[\(number)]"
      guard let id = json["id"]?.string, !id.isEmpty, !id.contains("/"), seen.insert(id).inserted else {
        log.add(json, key, "an import needs an \"id\" of its own, without \"/\"")
        continue
      }
      guard id.utf8.count <= StyleImports.idLimit else {
        log.add(
          json, "\(key).id", "an \"id\" of more than \(StyleImports.idLimit) bytes; the import is left out")
        continue
      }
      count += 1
      guard count <= StyleImports.limit, place.depth < StyleImports.depthLimit else {
        log.add(
          json, key,
          count > StyleImports.limit
            ? "more than \(StyleImports.limit) imports; the rest is left out"
            : "styles within more than \(StyleImports.depthLimit) others are left out")
        return fragment
      }
      guard let inner = find(id, json, key, place) else { continue }
      var given: [(String, JSON)] = []
      for member in json["config"]?.members.map({ ($0.key, $0.value) }) ?? [] {
        given.append((member.0, substitute(member.1, config, place)))
      }
      merge(flatten(inner, given: [given]), into: &fragment, json, key)
    }
    return fragment
  }

  /// The style of an import; nil where it is not there.
  private mutating func find(_ id: String, _ json: JSON, _ key: String, _ place: Place) -> Place? {
    let path = place.name(id)
    if let data = json["data"], data.isObject {
      return Place(
        style: data, base: place.base, path: path, key: "\(key).imports", depth: place.depth + 1,
        trail: place.trail)
    }
    guard let address = json["url"]?.string, !address.isEmpty else {
      log.add(json, key, "an import needs a \"url\", or the style itself as \"data\"")
      return nil
    }
    let url = Address.resolve(address, base: place.base)
    guard place.mayName(url, imports) else {
      log.add(json, key, StyleFlattener.foreign)
      return nil
    }
    guard !place.trail.contains(url) else {
      log.add(json, key, "the style at \(Address.withoutCredentials(url)) takes in itself")
      return nil
    }
    switch imports.fetched[url] {
    case .success(let style)?:
      return Place(
        style: style, base: url, path: path, key: "\(key).imports", depth: place.depth + 1,
        trail: place.trail + [url])
    case .failure(let error)?: log.add(json, key, error.naming(url).withoutCredentials.description)
    case nil: if !lacking.contains(url) { lacking.append(url) }
    }
    entries.append(StyleImports.Entry(path: path, url: url, isThere: false, config: [], schema: nil))
    return nil
  }

  private mutating func merge(_ inner: Fragment, into fragment: inout Fragment, _ json: JSON, _ key: String) {
    fragment.items += inner.items
    fragment.sources += inner.sources
    fragment.sprites += inner.sprites
    let names = Set(inner.states.map(\.0))
    fragment.states.removeAll { names.contains($0.0) }
    fragment.states += inner.states
    if let glyphs = inner.members["glyphs"], let others = fragment.members["glyphs"], glyphs != others {
      log.add(json, key, "a style has one glyph server: that of \(key) takes the place of the one before")
    }
    fragment.members.merge(inner.members) { $1 }
  }

  // MARK: Parts of a style

  private mutating func addSources(_ place: Place, _ fragment: inout Fragment) {
    guard let sources = place.style["sources"], sources.isObject else { return }
    for (id, source) in sources.members.map({ ($0.key, $0.value) }) {
      guard !place.path.isEmpty else {
        fragment.sources.append((id, source))
        continue
      }
      guard takesIn(source, place) else { return }
      let resolved = resolved(source, place.base)
      guard addresses(resolved).allSatisfy({ place.mayName($0, imports) }) else {
        log.add(source, "\(place.key).sources.\(id)", StyleFlattener.foreign)
        // Layers that draw it find it, without anything in it.
        fragment.sources.append((place.name(id), StyleFlattener.emptySource(source)))
        continue
      }
      fragment.sources.append((place.name(id), resolved))
    }
  }

  /// Counts a source or layer of an import; false, with an issue once, where all of them are too much.
  private mutating func takesIn(_ json: JSON, _ place: Place) -> Bool {
    byteCount += json.sourceBytes.count
    guard byteCount > StyleImports.byteLimit else { return true }
    if !isPastByteLimit {
      log.add(
        json, place.key, "more than \(StyleImports.byteLimit) bytes of imports; the rest is left out")
    }
    isPastByteLimit = true
    return false
  }

  private func addresses(_ source: JSON) -> [String] {
    let lists = ["tiles", "urls"].flatMap { source[$0].map { $0.elements.compactMap(\.string) } ?? [] }
    return lists + ["url", "data"].compactMap { source[$0]?.string }
  }

  private static func emptySource(_ source: JSON) -> JSON {
    let type = source["type"] ?? .string("geojson")
    let gone = JSON.object([("type", .string("FeatureCollection")), ("features", .array([]))])
    return .object([("type", type), type.string == "geojson" ? ("data", gone) : ("tiles", .array([]))])
  }

  /// A source whose addresses start where its style is.
  private func resolved(_ source: JSON, _ base: String) -> JSON {
    guard source.isObject else { return source }
    func resolve(_ json: JSON) -> JSON {
      json.string.map { .string(Address.resolve($0, base: base)) } ?? json
    }
    return .object(
      source.members.map { member in
        switch member.key {
        case "url", "data": (member.key, resolve(member.value))
        case "tiles", "urls":
          (
            member.key,
            member.value.isArray ? .array(member.value.elements.map(resolve)) : member.value
          )
        default: (member.key, member.value)
        }
      })
  }

  /// The images of an import keep their names; those of the style that takes it in count first.
  private mutating func addSprites(_ place: Place, _ fragment: inout Fragment) {
    guard let sprite = place.style["sprite"], !sprite.isNull else { return }
    var own: [JSON] = []
    func add(_ id: String, _ address: String, _ prefix: String) {
      let url = place.path.isEmpty ? address : Address.resolve(address, base: place.base)
      guard place.path.isEmpty || place.mayName(url, imports) else {
        log.add(sprite, "\(place.key).sprite", StyleFlattener.foreign)
        return
      }
      own.append(
        .object([("id", .string(place.name(id))), ("url", .string(url)), ("prefix", .string(prefix))]))
    }
    if let url = sprite.string {
      add("default", url, "")
    } else {
      for item in sprite.elements {
        guard let id = item["id"]?.string, let url = item["url"]?.string else {
          own.append(item)
          continue
        }
        add(id, url, id == "default" ? "" : "\(id):")
      }
    }
    fragment.sprites = own + fragment.sprites
  }

  private mutating func addLayers(_ place: Place, _ config: StyleConfig, _ fragment: inout Fragment) {
    guard let layers = place.style["layers"], layers.isArray else { return }
    var slotted: [String: [JSON]] = [:]
    for layer in layers.elements {
      layerCount += 1
      guard layerCount <= StyleImports.layerLimit else {
        log.add(
          layers, "\(place.key).layers",
          "more than \(StyleImports.layerLimit) layers in all; the rest is left out")
        break
      }
      if layer["type"]?.string == "slot" {
        if let id = layer["id"]?.string { fragment.items.append(.slot(id)) }
        continue
      }
      guard place.path.isEmpty || takesIn(layer, place) else { break }
      let own = named(substitute(layer, config, place), place)
      if let slot = layer["slot"]?.string {
        slotted[slot, default: []].append(own)
      } else {
        fragment.items.append(.layer(own))
      }
    }
    if !slotted.isEmpty { fill(slotted, &fragment) }
  }

  /// Puts layers into their slots: below the marker, the last one of a name, which stays.
  private mutating func fill(_ slotted: [String: [JSON]], _ fragment: inout Fragment) {
    var places: [String: Int] = [:]
    for (place, item) in fragment.items.enumerated() {
      if case .slot(let name) = item { places[name] = place }
    }
    var items: [Fragment.Item] = []
    items.reserveCapacity(fragment.items.count + slotted.count)
    for (place, item) in fragment.items.enumerated() {
      if case .slot(let name) = item, places[name] == place {
        items += (slotted[name] ?? []).map { .layer($0) }
      }
      items.append(item)
    }
    for (slot, layers) in slotted.sorted(by: { $0.key < $1.key }) where places[slot] == nil {
      for layer in layers {
        log.add(
          layer, "layers.\(layer["id"]?.string ?? "?").slot", "no slot is called \"\(slot)\": it is on top")
        items.append(.layer(layer))
      }
    }
    fragment.items = items
  }

  /// A layer of an import, by its names in the whole.
  private func named(_ layer: JSON, _ place: Place) -> JSON {
    guard layer.isObject, !place.path.isEmpty else { return layer }
    return .object(
      layer.members.map { member in
        guard ["id", "source", "ref"].contains(member.key), let id = member.value.string else {
          return (member.key, member.value)
        }
        return (member.key, .string(place.name(id)))
      })
  }

  // MARK: Values

  /// A value with what `["config", key]` stands for.
  private mutating func substitute(_ json: JSON, _ config: StyleConfig, _ place: Place) -> JSON {
    // Most have none, and stay as they are.
    let size = json.sizeWithConfig
    guard size > 0 else { return json }
    guard size <= StyleImports.substitutionLimit else {
      log.add(
        json, "config",
        "more than \(StyleImports.substitutionLimit) bytes with configuration: it stays as it is")
      return json
    }
    return substituted(json, config, place) ?? json
  }

  /// Nil where nothing in it stands for anything.
  private mutating func substituted(_ json: JSON, _ config: StyleConfig, _ place: Place) -> JSON? {
    if json.isArray {
      let first = json[0]?.string
      if first == "literal" { return nil }
      if first == "config", let name = json[1]?.string { return value(name, json, config, place) }
      var isChanged = false
      var items: [JSON] = []
      for element in json.elements {
        let item = substituted(element, config, place)
        isChanged = isChanged || item != nil
        items.append(item ?? element)
      }
      return isChanged ? .array(items) : nil
    }
    guard json.isObject else { return nil }
    var isChanged = false
    var members: [(String, JSON)] = []
    for member in json.members {
      // A source of a layer's own may hold any data.
      let isKept = member.key == "metadata" || member.key == "source"
      let item = isKept ? nil : substituted(member.value, config, place)
      isChanged = isChanged || item != nil
      members.append((member.key, item ?? member.value))
    }
    return isChanged ? .object(members) : nil
  }

  private mutating func value(_ name: String, _ json: JSON, _ config: StyleConfig, _ place: Place) -> JSON {
    guard let (value, size) = config.expression(name) else {
      log.add(json, "config.\(name)", "the style's schema has no such value")
      return .null
    }
    configBytes += size
    guard configBytes <= StyleImports.configLimit else {
      log.add(json, "config.\(name)", "more than \(StyleImports.configLimit) bytes of values; it is null")
      return .null
    }
    return value
  }
}

extension JSON {
  /// Bytes of its text where `"config"` is in it; 0 where it is not.
  fileprivate var sizeWithConfig: Int {
    let wanted = Array(#""config""#.utf8)
    let bytes = sourceBytes
    var at = 0
    while at + wanted.count <= bytes.count {
      if bytes[at] == wanted[0], bytes[at..<at + wanted.count].elementsEqual(wanted) { return bytes.count }
      at += 1
    }
    return 0
  }

  /// An object with another value of a member.
  func setting(_ name: String, _ value: JSON) -> JSON {
    .object(members.map { ($0.key, $0.key == name ? value : $0.value) })
  }
}
