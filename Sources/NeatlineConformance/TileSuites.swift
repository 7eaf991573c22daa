import Glibc
import Neatline

enum MVTSuite {
  static func cases(_ setting: Setting) -> [Case] {
    Files.folders(holding: "tile.mvt", below: setting.directory).map { name in
      Case(name: name) {
        let bytes = try Files.read("\(setting.directory)/\(name)/tile.mvt")
        let isValid =
          try JSONValue(parsing: Files.read("\(setting.directory)/\(name)/info.json"))["validity"]?["v2"]?
          .bool == true
        let tile: Tile
        do { tile = try Tile(decoding: bytes, format: .mvt, isStrict: true) } catch {
          if isValid { throw Failure("a valid tile is refused: \(error)") }
          return
        }
        if !isValid { throw Failure("a tile that is not valid is accepted") }
        let expected = try JSONValue(parsing: Files.read("\(setting.directory)/\(name)/tile.json"))
        try compare(tile, expected["layers"]?.array ?? [])
      }
    }
  }

  private static func compare(_ tile: Tile, _ expected: [JSONValue]) throws {
    let layers = try tile.layers
    guard layers.count == expected.count else {
      throw Failure("\(layers.count) layers, \(expected.count) expected")
    }
    for (layer, json) in zip(layers, expected) {
      if layer.name != json["name"]?.string {
        throw Failure("layer \(layer.name), \(json["name"]?.text ?? "none") expected")
      }
      if Double(layer.extent) != json["extent"]?.number ?? 4096 { throw Failure("extent \(layer.extent)") }
      let keys = try (0..<layer.keyCount).map { JSONValue.string(try layer.key($0)) }
      if let found = JSONCompare.difference(json["keys"] ?? [], .array(keys), at: "keys") {
        throw Failure(found)
      }
      let values = json["values"]?.array ?? []
      guard values.count == layer.valueCount else {
        throw Failure("\(layer.valueCount) values, \(values.count) expected")
      }
      for (index, value) in values.enumerated() { try compare(try layer.value(index), value, index) }
      let features = json["features"]?.array ?? []
      guard features.count == layer.featureCount else {
        throw Failure("\(layer.featureCount) features, \(features.count) expected")
      }
      for (index, feature) in features.enumerated() { try compare(layer, index, feature) }
    }
  }

  private static func compare(_ value: JSONValue, _ expected: JSONValue, _ index: Int) throws {
    let wanted = expected.object?.first?.value ?? .null
    if value == wanted || value.string == wanted.text { return }
    if let a = value.number, let b = wanted.number, abs(a - b) <= abs(b) * 1e-6 { return }
    throw Failure("value \(index): expected \(wanted.text), got \(value.text)")
  }

  private static func compare(_ layer: TileLayer, _ index: Int, _ json: JSONValue) throws {
    let id = try layer.id(index).map { Double($0) }
    if id != json["id"]?.number { throw Failure("feature \(index): id \(id.map { "\($0)" } ?? "none")") }
    let type = try layer.type(index)
    if Double(type.rawValue) != json["type"]?.number ?? 0 { throw Failure("feature \(index): type \(type)") }
    let tags = try layer.tags(index).flatMap { [Double($0.key), Double($0.value)] }
    if tags != json["tags"]?.array?.map({ $0.number ?? -1 }) ?? [] {
      throw Failure("feature \(index): tags \(tags)")
    }
    let wanted = json["geometry"]?.array?.map { UInt32(truncatingIfNeeded: Int64($0.number ?? -1)) } ?? []
    let found = try commands(layer, index)
    if found != wanted {
      throw Failure("feature \(index): geometry \(found.prefix(20)), \(wanted.prefix(20)) expected")
    }
  }

  /// The geometry as the commands of the format.
  private static func commands(_ layer: TileLayer, _ index: Int) throws -> [UInt32] {
    var result: [UInt32] = []
    var last = SIMD2<Int32>(0, 0)
    func add(_ point: SIMD2<Int32>) {
      let delta = point &- last
      last = point
      for value in [delta.x, delta.y] { result.append(UInt32(bitPattern: (value &<< 1) ^ (value &>> 31))) }
    }
    let type = try layer.type(index)
    for part in try layer.parts(index) {
      let moves = min(part.count, type == .point ? part.count : 1)
      result.append(UInt32(moves) << 3 | 1)
      part[..<moves].forEach(add)
      if part.count > moves { result.append(UInt32(part.count - moves) << 3 | 2) }
      part[moves...].forEach(add)
      if type == .polygon { result.append(15) }
    }
    return result
  }
}

enum MLTSuite {
  static func cases(_ setting: Setting) -> [Case] {
    var result: [Case] = []
    for folder in Files.list(setting.directory + "/synthetic") {
      for file in Files.list("\(setting.directory)/synthetic/\(folder)") where file.hasSuffix(".mlt") {
        let name = "synthetic/\(folder)/\(file.dropLast(4))"
        result.append(Case(name: name) { try synthetic("\(setting.directory)/\(name)") })
      }
    }
    for folder in ["bing", "simple"] {
      for file in Files.list("\(setting.directory)/expected/tag0x01/\(folder)") where file.hasSuffix(".mlt") {
        let name = "\(folder)/\(file.dropLast(4))"
        result.append(Case(name: name) { try pair(setting.directory, name) })
      }
    }
    return result
  }

  private static func synthetic(_ path: String) throws {
    let tile = try Tile(decoding: Files.read(path + ".mlt"), format: .mlt)
    let expected = try JSONValue(parsing: Files.read(path + ".json"))["features"]?.array ?? []
    var index = 0
    for layer in try tile.layers {
      for feature in 0..<layer.featureCount {
        guard index < expected.count else {
          throw Failure("more features than the \(expected.count) expected")
        }
        try compare(layer, feature, expected[index], index)
        index += 1
      }
    }
    if index != expected.count { throw Failure("\(index) features, \(expected.count) expected") }
  }

  /// Whether the property counts: a null one must be absent.
  private static func compareProperty(_ found: JSONValue?, _ key: String, _ wanted: JSONValue, _ index: Int)
    throws -> Bool
  {
    if wanted.isNull {
      if found != nil { throw Failure("feature \(index): \(key) is null") }
      return false
    }
    if !isEqual(found, wanted) {
      throw Failure("feature \(index): \(key): \(found?.text ?? "none"), \(wanted.text) expected")
    }
    return true
  }

  // Swift 6.3.1's optimiser dies on this function (copy propagation), so it is left as written.
  @_optimize(none)
  private static func compare(_ layer: TileLayer, _ feature: Int, _ json: JSONValue, _ index: Int) throws {
    if try layer.id(feature).map({ Double($0) }) != json["id"]?.number {
      throw Failure("feature \(index): id")
    }
    let properties = try layer.properties(feature)
    var count = 0
    for member in json["properties"]?.object ?? [] {
      switch member.key {
      case "_layer": if layer.name != member.value.string { throw Failure("layer \(layer.name)") }
      case "_extent":
        if Double(layer.extent) != member.value.number { throw Failure("extent \(layer.extent)") }
      default:
        if try compareProperty(properties[member.key], member.key, member.value, index) { count += 1 }
      }
    }
    if properties.object?.count != count { throw Failure("feature \(index): more properties than expected") }
    let geometry = json["geometry"] ?? .null
    if !isGeometry(try layer.parts(feature), geometry) {
      throw Failure("feature \(index): geometry of a \(geometry["type"]?.string ?? "none")")
    }
  }

  @inline(never)
  private static func isGeometry(_ found: [[SIMD2<Int32>]], _ geometry: JSONValue) -> Bool {
    let coordinates = geometry["coordinates"] ?? []
    let elements = coordinates.array ?? []
    let type = geometry["type"]?.string ?? ""
    if type == "Point" { return found == [[point(coordinates)]] }
    if type == "MultiPoint" || type == "LineString" { return found == [points(coordinates)] }
    if type == "MultiLineString" { return found == elements.map(points) }
    if type == "Polygon" { return areRings(found, elements) }
    return areRings(found, elements.flatMap { $0.array ?? [] })
  }

  private static func isEqual(_ found: JSONValue?, _ wanted: JSONValue) -> Bool {
    guard let found else { return false }
    if found == wanted { return true }
    switch (found, wanted) {
    case (.array(let a), .array(let b)):
      return a.count == b.count
        && zip(a, b).allSatisfy { isEqual($0, $1) || $0.isNull && isNoNumberOfJSON($1) }
    case (.object(let a), .object(let b)):
      return a.count == b.count
        && b.allSatisfy {
          isEqual(found[$0.key], $0.value) || found[$0.key]?.isNull == true && isNoNumberOfJSON($0.value)
        }
    default: break
    }
    guard let number = found.number else { return false }
    switch wanted.string {
    case "f32::NAN", "f64::NAN": return number.isNaN
    case "f32::INFINITY", "f64::INFINITY": return number == .infinity
    case "f32::NEG_INFINITY", "f64::NEG_INFINITY": return number == -.infinity
    default: return wanted.number.map { Float($0) == Float(number) } ?? false
    }
  }

  /// Nested properties are JSON, in which these are null.
  private static func isNoNumberOfJSON(_ wanted: JSONValue) -> Bool {
    ["f32::NAN", "f64::NAN", "f32::INFINITY", "f64::INFINITY", "f32::NEG_INFINITY", "f64::NEG_INFINITY"]
      .contains(wanted.string)
  }

  /// Rings may have been turned round.
  private static func areRings(_ found: [[SIMD2<Int32>]], _ expected: [JSONValue]) -> Bool {
    guard found.count == expected.count else { return false }
    return zip(found, expected).allSatisfy { ring, json in
      let wanted = Array(points(json).dropLast())
      return ring == wanted || ring == wanted.prefix(1) + wanted.dropFirst().reversed()
    }
  }

  private static func point(_ json: JSONValue) -> SIMD2<Int32> {
    SIMD2(Int32(json[0]?.number ?? 0), Int32(json[1]?.number ?? 0))
  }

  private static func points(_ json: JSONValue) -> [SIMD2<Int32>] { (json.array ?? []).map(point) }

  /// The same tile as MLT and as MVT; features may have been sorted.
  private static func pair(_ directory: String, _ name: String) throws {
    let mlt = try Tile(decoding: Files.read("\(directory)/expected/tag0x01/\(name).mlt"), format: .mlt)
    let mvt = try Tile(decoding: Files.read("\(directory)/fixtures/\(name).mvt"), format: .mvt)
    let originals = try mvt.layers.filter { $0.featureCount > 0 }
    let layers = try mlt.layers
    guard layers.map(\.name).sorted() == originals.map(\.name).sorted() else {
      throw Failure("layers \(layers.map(\.name))")
    }
    for layer in layers {
      guard let original = originals.first(where: { $0.name == layer.name }) else { continue }
      guard layer.featureCount == original.featureCount, layer.pointCount == original.pointCount else {
        throw Failure("\(layer.name): \(layer.featureCount) features of \(layer.pointCount) points")
      }
      if try summary(layer) != summary(original) { throw Failure("\(layer.name): features differ") }
    }
  }

  private static func summary(_ layer: TileLayer) throws -> [String] {
    try (0..<layer.featureCount).map { feature in
      var text = "\(try layer.type(feature))"
      for part in try layer.parts(feature) {
        text += " " + part.map { "\($0.x),\($0.y)" }.sorted().joined(separator: " ")
      }
      let properties = try layer.properties(feature).object ?? []
      text += properties.map { "\($0.key)=\($0.value.number.map { "\(Float($0))" } ?? $0.value.text)" }
        .sorted().joined(separator: " ")
      return text
    }.sorted()
  }
}
