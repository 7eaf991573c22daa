import NeatBase
import NeatCamera
import NeatLayout
import NeatStyle
import NeatText
import NeatTile

struct LayoutKey: Hashable, Sendable {
  var source: String
  var id: OverscaledTileID
}

struct LayoutEntry: Sendable {
  var layout: TileLayout
  /// Images that the tile's symbols name, there or not, by the layer's place in the style.
  var images: [Int: Set<String>]
  /// What its texts lack, by layer.
  var gaps: [Int: SymbolGaps]
  /// Glyph ranges that had not arrived when it was laid out: only a picture without more time is drawn from
  /// it.
  var awaited: [Int: Set<GlyphRangeKey>]
  /// Whether something came, or is asked for again, that it was laid out without. It is drawn from until it
  /// was laid out anew.
  var isStale = false
  var cost: Int
  var lastUse: UInt64

  var isFinal: Bool { awaited.isEmpty && !isStale }
}

/// A tile that a view shows, and the data it is drawn from.
struct TileInView: Sendable {
  /// The tile asked for.
  let wanted: OverscaledTileID
  /// The tile whose data is drawn: the same, or an ancestor that stands in.
  let drawn: OverscaledTileID
  let content: TileContent
}

extension MapCore {
  /// The tiles of each used source that there is data for; of sources that give labels, those of the margin
  /// around the view too.
  func tilesInView(_ state: inout State, _ transform: Transform) -> [String: [TileInView]] {
    var result: [String: [TileInView]] = [:]
    let labels = transform.labelView
    for (id, hasLabels) in usedSources(state, zoom: transform.camera.zoom) {
      guard let source = state.sources[id], source.phase == .ready else { continue }
      let view = hasLabels ? labels : transform
      let cover = source.cover
      if let geojson = source.geojson {
        var found: [TileInView] = []
        for tile in cover.tiles(view) {
          let key = tile.canonical
          if source.tiles[key] == nil {
            let content = geojson.tile(key).map(TileContent.vector) ?? .empty
            state.sources[id]?.store(content, for: key, use: state.views)
          }
          if let content = state.sources[id]?.tiles[key], case .vector = content {
            found.append(TileInView(wanted: tile, drawn: tile, content: content))
          }
        }
        result[id] = found
      } else if source.spec.tiled != nil {
        let lowest = source.lowestStandIn(transform)
        result[id] = cover.tiles(view).compactMap { self.tileInView($0, source, lowest) }
      }
    }
    return result
  }

  func tileInView(_ tile: OverscaledTileID, _ source: SourceState, _ lowest: UInt8) -> TileInView? {
    var canonical = tile.canonical
    if source.tiles[canonical] == nil {
      switch source.tiles[source.loadable(canonical)] {
      case .absent?, .unreachable?: canonical = source.loadable(canonical)
      default: break
      }
    }
    while true {
      switch source.tiles[canonical] {
      case .vector(let vector)?:
        let z = canonical == tile.canonical ? tile.overscaledZ : canonical.z
        return TileInView(
          wanted: tile, drawn: OverscaledTileID(canonical: canonical, overscaledZ: z, wrap: tile.wrap),
          content: .vector(vector))
      case .raster(let raster)?:
        return TileInView(
          wanted: tile, drawn: OverscaledTileID(canonical: canonical, wrap: tile.wrap),
          content: .raster(raster))
      case .elevation(let dem)?:
        return TileInView(
          wanted: tile, drawn: OverscaledTileID(canonical: canonical, wrap: tile.wrap),
          content: .elevation(dem))
      case .absent?, .unreachable?:
        guard canonical.z > lowest else { return nil }
        canonical = canonical.ancestor(1)
      case nil:
        // Still to come.
        guard canonical.z > lowest else { return nil }
        canonical = canonical.ancestor(1)
      case .empty?: return nil
      }
    }
  }

  /// Lays out what the view shows and is not laid out yet. Returns the glyph ranges that are still to come;
  /// with none, the layouts are complete. Nil where the style changed meanwhile.
  /// - Parameter isLast: there is no time to load more: texts are laid out with the glyphs that are there.
  func layOut(_ transform: Transform, _ executor: Executor, isLast: Bool = false) -> [Need]? {
    struct Job: Sendable {
      let key: LayoutKey
      let tile: VectorTile
    }
    let (jobs, snapshot) = state.withLock { state -> ([Job], State) in
      var jobs: [Job] = []
      var seen: Set<LayoutKey> = []
      for (source, tiles) in tilesInView(&state, transform) {
        for tile in tiles {
          guard case .vector(let vector) = tile.content else { continue }
          var id = tile.drawn
          id.wrap = 0
          let key = LayoutKey(source: source, id: id)
          if state.layouts[key]?.isFinal == true {
            state.layouts[key]?.lastUse = state.views
          } else if seen.insert(key).inserted {
            jobs.append(Job(key: key, tile: vector))
          }
        }
      }
      jobs.sort {
        ($0.key.source, $0.key.id.canonical.z, $0.key.id.canonical.y, $0.key.id.canonical.x) < (
          $1.key.source, $1.key.id.canonical.z, $1.key.id.canonical.y, $1.key.id.canonical.x
        )
      }
      return (jobs, state)
    }
    guard !jobs.isEmpty else { return [] }
    let imageNames = snapshot.images.names
    let outcome = LayoutOutcome(count: jobs.count)
    executor.forEach(jobs.count) { index in
      let job = jobs[index]
      outcome.set(
        index,
        self.layOut(snapshot.layoutInput(job.key, imageNames), job.tile, snapshot.images, isLast: isLast))
    }
    var needs: [Need] = []
    var seen: Set<Need> = []
    var isStale = false
    for index in jobs.indices {
      switch outcome[index] {
      case .layout(let layout, let symbols):
        state.withLock { state in
          guard state.generation == snapshot.generation else {
            isStale = true
            return
          }
          let cost = layout.cost
          // Another thread may have been first.
          if let other = state.layouts[jobs[index].key] { state.layoutCost -= other.cost }
          state.layouts[jobs[index].key] = LayoutEntry(
            layout: layout, images: symbols.images, gaps: symbols.gaps, awaited: symbols.awaited, cost: cost,
            lastUse: state.views)
          state.layoutCost += cost
        }
      case .glyphs(let ranges):
        for need in glyphNeeds(ranges) where seen.insert(need).inserted { needs.append(need) }
      case nil: break
      }
    }
    trimLayouts()
    return isStale ? nil : needs
  }

  private func layOut(_ input: LayoutInput, _ tile: VectorTile, _ images: ImageLibrary, isLast: Bool)
    -> LayoutOutcome.Item
  {
    let layouter = TileLayouter(input, tile)
    let requests = layouter.symbolRequests(glyphs)
    var notes = SymbolNotes()
    for (layer, request) in requests {
      for (stack, ranges) in request.needs.ranges {
        let name = glyphs.name(of: stack)
        for range in ranges {
          notes.awaited[layer, default: []].insert(GlyphRangeKey(fontStack: name, range: range))
        }
      }
    }
    if !notes.awaited.isEmpty {
      let missing = notes.awaited.values.reduce(into: Set<GlyphRangeKey>()) { $0.formUnion($1) }
      if input.style.glyphs == nil {
        // Nobody serves glyphs: fonts or nothing.
        for key in missing {
          glyphs.markMissing(range: key.range, fontStack: glyphs.fontStack(key.fontStack))
        }
        notes.awaited = [:]
      } else if !isLast {
        return .glyphs(missing.sorted { ($0.fontStack, $0.range) < ($1.fontStack, $1.range) })
      }
    }
    let symbols = layouter.symbolBuckets(
      requests, images: images.positions, glyphs: glyphs, pixelRatio: options.pixelRatio)
    for (layer, request) in requests {
      if !request.needs.images.isEmpty { notes.images[layer] = request.needs.images }
      let gaps = request.gaps(glyphs)
      if !gaps.isEmpty { notes.gaps[layer] = gaps }
    }
    return .layout(
      TileLayout(id: input.id, buckets: layouter.geometryBuckets().merging(symbols) { $1 }), notes)
  }

  private func glyphNeeds(_ ranges: [GlyphRangeKey]) -> [Need] {
    let (template, base) = state.withLock { ($0.style.glyphs, $0.base) }
    guard let template else { return [] }
    return ranges.map { key in
      let first = key.range * 256
      let url = template.replacing("{fontstack}", by: key.fontStack).replacing(
        "{range}", by: "\(first)-\(first + 255)")
      return Need(
        .glyphs(fontStack: key.fontStack, range: key.range),
        ResourceRequest(kind: .glyphs, url: Address.resolve(url, base: base)))
    }
  }

  /// Of the images that the symbols of the tiles laid out last name: those that nobody has, and all.
  package var imagesInView: (missing: Set<String>, named: Set<String>) {
    state.withLock { state in
      var named: Set<String> = []
      for entry in state.layouts.values where entry.lastUse == state.views {
        for images in entry.images.values { named.formUnion(images) }
      }
      return (named.filter { state.images[$0] == nil }, named)
    }
  }

  /// Sources in use whose data stands in the style itself.
  package var inlineSources: [String] {
    state.withLock { state in
      state.sources.values.filter {
        $0.phase == .ready && $0.spec.geojson?.data.string == nil && $0.geojson != nil
      }.map(\.id).sorted()
    }
  }

  func trimLayouts() {
    state.withLock { state in
      guard state.layoutCost > options.cacheBytes else { return }
      let oldest = state.oldestViewInUse
      for (key, entry) in state.layouts.sorted(by: { $0.value.lastUse < $1.value.lastUse })
      where state.layoutCost > options.cacheBytes && entry.lastUse < oldest {
        state.layouts[key] = nil
        state.layoutCost -= entry.cost
      }
    }
  }
}

/// What symbols of a tile name and lack, by the layer's place in the style.
struct SymbolNotes: Sendable {
  var images: [Int: Set<String>] = [:]
  var gaps: [Int: SymbolGaps] = [:]
  var awaited: [Int: Set<GlyphRangeKey>] = [:]
}

/// What became of each layout job; written by the workers, each its own place.
final class LayoutOutcome: @unchecked Sendable {
  enum Item: Sendable {
    case layout(TileLayout, SymbolNotes)
    /// Glyph ranges are missing.
    case glyphs([GlyphRangeKey])
  }

  private let items: UnsafeMutablePointer<Item?>
  private let count: Int

  init(count: Int) {
    self.count = count
    items = .allocate(capacity: count)
    items.initialize(repeating: nil, count: count)
  }

  deinit {
    items.deinitialize(count: count)
    items.deallocate()
  }

  func set(_ index: Int, _ item: Item) { items[index] = item }

  subscript(_ index: Int) -> Item? { items[index] }
}
