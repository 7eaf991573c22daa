// All tiles of documents at once: the quadtree is walked from the top, a square before its quarters and these
// in the order of the Hilbert curve. Each square is cut once, from the one above; only the squares on the way
// down are in memory, whatever the number of tiles.
import NeatBase

/// Documents cut into all their tiles; each document becomes one layer.
package struct GeoJSONPyramid: Sendable {
  package struct Layer: Sendable {
    package let name: String
    package let index: GeoJSONIndex

    package init(name: String, index: GeoJSONIndex) {
      self.name = name
      self.index = index
    }
  }

  package let layers: [Layer]
  package let zooms: ClosedRange<UInt8>

  package init(layers: [Layer], zooms: ClosedRange<UInt8>) {
    self.layers = layers
    self.zooms = zooms
  }

  /// A tile that has features, not yet simplified.
  package struct Square: Sendable {
    package let id: TileID
    fileprivate let lists: [CutList?]
  }

  /// Calls `visit` with each square of the zooms that has features. `last`: a square that an earlier walk
  /// ended with; the walk begins behind it.
  package func walk(after last: TileID? = nil, _ visit: (Square) throws(NeatError) -> Void) throws(NeatError)
  {
    let top = Square(
      id: TileID.world, lists: layers.map { $0.index.features(TileID.world) })
    guard top.lists.contains(where: { $0 != nil }) else { return }
    try walk(top, after: last, visit)
  }

  private func walk(_ square: Square, after last: TileID?, _ visit: (Square) throws(NeatError) -> Void)
    throws(NeatError)
  {
    if last == nil, zooms.contains(square.id.z) { try visit(square) }
    guard square.id.z < zooms.upperBound else { return }
    for child in PMTiles.children(of: square.id) {
      var rest: TileID?
      if let last, last.z >= child.z {
        let way = last.ancestor(last.z - child.z)
        let (here, there) = (
          PMTiles.tileNumber(z: child.z, x: child.x, y: child.y),
          PMTiles.tileNumber(z: way.z, x: way.x, y: way.y)
        )
        if here < there { continue }
        // On the way to the last square, and that one itself, nothing is visited again.
        if here == there { rest = last }
      }
      let lists = zip(layers, square.lists).map { layer, list in
        list.flatMap { layer.index.cut($0, square.id, child) }
      }
      if lists.contains(where: { $0 != nil }) {
        try walk(Square(id: child, lists: lists), after: rest, visit)
      }
    }
  }

  /// The square as an MVT, not packed; nil where nothing is large enough to be seen. Any thread.
  package func encode(_ square: Square) -> [UInt8]? {
    var parts: [(name: String, layer: TileLayer)] = []
    for (layer, list) in zip(layers, square.lists) {
      guard let list else { continue }
      var builder = CutTileBuilder(layer.index.data, layer.index.options, square.id)
      builder.add(list)
      if let built = builder.build() { parts.append((layer.name, built)) }
    }
    let bytes = encodeCompactMVT(parts)
    return bytes.isEmpty ? nil : bytes
  }
}
