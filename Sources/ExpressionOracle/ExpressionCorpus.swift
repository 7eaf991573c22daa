import Glibc
import Neatline

/// Every filter and data-driven property of the styles of the data pack, with the features of the tiles that
/// each style draws at its own camera: what the benchmark measures, and what the tests hold against the plain
/// reading.
public struct ExpressionCorpus {
  /// A layer of a tile, and its features as the plain reading has them.
  public struct Layer {
    public var tile: Tile
    public var index: Int
    public var features: [OracleFeature]
  }

  /// Where an expression is evaluated: a layer of `layers`, and the zoom of the style.
  public struct Place {
    public var layer: Int
    public var zoom: Double
  }

  public struct Item {
    /// Style, layer and member: `osm-bright/road/filter`.
    public var name: String
    public var json: JSONValue
    /// The name of the property; empty for a filter.
    public var property: String
    public var type: OracleType
    public var isInterpolated: Bool
    public var places: [Place]
  }

  public private(set) var styleCount = 0
  public private(set) var layers: [Layer] = []
  public private(set) var filters: [Item] = []
  public private(set) var properties: [Item] = []
  /// Data-driven properties whose type has no column: arrays.
  public private(set) var leftOut: [String] = []

  /// `data`: the folder with `styles` and what they refer to.
  public init(data: String) throws {
    let folder = "\(data)/styles"
    for name in try ExpressionCorpus.names(in: folder) where name.hasSuffix(".json") {
      let style = try JSONValue(parsing: try ExpressionCorpus.read("\(folder)/\(name)"))
      try add(style, String(name.dropLast(5)), folder)
      styleCount += 1
    }
  }

  private mutating func add(_ style: JSONValue, _ name: String, _ folder: String) throws {
    let zoom = style["zoom"]?.number ?? 0
    /// Indices in `layers`, by source and by name within it.
    var found: [String: [String: [Int]]] = [:]
    for source in style["sources"]?.object ?? [] {
      for tile in try ExpressionCorpus.tiles(source.value, style, folder) {
        for index in 0..<tile.layerCount {
          let layer = try tile.layer(index)
          let key = source.value["type"] == "geojson" ? "" : layer.name
          found[source.key, default: [:]][key, default: []].append(layers.count)
          layers.append(Layer(tile: tile, index: index, features: try OracleFeature.all(of: layer)))
        }
      }
    }
    for layer in style["layers"]?.array ?? [] {
      guard let source = layer["source"]?.string, let id = layer["id"]?.string else { continue }
      let places = (found[source]?[layer["source-layer"]?.string ?? ""] ?? []).map {
        Place(layer: $0, zoom: zoom)
      }
      if let filter = layer["filter"] {
        filters.append(
          Item(
            name: "\(name)/\(id)/filter", json: filter, property: "", type: .boolean, isInterpolated: false,
            places: places))
      }
      for group in ["layout", "paint"] {
        for member in layer[group]?.object ?? []
        where member.key != "visibility" && !member.key.hasSuffix("-transition") {
          try add(member.key, member.value, "\(name)/\(id)/\(member.key)", places)
        }
      }
    }
  }

  private mutating func add(_ property: String, _ json: JSONValue, _ name: String, _ places: [Place]) throws {
    switch json {
    case .null, .bool, .number: return
    default: break
    }
    let info = try CompiledExpression(json, property: property).info
    guard info["isFeatureConstant"] == false else { return }
    guard let type = OracleType(named: info["type"]?.string ?? "") else { return leftOut.append(name) }
    let isInterpolated = type == .number || type == .color
    properties.append(
      Item(
        name: name, json: json, property: property, type: type, isInterpolated: isInterpolated, places: places
      ))
  }

  /// The tiles of a source that a view of 512 by 512 pixels at the style's camera shows.
  private static func tiles(_ source: JSONValue, _ style: JSONValue, _ folder: String) throws -> [Tile] {
    let center = style["center"]?.array?.compactMap(\.number) ?? [0, 0]
    let zoom = style["zoom"]?.number ?? 0
    let url = source["url"]?.string ?? ""
    let load: (Int, Int, Int) throws -> Tile?
    var maxZoom = 18
    if source["type"] == "geojson" {
      let data =
        try source["data"]?.string.map { try read("\(folder)/\($0)") }
        ?? Array((source["data"] ?? .null).text.utf8)
      let own: Set = ["type", "data", "attribution", "filter"]
      let options = JSONValue.object((source.object ?? []).filter { !own.contains($0.key) })
      let index = try GeoJSONIndex(parsing: data, options: options)
      load = { try index.tile(z: $0, x: $1, y: $2) }
    } else if source["type"] == "vector", let range = url.firstRange(of: "://") {
      let archive = try Archive(path: "\(folder)/\(url[range.upperBound...])")
      maxZoom = (try archive.info["maxzoom"]?.number).map { Int($0) } ?? 14
      load = { try archive.tile(z: $0, x: $1, y: $2).map { try Tile(decoding: $0) } }
    } else {
      return []
    }
    let z = min(max(Int(zoom.rounded(.down)), 0), maxZoom)
    let count = Double(1 << z)
    let sine = sin(center[1] * .pi / 180)
    let place = SIMD2((center[0] + 180) / 360, 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)) * count
    let reach = 0.5 / exp2(zoom - Double(z))
    var tiles: [Tile] = []
    for y in Int((place.y - reach).rounded(.down))...Int((place.y + reach).rounded(.down)) {
      for x in Int((place.x - reach).rounded(.down))...Int((place.x + reach).rounded(.down)) {
        guard x >= 0, y >= 0, x < 1 << z, y < 1 << z else { continue }
        if let tile = try load(z, x, y) { tiles.append(tile) }
      }
    }
    return tiles
  }

  private static func names(in folder: String) throws -> [String] {
    guard let directory = opendir(folder) else {
      throw OracleError(message: "\(folder): \(String(cString: strerror(errno)))")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.sorted()
  }

  private static func read(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else {
      throw OracleError(message: "\(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
    return bytes
  }
}

extension ExpressionCorpus.Item {
  /// The first feature of a layer for which the engine's column does not have the value that is wanted, in
  /// words; nil where all agree. A wanted value of nil is where the evaluation fails.
  public func disagreement(
    _ expression: CompiledExpression, _ layer: ExpressionCorpus.Layer, zoom: Double, _ wanted: [OracleValue?]
  ) throws -> String? {
    func first<T>(_ values: [T], _ isRight: (T, OracleValue?) -> Bool) -> String? {
      guard values.count == wanted.count else { return "\(values.count) values" }
      guard let index = values.indices.first(where: { !isRight(values[$0], wanted[$0]) }) else { return nil }
      return
        "feature \(index): \(values[index]), not \(String(describing: wanted[index])), of \(layer.features[index].properties)"
    }
    switch type {
    case .number:
      return first(try expression.numbers(of: layer.tile, layer: layer.index, zoom: zoom)) { value, wanted in
        let other = wanted?.number ?? .nan
        return value == other || value.isNaN && other.isNaN || abs(value - other) <= 1e-9 * max(1, abs(value))
      }
    case .color:
      return first(try expression.colors(of: layer.tile, layer: layer.index, zoom: zoom)) { value, wanted in
        guard case .color(let color)? = wanted else { return value.x.isNaN }
        return (0..<4).allSatisfy { abs(Double(value[$0]) - color[$0]) < 1e-5 }
      }
    case .boolean:
      return first(try expression.booleans(of: layer.tile, layer: layer.index, zoom: zoom)) { $0 == $1?.bool }
    default:
      return first(try expression.strings(of: layer.tile, layer: layer.index, zoom: zoom)) { value, wanted in
        value.utf8.elementsEqual((wanted?.string ?? "").utf8)
      }
    }
  }

  /// Evaluates the engine's column of a layer.
  public func run(_ expression: CompiledExpression, _ layer: ExpressionCorpus.Layer, zoom: Double) throws {
    switch type {
    case .number: _ = try expression.numbers(of: layer.tile, layer: layer.index, zoom: zoom)
    case .color: _ = try expression.colors(of: layer.tile, layer: layer.index, zoom: zoom)
    case .boolean: _ = try expression.booleans(of: layer.tile, layer: layer.index, zoom: zoom)
    default: _ = try expression.strings(of: layer.tile, layer: layer.index, zoom: zoom)
    }
  }
}
