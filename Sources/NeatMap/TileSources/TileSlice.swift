// Tiles deeper than a vector source goes, cut out of its deepest ones. As MapLibre GL JS does since version
// 6: the data is magnified and clipped to the tile and 128 units around it, so that what is laid out at deep
// zooms stays about as large as the view, and labels find places in it. Lines and rings are clipped an axis at
// a time, without rounding. What is laid out is then rounded to layout units. What queries answer has gone
// through a tile's encoding, which keeps steps between points and cuts what a step has after the point: after
// a point on the tile's edge that is no whole number, all points of the feature may stand a unit beside.
import NeatBase
import NeatCamera
import NeatTile

enum TileSlice {
  /// Units of the source layer's extent kept around the tile.
  static let buffer = 128.0
  /// The deepest zoom that tiles are cut for; past it they are magnified.
  static let maxZoom: UInt8 = 18

  /// The part of an ancestor's data that a tile shows; nil where there is none. Layers that the ancestor has
  /// not read are cut when they are asked for.
  static func cut(_ tile: VectorTile, from source: TileID, to target: TileID) -> VectorTile? {
    let entries = tile.entries.compactMap { entry -> VectorTile.Entry? in
      switch entry {
      case .read(let layer):
        var slice = LayerSlice(layer, from: source, to: target)
        return slice.cut().map(VectorTile.Entry.read)
      case .unread(let layer):
        // The ancestor has been counted with what it will take; of that, a part.
        let cost = layer.byteCount >> min(2 * Int(target.z - source.z), 16)
        return .unread(
          UnreadLayer(name: layer.name, byteCount: cost) { () throws(NeatError) in
            guard let whole = try layer.read() else { return nil }
            var slice = LayerSlice(whole, from: source, to: target)
            return slice.cut()
          })
      }
    }
    return entries.isEmpty ? nil : VectorTile(entries: entries, faults: tile.faults)
  }
}

/// One layer's cut. Values and keys stay those of the source layer.
private struct LayerSlice {
  typealias Point = SIMD2<Double>

  let layer: TileLayer
  let scale: Double
  let offset: Point
  let low: Double
  let high: Double
  private var types: [UInt8] = []
  private var partStarts: [UInt32] = [0]
  private var pointStarts: [UInt32] = [0]
  /// In layout units.
  private var points: [SIMD2<Int32>] = []
  /// The same as queries answer them, in units of the source layer's extent.
  private var answers: [SIMD2<Int32>] = []
  private var kept: [Int] = []
  private let layoutScale: Double
  private var clipper: AxisClipper

  init(_ layer: TileLayer, from source: TileID, to target: TileID) {
    self.layer = layer
    scale = Double(UInt64(1) << UInt64(target.z - source.z))
    let extent = Double(layer.extent)
    offset =
      Point(Double(target.x) - Double(source.x) * scale, Double(target.y) - Double(source.y) * scale) * extent
    low = -TileSlice.buffer
    high = extent + TileSlice.buffer
    layoutScale = TileUnits.extent / max(1, extent)
    clipper = AxisClipper(low: low, high: high)
  }

  mutating func cut() -> TileLayer? {
    for feature in 0..<layer.featureCount { add(feature) }
    guard !kept.isEmpty else { return nil }
    return build()
  }

  private mutating func add(_ feature: Int) {
    let before = pointStarts.count
    let type = layer.geometryType(feature)
    // Steps are counted from the last point of the feature's part before.
    var last = Point.zero
    var encoded = SIMD2<Int32>.zero
    for part in layer.parts(of: feature) {
      let range = layer.pointRange(ofPart: part)
      guard let first = range.first else { continue }
      var (least, most) = (layer.points[first], layer.points[first])
      for index in range {
        (least, most) = (pointwiseMin(least, layer.points[index]), pointwiseMax(most, layer.points[index]))
      }
      let (a, b) = (place(least), place(most))
      if b.x < low || b.y < low || a.x > high || a.y > high { continue }
      let isInside = a.x >= low && a.y >= low && b.x <= high && b.y <= high
      let line = range.map { place(layer.points[$0]) }
      switch type {
      case .point:
        append(
          line.filter { $0.x >= low && $0.y >= low && $0.x <= high && $0.y <= high }, least: 1, &last,
          &encoded)
      case .line:
        for piece in isInside ? [line] : clipper.pieces(line) { append(piece, least: 2, &last, &encoded) }
      default: append(isInside ? line : clipper.ring(line), least: 3, &last, &encoded)
      }
    }
    guard pointStarts.count > before else { return }
    kept.append(feature)
    types.append(layer.types[feature])
    partStarts.append(UInt32(pointStarts.count - 1))
  }

  private func place(_ p: SIMD2<Int32>) -> Point { Point(Double(p.x), Double(p.y)) * scale - offset }

  private mutating func append(
    _ line: [Point], least: Int, _ last: inout Point, _ encoded: inout SIMD2<Int32>
  ) {
    guard line.count >= least else { return }
    for p in line {
      let place = p * layoutScale + 0.5
      points.append(
        SIMD2(Int32(saturating: place.x.rounded(.down)), Int32(saturating: place.y.rounded(.down))))
      let step = p - last
      encoded &+= SIMD2(Int32(saturating: step.x), Int32(saturating: step.y))
      last = p
      answers.append(encoded)
    }
    pointStarts.append(UInt32(points.count))
  }

  private func build() -> TileLayer {
    var tagStarts: [UInt32] = [0]
    var tags: [SIMD2<UInt32>] = []
    for feature in kept {
      for tag in Int(layer.tagStarts[feature])..<Int(layer.tagStarts[feature + 1]) {
        tags.append(layer.tags[tag])
      }
      tagStarts.append(UInt32(tags.count))
    }
    func size<T: BitwiseCopyable>(_ array: [T]) -> Int { array.count * MemoryLayout<T>.stride }
    let ids = layer.ids.map { ids in kept.map { ids[$0] } }
    let hasID = layer.hasID.map { hasID in kept.map { hasID[$0] } }
    // Slices are small and many: one block each, without room for more.
    let arena = Arena(for: [
      size(types), size(partStarts), size(pointStarts), size(points), size(answers), size(tagStarts),
      size(tags), size(ids ?? []), size(hasID ?? []),
    ])
    func keep<T: BitwiseCopyable>(_ array: [T]) -> UnsafePointer<T> {
      let target = arena.allocate(T.self, array.count)
      array.withUnsafeBufferPointer {
        if let base = $0.baseAddress { target.update(from: base, count: array.count) }
      }
      return UnsafePointer(target)
    }
    var storage = TileLayer.Storage(
      types: keep(types), partStarts: keep(partStarts), pointStarts: keep(pointStarts), points: keep(points),
      values: layer.values,
      tagStarts: keep(tagStarts), tags: keep(tags))
    storage.name = layer.name
    storage.version = layer.version
    storage.extent = UInt32(saturating: TileUnits.extent)
    storage.answers = (keep(answers), layer.extent)
    storage.featureCount = kept.count
    storage.partCount = pointStarts.count - 1
    storage.pointCount = points.count
    storage.valueCount = layer.valueCount
    storage.keys = layer.keys
    if let ids, let hasID {
      storage.ids = keep(ids)
      storage.hasID = keep(hasID)
    }
    storage.owners = [arena, layer]
    return TileLayer(storage)
  }
}

/// Clips lines and rings to a square, an axis at a time.
private struct AxisClipper {
  typealias Point = SIMD2<Double>

  let low: Double
  let high: Double

  /// The pieces of a line inside.
  func pieces(_ line: [Point]) -> [[Point]] {
    var result: [[Point]] = []
    cut(line, axis: 0) { piece in cut(piece, axis: 1) { result.append($0) } }
    return result
  }

  private func cut(_ line: [Point], axis: Int, _ body: ([Point]) -> Void) {
    guard let end = line.last else { return }
    var piece: [Point] = []
    for index in 1..<line.count {
      if add(line[index - 1], line[index], axis, &piece) {
        body(piece)
        piece = []
      }
    }
    if end[axis] >= low && end[axis] <= high { piece.append(end) }
    if !piece.isEmpty { body(piece) }
  }

  /// What of a ring (without closing point) is inside, without closing point.
  func ring(_ ring: [Point]) -> [Point] {
    var current = ring
    for axis in 0..<2 {
      guard let first = current.first else { return [] }
      var next: [Point] = []
      next.reserveCapacity(current.count + 4)
      for index in 1..<current.count { _ = add(current[index - 1], current[index], axis, &next) }
      _ = add(current[current.count - 1], first, axis, &next)
      // The closing point is another's copy, or is met by the ring's beginning.
      if next.count > 1, next.first == next.last, !(first[axis] >= low && first[axis] <= high) {
        next.removeLast()
      }
      current = next
    }
    return current
  }

  /// Adds where a segment begins inside or crosses a border; whether it left.
  private func add(_ a: Point, _ b: Point, _ axis: Int, _ piece: inout [Point]) -> Bool {
    let (from, to) = (a[axis], b[axis])
    if from < low {
      if to > low { piece.append(crossing(a, b, axis, low)) }
    } else if from > high {
      if to < high { piece.append(crossing(a, b, axis, high)) }
    } else {
      piece.append(a)
    }
    var hasLeft = false
    if to < low, from >= low {
      piece.append(crossing(a, b, axis, low))
      hasLeft = true
    }
    if to > high, from <= high {
      piece.append(crossing(a, b, axis, high))
      hasLeft = true
    }
    return hasLeft
  }

  private func crossing(_ a: Point, _ b: Point, _ axis: Int, _ value: Double) -> Point {
    let t = (value - a[axis]) / (b[axis] - a[axis])
    var p = a + (b - a) * t
    p[axis] = value
    return p
  }
}

extension SourceState {
  /// Whether tiles past the source's own depth are cut out of its deepest ones.
  var isSliced: Bool {
    switch spec.kind {
    case .vector, .custom: tileSet.maxZoom < TileSlice.maxZoom
    default: false
    }
  }

  /// The tile whose bytes a tile is made from: the same, or its ancestor at the source's own depth.
  func loadable(_ tile: TileID) -> TileID {
    isSliced && tile.z > tileSet.maxZoom ? tile.ancestor(tile.z - tileSet.maxZoom) : tile
  }
}
