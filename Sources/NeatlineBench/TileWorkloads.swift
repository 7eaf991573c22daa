import Neatline

extension Bench {
  /// Decoding of vector tiles: all geometry, all properties.
  func mvt() throws {
    let tiles = try tiles()
    let total = tiles.reduce(0) { $0 + $1.bytes.count }
    try throughput("all", amount: Double(total) / 1e6, "MB/s", operations: tiles.count) {
      for tile in tiles { _ = try Tile(decoding: tile.bytes, format: .mvt) }
    }
    try lazyOpen(tiles)
    for tile in tiles {
      try throughput(tile.name, amount: Double(tile.bytes.count) / 1e6, "MB/s") {
        _ = try Tile(decoding: tile.bytes, format: .mvt)
      }
    }
  }

  /// Opening of the heavy tiles: names and counts of all layers, and one property of all features of the
  /// largest layer.
  private func lazyOpen(_ tiles: [(name: String, bytes: [UInt8])]) throws {
    let total = tiles.reduce(0) { $0 + $1.bytes.count }
    // The property that most features have, found outside the time that is measured.
    let keys = try tiles.map { source in
      let tile = try Tile(opening: source.bytes, format: .mvt)
      let layer = try Bench.largest(tile)
      let columns = try tile.layer(layer)
      var best = (key: "", count: -1)
      for key in try (0..<columns.keyCount).map({ try columns.key($0) }) {
        let count = try tile.property(key, ofLayer: layer).count { $0 != .null }
        if count > best.count { best = (key, count) }
      }
      return best
    }
    func read(_ tile: Tile, _ key: (key: String, count: Int)) throws {
      var names = 0
      for index in 0..<tile.layerCount { names += try tile.layerInfo(index).name.utf8.count }
      let property = try tile.property(key.key, ofLayer: Bench.largest(tile))
      var found = 0
      for feature in 0..<property.count where property.isPresent(feature) { found += 1 }
      if found != key.count || names == 0 {
        throw BenchError("\(found) features with \(key.key), \(key.count) expected")
      }
    }
    try throughput("lazy-open", amount: Double(total) / 1e6, "MB/s", operations: tiles.count) {
      for (tile, key) in zip(tiles, keys) {
        try tile.bytes.withUnsafeBufferPointer { try read(Tile(unsafelyBorrowing: $0, format: .mvt), key) }
      }
    }
    try throughput("lazy-open, bytes copied", amount: Double(total) / 1e6, "MB/s", operations: tiles.count) {
      for (tile, key) in zip(tiles, keys) { try read(Tile(opening: tile.bytes, format: .mvt), key) }
    }
  }

  /// The layer with most features.
  private static func largest(_ tile: Tile) throws -> Int {
    var largest = 0
    var count = -1
    for index in 0..<tile.layerCount {
      let features = try tile.layerInfo(index).featureCount
      if features > count { (largest, count) = (index, features) }
    }
    return largest
  }

  /// Triangulation of all polygons and tessellation of all lines of the tiles.
  func mesh() throws {
    var polygons: [[[SIMD2<Double>]]] = []
    var lines: [[SIMD2<Float>]] = []
    for source in try tiles() {
      for layer in try Tile(decoding: source.bytes).layers {
        for feature in 0..<layer.featureCount {
          switch try layer.type(feature) {
          case .line: lines += try layer.parts(feature).map { $0.map { SIMD2(Float($0.x), Float($0.y)) } }
          case .polygon: polygons += Bench.polygons(try layer.parts(feature))
          default: break
          }
        }
      }
    }
    let tiles = try tiles().map { try Tile(decoding: $0.bytes) }
    try latency("polygons of the 13 tiles, by layers") {
      for tile in tiles { for layer in 0..<tile.layerCount { _ = try tile.triangulate(layer: layer) } }
    }
    for name in ["water-huge", "water-huge2", "water-huge3"] {
      // The fixtures of the triangulation suite lie beside the data pack.
      guard let text = try? Platform.read("\(data)/../conformance/earcut/fixtures/\(name).json") else {
        continue
      }
      let rings = (try JSONValue(parsing: text).array ?? []).map { ring in
        (ring.array ?? []).map { SIMD2($0[0]?.number ?? 0, $0[1]?.number ?? 0) }
      }
      try latency(name) { _ = try triangulate(rings) }
    }
    let triangles = try polygons.reduce(0) { $0 + (try triangulate($1)).count / 3 }
    try throughput("triangulate", amount: Double(triangles), "triangles/s", operations: polygons.count) {
      for polygon in polygons { _ = try triangulate(polygon) }
    }
    let points = lines.reduce(0) { $0 + $1.count }
    var options = LineOptions()
    options.join = .round
    options.cap = .round
    try throughput("lines", amount: Double(points), "points/s", operations: lines.count) {
      for line in lines { _ = try tessellateLine(line, options: options) }
    }
  }

  /// Rings by polygon: a ring with the first one's orientation starts another.
  private static func polygons(_ rings: [[SIMD2<Int32>]]) -> [[[SIMD2<Double>]]] {
    var result: [[[SIMD2<Double>]]] = []
    for ring in rings {
      let points = ring.map { SIMD2(Double($0.x), Double($0.y)) }
      var area = 0.0
      for (index, point) in points.enumerated() {
        let next = points[index + 1 == points.count ? 0 : index + 1]
        area += point.x * next.y - next.x * point.y
      }
      if area > 0 || result.isEmpty {
        result.append([points])
      } else {
        result[result.count - 1].append(points)
      }
    }
    return result
  }

  /// 20,000 labels into a grid of a screen.
  func collision() throws {
    var random = Random(7)
    let boxes = (0..<20_000).map { _ in
      (random.next(0...1000), random.next(0...1000), random.next(10...90), random.next(8...20))
    }
    try throughput("boxes-20000", amount: 20_000, "boxes/s", operations: 20_000) {
      let index = try CollisionIndex(width: 1100, height: 1100)
      for box in boxes { _ = try index.placeBox(x0: box.0, y0: box.1, x1: box.0 + box.2, y1: box.1 + box.3) }
    }
  }
}
