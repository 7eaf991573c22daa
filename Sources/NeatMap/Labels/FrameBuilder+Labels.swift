import NeatBase
import NeatCamera
import NeatLayout
import NeatPlacement
import NeatStyle

extension FrameBuilder {
  /// Which labels stand in a frame that follows others: those of the last placement, drawn from where the camera
  /// is now, or of a new one, where one is due.
  mutating func standLabels(_ step: FrameStep) {
    let now = step.history.clock.now
    let scene = LabelScene(self, like: step.history.labels)
    var history = step.history.labels ?? LabelHistory()
    if history.placedView == nil { history.longitude = transform.camera.center.lon }
    history.turn(to: transform.camera.center.lon)
    let share = history.share(at: now, fadeMS: step.fadeMS)
    if !history.shows(scene) {
      history.take(scene, share)
      history.isStale = true
    } else if history.holdsInVain(share) {
      history.take(scene, share)
    }
    let isOwed =
      history.isStale || history.placedView != LabelView(transform)
      || history.obstacleNumber != step.obstacles.number
      || debug.contains(.collision) != (history.standing?.placement.shapes != nil)
    let isDue =
      history.placedView == nil || step.audience != .present || step.fadeMS <= 0
      || now - history.placedAt >= FrameStep.placementMS
    if isOwed, isDue {
      place(&history, scene, step, now)
    } else if step.audience != .present {
      history.arrive()
    }
    let shareNow = history.share(at: now, fadeMS: step.fadeMS)
    show(history, scene, shareNow)
    if debug.contains(.collision), let standing = history.standing {
      takeShapes(of: standing.placement) { [layers = style.layers] bucket in
        layers.firstIndex { $0.id == standing.buckets[bucket].layer }
      }
    }
    var wait: Double?
    if isOwed, !isDue { wait = FrameStep.placementMS - (now - history.placedAt) }
    if step.fadesTiles || step.fadesPatterns || history.isFading && shareNow < 1 { wait = 0 }
    var left = step.history
    left.labels = history
    outcome = FrameOutcome(history: left, waitMS: wait)
  }

  /// Hands the labels over to the layers' drawing.
  private mutating func show(_ history: LabelHistory, _ scene: LabelScene, _ share: Float) {
    placed.reserveCapacity(history.layers.count)
    for (layer, now) in zip(history.layers, scene.layers) {
      var tiles: [SymbolFrameTile] = []
      func show(_ tile: LabelTile) {
        guard !tile.standing.isEmpty else { return }
        if tiles.isEmpty { tiles.reserveCapacity(layer.tiles.count + layer.held.count) }
        tiles.append(
          SymbolFrameTile(
            bucket: tile.bucket, states: tile.states, standing: tile.standing, ids: tile.ids,
            tile: shownTile(tile.id), layer: now.shown))
      }
      for tile in layer.tiles { show(tile) }
      for tile in layer.held { show(tile) }
      if !tiles.isEmpty { placed[now.index] = tiles }
    }
    if history.isFading { fade = LabelFade(records: history.records, share: share) }
    labelNumber = history.number
  }

  /// Decides anew which labels stand.
  private func place(_ history: inout LabelHistory, _ scene: LabelScene, _ step: FrameStep, _ now: Double) {
    let labelView = transform.labelView
    let share = history.share(at: now, fadeMS: step.fadeMS)
    let placement = Placement(
      view: labelView.placementView, crossSourceCollisions: options.crossSourceCollisions,
      records: step.audience == .none ? [] : history.records, idLimit: history.index.idLimit,
      recordsShapes: debug.contains(.collision))
    for box in step.obstacles.boxes { placement.block(box, groups: style.sources.count) }
    history.obstacleNumber = step.obstacles.number
    for id in history.records.indices { history.records[id].lapse(share) }
    let showsNew = history.placedView == nil || step.audience != .present || step.fadeMS <= 0
    var standing: [StandingLabels.Bucket] = []
    for (layer, now) in zip(history.layers, scene.layers) where !layer.tiles.isEmpty {
      let settings = SymbolLayerLayout(now.shown, evaluator, at: camera).settings
      let group = UInt16(truncatingIfNeeded: style.sources.firstIndex { $0.id == now.source } ?? 0)
      let first = standing.count
      standing += layer.tiles.map {
        StandingLabels.Bucket(layer: layer.id, source: now.source, bucket: $0.bucket, tile: $0.id)
      }
      let buckets = layer.tiles.enumerated().map { number, tile in
        tile.bucket.placementBucket(
          matrix: labelView.placementTile(tile.id).matrix, wrap: tile.id.wrap, zoom: transform.camera.zoom,
          evaluator: evaluator, bucketID: UInt32(first + number), group: group, ids: tile.ids)
      }
      let states = placement.place(settings, buckets)
      for (tile, states) in zip(layer.tiles, states) { history.note(tile, states, showsNew: showsNew) }
    }
    history.end(placement, standing, LabelView(transform), at: now, arrives: showsNew)
  }
}

extension LabelHistory {
  /// Takes over what a placement found of a tile.
  fileprivate mutating func note(_ tile: LabelTile, _ states: [SymbolState], showsNew: Bool) {
    let geometry = tile.bucket.geometry
    for (number, state) in states.enumerated() where !state.isCopy {
      let anchor = state.anchorOffset >= 0 ? geometry.anchorOffsets[Int(state.anchorOffset)].anchor : nil
      records[Int(tile.ids[number])].take(state, anchor: anchor, showsNew: showsNew || tile.isReloaded)
    }
  }

  fileprivate mutating func end(
    _ placement: Placement, _ buckets: [StandingLabels.Bucket], _ view: LabelView, at now: Double,
    arrives: Bool
  ) {
    lead = placedView.map { Float(max(0, ($0.camera.zoom - view.camera.zoom) / 1.5)) } ?? 0
    (placedView, placedAt, isStale) = (view, now, false)
    standing = StandingLabels(placement, buckets)
    var sum = 0
    isFading = false
    for id in records.indices {
      if arrives { records[id].arrive() }
      isFading = isFading || records[id].isFading(after: 0)
      guard records[id].standsText || records[id].standsIcon else { continue }
      var hasher = Hasher()
      hasher.combine(id)
      hasher.combine(records[id].standsText)
      hasher.combine(records[id].standsIcon)
      hasher.combine(records[id].isVertical)
      hasher.combine(records[id].anchor)
      // A sum, so that ids may come in any order.
      sum &+= hasher.finalize()
    }
    number = sum
    for layer in layers.indices {
      for tile in layers[layer].tiles.indices { layers[layer].tiles[tile].isReloaded = false }
    }
    restate()
  }
}
