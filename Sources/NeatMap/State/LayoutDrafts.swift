import NeatBase
import NeatLayout
import NeatTile

/// What is laid out of a tile while glyphs of it are to come: all but the texts themselves.
struct LayoutDraft: Sendable {
  let tile: VectorTile
  /// The layers that were laid out, by their places in the style; nil: all of the source.
  let layers: Set<Int>?
  /// What of the tile its lines and fills are laid out in.
  let areas: [Int: TilePart]
  let parts: LayoutParts
}

/// The parts of a tile's layout that no glyph changes.
struct LayoutParts: Sendable {
  var buckets: [Int: LayerBucket] = [:]
  var faults: [Int: NeatError] = [:]
  /// By the layer's place in the style, rising.
  var requests: [(index: Int, request: SymbolLayoutRequest)] = []
  var layerCount = 0
  /// Layers for which there was no time or no budget left, by their places in the style.
  var unfinished: Set<Int> = []
  /// Expressions that went past a budget, by their layers' places in the style.
  var overruns: [Int: [PropertyOverrun]] = [:]
}

/// The drafts of one picture, from the round that asks for glyphs to the one that has them. Not for use on
/// several threads at a time.
package final class LayoutDrafts {
  /// Of the state that they were made from, and of its sources.
  private var generation: UInt64 = 0
  private var sourceGenerations: [String: UInt64] = [:]
  private var drafts: [LayoutKey: LayoutDraft] = [:]

  package init() {}

  /// Drops what was made from another state.
  func begin(generation: UInt64, sourceGenerations: [String: UInt64]) {
    guard self.generation != generation || self.sourceGenerations != sourceGenerations else { return }
    drafts = [:]
    (self.generation, self.sourceGenerations) = (generation, sourceGenerations)
  }

  func keep(_ draft: LayoutDraft, for key: LayoutKey) { drafts[key] = draft }

  /// What is there of the same layers of the same tile, laid out in the same parts of it.
  func take(_ key: LayoutKey, _ tile: VectorTile, _ layers: Set<Int>?, in areas: [Int: TilePart])
    -> LayoutParts?
  {
    guard let draft = drafts.removeValue(forKey: key), draft.tile === tile, draft.layers == layers,
      draft.areas == areas
    else { return nil }
    return draft.parts
  }
}
