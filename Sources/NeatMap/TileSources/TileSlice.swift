// Tiles deeper than a vector source goes, cut out of its deepest ones. As MapLibre GL JS does since version
// 6: the data is magnified and clipped to the tile and 128 units around it, so that what is laid out at deep
// zooms stays about as large as the view, and labels find places in it. Lines are cut to the pieces inside;
// rings by Sutherland and Hodgman's method, an axis at a time.
import NeatBase
import NeatCamera
import NeatTile

enum TileSlice {
  /// Units of the source layer's extent kept around the tile.
  static let buffer = 128.0
  /// The deepest zoom that tiles are cut for; past it they are magnified.
  static let maxZoom: UInt8 = 18

  /// The part of an ancestor's data that a tile shows; nil where there is none.
  static func cut(_ tile: VectorTile, from source: TileID, to target: TileID) -> VectorTile? {
    let layers = tile.layers.compactMap { layer in
      var slice = LayerSlice(layer, from: source, to: target)
      return slice.cut()
    }
    return layers.isEmpty ? nil : VectorTile(layers: layers)
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
  private var points: [SIMD2<Int32>] = []
  private var kept: [Int] = []

  init(_ layer: TileLayer, from source: TileID, to target: TileID) {
    self.layer = layer
    scale = Double(UInt64(1) << UInt64(target.z - source.z))
    let extent = Double(layer.extent)
    offset =
      Point(Double(target.x) - Double(source.x) * scale, Double(target.y) - Double(source.y) * scale) * extent
    low = -TileSlice.buffer
    high = extent + TileSlice.buffer
  }

  mutating func cut() -> TileLayer? {
    for feature in 0..<layer.featureCount { add(feature) }
    guard !kept.isEmpty else { return nil }
    return build()
  }

  private mutating func add(_ feature: Int) {
    let before = pointStarts.count
    let type = layer.geometryType(feature)
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
        append(line.filter { $0.x >= low && $0.y >= low && $0.x <= high && $0.y <= high }, least: 1)
      case .line: if isInside { append(line, least: 2) } else { appendClipped(line) }
      default: append(isInside ? line : ring(line), least: 3)
      }
    }
    guard pointStarts.count > before else { return }
    kept.append(feature)
    types.append(layer.types[feature])
    partStarts.append(UInt32(pointStarts.count - 1))
  }

  private func place(_ p: SIMD2<Int32>) -> Point { Point(Double(p.x), Double(p.y)) * scale - offset }

  private mutating func append(_ line: [Point], least: Int) {
    guard line.count >= least else { return }
    for p in line { points.append(SIMD2(Int32(saturating: p.x), Int32(saturating: p.y))) }
    pointStarts.append(UInt32(points.count))
  }

  /// The pieces of a line inside the box.
  private mutating func appendClipped(_ line: [Point]) {
    var piece: [Point] = []
    for index in 1..<max(1, line.count) {
      guard let (a, b) = segment(line[index - 1], line[index]) else { continue }
      if let last = piece.last, last == a {
        piece.append(b)
      } else {
        append(piece, least: 2)
        piece = [a, b]
      }
    }
    append(piece, least: 2)
  }

  private func segment(_ from: Point, _ to: Point) -> (Point, Point)? {
    var (a, b) = (from, to)
    for axis in 0..<2 {
      if a[axis] < low && b[axis] < low { return nil }
      if a[axis] < low {
        a = crossing(a, b, axis, low)
      } else if b[axis] < low {
        b = crossing(a, b, axis, low)
      }
    }
    for axis in 0..<2 {
      if a[axis] >= high && b[axis] >= high { return nil }
      if a[axis] >= high {
        a = crossing(a, b, axis, high)
      } else if b[axis] >= high {
        b = crossing(a, b, axis, high)
      }
    }
    return (a, b)
  }

  private func crossing(_ a: Point, _ b: Point, _ axis: Int, _ value: Double) -> Point {
    let t = (value - a[axis]) / (b[axis] - a[axis])
    var p = a + (b - a) * t
    p[axis] = value
    return p.rounded(.toNearestOrAwayFromZero)
  }

  /// A ring (without closing point) inside the box.
  private func ring(_ line: [Point]) -> [Point] {
    var current = line
    for axis in 0..<2 {
      var next: [Point] = []
      guard var previous = current.last else { return [] }
      for p in current {
        let (a, b) = (previous[axis], p[axis])
        if a < low {
          if b >= low { next.append(crossing(previous, p, axis, low)) }
          if b > high { next.append(crossing(previous, p, axis, high)) }
        } else if a > high {
          if b <= high { next.append(crossing(previous, p, axis, high)) }
          if b < low { next.append(crossing(previous, p, axis, low)) }
        } else if b < low {
          next.append(crossing(previous, p, axis, low))
        } else if b > high {
          next.append(crossing(previous, p, axis, high))
        }
        if b >= low && b <= high, next.last != p { next.append(p) }
        previous = p
      }
      current = next
    }
    return current
  }

  private func build() -> TileLayer {
    let arena = Arena()
    func keep<T: BitwiseCopyable>(_ array: [T]) -> UnsafePointer<T> {
      let target = arena.allocate(T.self, array.count)
      array.withUnsafeBufferPointer {
        if let base = $0.baseAddress { target.update(from: base, count: array.count) }
      }
      return UnsafePointer(target)
    }
    var tagStarts: [UInt32] = [0]
    var tags: [SIMD2<UInt32>] = []
    for feature in kept {
      for tag in Int(layer.tagStarts[feature])..<Int(layer.tagStarts[feature + 1]) {
        tags.append(layer.tags[tag])
      }
      tagStarts.append(UInt32(tags.count))
    }
    var storage = TileLayer.Storage(
      types: keep(types), partStarts: keep(partStarts), pointStarts: keep(pointStarts), points: keep(points),
      values: layer.values,
      tagStarts: keep(tagStarts), tags: keep(tags))
    storage.name = layer.name
    storage.version = layer.version
    storage.extent = layer.extent
    storage.featureCount = kept.count
    storage.partCount = pointStarts.count - 1
    storage.pointCount = points.count
    storage.valueCount = layer.valueCount
    storage.keys = layer.keys
    if let ids = layer.ids, let hasID = layer.hasID {
      storage.ids = keep(kept.map { ids[$0] })
      storage.hasID = keep(kept.map { hasID[$0] })
    }
    storage.owners = [arena, layer]
    return TileLayer(storage)
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
