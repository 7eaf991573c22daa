/// Blocks that one picture gives back and the next one takes: pixels, and what encoders work with. Without it
/// the C library hands the end of its heap back to the system with each of them, and every page of the next
/// one is asked for and cleared anew (docs/performance.md, Where the time goes).
///
/// A block comes as it was left: nothing may be read of it before it is written.
package enum BlockPool {
  /// Smaller blocks, and larger ones, are the C library's.
  static let blockBytes = 16 << 10...8 << 20
  /// All blocks that are kept hold so many bytes at most.
  static let maxBytes = 16 << 20

  private struct Block {
    var address: UInt
    var byteCount: Int
  }

  private struct State {
    var blocks: [Block] = []
    var byteCount = 0
  }

  private final class Store: Sendable {
    let state = Locked(State())
  }

  /// A thread that is not there after a fork may have held the lock.
  private static let stores = PerProcess(Store())
  private static var store: Store { stores.get { _ in Store() } }

  /// Bytes of the blocks that are kept.
  static var keptBytes: Int { store.state.withLock { $0.byteCount } }

  /// Blocks of nearly the same size are one size: an eighth is left unused at most.
  static func size(_ byteCount: Int) -> Int {
    let step = 1 << (Int.bitWidth - 4 - byteCount.leadingZeroBitCount)
    return (byteCount + step - 1) & ~(step - 1)
  }

  /// A block aligned to 16 bytes, for `give` of as many bytes.
  package static func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
    assert(byteCount >= 0, "a block of fewer than no bytes")
    guard blockBytes.contains(byteCount) else { return moreMemory(nil, max(1, byteCount)) }
    let size = size(byteCount)
    let address = store.state.withLock { state -> UInt in
      // The one given back last is likeliest to be in the processor's caches.
      guard let index = state.blocks.lastIndex(where: { $0.byteCount == size }) else { return 0 }
      state.byteCount -= size
      return state.blocks.remove(at: index).address
    }
    return UnsafeMutableRawPointer(bitPattern: address) ?? moreMemory(nil, size)
  }

  /// Gives a block back that `take` gave for so many bytes. Where there is no room, the oldest go.
  package static func give(_ block: UnsafeMutableRawPointer, _ byteCount: Int) {
    guard blockBytes.contains(byteCount) else { return free(block) }
    let new = Block(address: UInt(bitPattern: block), byteCount: size(byteCount))
    drop { state in
      var past = 0
      while past < state.blocks.count, state.byteCount + new.byteCount > maxBytes {
        state.byteCount -= state.blocks[past].byteCount
        past += 1
      }
      let old = Array(state.blocks.prefix(past))
      state.blocks.removeFirst(past)
      state.blocks.append(new)
      state.byteCount += new.byteCount
      assert(state.byteCount <= maxBytes, "more is kept than may be")
      return old
    }
  }

  /// Frees all that is kept.
  package static func removeAll() {
    drop { state in
      let all = state.blocks
      state = State()
      return all
    }
  }

  /// Frees what `body` takes out, once the lock is let go.
  private static func drop(_ body: (inout State) -> [Block]) {
    let old = store.state.withLock { body(&$0) }
    for block in old { free(UnsafeMutableRawPointer(bitPattern: block.address)) }
  }
}

/// Values in a block of the pool, which goes back with their owner.
package struct PooledValues<Value: BitwiseCopyable>: ~Copyable {
  package let base: UnsafeMutablePointer<Value>
  private let byteCount: Int

  /// Room for `count` values, none of them there yet.
  package init(_ count: Int) {
    assert(MemoryLayout<Value>.alignment <= 16, "blocks are aligned to 16 bytes")
    byteCount = count * MemoryLayout<Value>.stride
    base = BlockPool.take(byteCount).bindMemory(to: Value.self, capacity: count)
  }

  deinit { BlockPool.give(UnsafeMutableRawPointer(base), byteCount) }
}
