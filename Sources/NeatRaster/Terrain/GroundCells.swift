import NeatBase

/// Which cells of the ground have something of a picture near them: in the cell itself, or in one of the eight around
/// it. Where nothing is near, nothing is sampled, as long as samples do not reach beyond a cell.
package struct GroundCells: Sendable {
  /// Texels along a cell.
  let texels: Int
  /// Two words a row of cells, a bit a cell.
  private var near: [UInt64]
  /// Whether there is nothing at all.
  package private(set) var isEmpty = true

  private static let words = GroundMesh.cells / 64

  /// Nil where cells do not consist of whole texels.
  /// - Parameter blocks: beside them it is transparent.
  package init?(_ picture: GroundPicture, _ blocks: GroundBlocks) {
    let cells = GroundMesh.cells
    guard picture.edge % cells == 0 else { return nil }
    texels = picture.edge / cells
    near = [UInt64](repeating: 0, count: cells * GroundCells.words)
    for row in 0..<cells {
      let columns = GroundBlocks.texels(blocks.columns(row / GroundMesh.blockCells), edge: cells)
      for column in columns where hasColour(picture, column, row) {
        isEmpty = false
        mark(column, row)
      }
    }
  }

  private func hasColour(_ picture: GroundPicture, _ column: Int, _ row: Int) -> Bool {
    for row in row &* texels..<(row &+ 1) &* texels {
      let start = picture.row(row) + column &* texels
      for texel in 0..<texels where start[texel] != 0 { return true }
    }
    return false
  }

  private mutating func mark(_ column: Int, _ row: Int) {
    let last = GroundMesh.cells - 1
    for y in max(row - 1, 0)...min(row + 1, last) {
      for x in max(column - 1, 0)...min(column + 1, last) {
        near[y * GroundCells.words + x / 64] |= 1 << UInt64(x % 64)
      }
    }
  }

  /// Whether there is nothing near a cell of the mesh, by its number, row by row.
  @inline(__always) func isBare(_ cell: Int) -> Bool {
    assert(cell >= 0 && cell < GroundMesh.cells * GroundMesh.cells, "a cell beyond the tile")
    return near[cell &>> 6] & (1 &<< UInt64(truncatingIfNeeded: cell & 63)) == 0
  }
}
