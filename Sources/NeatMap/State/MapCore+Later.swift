import NeatBase
import NeatCamera
import NeatTile

// What live maps need: answers that come after the first one, and which tiles are still wanted.
extension MapCore {
  /// Takes in what replaces an earlier answer, or comes after a failure. What cannot be used leaves that which is
  /// there; whether it is shown.
  package func deliverAgain(_ need: Need, _ result: ResourceResult) -> Bool {
    guard case .tile(let id, let tile) = need.target else {
      let before = state.withLock { state in need.ofSource.flatMap { state.sources[$0] } }
      if let before, before.phase == .ready { return renew(before, need, result) }
      // One whose failure was told has to be waited for anew.
      forget(need)
      return deliver(need, result)
    }
    switch result {
    case .failed: return false
    case .missing, .empty: forget(need)
    case .data: break
    }
    let isTaken = deliver(need, result)
    state.withLock { $0.dropWhatIsMade(of: tile, source: id) }
    return isTaken
  }

  /// Takes what replaces a source's data that is shown until then; the host's own data stays.
  private func renew(_ source: SourceState, _ need: Need, _ result: ResourceResult) -> Bool {
    guard case .data(let bytes) = result else { return false }
    do throws(NeatError) {
      switch need.target {
      case .geojson(let id):
        guard let spec = source.spec.geojson else { return false }
        let tiles = try geojsonTiles(bytes, spec, unpackedLimit: options.unpackedLimitBytes)
        return state.withLock { state in
          guard state.isWanted(need), state.sources[id]?.geojson === source.geojson else { return false }
          state.sources[id]?.geojson = tiles
          state.sources[id]?.tiles.removeAll()
          state.dropLayouts(of: id)
          return true
        }
      case .image(let id):
        let image = try RasterTile(decoding: bytes, memory: options.memory)
        return state.withLock { state in
          guard state.isWanted(need) else { return false }
          state.sources[id]?.image = image
          return true
        }
      case .tileJSON, .tile, .glyphs, .spriteIndex, .spriteSheet: return false
      }
    } catch {
      report(MapProblem(error, resource: need.request.url).of(need))
      return false
    }
  }

  /// Lets a resource be asked for again, as if it never had been.
  package func forget(_ need: Need) {
    state.withLock { state in
      guard state.isWanted(need) else { return }
      switch need.target {
      case .spriteIndex(let number), .spriteSheet(let number):
        guard state.style.sprites[number].fault != nil else { return }
        state.style.changeSprite(number) { sprite in
          sprite.fault = nil
          sprite.isSettled = false
        }
      case .tileJSON(let id), .geojson(let id), .image(let id):
        state.sources[id]?.phase = .waiting
        state.sources[id]?.fault = nil
      case .tile(let id, let tile):
        state.sources[id]?.tiles.remove(tile)
        state.dropWhatIsMade(of: tile, source: id)
      case .glyphs: break
      }
    }
    guard case .glyphs = need.target, glyphs.forgetFaults(since: .max, where: { _ in true }) else { return }
    state.withLock { state in state.staleLayouts { $0.gaps != nil || !$0.awaited.isEmpty } }
  }

  /// Whether skirts hang down from the edges of the terrain's tiles, so that no sky shows between them.
  package func setTerrainSkirts(_ isOn: Bool) { state.withLock { $0.hasTerrainSkirts = isOn } }

  /// How high the camera's centre lies, in metres above the sea; nil: on the ground.
  package func setCenterElevation(_ metres: Double?) { state.withLock { $0.centerElevation = metres } }

  /// Has tiles so many zooms below the view's asked for first; 0: none.
  package func setPrefetchLevels(_ levels: UInt8) { state.withLock { $0.prefetchLevels = levels } }

  /// Has tiles below one that is still to come stand in for it. Not for pictures that are on their own, which would
  /// depend on what was drawn before.
  package func showTilesBelow() { state.withLock { $0.showsTilesBelow = true } }

  /// Whether a view has a use for a tile: its own, or one that stands in for it. Other needs it always has.
  package func tilesOfUse(_ transform: Transform) -> TilesOfUse {
    state.withLock { state in
      var result = TilesOfUse()
      for (id, hasLabels) in usedSources(state, zoom: transform.camera.zoom) {
        guard let source = state.sources[id], source.spec.hasTiles else { continue }
        var tiles: Set<TileID> = []
        for tile in cover(source, hasLabels ? transform.labelView : transform).tiles {
          var next = source.loadable(tile.canonical)
          while tiles.insert(next).inserted, next.z > 0 { next = next.ancestor(1) }
        }
        result.tiles[id] = tiles
      }
      return result
    }
  }

  /// Lays out what is there of a view that waits for more, and says what that lacks besides.
  package func layOutWhatIsThere(_ transform: Transform, _ executor: Executor) -> [Need] {
    guard cutTiles(transform, executor), let more = layOut(transform, executor) else { return [] }
    return permitted(more)
  }
}

extension Need {
  /// The source that it describes or is the data of.
  fileprivate var ofSource: String? {
    switch target {
    case .tileJSON(let id), .geojson(let id), .image(let id): id
    case .tile, .spriteIndex, .spriteSheet, .glyphs: nil
    }
  }
}

/// Tiles of a view and those above them, by source.
package struct TilesOfUse: Sendable {
  fileprivate(set) var tiles: [String: Set<TileID>] = [:]

  package func contains(_ need: Need) -> Bool {
    guard case .tile(let source, let tile) = need.target else { return true }
    return tiles[source]?.contains(tile) == true
  }
}

extension MapCore.State {
  /// Drops layouts of a tile, and what was cut out of it.
  mutating func dropWhatIsMade(of tile: TileID, source: String) {
    func isWithin(_ other: TileID) -> Bool { other.z >= tile.z && other.ancestor(other.z - tile.z) == tile }
    if let deepest = sources[source]?.tileSet.maxZoom {
      sources[source]?.tiles.drop { other, _ in other.z > deepest && isWithin(other) }
    }
    dropLayouts(of: source, where: isWithin)
  }
}
