import CReserve

/// Memory that is held back for allocations that the system refuses (`CReserve`).
///
/// An allocation that is refused gets its memory from the reserve, so that the work which made it goes on. Work
/// that can fail compares `refusals` before and after, and ends with `outOfMemory` where the number has grown:
/// what it holds is freed, and the reserve is filled again before the next call. The number is the process's, so
/// that a call on another thread fails too.
package enum MemoryReserve {
  package static let byteCount = Int(RESERVE_BYTES)

  /// Bytes that are held now.
  package static var heldBytes: Int { reserve_held() }

  /// Allocations that were refused since the library was loaded.
  package static var refusals: Int { reserve_refusals() }

  /// Throws `outOfMemory` where the reserve is not whole and cannot be filled. Before each piece of work that
  /// allocates, so that a piece finds a whole reserve: a call, a tile, a layer of it, a band of a picture.
  @inline(__always)
  package static func hold() throws(NeatError) {
    if !reserve_is_whole() { try fill() }
  }

  private static func fill() throws(NeatError) {
    if reserve_fill() { return }
    ProcessMemory.giveBack()
    if reserve_fill() { return }
    throw NeatError(
      .outOfMemory, "\(heldBytes) bytes are left of the \(byteCount) that are held back for small allocations"
    )
  }

  /// What a C library makes, tried again with memory of the reserve where it makes nothing for want of memory. Nil where
  /// the whole reserve does not help.
  package static func making<Made: ~Copyable>(_ bytes: Int = 1 << 20, _ body: () -> Made?) -> Made? {
    while true {
      if let made = body() { return made }
      guard reserve_give(bytes) else { return nil }
    }
  }

  /// Throws `outOfMemory` where an allocation was refused since there were `refusals`.
  @inline(__always)
  package static func check(since refusals: Int) throws(NeatError) {
    if self.refusals != refusals { throw refused() }
  }

  @inline(never)
  private static func refused() -> NeatError {
    // Blocks for later pictures go, as the call's own memory does.
    ProcessMemory.giveBack()
    return NeatError(
      .outOfMemory,
      "the system refused memory: the reserve of \(byteCount) bytes was used, \(heldBytes) are left of it")
  }
}
