import NeatBase
import NeatLayout
import NeatStyle
import NeatText

struct LayoutKey: Hashable, Sendable {
  var source: String
  var id: OverscaledTileID
}

/// What a layer names and lacks in one tile.
struct LayerNotes: Sendable {
  /// Images that its symbols name, there or not.
  var images: Set<String> = []
  /// What its texts lack.
  var gaps: SymbolGaps?
  /// Glyph ranges that had not arrived: only a picture without more time is drawn from that.
  var awaited: Set<GlyphRangeKey> = []
  /// Why it is not laid out.
  var fault: NeatError?
  /// Whether there was no time or no budget left for it: the next picture tries again.
  var isUnfinished = false
  /// Expressions that went past a budget.
  var overruns: [PropertyOverrun] = []

  /// Whether it lacks something else than images.
  fileprivate var lacksMore: Bool {
    gaps != nil || !awaited.isEmpty || fault != nil || !overruns.isEmpty
  }
}

/// A tile as it is laid out, and which of its layers are to be laid out anew. What is stale is drawn from
/// until then.
struct LayoutEntry: Sendable {
  enum Stale: Sendable {
    case layers(Set<Int>)
    case all
  }

  var layout: TileLayout
  /// By the layer's place in the style.
  let notes: [Int: LayerNotes]
  var stale = Stale.layers([])
  /// The parts of the tile outside of which layers are not laid out, by their places in the style; all other
  /// layers are laid out in all of it.
  var parts: [Int: TilePart]
  /// The images that symbols name.
  let images: NamedImages
  /// The notes of layers that lack something else.
  let lackingNotes: [(layer: Int, notes: LayerNotes)]
  /// Layers for which there was too little memory, time or budget, by their places in the style: the next picture tries again.
  let starved: Set<Int>
  /// What the buckets hold of a budget, layers that were laid out together in one.
  private var holds: [MemoryHold] = []

  init(layout: TileLayout, notes: [Int: LayerNotes], parts: [Int: TilePart] = [:]) {
    self.layout = layout
    self.notes = notes
    self.parts = parts
    images = NamedImages(notes)
    lackingNotes = notes.filter { $0.value.lacksMore }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    starved = Set(
      notes.lazy.filter { $0.value.fault?.code == .outOfMemory || $0.value.isUnfinished }.map(\.key))
    if notes.values.contains(where: { !$0.awaited.isEmpty }) { stale = .all }
  }

  /// The same, held of a budget; where there is no room nothing is laid out, and each layer lacks memory.
  func held(_ memory: MemoryBudget) -> LayoutEntry {
    do throws(NeatError) {
      var entry = self
      entry.holds = [try memory.take(layout.ownCost, for: "the layout of the tile \(layout.id.canonical)")]
      return entry
    } catch {
      var notes = notes
      for layer in layout.buckets.keys { notes[layer, default: LayerNotes()].fault = error }
      return LayoutEntry(layout: TileLayout(id: layout.id, buckets: [:]), notes: notes, parts: parts)
    }
  }

  /// Holds what another one holds, of which it has buckets.
  mutating func takeHolds(of other: LayoutEntry) {
    holds = other.holds
    giveBackRest()
  }

  /// Gives back what is held of buckets that others took the place of, the oldest first.
  private mutating func giveBackRest() {
    var rest = holds.reduce(-layout.ownCost) { $0 + $1.count }
    for hold in holds where rest > 0 {
      let part = min(rest, hold.count)
      hold.shrink(to: hold.count - part)
      rest -= part
    }
    holds.removeAll { $0.count == 0 }
  }

  /// Whether it lacks something that a report tells of.
  func lacks(_ library: ImageLibrary) -> Bool {
    !lackingNotes.isEmpty || !images.missing(in: library).isEmpty
  }

  mutating func makeStale(_ layer: Int) {
    if case .layers(let layers) = stale { stale = .layers(layers.union([layer])) }
  }

  /// A tile with some layers laid out anew.
  /// - Parameters:
  ///   - known: what is laid out of it already.
  ///   - others: the other layers of its source, which are not laid out where nothing is known.
  init(_ known: LayoutEntry?, with layers: Set<Int>, by made: LayoutEntry, lacking others: Set<Int>) {
    let buckets = known?.layout.buckets.filter { !layers.contains($0.key) } ?? [:]
    let notes = known?.notes.filter { !layers.contains($0.key) } ?? [:]
    let parts = known?.parts.filter { !layers.contains($0.key) } ?? [:]
    self.init(
      layout: TileLayout(id: made.layout.id, buckets: buckets.merging(made.layout.buckets) { $1 }),
      notes: notes.merging(made.notes) { $1 }, parts: parts.merging(made.parts) { $1 })
    holds = (known?.holds ?? []) + made.holds
    giveBackRest()
    guard case .layers = stale else { return }
    if case .layers(let before)? = known?.stale {
      stale = .layers(before.subtracting(layers))
    } else {
      stale = .layers(others)
    }
  }
}

/// What is to be laid out of a tile: nothing of it is known, or these layers are not, or stale, or not in all of
/// the part that is looked at.
enum LayoutLack {
  case all
  case layers(Set<Int>)

  /// Nil where nothing is.
  /// - Parameters:
  ///   - wanted: layers that are drawn; nil: all of the source.
  ///   - parts: what they are looked at in, by their places in the style; all of the tile where it says nothing.
  ///   - isAnew: whether what there was too little memory for is tried again.
  init?(_ known: LayoutEntry?, wanted: Set<Int>?, in parts: [Int: TilePart] = [:], isAnew: Bool = false) {
    switch (known?.stale, wanted) {
    case (.layers(var stale)?, _):
      for (layer, part) in known?.parts ?? [:] where !(parts[layer].map(part.contains) ?? false) {
        stale.insert(layer)
      }
      if isAnew { stale.formUnion(known?.starved ?? []) }
      let lacking = wanted.map(stale.intersection) ?? stale
      if lacking.isEmpty { return nil }
      self = .layers(lacking)
    case (_, let wanted?): self = .layers(wanted)
    case (_, nil): self = .all
    }
  }
}

/// What a change of the layers of a style asks of what is laid out.
struct LayerChange {
  /// For each layer of the new style its place in the old one, where it was there and of the same type.
  private var places: [Int?]
  /// Layers of the new style that are to be laid out anew, by place.
  private(set) var stale: Set<Int> = []
  /// Whether no layer came, went, moved or is stale.
  let isNone: Bool
  private let sources: [String?]

  init(from old: [StyleLayer], to new: [StyleLayer]) {
    let known = Dictionary(old.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
    sources = new.map(\.source)
    places = new.map { layer in known[layer.id].flatMap { old[$0].type == layer.type ? $0 : nil } }
    for (index, layer) in new.enumerated() {
      if let place = places[index], layer.isLaidOut(like: old[place]) { continue }
      stale.insert(index)
      // Data of another source says nothing of this one.
      if let place = places[index], old[place].source != layer.source { places[index] = nil }
    }
    isNone = stale.isEmpty && old.count == new.count && places.enumerated().allSatisfy { $0 == $1 }
  }

  /// A tile as it was laid out for the old style, for the new one.
  func applied(to entry: LayoutEntry, source: String) -> LayoutEntry {
    var buckets: [Int: LayerBucket] = [:]
    var notes: [Int: LayerNotes] = [:]
    var parts: [Int: TilePart] = [:]
    var isStale = Set<Int>()
    for (index, place) in places.enumerated() where sources[index] == source {
      guard let place else {
        isStale.insert(index)
        continue
      }
      buckets[index] = entry.layout.buckets[place]
      notes[index] = entry.notes[place]
      parts[index] = entry.parts[place]
      let wasStale = if case .layers(let layers) = entry.stale { layers.contains(place) } else { false }
      if stale.contains(index) || wasStale { isStale.insert(index) }
    }
    var result = LayoutEntry(
      layout: TileLayout(id: entry.layout.id, buckets: buckets), notes: notes, parts: parts)
    result.takeHolds(of: entry)
    if case .all = entry.stale { result.stale = .all }
    if case .layers = result.stale { result.stale = .layers(isStale) }
    return result
  }
}
