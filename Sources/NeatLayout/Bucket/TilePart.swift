import NeatBase
import NeatTile

/// The part of a tile that a view looks at, in layout units (`TileUnits`), edges included. What draws outside of
/// it alone need not be laid out for that view.
package struct TilePart: Sendable, Equatable {
  package private(set) var low: SIMD2<Double>
  package private(set) var high: SIMD2<Double>

  package init(low: SIMD2<Double>, high: SIMD2<Double>) {
    assert(low.x <= high.x && low.y <= high.y, "a part ends where it begins, or later")
    (self.low, self.high) = (low, high)
  }

  /// All that lies between the edges of a tile.
  package static let tile = TilePart(low: .zero, high: SIMD2(repeating: TileUnits.extent))

  /// What of it lies between the edges of the tile, in whole units; where nothing does, of the edge.
  package var clamped: TilePart {
    let all = TilePart.tile
    return TilePart(
      low: low.rounded(.down).clamped(lowerBound: all.low, upperBound: all.high),
      high: high.rounded(.up).clamped(lowerBound: all.low, upperBound: all.high))
  }

  package func contains(_ other: TilePart) -> Bool {
    low.x <= other.low.x && low.y <= other.low.y && high.x >= other.high.x && high.y >= other.high.y
  }

  /// The smallest part that holds both.
  package func union(_ other: TilePart) -> TilePart {
    TilePart(low: pointwiseMin(low, other.low), high: pointwiseMax(high, other.high))
  }

  /// With so much more on every side.
  package func grown(by units: Double) -> TilePart { TilePart(low: low - units, high: high + units) }
}

/// A part of a tile in the units of one of its layers.
struct LayerPart {
  private let low, high: SIMD2<Int32>

  init(_ part: TilePart, _ layer: TileLayer) {
    // A unit more, for what is rounded.
    let scale = 1 / Double(layer.layoutScale)
    let (low, high) = (part.low * scale, part.high * scale)
    self.low = SIMD2(
      Int32(saturating: low.x.rounded(.down) - 1), Int32(saturating: low.y.rounded(.down) - 1))
    self.high = SIMD2(
      Int32(saturating: high.x.rounded(.up) + 1), Int32(saturating: high.y.rounded(.up) + 1))
  }

  /// Whether a box, x0, y0, x1, y1, reaches into it.
  @inline(__always) func meets(_ box: SIMD4<Int32>) -> Bool {
    box[0] <= high.x && box[1] <= high.y && box[2] >= low.x && box[3] >= low.y
  }
}

extension TileLayer {
  /// The features that reach into a part of the tile, in tile order.
  func features(in part: TilePart) -> [UInt32] {
    let part = LayerPart(part, self)
    return [UInt32](unsafeUninitializedCapacity: featureCount) { out, count in
      for feature in 0..<featureCount {
        let isInPart = parts(of: feature).contains { part.meets(box(pointRange(ofPart: $0))) }
        // Written always and counted where it is one: no branch to be guessed.
        out[count] = UInt32(truncatingIfNeeded: feature)
        count += isInPart ? 1 : 0
      }
    }
  }
}
