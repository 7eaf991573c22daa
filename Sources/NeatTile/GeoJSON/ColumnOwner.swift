import NeatBase

/// Frees the memory of columns that were handed over to a tile layer.
final class ColumnOwner: @unchecked Sendable {  // changes only while its columns are built
  private var blocks: [UnsafeMutableRawPointer] = []

  init() {}

  deinit { for block in blocks { free(block) } }

  func own<T: BitwiseCopyable>(_ column: consuming GrowingBuffer<T>) -> UnsafePointer<T> {
    let memory = column.take()
    blocks.append(UnsafeMutableRawPointer(memory))
    return UnsafePointer(memory)
  }
}

/// Bytes of strings, packed without alignment, freed all at once.
final class StringPool: @unchecked Sendable {  // shared when it has stopped growing
  @exclusivity(unchecked) private var bytes = ByteArena(alignment: 1)

  init() {}

  /// Room for `count` bytes that live as long as the pool.
  @inline(__always) func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    let start = bytes.reserve(count)
    bytes.keep(count)
    return start.assumingMemoryBound(to: UInt8.self)
  }

  /// Gives back the last `count` bytes of the latest allocation.
  func giveBack(_ count: Int) { bytes.giveBack(count) }

  @inline(__always) func copy(_ source: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let target = allocate(source.count)
    if let base = source.baseAddress { target.update(from: base, count: source.count) }
    return UnsafeBufferPointer(start: target, count: source.count)
  }
}
