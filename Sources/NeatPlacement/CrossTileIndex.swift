// Which labels of different tiles are one and the same: those of a tile and of its ancestors and descendants, of
// one layer, with the same key (text, or icon) at the same place. Such labels have one id, by which a map that
// moves knows them again when a tile takes another one's place. After MapLibre's CrossTileSymbolIndex.
//
// A tile's labels stand sorted by key and place, in cells of 2 CSS pixels at the tile's own zoom. A new tile's
// labels look into the tiles above and below it for one that lies no more than a cell away, in cells of the
// coarser of the two, and that no other label of their zoom has taken. Ids are small numbers, which are given
// out again when no tile holds them any more, so that whoever keeps something by id keeps it in an array.
import NeatBase

/// A value: what one map knows. Buckets, which maps share, hold no ids.
package struct CrossTileIndex: Sendable {
  /// Cells along the edge of a tile.
  private static let cells = 256.0
  /// Columns of cells in which a label is looked for: past them it counts as a new one. Bounds what thousands of
  /// equal labels cost.
  package static let lookLimit = 256

  private struct Entry: Sendable {
    var key: UInt64
    var x: Int32
    var y: Int32
    var number: Int32

    @inline(__always) static func precedes(_ a: Entry, _ b: Entry) -> Bool {
      if a.key != b.key { return a.key < b.key }
      if a.x != b.x { return a.x < b.x }
      return a.y != b.y ? a.y < b.y : a.number < b.number
    }
  }

  private struct Tile: Sendable {
    var id: OverscaledTileID
    /// One for each symbol of the bucket.
    var ids: [UInt32]
    var entries: [Entry]
  }

  /// Those of a layer from the lowest zoom up, so that ancestors are looked into first.
  private var layers: [String: [Tile]] = [:]
  /// By id: a bit for each zoom of which a tile holds it. 0: nobody does, and the id can be given out.
  private var zooms: [UInt32] = [0]
  /// Ids that nobody holds.
  package private(set) var free: [UInt32] = []
  /// Ids that were given out since this was emptied: what somebody keeps of who had them before is void.
  package private(set) var made: [UInt32] = []

  package init() {}

  /// One more than the highest id. 0 is no id.
  package var idLimit: Int { zooms.count }
  /// Ids that tiles hold.
  package var idCount: Int { zooms.count - 1 - free.count }

  private static func bit(_ tile: OverscaledTileID) -> UInt32 {
    UInt32(1) << UInt32(min(tile.overscaledZ, 31))
  }

  /// Whether a tile of another zoom holds an id too.
  package func isHeld(_ id: UInt32, besides tile: OverscaledTileID) -> Bool {
    zooms[Int(id)] & ~CrossTileIndex.bit(tile) != 0
  }

  /// Takes in the labels of a tile, in place of those that it had before. Returns an id for each: no two labels
  /// of a zoom have the same.
  package mutating func add(_ id: OverscaledTileID, layer: String, _ symbols: [SymbolInstance]) -> [UInt32] {
    let bit = CrossTileIndex.bit(id)
    // Taken out while it changes, so that it is not copied.
    var tiles = layers.removeValue(forKey: layer) ?? []
    defer { layers[layer] = tiles }
    let place = tiles.firstIndex { $0.id == id }
    let old = place.map { tiles.remove(at: $0) }
    for known in old?.ids ?? [] { zooms[Int(known)] &= ~bit }
    var search = Search(symbols, id, bit)
    if let old { search.match(old, &zooms) }
    for tile in tiles where search.missing > 0 && CrossTileIndex.areRelated(tile.id, id) {
      search.match(tile, &zooms)
    }
    for number in search.ids.indices where search.ids[number] == 0 { search.ids[number] = make(bit) }
    for known in old?.ids ?? [] where zooms[Int(known)] == 0 { free.append(known) }
    let added = Tile(id: id, ids: search.ids, entries: CrossTileIndex.entries(symbols))
    tiles.insert(added, at: tiles.firstIndex { $0.id.overscaledZ > id.overscaledZ } ?? tiles.count)
    return search.ids
  }

  /// Forgets a tile; the ids that it alone held are free.
  package mutating func remove(_ id: OverscaledTileID, layer: String) {
    guard var tiles = layers.removeValue(forKey: layer) else { return }
    if let place = tiles.firstIndex(where: { $0.id == id }) { release(tiles.remove(at: place)) }
    if !tiles.isEmpty { layers[layer] = tiles }
  }

  /// Forgets a layer.
  package mutating func remove(layer: String) {
    for tile in layers.removeValue(forKey: layer) ?? [] { release(tile) }
  }

  /// The world's copies are counted anew: after a camera has gone around the world to the same place.
  package mutating func shiftWraps(by shift: Int32) {
    for layer in layers.keys {
      guard var tiles = layers[layer] else { continue }
      for place in tiles.indices { tiles[place].id.wrap &+= shift }
      layers[layer] = tiles
    }
  }

  package mutating func forgetMade() { made.removeAll(keepingCapacity: true) }

  private mutating func release(_ tile: Tile) {
    let bit = CrossTileIndex.bit(tile.id)
    for id in tile.ids {
      assert(zooms[Int(id)] & bit != 0, "a tile holds its ids")
      zooms[Int(id)] &= ~bit
      if zooms[Int(id)] == 0 { free.append(id) }
    }
  }

  private mutating func make(_ bit: UInt32) -> UInt32 {
    let id: UInt32
    if let known = free.popLast() {
      id = known
      zooms[Int(id)] = bit
    } else {
      assert(zooms.count < Int(UInt32.max), "more labels than have a number")
      id = UInt32(truncatingIfNeeded: zooms.count)
      zooms.append(bit)
    }
    made.append(id)
    return id
  }

  /// Whether one of two tiles of different zooms holds the other.
  private static func areRelated(_ a: OverscaledTileID, _ b: OverscaledTileID) -> Bool {
    guard a.wrap == b.wrap, a.overscaledZ != b.overscaledZ else { return false }
    let (low, high) = a.overscaledZ < b.overscaledZ ? (a.canonical, b.canonical) : (b.canonical, a.canonical)
    return low.z <= high.z && high.ancestor(high.z - low.z) == low
  }

  private static func entries(_ symbols: [SymbolInstance]) -> [Entry] {
    let unit = cells / TileUnits.extent
    var entries: [Entry] = []
    entries.reserveCapacity(symbols.count)
    for (number, symbol) in symbols.enumerated() {
      entries.append(
        Entry(
          key: symbol.key, x: Int32(saturating: (Double(symbol.anchor.x) * unit).rounded(.down)),
          y: Int32(saturating: (Double(symbol.anchor.y) * unit).rounded(.down)), number: Int32(number)))
    }
    entries.sort(by: Entry.precedes)
    return entries
  }

  /// Labels of a tile that look for their ids.
  private struct Search {
    let symbols: [SymbolInstance]
    let tile: OverscaledTileID
    let bit: UInt32
    var ids: [UInt32]
    var missing: Int

    init(_ symbols: [SymbolInstance], _ tile: OverscaledTileID, _ bit: UInt32) {
      (self.symbols, self.tile, self.bit) = (symbols, tile, bit)
      ids = [UInt32](repeating: 0, count: symbols.count)
      missing = symbols.count
    }

    mutating func match(_ other: Tile, _ zooms: inout [UInt32]) {
      guard !other.entries.isEmpty else { return }
      let deeper = Int(other.id.canonical.z) - Int(tile.canonical.z)
      // Places in cells of the other tile.
      let scale = exp2(Double(deeper)), unit = scale * CrossTileIndex.cells / TileUnits.extent
      let origin = SIMD2(
        (Double(tile.canonical.x) * scale - Double(other.id.canonical.x)) * CrossTileIndex.cells,
        (Double(tile.canonical.y) * scale - Double(other.id.canonical.y)) * CrossTileIndex.cells)
      let reach = Int64(saturating: deeper <= 0 ? 1 : scale)
      // Behind each entry the next one that has not been taken, or one on the way there.
      var next: [Int32] = []
      for number in symbols.indices where ids[number] == 0 {
        let anchor = symbols[number].anchor
        let x = Int64(saturating: (origin.x + Double(anchor.x) * unit).rounded(.down))
        let y = Int64(saturating: (origin.y + Double(anchor.y) * unit).rounded(.down))
        // Cells of the other tile's labels are within 32 bits, and so far away from the ends of 64.
        let low = SIMD2(x &- reach, y &- reach), high = SIMD2(x &+ reach, y &+ reach)
        let key = symbols[number].key
        var at = Search.first(other.entries, key, low.x, low.y)
        var looks = 0
        while looks < CrossTileIndex.lookLimit {
          at = Search.find(&next, at)
          guard at < other.entries.count else { break }
          let entry = other.entries[at]
          guard entry.key == key, Int64(entry.x) <= high.x else { break }
          guard Int64(entry.y) >= low.y, Int64(entry.y) <= high.y else {
            // On to the rows in question, of this column or the next.
            let column = Int64(entry.x) + (Int64(entry.y) > high.y ? 1 : 0)
            at = Search.first(other.entries, key, column, low.y)
            looks += 1
            continue
          }
          let id = other.ids[Int(entry.number)]
          let isTaken = zooms[Int(id)] & bit != 0
          if !isTaken {
            zooms[Int(id)] |= bit
            ids[number] = id
            missing -= 1
          }
          // Taken, and so it stays for all that follow.
          Search.skip(&next, at, other.entries.count)
          guard isTaken else { break }
          at += 1
        }
      }
    }

    /// The first entry of a key from a cell on.
    private static func first(_ entries: [Entry], _ key: UInt64, _ x: Int64, _ y: Int64) -> Int {
      var low = 0, high = entries.count
      while low < high {
        let middle = (low + high) / 2, entry = entries[middle]
        let column = Int64(entry.x)
        let isBefore =
          entry.key != key ? entry.key < key : column != x ? column < x : Int64(entry.y) < y
        if isBefore { low = middle + 1 } else { high = middle }
      }
      return low
    }

    private static func skip(_ next: inout [Int32], _ at: Int, _ count: Int) {
      if next.isEmpty { next = (0...Int32(count)).map { $0 } }
      next[at] = Int32(at + 1)
    }

    private static func find(_ next: inout [Int32], _ at: Int) -> Int {
      guard !next.isEmpty else { return at }
      var root = at
      while Int(next[root]) != root { root = Int(next[root]) }
      var step = at
      while step != root {
        let following = Int(next[step])
        next[step] = Int32(root)
        step = following
      }
      return root
    }
  }
}
