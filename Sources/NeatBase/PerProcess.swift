import CFork
import Synchronization

/// Tells a process from the one that it was forked from. A child has the memory of its parent and one thread:
/// locks may be held by threads that are not there, queues are served by nobody, sockets and database
/// connections are the parent's. What holds any of them notes the number on its making and compares it at the
/// door.
package enum ProcessGeneration {
  /// Grows in each child of a fork.
  package static var current: Int { fork_generation() }

  /// Whether the calling thread is the one that a fork left to this process. The Swift runtime knows it by the
  /// number that it had in the parent, so that the kernel refuses to let another thread wait for it: where both
  /// make a global for the first time, the other one never comes back. It leaves work that others do at the same
  /// time to threads that were made here.
  package static var isOnSurvivor: Bool { fork_is_on_survivor() }
}

/// An object for each process: a child makes one of its own when it first asks, and never touches the
/// parent's again, nor frees it.
package final class PerProcess<Value: AnyObject & Sendable>: Sendable {
  private final class Entry: Sendable {
    let generation = ProcessGeneration.current
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  /// The address of an entry, and a reference to it. No lock: one could have been held at the fork.
  private let entry: Atomic<UInt>

  package init(_ value: Value) { entry = Atomic(PerProcess.retained(Entry(value))) }

  deinit {
    let known = PerProcess.reference(entry.load(ordering: .acquiring))
    if known.takeUnretainedValue().generation == ProcessGeneration.current { known.release() }
  }

  private static func retained(_ entry: Entry) -> UInt {
    UInt(bitPattern: Unmanaged.passRetained(entry).toOpaque())
  }

  private static func reference(_ address: UInt) -> Unmanaged<Entry> {
    .fromOpaque(UnsafeRawPointer(bitPattern: address)!)
  }

  /// This process's object; `remake` makes it from the parent's, of which it may read what never changes.
  package func get<E: Error>(_ remake: (Value) throws(E) -> Value) throws(E) -> Value {
    let known = entry.load(ordering: .acquiring)
    let found = PerProcess.reference(known).takeUnretainedValue()
    if found.generation == ProcessGeneration.current { return found.value }
    let mine = Entry(try remake(found.value))
    let made = PerProcess.retained(mine)
    // The parent's keeps its reference for good.
    let (isMine, other) = entry.compareExchange(
      expected: known, desired: made, ordering: .acquiringAndReleasing)
    if isMine { return mine.value }
    PerProcess.reference(made).release()
    return PerProcess.reference(other).takeUnretainedValue().value
  }
}
