import CNeatline

/// An ornament of a map.
public enum Ornament: String, Hashable, Sendable, CaseIterable {
  case scaleBar, compass, attribution, logo

  fileprivate init?(_ raw: neat_ornament) {
    switch raw {
    case NEAT_ORNAMENT_SCALE_BAR: self = .scaleBar
    case NEAT_ORNAMENT_COMPASS: self = .compass
    case NEAT_ORNAMENT_ATTRIBUTION: self = .attribution
    case NEAT_ORNAMENT_LOGO: self = .logo
    default: return nil
    }
  }
}

/// Where an ornament stands, in logical pixels right of and below the view's top left corner.
public struct OrnamentPlace: Hashable, Sendable {
  /// Which it is.
  public var ornament: Ornament
  /// Its left edge.
  public var x: Double
  /// Its upper edge.
  public var y: Double
  /// Its width.
  public var width: Double
  /// Its height.
  public var height: Double
  /// How far it has come in, above 0 to 1.
  public var opacity: Double
}

/// A stretch of an attribution, and where it leads.
public struct AttributionLink: Hashable, Sendable {
  /// Without the tags of its HTML.
  public var text: String
  /// An address of http, https or mailto; nil where there is none.
  public var href: String?
}

/// The ornaments of a map: `Map.ornaments`. Belongs to the map's thread.
public final class OrnamentsManager {
  private weak var map: Map?
  private var given = OrnamentOptions.hidden

  init(_ map: Map) { self.map = map }

  /// What stands in the map's corners: nothing before it is said. Options that are out of their range are not
  /// taken: `setOptions` says which.
  public var options: OrnamentOptions {
    get { given }
    set { try? setOptions(newValue) }
  }

  /// Sets what stands in the map's corners. Throws `invalidArgument` for margins and pixel ratios out of
  /// their range and images without pixels, `limitExceeded` for images past 2048 pixels an edge; nothing is
  /// changed then.
  public func setOptions(_ options: OrnamentOptions) throws(NeatlineError) {
    let (map, json) = (try living, try options.json.text)
    try check(options.withC(json) { neat_map_set_ornaments(map.pointer, $0) })
    given = options
  }

  /// Where those that are seen stand as the camera is, the topmost last. Throws `state` before the map has a
  /// style.
  public var places: [OrnamentPlace] {
    get throws(NeatlineError) {
      let map = try living
      let json = try jsonValue { neat_map_ornament_places(map.pointer, $0) }
      return (json.array ?? []).compactMap { place in
        func number(_ name: String) -> Double { place[name]?.number ?? 0 }
        guard let ornament = place["ornament"]?.string.flatMap(Ornament.init(rawValue:)) else { return nil }
        return OrnamentPlace(
          ornament: ornament, x: number("x"), y: number("y"), width: number("width"),
          height: number("height"), opacity: number("opacity"))
      }
    }
  }

  /// The ornament that is seen at a point; nil: none. A host that has something to do for the attribution or
  /// the logo asks before it hands a tap to `gestures`. Throws `state` before the map has a style.
  public func ornament(at point: ScreenPoint) throws(NeatlineError) -> Ornament? {
    var found = NEAT_ORNAMENT_NONE
    try check(neat_map_ornament_at(try living.pointer, point.x, point.y, &found))
    return Ornament(found)
  }

  private var living: Map {
    get throws(NeatlineError) {
      guard let map else { throw NeatlineError(.state, "the map is gone") }
      return map
    }
  }
}

extension Map {
  /// What `attribution` says, without tags, and where its links lead, each once. Texts that are no link, and
  /// links that are not of http, https or mailto, have no address.
  public var attributionLinks: [AttributionLink] {
    get throws(NeatlineError) {
      AttributionLink.all(try jsonValue { neat_map_attribution_links(pointer, $0) })
    }
  }
}

extension Renderer {
  /// What `attribution` says, without tags, and where its links lead, each once. Texts that are no link, and
  /// links that are not of http, https or mailto, have no address.
  public func attributionLinks(deadline: Int = 0) throws(NeatlineError) -> [AttributionLink] {
    let deadline = try unsigned(deadline, "deadline")
    return AttributionLink.all(
      try jsonValue { neat_renderer_attribution_links(pointer, deadline, $0) })
  }
}

extension AttributionLink {
  fileprivate static func all(_ json: JSONValue) -> [AttributionLink] {
    (json.array ?? []).map { AttributionLink(text: $0["text"]?.string ?? "", href: $0["href"]?.string) }
  }
}
