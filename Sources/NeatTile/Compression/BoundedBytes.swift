import NeatBase

/// The result of a stream whose length nobody knows: grows by doubling, one byte past its limit at most, so
/// that passing it shows.
struct BoundedBytes {
  private let memory: InflatedBytes
  private let limit: Int
  var count: Int { memory.count }

  init(limit: Int, guess: Int) throws(NeatError) {
    self.limit = limit
    memory = try InflatedBytes(capacity: min(limit + 1, max(4096, min(guess, 1 << 20) * 4)))
  }

  /// Where the next bytes go.
  var free: UnsafeMutableBufferPointer<UInt8> {
    UnsafeMutableBufferPointer(start: memory.start + memory.count, count: memory.capacity - memory.count)
  }

  /// Takes in bytes that were written there.
  func advance(_ added: Int) { memory.advance(added) }

  /// Makes sure that there is room for at least one more byte; an error when there are more bytes than the
  /// limit, or no memory for them.
  func makeRoom() -> NeatError? {
    if memory.count > limit { return Inflate.tooLarge(limit) }
    guard memory.count == memory.capacity else { return nil }
    do throws(NeatError) {
      try memory.grow(to: min(limit + 1, memory.capacity * 2))
      return nil
    } catch { return error }
  }

  /// Throws `limitExceeded` when there are more bytes than the limit, `outOfMemory`.
  func finish() throws(NeatError) -> [UInt8] {
    guard memory.count <= limit else { throw Inflate.tooLarge(limit) }
    try ProcessMemory.require(memory.count, for: "unpacked data")
    return Array(UnsafeBufferPointer(start: memory.start, count: memory.count))
  }
}
