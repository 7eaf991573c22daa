import NeatBase

/// A growing run of plain values in memory of its own: what the reader and the tilers append to. `take` hands
/// the memory over.
struct Column<Element: BitwiseCopyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 64) {
    self.capacity = max(1, capacity)
    base = Column.memory(nil, self.capacity)
  }

  deinit { free(base) }

  private static func memory(_ old: UnsafeMutablePointer<Element>?, _ capacity: Int) -> UnsafeMutablePointer<
    Element
  > {
    guard let block = realloc(old, capacity * MemoryLayout<Element>.stride) else {
      fatalError("out of memory")
    }
    return block.assumingMemoryBound(to: Element.self)
  }

  @inline(never) private mutating func grow(_ minimum: Int) {
    capacity = max(minimum, capacity + capacity / 2 + 16)
    base = Column.memory(base, capacity)
  }

  @inline(__always) mutating func append(_ value: Element) {
    if count == capacity { grow(count + 1) }
    (base + count).initialize(to: value)
    count &+= 1
  }

  @inline(__always) mutating func append(_ source: UnsafePointer<Element>, count added: Int) {
    reserve(added).update(from: source, count: added)
    advance(added)
  }

  /// Appends where the caller has room reserved.
  @inline(__always) mutating func appendReserved(_ value: Element) {
    (base + count).initialize(to: value)
    count &+= 1
  }

  /// Room for `extra` more values past the end; `advance` makes them part of the column.
  @inline(__always) mutating func reserve(_ extra: Int) -> UnsafeMutablePointer<Element> {
    if capacity - count < extra { grow(count + extra) }
    return base + count
  }

  @inline(__always) mutating func advance(_ added: Int) { count &+= added }

  mutating func truncate(_ newCount: Int) { count = min(count, newCount) }

  @inline(__always) subscript(_ index: Int) -> Element {
    get { base[index] }
    nonmutating set { base[index] = newValue }
  }

  /// Gives the memory away, cut to what is used; the new owner frees it with `free`.
  consuming func take() -> UnsafeMutablePointer<Element> {
    let result = Column.memory(base, max(1, count))
    discard self
    return result
  }
}

/// Frees the memory of columns that were handed over to a tile layer.
final class ColumnOwner: @unchecked Sendable {
  private var blocks: [UnsafeMutableRawPointer] = []

  init() {}

  deinit { for block in blocks { free(block) } }

  func own<T: BitwiseCopyable>(_ column: consuming Column<T>) -> UnsafePointer<T> {
    let memory = column.take()
    blocks.append(UnsafeMutableRawPointer(memory))
    return UnsafePointer(memory)
  }
}

/// Bytes of strings, packed without alignment, freed all at once.
final class StringPool: @unchecked Sendable {
  private var blocks: [UnsafeMutablePointer<UInt8>] = []
  private var cursor: UnsafeMutablePointer<UInt8>?
  /// -1 before the first block, so that even an empty string gets an address.
  private var left = -1

  init() {}

  deinit { for block in blocks { block.deallocate() } }

  /// Room for `count` bytes that live as long as the pool.
  @inline(__always) func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    if count > left { grow(count) }
    let result = cursor!
    cursor = result + count
    left &-= count
    return result
  }

  /// Gives back the last `count` bytes of the latest allocation.
  func giveBack(_ count: Int) {
    cursor = cursor! - count
    left += count
  }

  @inline(__always) func copy(_ source: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let target = allocate(source.count)
    if let base = source.baseAddress { target.update(from: base, count: source.count) }
    return UnsafeBufferPointer(start: target, count: source.count)
  }

  @inline(never) private func grow(_ count: Int) {
    let size = max(count, min(1 << 20, 4096 << min(8, blocks.count)))
    let block = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    blocks.append(block)
    cursor = block
    left = size
  }
}
