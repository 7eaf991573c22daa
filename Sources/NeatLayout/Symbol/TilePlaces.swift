import NeatBase
import NeatTile

/// The points of a tile's layer in tile units, rounded and bounded as vertices are: to a tile more on either
/// side. What is there of a feature are its parts that have points.
struct TilePlaces {
  private let layer: TileLayer
  private let scale: Double
  /// Most extents divide that of the layout.
  private let isWhole: Bool
  private static let limit = SIMD2(repeating: TileUnits.extent * 2)

  init(_ layer: TileLayer) {
    self.layer = layer
    scale = TileUnits.extent / Double(max(1, layer.extent))
    isWhole = scale == scale.rounded()
  }

  private func place(_ point: Int) -> SIMD2<Double> {
    let p = layer.points[point]
    var place = SIMD2(Double(p.x), Double(p.y)) * scale
    if !isWhole { place = SIMD2(place.x.rounded(), place.y.rounded()) }
    return pointwiseMin(pointwiseMax(place, -TilePlaces.limit), TilePlaces.limit)
  }

  /// A point in whole units, as all are.
  func whole(_ point: Int) -> SIMD2<Int32> {
    let place = place(point)
    return SIMD2(Int32(saturating: place.x), Int32(saturating: place.y))
  }

  func hasPoints(_ feature: Int) -> Bool { !layer.pointRange(of: feature).isEmpty }

  /// The points of a feature's first line; empty where it has none.
  func firstLine(of feature: Int) -> Range<Int> {
    for part in layer.parts(of: feature) {
      let range = layer.pointRange(ofPart: part)
      if !range.isEmpty { return range }
    }
    return 0..<0
  }

  func lines(of feature: Int) -> [[SIMD2<Double>]] {
    let parts = layer.parts(of: feature)
    var lines: [[SIMD2<Double>]] = []
    lines.reserveCapacity(parts.count)
    for part in parts {
      let range = layer.pointRange(ofPart: part)
      guard !range.isEmpty else { continue }
      lines.append(
        [SIMD2<Double>](unsafeUninitializedCapacity: range.count) { line, count in
          for point in range {
            line.initializeElement(at: count, to: place(point))
            count += 1
          }
        })
    }
    return lines
  }

  /// The first lines of features that each begin where the one before ends, as one line.
  func line(_ features: ArraySlice<UInt32>) -> [SIMD2<Double>] {
    var line: [SIMD2<Double>] = []
    line.reserveCapacity(features.reduce(0) { $0 + firstLine(of: Int($1)).count })
    for feature in features {
      let range = firstLine(of: Int(feature))
      for point in line.isEmpty ? range : range.dropFirst() { line.append(place(point)) }
    }
    return line
  }
}
