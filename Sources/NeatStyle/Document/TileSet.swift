import NeatBase
import NeatJSON

/// Where the tiles of a source are and which there are: TileJSON, whether it stands in the style or is
/// loaded.
package struct TileSet: Sendable {
  package var templates: [String] = []
  /// Whether a document from a server gives the templates.
  package var isNamedByServer = false
  package var minZoom: UInt8 = 0
  package var maxZoom: UInt8 = 22
  package var tileSize = TileUnits.pixels
  package var isTMS = false
  package var bounds: (west: Double, south: Double, east: Double, north: Double)?
  package var attribution: String?
  /// Of DEM sources: `mapbox`, `terrarium` or `custom`.
  package var encoding = "mapbox"
  /// `mlt` where the tiles are MapLibre Tiles.
  package var tileEncoding = "mvt"
  /// The names that `vector_layers` lists; nil where there is no such list.
  package var vectorLayers: Set<String>?

  package init() {}

  /// Throws `json` with the byte for what is no TileJSON: no object, tiles that are no texts, zooms that are
  /// no range within 0 to 30; `unsupported` for a version above 3.
  package static func check(_ json: JSON) throws(NeatError) {
    guard json.isObject else { throw NeatError(.json, "a TileJSON must be an object", offset: json.offset) }
    if let version = json["tilejson"],
      let major = version.string?.split(separator: ".").first.flatMap({ Int($0) }), major > 3
    {
      throw NeatError(
        .unsupported, "TileJSON \(version.string ?? "") (1 to 3 are supported)", offset: version.offset)
    }
    if let tiles = json["tiles"], !tiles.isArray || tiles.elements.contains(where: { $0.string == nil }) {
      throw NeatError(.json, "\"tiles\" of a TileJSON is not an array of addresses", offset: tiles.offset)
    }
    let zooms = [("minzoom", json["minzoom"]), ("maxzoom", json["maxzoom"])]
    for case let (name, .some(zoom)) in zooms where !(0...Double(TileID.maxZoom)).contains(zoom.number ?? -1)
    {
      throw NeatError(
        .json, "\"\(name)\" of a TileJSON is not within 0 to \(TileID.maxZoom)", offset: zoom.offset)
    }
    if let low = zooms[0].1, let high = zooms[1].1, low.number ?? 0 > high.number ?? 0 {
      throw NeatError(.json, "\"minzoom\" of a TileJSON is above its \"maxzoom\"", offset: low.offset)
    }
  }

  /// Reads the members that TileJSON and a style's source share; what is absent stays.
  package mutating func read(_ json: JSON, base: String) {
    if let tiles = json["tiles"], tiles.isArray {
      templates = tiles.elements.compactMap { $0.string.map { Address.resolve($0, base: base) } }
      isNamedByServer = Address.isOfServer(base)
    }
    if let zoom = json["minzoom"]?.number {
      minZoom = UInt8(saturating: min(max(zoom, 0), Double(TileID.maxZoom)))
    }
    if let zoom = json["maxzoom"]?.number {
      maxZoom = UInt8(saturating: min(max(zoom, 0), Double(TileID.maxZoom)))
    }
    if let size = json["tileSize"]?.number, SourceSpec.tileSizes.contains(size) { tileSize = size }
    if let scheme = json["scheme"]?.string { isTMS = scheme == "tms" }
    if let text = json["attribution"]?.string { attribution = text }
    if let name = json["encoding"]?.string {
      if name == "mlt" || name == "mvt" { tileEncoding = name } else { encoding = name }
    }
    if let layers = json["vector_layers"], layers.isArray {
      vectorLayers = Set(layers.elements.compactMap { $0["id"]?.string })
    }
    if let box = json["bounds"], box.count == 4 {
      let numbers = box.elements.compactMap(\.number)
      if numbers.count == 4, numbers[1] <= numbers[3] {
        bounds = (numbers[0], numbers[1], numbers[2], numbers[3])
      }
    }
  }

  /// What a source is that a TileJSON describes: what the style says of it wins. `base` is the TileJSON's own
  /// address.
  package init(_ json: JSON, base: String, source: SourceSpec) {
    read(json, base: base)
    read(source.json, base: base)
    if source.tiled?.tiles != nil { isNamedByServer = false }
    if templates.isEmpty, base.hasPrefix("mbtiles://") || base.hasPrefix("pmtiles://") { templates = [base] }
  }

  /// The request for a tile's bytes, or nil where the source has no template.
  package func request(_ tile: TileID, pixelRatio: Double) -> ResourceRequest? {
    guard !templates.isEmpty else { return nil }
    let template = templates[Int((tile.x &+ tile.y) % UInt32(templates.count))]
    if template.hasPrefix("mbtiles://") || template.hasPrefix("pmtiles://") {
      return ResourceRequest(kind: .tile, url: template, tile: tile)
    }
    var request = ResourceRequest(
      kind: .tile, url: fill(template, tile, pixelRatio: pixelRatio), tile: tile)
    // By the first of several servers: which of them is asked does not matter.
    request.template = TileTemplate(
      text: templates[0], pixelRatio: template.contains("{ratio}") && pixelRatio > 1 ? 2 : 1,
      row: isTMS ? tile.tmsY : tile.y)
    return request
  }

  private func fill(_ template: String, _ tile: TileID, pixelRatio: Double) -> String {
    var url = template.replacing("{z}", by: String(tile.z)).replacing("{x}", by: String(tile.x))
    url = url.replacing("{y}", by: String(isTMS ? tile.tmsY : tile.y))
    if url.contains("{") {
      url = url.replacing("{quadkey}", by: tile.quadkey).replacing("{ratio}", by: pixelRatio > 1 ? "@2x" : "")
      url = url.replacing("{prefix}", by: String(tile.x % 16, radix: 16) + String(tile.y % 16, radix: 16))
      url = url.replacing("{bbox-epsg-3857}", by: TileSet.boundingBox(tile))
    }
    return url
  }

  /// The tile's edges in metres of EPSG:3857: west, south, east, north.
  private static func boundingBox(_ tile: TileID) -> String {
    let count = Double(UInt64(1) << UInt64(tile.z))
    func metres(_ part: Double) -> Double { (part / count - 0.5) * Mercator.earthCircumference }
    let edges = [
      metres(Double(tile.x)), -metres(Double(tile.y) + 1), metres(Double(tile.x) + 1),
      -metres(Double(tile.y)),
    ]
    return edges.map(formatNumber).joined(separator: ",")
  }
}
