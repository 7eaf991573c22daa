import NeatBase

// GeoJSON cut into vector tiles on demand, with the results of mapbox/geojson-vt: the document is projected
// once, with the lowest zoom that shows each point; a tile is cut out of its nearest ancestor that is there
// already, halving the square zoom by zoom, and simplified by dropping points that matter less than the
// tolerance. Unlike geojson-vt no tile is made before it is asked for: only the way down to it is cut.

/// Tiles of one document. All functions may be called from any thread.
package final class GeoJSONIndex: Sendable {
  package let data: GeoJSONData
  package let options: GeoJSONTileOptions
  let cells: Locked<Cells>

  /// What is cut so far. The world is always there.
  struct Cells {
    var lists: [TileID: CutList?]
    /// Squares that were cut.
    var cuts = 0
  }

  /// Projects the document. `include` says which features take part (by number in the document); it is called
  /// once each, now. Throws `invalidArgument` where an option is out of range.
  package init(_ data: GeoJSONData, options: GeoJSONTileOptions = .init(), include: ((Int) -> Bool)? = nil)
    throws(NeatError)
  {
    try options.check()
    self.data = data
    self.options = options
    let all = CutConvert.features(data, options, include: include)
    let world = options.wraps ? CutClip.wrap(all, options) : all
    cells = Locked(Cells(lists: [TileID.world: world.count > 0 ? world : nil]))
  }

  init(_ data: GeoJSONData, _ options: GeoJSONTileOptions, _ cells: Cells) {
    self.data = data
    self.options = options
    self.cells = Locked(cells)
  }

  /// Squares cut since the document was projected, those between tiles and the world included.
  package var cutCount: Int { cells.withLock { $0.cuts } }

  /// The features of a tile, or nil where there are none or the zoom is deeper than `maxZoom`.
  package func tile(_ id: TileID) -> TileLayer? {
    guard let list = features(id) else { return nil }
    var builder = CutTileBuilder(data, options, id)
    builder.add(list)
    return builder.build()
  }

  /// The features of a tile before simplification.
  func features(_ id: TileID) -> CutList? {
    guard id.isValid, Int(id.z) <= options.maxZoom else { return nil }
    // The nearest ancestor that is known; the world always is.
    var levels: UInt8 = 0
    var list: CutList?
    cells.withLock { cells in
      while true {
        if let known = cells.lists[id.ancestor(levels)] {
          list = known
          return
        }
        levels += 1
      }
    }
    guard levels > 0, var list else { return list }
    var made: [(TileID, CutList?)] = []
    while levels > 0 {
      let child = id.ancestor(levels - 1)
      let cut = self.cut(list, id.ancestor(levels), child)
      made.append((child, cut))
      guard let cut else { break }
      list = cut
      levels -= 1
    }
    // Another thread may have been faster; its lists are equal to ours.
    cells.withLock { cells in
      cells.cuts += made.count
      for (cell, cut) in made where cells.lists[cell] == nil { cells.lists.updateValue(cut, forKey: cell) }
    }
    return made.last?.1
  }

  /// Forgets all squares but the world; they are cut again when they are asked for.
  package func dropCuts() {
    cells.withLock { cells in cells.lists = cells.lists.filter { $0.key == TileID.world } }
  }

  /// The quarter of a tile's features that belongs to one of its four children, buffer included.
  func cut(_ list: CutList, _ parent: TileID, _ child: TileID) -> CutList? {
    let scale = Double(UInt64(1) << UInt64(parent.z))
    let k = 0.5 * options.buffer / Double(options.extent)
    func range(_ origin: UInt32, second: Bool) -> (Double, Double) {
      let origin = Double(origin)
      return second ? (origin + (0.5 - k), origin + (1 + k)) : (origin - k, origin + (0.5 + k))
    }
    let (x1, x2) = range(parent.x, second: child.x & 1 == 1)
    let (y1, y2) = range(parent.y, second: child.y & 1 == 1)
    guard let half = CutClip.clip(list, scale: scale, x1, x2, axis: 0, options) else { return nil }
    return CutClip.clip(half, scale: scale, y1, y2, axis: 1, options, all: (list.minY, list.maxY))
  }
}
