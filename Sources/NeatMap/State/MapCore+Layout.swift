import NeatBase
import NeatCamera
import NeatLayout
import NeatRaster
import NeatStyle
import NeatText
import NeatTile

/// Layouts that a view lacks, and what making them looks at.
private struct LayoutPlan: Sendable {
  struct Job: Sendable {
    let input: LayoutInput
    let key: LayoutKey
    let tile: VectorTile
    /// What is laid out of it already.
    let known: LayoutEntry?
    /// Layers of the source that are not laid out with it.
    let others: Set<Int>
  }

  var jobs: [Job] = []
  var images = ImageLibrary()
  /// Of the state that it was made from, and of its sources.
  var generation: UInt64 = 0
  var sourceGenerations: [String: UInt64] = [:]
}

/// What became of a job.
private enum LayoutOutcome: Sendable {
  case layout(LayoutEntry, layerCount: Int)
  /// Glyph ranges are missing.
  case glyphs([GlyphRangeKey])
}

extension MapCore {
  /// Lays out what the view shows and is not laid out yet. Returns the glyph ranges that are still to come;
  /// with none, the layouts are complete. Nil where the style changed meanwhile.
  /// - Parameters:
  ///   - extent: what of the tiles.
  ///   - isLast: there is no time to load more: texts are laid out with the glyphs that are there.
  ///   - drafts: what waits for the glyphs.
  func layOut(
    _ transform: Transform, _ executor: Executor, _ extent: LayoutExtent = .tiles, isLast: Bool = false,
    drafts: LayoutDrafts? = nil
  ) -> [Need]? {
    let work = executor.work ?? imageWork()
    let plan = state.withLock { planLayouts(&$0, transform, extent, work) }
    guard !plan.jobs.isEmpty else { return [] }
    drafts?.begin(generation: plan.generation, sourceGenerations: plan.sourceGenerations)
    var runs = layoutRuns(plan, executor, drafts)
    // Where what waits for glyphs is not kept, nothing else of its tile is laid out before they are there.
    LayoutRun.layOutParts(&runs, glyphs, executor) { _, piece in drafts != nil || piece.isOfSymbols }
    for index in runs.indices { findAwaited(&runs[index], isLast: isLast) }
    if drafts == nil {
      LayoutRun.layOutParts(&runs, glyphs, executor) { $0.awaited.isEmpty && !$1.isOfSymbols }
    }
    LayoutRun.layOutSymbols(&runs, plan.images.positions, glyphs, options.pixelRatio, executor)
    var outcomes: [LayoutOutcome] = []
    for (job, run) in zip(plan.jobs, runs) {
      if run.awaited.isEmpty {
        outcomes.append(.layout(run.entry().held(options.memory), layerCount: run.parts.layerCount))
      } else {
        outcomes.append(.glyphs(run.awaited))
        drafts?.keep(
          LayoutDraft(
            tile: job.tile, layers: job.input.layers, areas: job.input.parts, parts: run.parts), for: job.key)
      }
    }
    let needs = commit(plan, outcomes)
    // What is not current any more is laid out again, and told of then.
    if needs != nil { reportFaults(ofTiles: plan.jobs.map { ($0.tile, $0.key.source, $0.key.id.canonical) }) }
    return needs
  }

  private func layoutRuns(_ plan: LayoutPlan, _ executor: Executor, _ drafts: LayoutDrafts?) -> [LayoutRun] {
    let known = plan.jobs.map { drafts?.take($0.key, $0.tile, $0.input.layers, in: $0.input.parts) }
    let runs = ParallelResults<LayoutRun>(count: plan.jobs.count)
    executor.forEach(plan.jobs.count) { index in
      let job = plan.jobs[index]
      runs.set(index, LayoutRun(job.input, job.tile, known[index]))
    }
    return plan.jobs.indices.map { runs[$0]! }
  }

  /// Finds the glyph ranges that a tile waits for.
  private func findAwaited(_ run: inout LayoutRun, isLast: Bool) {
    for (layer, request) in run.parts.requests {
      for (stack, ranges) in request.needs.ranges {
        let lacking = ranges.filter { !glyphs.isSettled(range: $0, fontStack: stack) }
        guard !lacking.isEmpty else { continue }
        let name = glyphs.name(of: stack)
        run.notes[layer, default: LayerNotes()].awaited.formUnion(
          lacking.map { GlyphRangeKey(fontStack: name, range: $0) })
      }
    }
    let awaited = run.notes.values.reduce(into: Set<GlyphRangeKey>()) { $0.formUnion($1.awaited) }
    guard !awaited.isEmpty else { return }
    if run.input.style.glyphs == nil {
      // Nobody serves glyphs: fonts or nothing.
      for key in awaited {
        glyphs.markMissing(
          range: key.range, fontStack: glyphs.fontStack(key.fontStack, server: run.input.glyphServer))
      }
      run.notes = [:]
    } else if !isLast {
      run.awaited = awaited.sorted { ($0.fontStack, $0.range) < ($1.fontStack, $1.range) }
    }
  }

  private func planLayouts(
    _ state: inout State, _ transform: Transform, _ extent: LayoutExtent, _ work: WorkLedger
  )
    -> LayoutPlan
  {
    var plan = LayoutPlan(
      images: state.style.images, generation: state.layouts.generation,
      sourceGenerations: state.layouts.sourceGenerations)
    let ground = grounded(state, transform)
    let mayBeInPart = extent == .view && state.clock.isOfOneView
    var view: LayoutView?
    var imageNames: Set<String>?
    for (key, inView) in layoutsInView(state, ground) {
      let known = state.layouts.entries[key]
      if known != nil { state.layouts.entries.touch(key, use: state.clock.now) }
      var parts: [Int: TilePart] = [:]
      let isWhole = known?.parts.isEmpty ?? (state.layouts.hasPicture || inView.layers != nil)
      if mayBeInPart, !isWhole {
        // Most pictures have no use for it.
        view = view ?? LayoutView(state, ground, evaluator(state))
        parts = view?.parts(key, inView.wraps) ?? [:]
      }
      let lack = LayoutLack(known, wanted: inView.layers, in: parts, isAnew: extent == .view)
      guard let lack else { continue }
      let names = imageNames ?? state.style.images.names
      imageNames = names
      var input = state.layoutInput(key, names)
      (input.evaluation, input.work) = (options.evaluation, work)
      // More of a tile that is looked at again: all of it, so that no third view lacks anything.
      if known == nil { input.parts = parts }
      var others: Set<Int> = []
      if case .layers(let layers) = lack {
        input.layers = layers
        others = Set(state.style.document.layers.places { $0.source == key.source }).subtracting(layers)
      }
      plan.jobs.append(
        LayoutPlan.Job(input: input, key: key, tile: inView.tile, known: known, others: others))
    }
    plan.jobs.sort { $0.key < $1.key }
    return plan
  }

  /// Whether a view shows a tile whose layout is not there, or stale.
  func lacksLayouts(_ state: State, _ transform: Transform) -> Bool {
    layoutsInView(state, grounded(state, transform)).contains { key, inView in
      LayoutLack(state.layouts.entries[key], wanted: inView.layers) != nil
    }
  }

  private func commit(_ plan: LayoutPlan, _ outcomes: [LayoutOutcome]) -> [Need]? {
    var ranges: [GlyphRangeKey] = []
    let isCurrent = state.withLock { state -> Bool in
      guard state.layouts.generation == plan.generation else { return false }
      var isCurrent = true
      for (index, job) in plan.jobs.enumerated() {
        switch outcomes[index] {
        case .layout(let made, let layerCount):
          let source = job.key.source
          guard state.layouts.sourceGenerations[source] == plan.sourceGenerations[source] else {
            isCurrent = false
            continue
          }
          // Others may have laid out more of the tile meanwhile, or thrown it away.
          let known = state.layouts.entries[job.key] ?? job.known
          if !made.parts.isEmpty, known != nil || !state.clock.isOfOneView {
            // They may look at another part of it, and be past finding out what they lack.
            isCurrent = false
            continue
          }
          let entry =
            job.input.layers.map { LayoutEntry(known, with: $0, by: made, lacking: job.others) } ?? made
          state.layouts.entries.store(entry, for: job.key, cost: entry.layout.cost, use: state.clock.now)
          state.layouts.laidOutLayerCount += layerCount
        case .glyphs(let missing): ranges += missing
        }
      }
      trimLayouts(&state)
      return isCurrent
    }
    var seen: Set<GlyphRangeKey> = []
    return isCurrent ? glyphNeeds(ranges.filter { seen.insert($0).inserted }) : nil
  }

  /// Requests for ranges; none where nobody serves them.
  func glyphNeeds(_ ranges: [GlyphRangeKey]) -> [Need] {
    let (template, server) = state.withLock { ($0.style.glyphTemplate, $0.style.glyphServer) }
    guard let template else { return [] }
    return ranges.map { key in
      let url = ResourceAddress.glyphs(template, fontStack: key.fontStack, range: key.range)
      return Need(
        .glyphs(fontStack: key.fontStack, range: key.range),
        ResourceRequest(kind: .glyphs, url: url), owner: UInt64(server))
    }
  }

  func trimLayouts(_ state: inout State) {
    state.layouts.entries.trim(to: options.cacheBytes, keeping: state.clock.oldestInUse)
  }

  /// Layers of tiles that were laid out so far, over all tiles: what changes cost.
  package var laidOutLayerCount: Int { state.withLock { $0.layouts.laidOutLayerCount } }

  /// The images that the symbols of the tiles laid out last name.
  package var imagesInView: Set<String> {
    state.withLock { state in
      var named: Set<String> = []
      state.layouts.entries.forEach(lastUsed: state.clock.now) { entry in
        for notes in entry.notes.values { named.formUnion(notes.images) }
      }
      return named
    }
  }

  /// Those of them that nobody has, but for those that are known to be missing.
  package func missingImages(besides known: Set<String>) -> Set<String> {
    state.withLock { state in
      var missing: Set<String> = []
      state.layouts.entries.forEach(lastUsed: state.clock.now) { entry in
        for notes in entry.notes.values {
          for name in notes.images where state.style.images[name] == nil && !known.contains(name) {
            missing.insert(name)
          }
        }
      }
      return missing
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
}

extension LayoutKey: Comparable {
  static func < (a: LayoutKey, b: LayoutKey) -> Bool {
    (a.source, a.id.canonical.z, a.id.canonical.y, a.id.canonical.x, a.id.overscaledZ)
      < (b.source, b.id.canonical.z, b.id.canonical.y, b.id.canonical.x, b.id.overscaledZ)
  }
}

extension OverscaledTileID {
  /// The same tile of the world in the middle.
  var unwrapped: OverscaledTileID {
    var id = self
    id.wrap = 0
    return id
  }
}
