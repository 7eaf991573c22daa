/// One result a piece of parallel work; each worker writes its own places, and they are read when all is
/// done.
package final class ParallelResults<Result: Sendable>: @unchecked Sendable {
  private let items: UnsafeMutablePointer<Result?>
  package let count: Int

  package init(count: Int) {
    self.count = count
    items = .allocate(capacity: count)
    items.initialize(repeating: nil, count: count)
  }

  deinit {
    items.deinitialize(count: count)
    items.deallocate()
  }

  /// Each place is set once, by one worker.
  package func set(_ index: Int, _ result: Result) {
    precondition(index >= 0 && index < count)
    assert(items[index] == nil)
    items[index] = result
  }

  /// Moves a place's result out, which is nil from then on. By one worker, where all have been set before.
  package func take(_ index: Int) -> Result? {
    precondition(index >= 0 && index < count)
    defer { items[index] = nil }
    return items[index]
  }

  /// Nil where no worker has been. Only when the work is done.
  package subscript(_ index: Int) -> Result? {
    precondition(index >= 0 && index < count)
    return items[index]
  }
}
