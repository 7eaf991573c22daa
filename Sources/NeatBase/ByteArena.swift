/// Blocks of memory that are filled from the front and freed all at once. Values stay where they are.
///
/// Space is reserved for the most that may come, and what was used of it is kept.
public struct ByteArena: ~Copyable {
  private var blocks: [UnsafeMutableRawPointer] = []
  @usableFromInline var cursor: UnsafeMutableRawPointer
  @usableFromInline var left: Int
  /// Bytes asked of the system so far.
  package private(set) var byteCount = 0
  /// What is kept is rounded up to this. Where many short runs are kept of long reservations, as of a line
  /// that leaves a stripe again and again, more than a run shrinks the next reservation by would make every
  /// run take a block of its own.
  @usableFromInline let alignment: Int
  private let firstBlock: Int
  private var firstSize = 0

  /// Blocks after the first one double up to this.
  public static let largestBlock = 1 << 20

  /// `alignment`: 1, 2, 4, 8 or 16 bytes. `firstBlock`: bytes of the first block, all that will be
  /// kept where that is known; later ones double.
  public init(alignment: Int, firstBlock: Int = 4096) {
    assert([1, 2, 4, 8, 16].contains(alignment), "memory is aligned to 16 bytes")
    self.alignment = alignment
    self.firstBlock = firstBlock
    // No block yet, and no room even for nothing: an empty run gets an address too.
    cursor = UnsafeMutableRawPointer(bitPattern: 16)!
    left = -1
  }

  deinit { for block in blocks { free(block) } }

  /// Room for `count` bytes and the rounding, uninitialised.
  @inlinable @inline(__always)
  public mutating func reserve(_ count: Int) -> UnsafeMutableRawPointer {
    assert(count >= 0, "fewer than no bytes")
    if rounded(count) > left { grow(rounded(count)) }
    return cursor
  }

  /// Keeps the first `count` bytes of what `reserve` returned last.
  @inlinable @inline(__always) public mutating func keep(_ count: Int) {
    let size = rounded(count)
    assert(count >= 0 && size <= left, "more bytes than were reserved")
    cursor += size
    left &-= size
  }

  /// Gives back the last `count` bytes of what was kept last, in an arena of single bytes.
  @inlinable public mutating func giveBack(_ count: Int) {
    assert(alignment == 1 && count >= 0, "only single bytes are given back")
    cursor -= count
    left += count
  }

  @inlinable @inline(__always) func rounded(_ count: Int) -> Int { (count &+ (alignment &- 1)) & -alignment }

  @usableFromInline mutating func grow(_ count: Int) {
    let usual = blocks.isEmpty ? firstBlock : min(ByteArena.largestBlock, firstBlock << min(16, blocks.count))
    let size = max(count, 16, usual)
    let block = moreMemory(nil, size)
    blocks.append(block)
    if blocks.count == 1 { firstSize = size }
    byteCount += size
    cursor = block
    left = size
  }

  /// Forgets all that was kept. The first block stays; what was asked for beyond it is given back.
  public mutating func reset() {
    guard let first = blocks.first else { return }
    for block in blocks.dropFirst() { free(block) }
    blocks.removeSubrange(1...)
    byteCount = firstSize
    cursor = first
    left = firstSize
  }
}
