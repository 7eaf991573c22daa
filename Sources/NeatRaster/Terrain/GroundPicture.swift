import NeatBase

/// What is draped over a tile of the ground, a square of texels: the box of it that is seen. Texels are found by their
/// places in the whole square.
package final class GroundPicture: Sendable {
  /// Texels along the square.
  package let edge: Int
  /// The box that there is; at least two of each.
  package let rows: Range<Int>
  package let columns: Range<Int>
  private let store: GroundStore

  /// Smaller squares are there as a whole: a sample is made of two by two texels.
  private static let leastEdge = 2 * GroundBlocks.side

  /// - Parameters:
  ///   - edge: at least 2.
  ///   - blocks: those that are to be seen.
  ///   - store: of a picture that is gone, and left as that was; nil for a new one.
  package init(edge: Int, _ blocks: GroundBlocks, _ store: GroundStore? = nil) {
    precondition(edge >= 2)
    self.edge = edge
    (rows, columns) = GroundPicture.box(edge, blocks)
    self.store = store ?? GroundStore(rows.count * columns.count)
    precondition(self.store.capacity >= rows.count * columns.count, "less memory than the picture has texels")
  }

  private static func box(_ edge: Int, _ blocks: GroundBlocks) -> (Range<Int>, Range<Int>) {
    guard edge >= leastEdge, !blocks.isEmpty else { return (0..<edge, 0..<edge) }
    let box = blocks.box
    return (GroundBlocks.texels(box.rows, edge: edge), GroundBlocks.texels(box.columns, edge: edge))
  }

  /// Texels that a store for some blocks needs room for.
  package static func capacity(edge: Int, _ blocks: GroundBlocks) -> Int {
    let (rows, columns) = box(edge, blocks)
    return rows.count * columns.count
  }

  package var byteCount: Int { store.capacity * MemoryLayout<UInt32>.size }

  /// The memory, for another picture. Only for who alone holds this one.
  package var freed: GroundStore { store }

  /// Texels from a row to the next.
  var stride: Int { columns.count }

  /// Where column 0 of a row is, or would be: an address beside the memory, which pointers do not reckon with.
  @inline(__always) package func row(_ y: Int) -> UnsafeMutablePointer<UInt32> {
    let texels = (y &- rows.lowerBound) &* stride &- columns.lowerBound
    let address = UInt(bitPattern: store.texels) &+ UInt(bitPattern: texels &* MemoryLayout<UInt32>.stride)
    return UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
  }

  /// Some of its rows, of which no more than its columns may be touched. Different threads may draw different rows at
  /// the same time.
  package func band(_ rows: Range<Int>) -> Band {
    assert(rows.clamped(to: self.rows) == rows, "rows that are not there")
    return Band(
      pixels: row(rows.lowerBound), stride: stride, x0: columns.lowerBound, width: columns.upperBound,
      y0: rows.lowerBound, y1: rows.upperBound)
  }

  /// Makes rows transparent.
  package func clear(_ rows: Range<Int>) {
    assert(rows.clamped(to: self.rows) == rows, "rows that are not there")
    (row(rows.lowerBound) + columns.lowerBound).update(repeating: 0, count: rows.count * stride)
  }

  /// Takes a part of a picture of the same square.
  package func copy(_ rows: Range<Int>, _ columns: Range<Int>, from other: GroundPicture) {
    assert(rows.clamped(to: self.rows).clamped(to: other.rows) == rows, "rows that are not there")
    assert(
      columns.clamped(to: self.columns).clamped(to: other.columns) == columns, "columns that are not there")
    for y in rows {
      (row(y) + columns.lowerBound).update(from: other.row(y) + columns.lowerBound, count: columns.count)
    }
  }
}

/// The memory of a picture.
package final class GroundStore: Sendable {
  /// In texels.
  package let capacity: Int
  fileprivate nonisolated(unsafe) let texels: UnsafeMutablePointer<UInt32>

  /// What it holds of a budget.
  private let hold: MemoryHold?

  package init(_ capacity: Int, _ hold: MemoryHold? = nil) {
    self.capacity = capacity
    self.hold = hold
    texels = .allocate(capacity: capacity)
  }

  deinit { texels.deallocate() }
}
