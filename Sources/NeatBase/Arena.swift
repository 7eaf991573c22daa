/// Memory that is handed out in pieces and freed all at once: what a decoded tile consists of. Not for
/// concurrent use while it grows.
package final class Arena: @unchecked Sendable {  // shared when it has stopped growing
  private static let alignment = 16
  @exclusivity(unchecked) private var bytes: ByteArena

  package init() { bytes = ByteArena(alignment: Arena.alignment) }

  /// - Parameter sizes: bytes of each of the pieces that will be asked for, in one block.
  package init(for sizes: [Int]) {
    let room = sizes.reduce(0) { $0 + max(Arena.alignment, ($1 + Arena.alignment - 1) & -Arena.alignment) }
    bytes = ByteArena(alignment: Arena.alignment, firstBlock: room)
  }

  /// Bytes asked of the system so far.
  package var byteCount: Int { bytes.byteCount }

  /// Room for `count` values, uninitialised, aligned to 16 bytes.
  package func allocate<T: BitwiseCopyable>(_ type: T.Type, _ count: Int) -> UnsafeMutablePointer<T> {
    precondition(count >= 0 && count <= Int.max / (2 * max(1, MemoryLayout<T>.stride)))
    assert(MemoryLayout<T>.alignment <= 16, "memory is aligned to 16 bytes")
    let size = max(1, count * MemoryLayout<T>.stride)
    let result = bytes.reserve(size)
    bytes.keep(size)
    return result.bindMemory(to: T.self, capacity: count)
  }
}
