import NeatBase

/// Blocks of a tile's ground, eight to a side: of each row of them those from one column to another.
package struct GroundBlocks: Sendable, Equatable {
  package static let side = 8

  private var first = SIMD8<UInt8>(repeating: UInt8(GroundBlocks.side))
  private var end = SIMD8<UInt8>.zero

  package static let none = GroundBlocks()
  static let all: GroundBlocks = {
    var all = GroundBlocks.none
    (all.first, all.end) = (.zero, SIMD8(repeating: UInt8(side)))
    return all
  }()

  private init() {}

  package var isEmpty: Bool { end == .zero }

  package mutating func add(row: Int, column: Int) {
    first[row] = min(first[row], UInt8(clamping: column))
    end[row] = max(end[row], UInt8(clamping: column + 1))
  }

  package func columns(_ row: Int) -> Range<Int> { end[row] == 0 ? 0..<0 : Int(first[row])..<Int(end[row]) }

  /// The rows and the columns that have any.
  package var box: (rows: Range<Int>, columns: Range<Int>) {
    guard !isEmpty else { return (0..<0, 0..<0) }
    let rows = (0..<GroundBlocks.side).filter { end[$0] > 0 }
    return (rows.first!..<rows.last! + 1, Int(first.min())..<Int(end.max()))
  }

  /// Those of both, and what is between them in a row.
  package func union(_ other: GroundBlocks) -> GroundBlocks {
    var both = self
    both.first.replace(with: other.first, where: other.first .< first)
    both.end.replace(with: other.end, where: other.end .> end)
    return both
  }

  /// Whether all of the others are among them.
  package func holds(_ others: GroundBlocks) -> Bool { union(others) == self }

  /// The texels along rows or columns of blocks, in a picture of so many. Neighbours share none.
  package static func texels(_ blocks: Range<Int>, edge: Int) -> Range<Int> {
    blocks.lowerBound * edge / side..<blocks.upperBound * edge / side
  }
}
