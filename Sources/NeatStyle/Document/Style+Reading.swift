import NeatBase
import NeatJSON

extension Style {
  /// Bounds on what a style holds; what is past them is left out with an issue.
  package enum Limits {
    package static let layers = 20_000
    package static let sources = 10_000

    /// The words about too many.
    static func message(_ name: String, _ limit: Int) -> String {
      "more than \(limit) \(name); the rest is left out"
    }
  }

  /// Reads a style from JSON text. Throws `json` where it is no JSON and `style` where it is no style.
  package init(parsing bytes: [UInt8]) throws(NeatError) {
    self = try Trace.span("style", .data) { () throws(NeatError) in
      try Style(json: JSONDocument(parsing: bytes).root)
    }
  }

  /// Reads a style. What is wrong in it is reported in `issues` and left out, or takes its default. Throws
  /// `style` only where the value is no style at all: no object, or of another version.
  /// - Parameter executor: reads the layers; the style is the same on any number of threads.
  package init(json: JSON, executor: Executor = .inline) throws(NeatError) {
    guard json.isObject else {
      throw NeatError(.style, "a style must be an object, \(json.typeName) found", offset: json.offset)
    }
    if let version = json["version"], version.number != Double(Self.version) {
      throw NeatError(
        .style, "version: expected one of [8], \(version.text) found", offset: version.offset,
        resource: "version")
    }
    original = json
    var log = IssueLog()
    log.compilation.ledger = WorkLedger("style", CompilationBudget.style)
    for (key, value) in json.members where !value.isNull {
      if key == "layers" {
        layers = Self.layers(value, executor, &log)
      } else {
        readMember(key, value, json, &log)
      }
    }
    if json["version"] == nil { log.add(json, "version", "missing required property \"version\"") }
    if json["sources"] == nil { log.add(json, "sources", "missing required property \"sources\"") }
    if json["layers"] == nil { log.add(json, "layers", "missing required property \"layers\"") }
    checkSources(&log)
    issues = log.issues
  }

  private mutating func readMember(_ key: String, _ value: JSON, _ json: JSON, _ log: inout IssueLog) {
    switch key {
    case "name": name = log.string(json, key, "style")
    case "metadata": metadata = value
    case "center":
      center = log.numbers(json, key, count: 2, "style").map { LonLat($0[0], $0[1]) }
      if let fault = Style.centerFault(value) { log.add(value, key, fault) }
    case "centerAltitude": centerAltitude = log.number(json, key, "style")
    case "zoom": zoom = log.cameraNumber(json, key)
    case "bearing": bearing = log.cameraNumber(json, key)
    case "pitch": pitch = log.cameraNumber(json, key)
    case "roll": roll = log.cameraNumber(json, key)
    case "light": light.read(value, group: nil, key: key, issues: &log)
    case "sky":
      var sky = PropertySet(owner: .sky)
      sky.read(value, group: nil, key: key, issues: &log)
      self.sky = sky
    case "fog" where !value.isNull:
      var fog = PropertySet(owner: .fog)
      fog.read(value, group: nil, key: key, issues: &log)
      self.fog = fog
    case "projection": projection.read(value, group: nil, key: key, issues: &log)
    case "terrain": terrain = Self.terrain(value, &log)
    case "transition": transition = StyleTransition(json: value)
    case "sprite": sprites = Self.sprites(value, &log)
    case "glyphs": glyphs = log.string(json, key, "style")
    case "font-faces": fontFaces = Self.fontFaces(value, &log)
    case "state": state = Self.state(value, &log)
    case "sources": sources = Self.sources(value, &log)
    default: break
    }
  }

  /// What is wrong with the place of a centre of two numbers.
  static func centerFault(_ value: JSON) -> String? {
    guard value.count == 2, let lon = value[0]?.number, let lat = value[1]?.number else { return nil }
    if let fault = CameraRange.fault(lon, CameraRange.longitude) { return "longitude \(fault)" }
    return CameraRange.fault(lat, CameraRange.latitude).map { "latitude \($0)" }
  }

  static func terrain(_ json: JSON, _ log: inout IssueLog) -> Terrain? {
    guard let source = json["source"]?.string else {
      log.add(
        json, "terrain",
        json.isObject ? "missing required property \"source\"" : "object expected, \(json.typeName) found")
      return nil
    }
    return Terrain(source: source, exaggeration: max(0, log.number(json, "exaggeration", "terrain") ?? 1))
  }

  static func sprites(_ json: JSON, _ log: inout IssueLog) -> [Sprite] {
    if let url = json.string { return [Sprite(id: "default", url: url)] }
    guard json.isArray else {
      log.add(json, "sprite", "string or array expected, \(json.typeName) found")
      return []
    }
    var result: [Sprite] = []
    var ids: Set<String> = []
    var urls: Set<String> = []
    for (index, item) in json.elements.enumerated() {
      guard let id = item["id"]?.string, let url = item["url"]?.string else {
        log.add(item, "sprite[\(index)]", "expected an object with \"id\" and \"url\"")
        continue
      }
      if ids.contains(id) || urls.contains(url) {
        log.add(
          item, "sprite[\(index)]", "all the sprites' ids and urls must be unique, but \(id) is duplicated")
      } else {
        ids.insert(id)
        urls.insert(url)
        result.append(Sprite(id: id, url: url, prefix: item["prefix"]?.string))
      }
    }
    return result
  }

  private static func fontFaces(_ json: JSON, _ log: inout IssueLog) -> [FontFace] {
    guard json.isObject else {
      log.add(json, "font-faces", "object expected, \(json.typeName) found")
      return []
    }
    var faces: [FontFace] = []
    for (family, value) in json.members {
      for face in value.isArray ? Array(value.elements) : [value] {
        guard let url = face.string ?? face["url"]?.string else {
          log.add(
            face, "font-faces.\(family)", "string or object with \"url\" expected, \(face.typeName) found")
          continue
        }
        let ranges = face["unicode-range"]?.elements.compactMap { $0.string.flatMap(unicodeRange) } ?? []
        faces.append(FontFace(family: family, url: url, ranges: ranges))
      }
    }
    return faces
  }

  /// `U+0600-06FF`, `U+41`, `U+4??`.
  static func unicodeRange(_ text: String) -> ClosedRange<UInt32>? {
    guard text.hasPrefix("U+") || text.hasPrefix("u+") else { return nil }
    let parts = text.dropFirst(2).split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count <= 2 else { return nil }
    let low = UInt32(first.map { $0 == "?" ? "0" : String($0) }.joined(), radix: 16)
    let high =
      parts.count == 2
      ? UInt32(parts[1], radix: 16) : UInt32(first.map { $0 == "?" ? "F" : String($0) }.joined(), radix: 16)
    guard let low, let high, low <= high, high <= 0x10FFFF else { return nil }
    return low...high
  }

  private static func state(_ json: JSON, _ log: inout IssueLog) -> [(name: String, value: JSON)] {
    guard json.isObject else {
      log.add(json, "state", "object expected, \(json.typeName) found")
      return []
    }
    return json.members.map { name, member in
      guard let value = member["default"] else { return (name, .null) }
      guard !value.isNested(deeperThan: ExpressionLimits.depth) else {
        log.add(value, "state.\(name)", "nested deeper than \(ExpressionLimits.depth)")
        return (name, .null)
      }
      return (name, value)
    }
  }

  private static func sources(_ json: JSON, _ log: inout IssueLog) -> [SourceSpec] {
    guard json.isObject else {
      log.add(json, "sources", "object expected, \(json.typeName) found")
      return []
    }
    if json.count > Limits.sources { log.add(json, "sources", Limits.message("sources", Limits.sources)) }
    var sources: [SourceSpec] = []
    var places: [String: Int] = [:]
    for (id, value) in json.members.prefix(Limits.sources) {
      guard let source = SourceSpec(id: id, json: value, issues: &log) else { continue }
      // Of equal names the last one counts, as everywhere in JSON.
      if let place = places[id] {
        sources[place] = source
      } else {
        places[id] = sources.count
        sources.append(source)
      }
    }
    return sources
  }

  /// Reports layers whose source is missing; they stay, for a source may be added later.
  private func checkSources(_ log: inout IssueLog) {
    let ids = Set(sources.map(\.id))
    for (index, layer) in layers.enumerated() where layer.type.hasSource {
      guard let source = layer.source else {
        log.add(original, "layers[\(index)]", "missing required property \"source\"")
        continue
      }
      if !ids.contains(source) { log.add(original, "layers[\(index)]", "source \"\(source)\" not found") }
    }
    if let terrain, !ids.contains(terrain.source) {
      log.add(original, "terrain", "source \"\(terrain.source)\" not found")
    }
  }
}
