import NeatBase
import NeatJSON

extension SourceSpec {
  /// Reads a source. Members of a wrong type are reported and take their default; nil where the source cannot
  /// be used at all.
  init?(id: String, json: JSON, issues: inout IssueLog) {
    let key = "sources.\(id)"
    guard json.isObject else {
      issues.add(json, key, "object expected, \(json.typeName) found")
      return nil
    }
    guard let type = issues.string(json, "type", key) else {
      if json["type"] == nil { issues.add(json, key, "\"type\" is required") }
      return nil
    }
    self.id = id
    self.json = json
    switch type {
    case "vector": kind = .vector(Self.tiled(json, type, key, &issues))
    case "raster": kind = .raster(Self.tiled(json, type, key, &issues))
    case "raster-dem": kind = .rasterDEM(Self.tiled(json, type, key, &issues))
    case "geojson":
      guard let source = Self.geojson(json, key, &issues) else { return nil }
      kind = .geojson(source)
    case "image":
      guard let corners = Self.corners(json, key, &issues) else { return nil }
      kind = .image(ImageSource(url: issues.string(json, "url", key) ?? "", coordinates: corners))
    case "video":
      guard let corners = Self.corners(json, key, &issues) else { return nil }
      kind = .video(VideoSource(urls: issues.strings(json, "urls", key) ?? [], coordinates: corners))
    default:
      issues.add(
        json, "\(key).type",
        "expected one of [vector, raster, raster-dem, geojson, video, image], \"\(type)\" found")
      return nil
    }
  }

  private static func tiled(_ json: JSON, _ type: String, _ key: String, _ issues: inout IssueLog)
    -> TiledSource
  {
    var source = TiledSource(tileSize: TileUnits.pixels)
    source.url = issues.string(json, "url", key)
    source.tiles = issues.strings(json, "tiles", key)
    source.minZoom = issues.number(json, "minzoom", key)
    source.maxZoom = issues.number(json, "maxzoom", key)
    source.bounds = issues.numbers(json, "bounds", count: 4, key).map { SIMD4($0[0], $0[1], $0[2], $0[3]) }
    source.isTMS = issues.string(json, "scheme", key).map { $0 == "tms" }
    if let size = issues.number(json, "tileSize", key), SourceSpec.tileSizes.contains(size) {
      source.tileSize = size
    }
    source.attribution = issues.string(json, "attribution", key)
    source.promoteID = promoteID(json, key, &issues)
    if let name = issues.string(json, "encoding", key) {
      switch (type, name) {
      case ("vector", "mvt"): source.encoding = .mvt
      case ("vector", "mlt"): source.encoding = .mlt
      case ("raster-dem", "mapbox"): source.encoding = .mapbox
      case ("raster-dem", "terrarium"): source.encoding = .terrarium
      case ("raster-dem", "custom"):
        source.encoding = .custom(
          red: issues.number(json, "redFactor", key) ?? 1,
          green: issues.number(json, "greenFactor", key) ?? 1,
          blue: issues.number(json, "blueFactor", key) ?? 1, shift: issues.number(json, "baseShift", key) ?? 0
        )
      default: issues.add(json, "\(key).encoding", "unknown encoding \"\(name)\"")
      }
    }
    return source
  }

  private static func geojson(_ json: JSON, _ key: String, _ issues: inout IssueLog) -> GeoJSONSource? {
    guard let data = json["data"] else {
      issues.add(json, key, "missing required property \"data\"")
      return nil
    }
    let standard = GeoJSONSource(data: data)
    return GeoJSONSource(
      data: data,
      maxZoom: issues.number(json, "maxzoom", key) ?? standard.maxZoom,
      buffer: min(512, max(0, issues.number(json, "buffer", key) ?? standard.buffer)),
      tolerance: issues.number(json, "tolerance", key) ?? standard.tolerance,
      isClustered: issues.bool(json, "cluster", key) ?? standard.isClustered,
      clusterRadius: max(0, issues.number(json, "clusterRadius", key) ?? standard.clusterRadius),
      clusterMaxZoom: issues.number(json, "clusterMaxZoom", key),
      clusterMinPoints: issues.number(json, "clusterMinPoints", key) ?? standard.clusterMinPoints,
      clusterProperties: json["clusterProperties"],
      hasLineMetrics: issues.bool(json, "lineMetrics", key) ?? standard.hasLineMetrics,
      generatesIDs: issues.bool(json, "generateId", key) ?? standard.generatesIDs,
      promoteID: promoteID(json, key, &issues),
      filter: json["filter"],
      attribution: issues.string(json, "attribution", key))
  }

  private static func corners(_ json: JSON, _ key: String, _ issues: inout IssueLog) -> [SIMD2<Double>]? {
    guard let value = json["coordinates"] else {
      issues.add(json, key, "missing required property \"coordinates\"")
      return nil
    }
    let corners = value.elements.compactMap { corner -> SIMD2<Double>? in
      guard let lon = corner[0]?.number, let lat = corner[1]?.number else { return nil }
      return SIMD2(lon, lat)
    }
    guard corners.count == 4, value.count == 4 else {
      issues.add(value, "\(key).coordinates", "array of 4 positions expected")
      return nil
    }
    return corners
  }

  private static func promoteID(_ json: JSON, _ key: String, _ issues: inout IssueLog) -> PromoteID? {
    guard let value = json["promoteId"] else { return nil }
    if let name = value.string { return .property(name) }
    guard value.isObject else {
      issues.add(value, "\(key).promoteId", "string or object expected, \(value.typeName) found")
      return nil
    }
    var names: [String: String] = [:]
    for (layer, name) in value.members { names[layer] = name.string }
    return .byLayer(names)
  }
}
