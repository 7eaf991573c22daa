/// A picture's blocks of 64 x 64 pixels, each marked or not: what changed of it, what a viewer has only roughly.
/// The blocks along the right and lower edge may be smaller.
package struct BlockGrid: Equatable, Sendable {
  package static let edge = 64

  package let width: Int
  package let height: Int
  let columns: Int
  let rows: Int
  private(set) var marks: [Bool]

  /// A picture of at least one pixel, with no block marked.
  package init(width: Int, height: Int) {
    precondition(width > 0 && height > 0)
    (self.width, self.height) = (width, height)
    columns = (width + BlockGrid.edge - 1) / BlockGrid.edge
    rows = (height + BlockGrid.edge - 1) / BlockGrid.edge
    marks = [Bool](repeating: false, count: columns * rows)
  }

  package var isEmpty: Bool { !marks.contains(true) }

  package mutating func markAll() { marks = [Bool](repeating: true, count: marks.count) }

  package mutating func clear() { marks = [Bool](repeating: false, count: marks.count) }

  /// Marks those that another grid of the same picture has.
  package mutating func formUnion(_ other: BlockGrid) {
    precondition(marks.count == other.marks.count)
    for index in marks.indices where other.marks[index] { marks[index] = true }
  }

  /// Sets the marks of all blocks that a rectangle touches.
  package mutating func set(_ rect: PixelRect, _ isMarked: Bool) {
    guard rect.area > 0 else { return }
    for row in rect.y / BlockGrid.edge...(rect.y + rect.height - 1) / BlockGrid.edge {
      for column in rect.x / BlockGrid.edge...(rect.x + rect.width - 1) / BlockGrid.edge {
        marks[row * columns + column] = isMarked
      }
    }
  }

  /// Marks the blocks in which two pictures of this size differ. Both have rows of `4 * width` bytes.
  package mutating func mark(changesFrom old: UnsafeBufferPointer<UInt8>, to new: UnsafeBufferPointer<UInt8>)
  {
    precondition(old.count == 4 * width * height && new.count == 4 * width * height)
    guard let old = UnsafeRawPointer(old.baseAddress), let new = UnsafeRawPointer(new.baseAddress) else {
      return
    }
    for row in 0..<rows {
      let lines = row * BlockGrid.edge..<min((row + 1) * BlockGrid.edge, height)
      for line in lines {
        for column in 0..<columns where !marks[row * columns + column] {
          let left = column * BlockGrid.edge
          // Within both: line < height, and left + count <= width.
          let (start, count) = (4 * (line * width + left), 4 * min(BlockGrid.edge, width - left))
          if !BlockGrid.isSame(old + start, new + start, count) { marks[row * columns + column] = true }
        }
      }
    }
  }

  /// `count` is a multiple of 4.
  @inline(__always) private static func isSame(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int)
    -> Bool
  {
    var at = 0
    while at &+ 32 <= count {
      let x = a.loadUnaligned(fromByteOffset: at, as: SIMD4<UInt64>.self)
      let y = b.loadUnaligned(fromByteOffset: at, as: SIMD4<UInt64>.self)
      if x != y { return false }
      at &+= 32
    }
    while at < count {
      if a.loadUnaligned(fromByteOffset: at, as: UInt32.self)
        != b.loadUnaligned(fromByteOffset: at, as: UInt32.self)
      {
        return false
      }
      at &+= 4
    }
    return true
  }

  /// Rectangles of whole blocks that cover the marked ones, none of them twice: runs of a row of blocks, joined
  /// with the same run below. Past `limit` one rectangle around all.
  package func rectangles(limit: Int) -> [PixelRect] {
    var done: [PixelRect] = []
    /// Those that end with the row above, in blocks.
    var open: [PixelRect] = []
    for row in 0..<rows {
      var next: [PixelRect] = []
      var column = 0
      while column < columns {
        guard marks[row * columns + column] else {
          column += 1
          continue
        }
        var end = column + 1
        while end < columns, marks[row * columns + end] { end += 1 }
        if let index = open.firstIndex(where: { $0.x == column && $0.width == end - column }) {
          var rect = open.remove(at: index)
          rect.height += 1
          next.append(rect)
        } else {
          next.append(PixelRect(x: column, y: row, width: end - column, height: 1))
        }
        column = end
      }
      done += open
      open = next
    }
    done += open
    guard let first = done.first else { return [] }
    if done.count > limit { done = [done.dropFirst().reduce(first) { $0.union($1) }] }
    return done.map(pixels).sorted { ($0.y, $0.x) < ($1.y, $1.x) }
  }

  /// The pixels of a rectangle of blocks.
  private func pixels(_ blocks: PixelRect) -> PixelRect {
    let (x, y) = (blocks.x * BlockGrid.edge, blocks.y * BlockGrid.edge)
    return PixelRect(
      x: x, y: y, width: min(blocks.width * BlockGrid.edge, width - x),
      height: min(blocks.height * BlockGrid.edge, height - y))
  }
}
