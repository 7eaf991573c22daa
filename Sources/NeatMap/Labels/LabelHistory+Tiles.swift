import NeatBase
import NeatLayout
import NeatPlacement
import NeatStyle

extension LabelHistory {
  /// Whether the layers and tiles are those of a scene.
  func shows(_ scene: LabelScene) -> Bool {
    guard layers.count == scene.layers.count else { return false }
    for (layer, now) in zip(layers, scene.layers) {
      guard layer.target === now.target, layer.mover === now.mover, layer.tiles.count == now.tiles.count
      else {
        return false
      }
      for (tile, place) in zip(layer.tiles, now.tiles) {
        let found = scene.tiles[place]
        guard tile.bucket === found.bucket, tile.id == found.id else { return false }
      }
    }
    return true
  }

  /// Whether a tile is held whose labels have gone out.
  func holdsInVain(_ share: Float) -> Bool {
    layers.contains { layer in layer.held.contains { !isWorthHolding($0, share) } }
  }

  /// Takes over the layers and tiles of a scene. Labels that were there keep their ids, whatever tile they come
  /// from; tiles that left are held while labels of theirs, and of no other tile, are seen.
  mutating func take(_ scene: LabelScene, _ share: Float) {
    index.forgetMade()
    var before = layers
    layers.removeAll(keepingCapacity: true)
    for layer in scene.layers {
      let place = before.firstIndex { $0.id == layer.target.id }
      let old = place.map { before.remove(at: $0) }
      layers.append(take(layer, scene, old, share))
    }
    for layer in before { index.remove(layer: layer.id) }
    if records.count < index.idLimit {
      records += [LabelRecord](repeating: LabelRecord(), count: index.idLimit - records.count)
    }
    for id in index.made { records[Int(id)] = LabelRecord() }
    for id in index.free { records[Int(id)] = LabelRecord() }
    restate(share)
  }

  private mutating func take(
    _ layer: LabelScene.Layer, _ scene: LabelScene, _ old: LabelLayer?, _ share: Float
  )
    -> LabelLayer
  {
    let known = (old?.tiles ?? []) + (old?.held ?? [])
    var result = LabelLayer(id: layer.target.id, target: layer.target, mover: layer.mover, tiles: [])
    result.tiles.reserveCapacity(layer.tiles.count)
    for (bucket, id) in scene.tiles[layer.tiles] {
      let same = known.first { $0.id == id }
      if let same, same.bucket === bucket {
        result.tiles.append(same)
      } else {
        let ids = index.add(id, layer: result.id, bucket.geometry.instances)
        result.tiles.append(LabelTile(bucket: bucket, id: id, ids: ids, isReloaded: same != nil))
      }
    }
    for tile in known where !result.tiles.contains(where: { $0.id == tile.id }) {
      // Nothing that moves or is hidden by others goes on without them: the first one that is let go leaves its
      // labels to the next.
      if isWorthHolding(tile, share) {
        result.held.append(tile)
      } else {
        index.remove(tile.id, layer: result.id)
      }
    }
    return result
  }

  private func isWorthHolding(_ tile: LabelTile, _ share: Float) -> Bool {
    tile.standing.contains { number in
      let id = tile.ids[Int(number)]
      return Int(id) < records.count && records[Int(id)].isSeen(after: share)
        && !index.isHeld(id, besides: tile.id)
    }
  }

  /// The camera has gone around the world to a place near the last one: copies are counted from there.
  mutating func turn(to longitude: Double) {
    let turns = Int32(saturating: ((longitude - self.longitude) / 360).rounded())
    self.longitude = longitude
    guard turns != 0 else { return }
    index.shiftWraps(by: turns)
    for layer in layers.indices {
      for tile in layers[layer].tiles.indices { layers[layer].tiles[tile].id.wrap &+= turns }
      for tile in layers[layer].held.indices { layers[layer].held[tile].id.wrap &+= turns }
    }
  }

  /// Finds out which symbols are drawn, and how: of the copies of a label the first, of those that are seen all.
  mutating func restate(_ share: Float = 0) {
    var isDrawn = [Bool](repeating: false, count: records.count)
    for layer in layers.indices {
      for tile in layers[layer].tiles.indices {
        restate(&layers[layer].tiles[tile], share, &isDrawn)
      }
      for tile in layers[layer].held.indices { restate(&layers[layer].held[tile], share, &isDrawn) }
    }
  }

  private func restate(_ tile: inout LabelTile, _ share: Float, _ isDrawn: inout [Bool]) {
    let geometry = tile.bucket.geometry
    let count = geometry.instances.count
    if tile.states.count != count { tile.states = [SymbolState](repeating: SymbolState(), count: count) }
    // What is as it was is not written: the frame before shares it.
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: max(1, count)) { standing in
      var drawn = 0
      for number in 0..<count {
        let id = Int(tile.ids[number])
        let record = records[id]
        guard record.isKnown, !isDrawn[id], record.isSeen(after: share) else { continue }
        isDrawn[id] = true
        let state = geometry.state(number, of: record, share)
        if tile.states[number] != state { tile.states[number] = state }
        standing.initializeElement(at: drawn, to: Int32(truncatingIfNeeded: number))
        drawn += 1
      }
      let now = UnsafeBufferPointer(rebasing: standing[..<drawn])
      if !tile.standing.elementsEqual(now) { tile.standing = Array(now) }
    }
  }
}

extension SymbolGeometry {
  /// How a symbol is drawn, by what was found out about its label, perhaps by another tile's copy.
  fileprivate func state(_ number: Int, of record: LabelRecord, _ share: Float) -> SymbolState {
    let instance = instances[number]
    var state = SymbolState()
    state.text = record.standsText || record.text(after: share) > 0
    state.icon = record.standsIcon || record.icon(after: share) > 0
    state.isVertical = record.isVertical && instance.verticalText >= 0
    let choices = Int(instance.anchorOffsetStart)..<Int(instance.anchorOffsetEnd)
    if let anchor = record.anchor, let choice = choices.first(where: { anchorOffsets[$0].anchor == anchor }) {
      state.anchorOffset = Int32(truncatingIfNeeded: choice)
    }
    return state
  }
}

extension LabelScene.Layer {
  /// The layer as it is shown, where that moves labels; else nil.
  var mover: StyleLayer? {
    target.isSet(.textTranslate) || target.isSet(.iconTranslate) ? shown : nil
  }
}
