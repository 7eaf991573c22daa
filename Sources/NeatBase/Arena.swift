/// Memory that is handed out in pieces and freed all at once: what a decoded tile consists of. Not for
/// concurrent use while it grows.
package final class Arena: @unchecked Sendable {
  private var blocks: [UnsafeMutableRawPointer] = []
  private var cursor: UnsafeMutableRawPointer?
  private var left = 0
  /// Bytes asked of the system so far.
  package private(set) var byteCount = 0

  package init() {}

  deinit {
    for block in blocks { block.deallocate() }
  }

  /// Room for `count` values, uninitialised, aligned to 16 bytes.
  package func allocate<T: BitwiseCopyable>(_ type: T.Type, _ count: Int) -> UnsafeMutablePointer<T> {
    precondition(count >= 0 && count <= Int.max / (2 * max(1, MemoryLayout<T>.stride)))
    let size = (max(1, count * MemoryLayout<T>.stride) + 15) & ~15
    if size > left { grow(size) }
    let result = cursor!
    cursor = result + size
    left -= size
    return result.bindMemory(to: T.self, capacity: count)
  }

  private func grow(_ size: Int) {
    let block = max(size, blocks.isEmpty ? 4096 : 65536)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: block, alignment: 16)
    blocks.append(memory)
    byteCount += block
    cursor = memory
    left = block
  }
}
