import NeatBase

/// The walk of the quadtree that `RegionShape` is covered by, down to one zoom. What it keeps is bounded by the
/// depth and the shape's edges, however many tiles there are.
struct RegionWalk: IteratorProtocol {
  /// A part of the shape as far as it is in a tile.
  private struct Piece {
    var isArea: Bool
    var edges: [Int32]
    /// Whether the tile's middle is inside, of an area.
    var isInside: Bool
  }

  private struct Node {
    let tile: TileID
    let pieces: [Piece]
  }

  private let edges: [SIMD4<Double>]
  private let zoom: UInt8
  private let limits: [TileBox]?
  private var stack: [Node] = []

  init(_ shape: RegionShape, _ zoom: UInt8, within limits: [TileBox]?) {
    edges = shape.edges
    self.zoom = zoom
    self.limits = limits
    let middle = SIMD2(0.5, 0.5)
    var pieces: [Piece] = []
    for part in shape.parts {
      var isInside = false
      for index in part.edges where RegionWalk.isRight(edges[Int(index)], middle) { isInside.toggle() }
      pieces.append(Piece(isArea: part.isArea, edges: part.edges, isInside: isInside))
    }
    if let root = reduced(TileID.world, pieces) { stack = [root] }
  }

  mutating func next() -> TileBox? {
    while let node = stack.popLast() {
      let box = TileBox(node.tile, below: zoom - node.tile.z)
      if let limits, !limits.contains(where: { $0.intersection(box) != nil }) { continue }
      if node.tile.z == zoom || node.pieces.contains(where: { $0.edges.isEmpty }) { return box }
      for quarter in (0..<UInt32(4)).reversed() {
        let tile = node.tile.child(quarter)
        let from = RegionWalk.middle(node.tile), to = RegionWalk.middle(tile)
        let pieces = node.pieces.map { piece in
          var piece = piece
          if piece.isArea { for index in piece.edges { cross(edges[Int(index)], from, to, &piece.isInside) } }
          return piece
        }
        if let child = reduced(tile, pieces) { stack.append(child) }
      }
    }
    return nil
  }

  /// The node with what of the pieces is in the tile; nil where nothing is.
  private func reduced(_ tile: TileID, _ pieces: [Piece]) -> Node? {
    let side = 1 / Double(UInt64(1) << UInt64(tile.z))
    let low = SIMD2(Double(tile.x), Double(tile.y)) * side
    var kept: [Piece] = []
    for var piece in pieces {
      let isArea = piece.isArea
      piece.edges = piece.edges.filter {
        RegionWalk.touches(edges[Int($0)], low, low + side, isArea: isArea)
      }
      if !piece.edges.isEmpty || isArea && piece.isInside { kept.append(piece) }
    }
    return kept.isEmpty ? nil : Node(tile: tile, pieces: kept)
  }

  private static func middle(_ tile: TileID) -> SIMD2<Double> {
    let side = 1 / Double(UInt64(1) << UInt64(tile.z))
    return (SIMD2(Double(tile.x), Double(tile.y)) + 0.5) * side
  }

  // MARK: Edges and points

  private static func x(_ edge: SIMD4<Double>, at y: Double) -> Double {
    edge.x + (y - edge.y) / (edge.w - edge.y) * (edge.z - edge.x)
  }

  private static func y(_ edge: SIMD4<Double>, at x: Double) -> Double {
    edge.y + (x - edge.x) / (edge.z - edge.x) * (edge.w - edge.y)
  }

  /// Whether a ray from the point to the east crosses the edge.
  private static func isRight(_ edge: SIMD4<Double>, _ point: SIMD2<Double>) -> Bool {
    (edge.y > point.y) != (edge.w > point.y) && x(edge, at: point.y) > point.x
  }

  /// Goes from one point to another, first along the row, then along the column, and turns the answer where the
  /// edge is crossed.
  private func cross(
    _ edge: SIMD4<Double>, _ from: SIMD2<Double>, _ to: SIMD2<Double>, _ isInside: inout Bool
  ) {
    if (edge.y > from.y) != (edge.w > from.y) {
      let x = RegionWalk.x(edge, at: from.y)
      if (x > from.x) != (x > to.x) { isInside.toggle() }
    }
    if (edge.x > to.x) != (edge.z > to.x) {
      let y = RegionWalk.y(edge, at: to.x)
      if (y > from.y) != (y > to.y) { isInside.toggle() }
    }
  }

  /// Whether an edge passes through the inner part of a square (areas), or through the square with its northern
  /// and western border (lines). By the middle of what of the edge lies in the closed square (Liang and
  /// Barsky's clipping).
  private static func touches(
    _ edge: SIMD4<Double>, _ low: SIMD2<Double>, _ high: SIMD2<Double>, isArea: Bool
  ) -> Bool {
    var (t0, t1) = (0.0, 1.0)
    let along = SIMD2(edge.z - edge.x, edge.w - edge.y)
    for axis in 0..<2 {
      let start = axis == 0 ? edge.x : edge.y
      if along[axis] == 0 {
        if start < low[axis] || start > high[axis] { return false }
        continue
      }
      let a = (low[axis] - start) / along[axis], b = (high[axis] - start) / along[axis]
      t0 = max(t0, min(a, b))
      t1 = min(t1, max(a, b))
    }
    guard t0 <= t1 else { return false }
    let middle = SIMD2(edge.x, edge.y) + (t0 + t1) / 2 * along
    if isArea { return all(middle .> low) && all(middle .< high) }
    return all(middle .>= low) && all(middle .< high)
  }
}
