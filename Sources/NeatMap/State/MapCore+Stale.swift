import NeatBase
import NeatLayout
import NeatStyle

// What a change makes stale, and no more: layers of tiles that are laid out anew by the next view that shows
// them. They are drawn from as they are until then.
extension MapCore.State {
  /// The layers of a tile whose symbols' notes are as asked for.
  mutating func staleLayouts(where isStale: (LayerNotes) -> Bool) {
    staleLayouts { _, entry in entry.notes.filter { isStale($0.value) }.map(\.key) }
  }

  /// Layers of the style in all tiles.
  mutating func staleLayers(where isStale: (StyleLayer) -> Bool) {
    let layers = style.document.layers.enumerated().filter { isStale($0.element) }
    guard !layers.isEmpty else { return }
    staleLayouts { key, _ in layers.filter { $0.element.source == key.source }.map(\.offset) }
  }

  /// One layer in the tiles of a source.
  mutating func staleLayer(_ layer: Int, of source: String) {
    staleLayouts { key, _ in key.source == source ? [layer] : [] }
  }

  /// What names images, or looks at which there are: those of a sprite came or went.
  mutating func staleLayersOfImages() {
    staleLayouts { !$0.images.isEmpty }
    staleLayers(where: \.isImageDependent)
  }

  /// What names an image that came or went, or looks at which images there are.
  mutating func staleLayers(naming image: String) {
    let looking = style.document.layers.enumerated().filter(\.element.isImageDependent)
    staleLayouts { key, entry in
      looking.filter { $0.element.source == key.source }.map(\.offset)
        + entry.notes.filter { $0.value.images.contains(image) }.map(\.key)
    }
  }

  private mutating func staleLayouts(_ stale: (LayoutKey, LayoutEntry) -> [Int]) {
    layouts.generation += 1
    for key in layouts.entries.keys {
      guard let entry = layouts.entries[key] else { continue }
      let layers = stale(key, entry)
      guard !layers.isEmpty else { continue }
      layouts.entries.change(key) { entry in for layer in layers { entry.makeStale(layer) } }
    }
  }

  /// Takes the layers of a changed style.
  mutating func changeLayers(from old: Style, to new: Style) {
    let change = LayerChange(from: old.layers, to: new.layers)
    guard !change.isNone else { return }
    layouts.generation += 1
    for key in layouts.entries.keys {
      guard let entry = layouts.entries[key] else { continue }
      let changed = change.applied(to: entry, source: key.source)
      layouts.entries.change(key) { $0 = changed }
      layouts.entries.setCost(changed.layout.cost, of: key)
    }
  }

  /// A source's data changed: its tiles are laid out anew, all or those that it touched.
  mutating func dropLayouts(of source: String, where isStale: (TileID) -> Bool = { _ in true }) {
    layouts.sourceGenerations[source, default: 0] += 1
    layouts.entries.drop { key, _ in key.source == source && isStale(key.id.canonical) }
  }
}
