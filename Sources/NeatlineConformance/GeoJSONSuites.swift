import Neatline

enum GeoJSONVTSuite {
  private static let standard: JSONValue = ["indexMaxZoom": 0, "indexMaxPoints": 10000]

  private static func with(_ key: String, _ value: JSONValue) -> JSONValue {
    var options = standard
    options[key] = value
    return options
  }

  static func cases(_ setting: Setting) -> [Case] {
    let list: [(input: String, expected: String, options: JSONValue)] = [
      ("us-states", "us-states-tiles", ["indexMaxZoom": 7, "indexMaxPoints": 200]),
      ("dateline", "dateline-tiles", standard),
      ("dateline", "dateline-metrics-tiles", with("lineMetrics", true)),
      ("feature", "feature-tiles", standard),
      ("collection", "collection-tiles", standard), ("single-geom", "single-geom-tiles", standard),
      ("ids", "ids-promote-id-tiles", with("promoteId", "prop0")),
      ("ids", "ids-generate-id-tiles", with("generateId", true)),
    ]
    var result = list.map { one in
      Case(name: one.expected) {
        let index = try GeoJSONIndex(
          parsing: Files.read("\(setting.directory)/\(one.input).json"), options: one.options)
        let expected = try JSONValue(parsing: Files.read("\(setting.directory)/\(one.expected).json"))
        if let found = JSONCompare.difference(expected, try index.indexJSON) { throw Failure(found) }
      }
    }
    for name in ["empty", "empty-coords", "feature-null-geometry"] {
      result.append(
        Case(name: name) {
          let index = try GeoJSONIndex(
            parsing: Files.read("\(setting.directory)/\(name).json"), options: standard)
          if let found = JSONCompare.difference([:], try index.indexJSON) { throw Failure(found) }
        })
    }
    result.append(
      Case(name: "us-states-z7-37-48") {
        let index = try GeoJSONIndex(parsing: Files.read("\(setting.directory)/us-states.json"))
        guard let tile = try index.tile(z: 7, x: 37, y: 48) else { throw Failure("no tile") }
        let expected = try JSONValue(parsing: Files.read("\(setting.directory)/us-states-z7-37-48.json"))
        let wanted = JSONValue.array((expected.array ?? []).map { $0.without("id") })
        if let found = JSONCompare.difference(wanted, .array(try features(tile).map { $0.without("id") })) {
          throw Failure(found)
        }
      })
    return result
  }

  /// The features of a tile's only layer, as geojson-vt writes them.
  static func features(_ tile: Tile) throws -> [JSONValue] {
    guard tile.layerCount > 0 else { return [] }
    let layer = try tile.layer(0)
    return try (0..<layer.featureCount).map { feature in
      let type = try layer.type(feature)
      let parts = try layer.parts(feature).map { part -> [JSONValue] in
        let points = part.map { JSONValue.array([.number(Double($0.x)), .number(Double($0.y))]) }
        return type == .polygon ? points + points.prefix(1) : points
      }
      var result: JSONValue = [
        "geometry": .array(type == .point ? parts.flatMap { $0 } : parts.map { .array($0) }),
        "type": .number(Double(type.rawValue)),
        "tags": try layer.properties(feature),
      ]
      if let id = try layer.id(feature) { result["id"] = .number(Double(id)) }
      return result
    }
  }
}

enum SuperclusterSuite {
  static func cases(_ setting: Setting) -> [Case] {
    func index(_ options: JSONValue = ["cluster": true]) throws -> GeoJSONIndex {
      try GeoJSONIndex(parsing: Files.read("\(setting.directory)/places.json"), options: options)
    }
    func compare(_ file: String, _ options: JSONValue) throws {
      let expected =
        try JSONValue(parsing: Files.read("\(setting.directory)/\(file).json"))["features"] ?? .null
      guard let tile = try index(options).tile(z: 0, x: 0, y: 0) else { throw Failure("no tile") }
      if let found = JSONCompare.difference(expected, .array(try GeoJSONVTSuite.features(tile))) {
        throw Failure(found)
      }
    }
    return [
      Case(name: "places-z0-0-0") { try compare("places-z0-0-0", ["cluster": true]) },
      Case(name: "places-z0-0-0-min5") {
        try compare("places-z0-0-0-min5", ["cluster": true, "clusterMinPoints": 5])
      },
      Case(name: "children-sum-up") { try familyAddsUp(try index()) },
      Case(name: "leaves-are-all-points") {
        let index = try index()
        for (id, count) in try clusters(index, zoom: 0) {
          let leaves = try index.leaves(of: id, limit: 10000)
          if leaves.count != count {
            throw Failure("cluster \(id): \(leaves.count) leaves, \(count) expected")
          }
        }
      },
      Case(name: "expansion-zoom-splits") {
        let index = try index()
        for (id, _) in try clusters(index, zoom: 0) {
          let zoom = try index.expansionZoom(of: id)
          if try index.children(of: id).count < 2 && zoom < 17 && zoom < 1 {
            throw Failure("cluster \(id) expands at zoom \(zoom)")
          }
          if try clusters(index, zoom: zoom).contains(where: { $0.0 == id }) {
            throw Failure("cluster \(id) still stands at zoom \(zoom)")
          }
        }
      },
      Case(name: "no-such-cluster") {
        do { _ = try index().children(of: 1 << 40) } catch { return }
        throw Failure("children of a cluster that is none")
      },
    ]
  }

  private static func clusters(_ index: GeoJSONIndex, zoom: Int) throws -> [(UInt64, Int)] {
    try index.clusters(west: -180, south: -90, east: 180, north: 90, zoom: zoom).compactMap { feature in
      guard let id = feature.clusterIdentifier, let count = feature.clusterPointCount else { return nil }
      return (id, count)
    }
  }

  private static func familyAddsUp(_ index: GeoJSONIndex) throws {
    for (id, count) in try clusters(index, zoom: 0) {
      let sum = try index.children(of: id).reduce(0) { $0 + ($1.clusterPointCount ?? 1) }
      if sum != count { throw Failure("cluster \(id): children hold \(sum) points, \(count) expected") }
    }
  }
}
