import NeatBase
import NeatStyle
import NeatTile

/// What one style layer draws of one tile.
package enum LayerBucket: Sendable {
  case fill(FillBucket)
  case line(LineBucket)
  case circle(CircleBucket)
  case extrusion(ExtrusionBucket)
  case symbol(SymbolBucket)

  /// What the bucket reads from when it is drawn.
  var layer: TileLayer {
    switch self {
    case .fill(let fill): fill.layer
    case .line(let line): line.layer
    case .circle(let circle): circle.layer
    case .extrusion(let extrusion): extrusion.layer
    case .symbol(let symbol): symbol.tileLayer
    }
  }

  /// Points of a fill, a line or circles, about; nil of all else.
  fileprivate var pointCount: Int? {
    switch self {
    case .fill(let fill): 8 * fill.features.count
    case .line(let line): line.mesh.vertexCount
    case .circle(let circle): circle.centers.count
    case .extrusion, .symbol: nil
    }
  }
}

/// That a layer has shapes in a tile, and of about how many points.
package struct LayerShapes: Sendable, BitwiseCopyable {
  /// The layer's position in the style.
  package let layer: Int32
  package let pointCount: Int32
}

/// A tile laid out for a style: the buckets of all layers that draw from it at its zoom. Immutable once its
/// symbols are there.
package final class TileLayout: Sendable {
  /// The tile without its copy of the world.
  package let id: OverscaledTileID
  /// By position of the layer in the style.
  package let buckets: [Int: LayerBucket]
  /// Its fills, lines and circles, in the style's order.
  package let shapes: [LayerShapes]

  package init(id: OverscaledTileID, buckets: [Int: LayerBucket]) {
    self.id = id
    self.buckets = buckets
    shapes = buckets.compactMap { place, bucket in
      bucket.pointCount.map { LayerShapes(layer: Int32(clamping: place), pointCount: Int32(clamping: $0)) }
    }.sorted { $0.layer < $1.layer }
  }

  /// Bytes held, about: with the layers that buckets read from, which live as long as these do.
  package var cost: Int {
    var layers: [ObjectIdentifier: TileLayer] = [:]
    for bucket in buckets.values {
      layers[ObjectIdentifier(bucket.layer)] = bucket.layer
    }
    return layers.values.reduce(ownCost) { $0 + $1.byteCount }
  }

  /// The same without those layers.
  package var ownCost: Int {
    buckets.values.reduce(256) { total, bucket in
      switch bucket {
      case .fill(let fill): total + fill.features.count * 40 + 256 + fill.meshes.cost + fill.pattern.cost
      case .line(let line): total + line.cost
      case .extrusion(let extrusion): total + extrusion.cost
      case .symbol(let symbol): total + symbol.cost
      case .circle(let circle): total + circle.centers.count * 40 + 256 + circle.meshes.cost
      }
    }
  }
}
