import NeatBase

/// The result of a stream whose length nobody knows: grows by doubling, one byte past its limit at most, so that passing it shows.
struct BoundedBytes {
  private let memory: InflatedBytes
  private let limit: Int
  var count: Int {
    get { memory.count }
    nonmutating set { memory.count = newValue }
  }

  init(limit: Int, guess: Int) {
    self.limit = limit
    memory = InflatedBytes(capacity: min(limit + 1, max(4096, min(guess, 1 << 20) * 4)))
  }

  /// Where the next bytes go.
  var free: UnsafeMutableBufferPointer<UInt8> {
    UnsafeMutableBufferPointer(start: memory.start + memory.count, count: memory.capacity - memory.count)
  }

  /// Makes sure that there is room for at least one more byte; false when there are more bytes than the limit.
  func makeRoom() -> Bool {
    if memory.count > limit { return false }
    if memory.count == memory.capacity { memory.grow(to: min(limit + 1, memory.capacity * 2)) }
    return true
  }

  /// Throws `limitExceeded` when there are more bytes than the limit.
  func finish() throws(NeatError) -> [UInt8] {
    guard memory.count <= limit else { throw Inflate.tooLarge(limit) }
    return Array(UnsafeBufferPointer(start: memory.start, count: memory.count))
  }
}
