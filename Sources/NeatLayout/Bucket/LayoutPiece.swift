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
  /// What of the tile its layers are laid out in: the parts of all of them; nil: all of the tile.
  fileprivate(set) var part: TilePart?
  /// The features that reach into the part, and perhaps more; nil: all.
  fileprivate(set) var candidates: [UInt32]?

  /// How long it may take beside other pieces, so that the longest can begin first.
  package var weight: Int {
    (candidates?.count ?? data.featureCount) * (isOfSymbols ? LayoutPiece.symbolWeight : layers.count)
  }

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
      let part = isOfSymbols ? nil : input.parts[index]
      if !isOfSymbols {
        let choice = FeatureChoice(layer, data, isInPart: part != nil)
        if let place = places[choice] {
          pieces[place].layers.append(index)
          if let part { pieces[place].part = pieces[place].part?.union(part) }
          continue
        }
        places[choice] = pieces.count
      }
      pieces.append(LayoutPiece(layers: [index], data: data, isOfSymbols: isOfSymbols, part: part))
    }
    TileLayouter.findCandidates(&pieces)
    return pieces
  }

  /// Looks once at where the features of a tile's layer lie, for all pieces that they are laid out for.
  private static func findCandidates(_ pieces: inout [LayoutPiece]) {
    var parts: [ObjectIdentifier: TilePart] = [:]
    for piece in pieces {
      guard let part = piece.part else { continue }
      let data = ObjectIdentifier(piece.data)
      parts[data] = parts[data]?.union(part) ?? part
    }
    guard !parts.isEmpty else { return }
    var candidates: [ObjectIdentifier: [UInt32]] = [:]
    for index in pieces.indices where pieces[index].part != nil {
      let data = ObjectIdentifier(pieces[index].data)
      if candidates[data] == nil, let part = parts[data] {
        candidates[data] = pieces[index].data.features(in: part)
      }
      pieces[index].candidates = candidates[data]
    }
  }
}

/// Which features a layer draws: those of a tile's layer that pass a filter, in all of the tile or a part of it.
/// Layers with filters that read the same share one (`Style.layers`).
struct FeatureChoice: Hashable {
  let filter: ObjectIdentifier?
  let data: ObjectIdentifier
  let isInPart: Bool

  init(_ layer: StyleLayer, _ data: TileLayer, isInPart: Bool) {
    filter = layer.filter.map(ObjectIdentifier.init)
    self.data = ObjectIdentifier(data)
    self.isInPart = isInPart
  }
}
