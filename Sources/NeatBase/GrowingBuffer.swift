import CReserve

/// A run of plain values in memory of its own, which grows as values come and is kept when the run is
/// emptied. For hot loops: no reference counts, and nothing is checked in optimised builds.
///
/// `append` and `extend` make room by themselves. Where many values are written through a pointer, `reserve`
/// makes room for the most that may come, and `advance` says how many did. Pointers are valid until the run
/// grows.
///
/// Public, unlike all else here: the compiler makes versions for one element in other targets only of what
/// is.
public struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var memory: UnsafeMutablePointer<Element>
  @usableFromInline var used: Int
  @usableFromInline var room: Int

  /// An empty run with room for `capacity` values.
  @inlinable public init(capacity: Int = 64) {
    assert(capacity >= 0, "a run of fewer than no values")
    assert(MemoryLayout<Element>.alignment <= 16, "memory is aligned to 16 bytes")
    room = capacity
    used = 0
    memory = moreMemory(nil, max(1, room) * MemoryLayout<Element>.stride)
      .assumingMemoryBound(to: Element.self)
  }

  @inlinable deinit { free(memory) }

  /// The first value.
  @inlinable @inline(__always) public var base: UnsafeMutablePointer<Element> { memory }
  @inlinable @inline(__always) public var count: Int { used }
  /// Values that there is room for.
  @inlinable @inline(__always) public var capacity: Int { room }
  /// Bytes that are held.
  @inlinable public var heldBytes: Int { room * MemoryLayout<Element>.stride }
  @inlinable public var buffer: UnsafeBufferPointer<Element> {
    UnsafeBufferPointer(start: memory, count: used)
  }

  @inlinable @inline(__always) public subscript(_ index: Int) -> Element {
    get {
      assert(index >= 0 && index < used, "a value past the end of its run")
      return memory[index]
    }
    nonmutating set {
      assert(index >= 0 && index < used, "a value past the end of its run")
      memory[index] = newValue
    }
  }

  // MARK: Adding

  @inlinable @inline(__always) public mutating func append(_ value: Element) {
    if used == room { grow(1) }
    (memory + used).initialize(to: value)
    used &+= 1
  }

  @inlinable @inline(__always)
  public mutating func append(_ source: UnsafePointer<Element>, count added: Int) {
    reserve(added).update(from: source, count: added)
    advance(added)
  }

  /// Appends where the caller has room reserved.
  @inlinable @inline(__always) public mutating func appendReserved(_ value: Element) {
    assert(used < room, "no room was reserved")
    (memory + used).initialize(to: value)
    used &+= 1
  }

  /// Adds values that the caller writes through the pointer, which is to the first of them.
  @inlinable @inline(__always)
  public mutating func extend(_ added: Int) -> UnsafeMutablePointer<Element> {
    let place = reserve(added)
    used &+= added
    return place
  }

  /// Room for `extra` more values past the end, which the pointer is to; `advance` makes them part of the
  /// run.
  @inlinable @inline(__always) @discardableResult
  public mutating func reserve(_ extra: Int) -> UnsafeMutablePointer<Element> {
    assert(extra >= 0, "room for fewer than no values")
    if room &- used < extra { grow(extra) }
    return memory + used
  }

  /// Room for `capacity` values in all and no more: for memory that is counted before it is taken.
  @inlinable public mutating func grow(to capacity: Int) {
    if capacity <= room { return }
    room = capacity
    memory = moreMemory(memory, room * MemoryLayout<Element>.stride).assumingMemoryBound(to: Element.self)
  }

  /// Takes in values that were written behind the end.
  @inlinable @inline(__always) public mutating func advance(_ added: Int) {
    assert(added >= 0 && added <= room - used, "more values than there was room for")
    used &+= added
  }

  /// Empties the run and makes room for `count` values; what was in it is lost.
  @inlinable @inline(__always)
  public mutating func overwrite(_ count: Int) -> UnsafeMutablePointer<Element> {
    assert(count >= 0, "room for fewer than no values")
    used = 0
    if count > room { replace(count) }
    return memory
  }

  // MARK: Taking away

  /// Keeps the memory.
  @inlinable @inline(__always) public mutating func removeAll() { used = 0 }

  @inlinable @inline(__always) public mutating func removeLast(_ amount: Int) {
    assert(amount >= 0 && amount <= used, "more values than there are")
    used &-= amount
  }

  /// Keeps the first `count` values at most.
  @inlinable public mutating func truncate(_ count: Int) {
    assert(count >= 0, "fewer than no values")
    used = min(used, count)
  }

  /// Gives the memory away, cut to what is used and room for `extra` more; the new owner frees it.
  public consuming func take(extra: Int = 0) -> UnsafeMutablePointer<Element> {
    let result = moreMemory(memory, max(1, used + extra) * MemoryLayout<Element>.stride)
    discard self
    return result.assumingMemoryBound(to: Element.self)
  }

  // MARK: Growing

  /// By half at least: contents are moved, and the old memory and the new may be held at once.
  @inlinable @inline(never) mutating func grow(_ extra: Int) {
    room = max(used + extra, room + room / 2 + 16)
    memory = moreMemory(memory, room * MemoryLayout<Element>.stride).assumingMemoryBound(to: Element.self)
  }

  /// Doubles at least, without moving contents.
  @inlinable @inline(never) mutating func replace(_ count: Int) {
    room = max(count, room * 2, 256)
    free(memory)
    memory = moreMemory(nil, room * MemoryLayout<Element>.stride).assumingMemoryBound(to: Element.self)
  }
}

/// `realloc` that does not fail: where the system refuses, the reserve makes room.
@usableFromInline func moreMemory(_ old: UnsafeMutableRawPointer?, _ byteCount: Int)
  -> UnsafeMutableRawPointer
{
  reserve_realloc(old, byteCount)
}

extension Array {
  /// Bytes that are held, without what the values refer to.
  @inlinable package var heldBytes: Int { capacity * MemoryLayout<Element>.stride }
}
