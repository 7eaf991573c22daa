import NeatBase
import NeatStyle
import NeatTile

/// A part of laying out a tile that one thread does: a symbol layer, or the layers that draw the same
/// features in other ways (a road and its casing), which are looked for once.
package struct LayoutPiece: Sendable {
  /// By position in the style; at least one.
  package fileprivate(set) var layers: [Int]
  package let data: TileLayer
  package let isOfSymbols: Bool

  /// How long it may take beside other pieces, so that the longest can begin first.
  package var weight: Int { data.featureCount * (isOfSymbols ? LayoutPiece.symbolWeight : layers.count) }

  /// Texts are put together, and lines are merged.
  private static let symbolWeight = 8
}

extension TileLayouter {
  /// All there is to lay out: pieces that any number of threads may work on, each with a layouter of its own.
  /// - Parameter faults: is given why layers have no data, by position in the style.
  package func pieces(_ faults: inout [Int: NeatError]) -> [LayoutPiece] {
    var pieces: [LayoutPiece] = []
    var places: [FeatureChoice: Int] = [:]
    for (index, layer) in layers() {
      let data: TileLayer
      do throws(NeatError) {
        guard let found = try self.data(for: layer) else { continue }
        data = found
      } catch {
        faults[index] = error
        continue
      }
      let isOfSymbols = layer.type == .symbol
      if !isOfSymbols {
        let choice = FeatureChoice(layer, data)
        if let place = places[choice] {
          pieces[place].layers.append(index)
          continue
        }
        places[choice] = pieces.count
      }
      pieces.append(LayoutPiece(layers: [index], data: data, isOfSymbols: isOfSymbols))
    }
    return pieces
  }
}

/// Which features a layer draws: those of a tile's layer that pass a filter. Layers with filters that read
/// the same share one (`Style.layers`).
struct FeatureChoice: Hashable {
  let filter: ObjectIdentifier?
  let data: ObjectIdentifier

  init(_ layer: StyleLayer, _ data: TileLayer) {
    filter = layer.filter.map(ObjectIdentifier.init)
    self.data = ObjectIdentifier(data)
  }
}
