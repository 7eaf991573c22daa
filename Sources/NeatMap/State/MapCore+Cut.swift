import NeatBase
import NeatCamera
import NeatRaster
import NeatTile

/// A tile that is cut out of what is there: out of GeoJSON, or out of the deepest tile that a source has.
private struct CutJob: Sendable {
  enum Material: Sendable {
    case geojson(GeoJSONTiles)
    case tile(VectorTile, TileID)
  }

  let source: String
  /// The source's number, which no later one of its name has.
  let number: UInt64
  let target: TileID
  let material: Material

  func cut() -> TileContent {
    switch material {
    case .geojson(let tiles): tiles.tile(target).map(TileContent.vector) ?? .empty
    case .tile(let tile, let origin):
      TileSlice.cut(tile, from: origin, to: target).map(TileContent.vector) ?? .empty
    }
  }
}

/// What became of a job.
private enum CutTile: Sendable {
  case made(TileContent, MemoryHold?)
  /// There is no memory for it.
  case refused(Missing)

  init(_ content: TileContent, _ job: CutJob, _ memory: MemoryBudget) {
    do throws(NeatError) {
      self = .made(content, try content.hold(memory, "the tile \(job.target) of \"\(job.source)\""))
    } catch {
      var missing = Missing(.tile, job.source, error.code, error.message, isFailure: true)
      (missing.source, missing.tile) = (job.source, job.target)
      self = .refused(missing)
    }
  }
}

extension MapCore {
  /// Cuts the tiles of a view that are not there yet, where what they are cut from is. False where that
  /// changed meanwhile.
  func cutTiles(_ transform: Transform, _ executor: Executor) -> Bool {
    let jobs = state.withLock { planCuts(&$0, transform) }
    guard !jobs.isEmpty else { return true }
    let cuts = ParallelResults<CutTile>(count: jobs.count)
    executor.forEach(jobs.count) { index in
      let job = jobs[index]
      cuts.set(
        index,
        Trace.span("cut", .data, "\(job.source) \(job.target)") { CutTile(job.cut(), job, options.memory) })
    }
    return state.withLock { state in
      var isCurrent = true
      for (index, job) in jobs.enumerated() {
        guard let cut = cuts[index], state.isCurrent(job) else {
          isCurrent = false
          continue
        }
        switch cut {
        case .made(let content, let hold):
          state.sources[job.source]?.store(content, for: job.target, use: state.clock.now, hold: hold)
        // The next view cuts it again.
        case .refused(let missing): state.log.notice(missing)
        }
      }
      return isCurrent
    }
  }

  private func planCuts(_ state: inout State, _ transform: Transform) -> [CutJob] {
    var jobs: [CutJob] = []
    let transform = grounded(state, transform)
    let labels = transform.labelView
    for (id, hasLabels) in usedSources(state, zoom: transform.camera.zoom) {
      guard let source = state.sources[id], source.phase == .ready else { continue }
      guard source.geojson != nil || source.isSliced else { continue }
      var seen: Set<TileID> = []
      let (tiles, isWhole) = cover(source, hasLabels ? labels : transform)
      if !isWhole { state.log.add(.tooManyTiles(id)) }
      for tile in tiles {
        let target = tile.canonical
        guard seen.insert(target).inserted else { continue }
        guard source.content(target) == nil else {
          if source.geojson != nil { state.sources[id]?.tiles.touch(target, use: state.clock.now) }
          continue
        }
        guard let material = source.material(for: target) else { continue }
        jobs.append(CutJob(source: id, number: source.number, target: target, material: material))
      }
      if source.geojson != nil {
        state.sources[id]?.tiles.trim(to: options.cacheBytes, keeping: state.clock.oldestInUse)
      }
    }
    return jobs
  }
}

extension SourceState {
  func canBeCut(_ target: TileID) -> Bool { material(for: target) != nil }

  fileprivate func material(for target: TileID) -> CutJob.Material? {
    if let geojson { return .geojson(geojson) }
    guard target.z > tileSet.maxZoom else { return nil }
    let origin = loadable(target)
    guard case .vector(let tile)? = content(origin) else { return nil }
    return .tile(tile, origin)
  }
}

extension MapCore.State {
  /// Whether a source still has what a tile was cut from.
  fileprivate func isCurrent(_ job: CutJob) -> Bool {
    guard let source = sources[job.source], source.number == job.number else { return false }
    return switch job.material {
    case .geojson(let tiles): source.geojson === tiles
    case .tile(let tile, let origin):
      if case .vector(let now)? = source.content(origin) { now === tile } else { false }
    }
  }
}
