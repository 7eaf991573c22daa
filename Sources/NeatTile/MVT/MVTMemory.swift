import NeatBase

/// The memory of a decoded layer: one block.
final class MVTLayerMemory: Sendable {
  nonisolated(unsafe) let block: UnsafeMutableRawPointer
  let byteCount: Int

  init(_ bytes: Int) throws(NeatError) {
    byteCount = max(bytes, 16)
    guard let block = malloc(byteCount) else {
      throw NeatError(.outOfMemory, "no memory for a layer of \(bytes) bytes")
    }
    self.block = block
  }

  deinit { free(block) }
}

/// Cuts a block into columns; call with the widest elements first, so that each stays aligned.
struct ColumnCutter {
  private var at: UnsafeMutableRawPointer
  private let end: UnsafeMutableRawPointer

  /// The memory must outlive the cutter's columns.
  init(_ memory: MVTLayerMemory) {
    at = memory.block
    end = at + memory.byteCount
  }

  mutating func cut<T: BitwiseCopyable>(_ type: T.Type, _ count: Int) -> UnsafeMutablePointer<T> {
    assert(count >= 0 && count * MemoryLayout<T>.stride <= end - at, "a column does not fit its block")
    assert(UInt(bitPattern: at) % UInt(MemoryLayout<T>.alignment) == 0, "a column is not aligned")
    let column = at.bindMemory(to: T.self, capacity: count)
    at += count * MemoryLayout<T>.stride
    return column
  }

  /// Bytes that no column has yet.
  var left: Int { end - at }

  /// Cuts a column and fills it.
  mutating func copy<T: BitwiseCopyable>(_ source: UnsafeMutablePointer<T>, _ count: Int) -> UnsafePointer<T>
  {
    let column = cut(T.self, count)
    column.update(from: source, count: count)
    return UnsafePointer(column)
  }
}
