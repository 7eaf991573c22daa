import NeatBase

/// A few sets of scratch columns kept between tiles, so that decoding does not ask the system for pages again
/// and again: fresh pages cost about as much as the decoding itself. Nothing of a tile stays visible through
/// them.
enum MVTColumnsPool {
  /// The most bytes that all kept sets hold together.
  static let maxBytes = 16 << 20

  /// One owner at a time: the pool, or the decoder that took it out.
  typealias Columns = UnsafeMutablePointer<MVTColumns>

  private struct State: @unchecked Sendable {  // only ever under the lock
    var sets: [Columns] = []
    var byteCount = 0
  }

  private final class Store: Sendable {
    let state = Locked(State())
  }

  /// A thread that is not there after a fork may have held the lock.
  private static let stores = PerProcess(Store())
  private static var store: Store { stores.get { _ in Store() } }

  static func take(for byteCount: Int) -> Columns {
    let address = store.state.withLock { state -> UInt in
      guard let columns = state.sets.popLast() else { return 0 }
      state.byteCount -= columns.pointee.byteCount
      assert(state.byteCount >= 0, "columns grew while nobody had them")
      return UInt(bitPattern: columns)
    }
    if let columns = Columns(bitPattern: address) { return columns }
    let columns = Columns.allocate(capacity: 1)
    columns.initialize(to: MVTColumns(byteCount: byteCount))
    return columns
  }

  static func give(_ columns: Columns) {
    let byteCount = columns.pointee.byteCount
    let address = UInt(bitPattern: columns)
    let isKept = store.state.withLock { state -> Bool in
      guard state.byteCount + byteCount <= maxBytes, let columns = Columns(bitPattern: address) else {
        return false
      }
      state.byteCount += byteCount
      state.sets.append(columns)
      assert(state.byteCount <= maxBytes, "more is kept than may be")
      return true
    }
    if isKept { return }
    columns.deinitialize(count: 1)
    columns.deallocate()
  }
}
