/// Who wants to hear of something, on whatever thread it happens. Any thread.
package final class Watchers: Sendable {
  private let list = Locked<[ObjectIdentifier: @Sendable () -> Void]>([:])

  package init() {}

  /// Tells all who watch, on the calling thread.
  package func tell() {
    // Not under the lock: whoever hears may begin to watch, or end it.
    for tell in list.withLock({ Array($0.values) }) { tell() }
  }

  fileprivate func add(_ id: ObjectIdentifier, _ tell: @escaping @Sendable () -> Void) {
    list.withLock { $0[id] = tell }
  }

  fileprivate func remove(_ id: ObjectIdentifier) {
    let last = list.withLock { $0.removeValue(forKey: id) }
    // What it held goes after the lock.
    _ = consume last
  }
}

/// Hears as long as it is held. A child of a fork leaves its parent's list alone.
package final class Watch: Sendable {
  private let watchers: Watchers
  private let generation = ProcessGeneration.current

  package init(_ watchers: Watchers, _ tell: @escaping @Sendable () -> Void) {
    self.watchers = watchers
    watchers.add(ObjectIdentifier(self), tell)
  }

  deinit { if generation == ProcessGeneration.current { watchers.remove(ObjectIdentifier(self)) } }
}
