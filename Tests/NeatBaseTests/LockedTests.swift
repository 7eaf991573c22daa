import NeatBase
import Testing

@Suite struct LockedTests {
  private struct Fault: Error, Equatable {}

  /// Counts without a lock's order would lose some.
  @Test func threadsTakeTurns() async {
    final class Shared: Sendable { let count = Locked(0) }
    let shared = Shared()
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<10_000 { shared.count.withLock { $0 += 1 } } }
      }
    }
    #expect(shared.count.withLock { $0 } == 40_000)
  }

  @Test func errorsLetGo() throws {
    let value = Locked(1)
    #expect(throws: Fault()) {
      try value.withLock { (value) throws(Fault) in
        value = 2
        throw Fault()
      }
    }
    #expect(value.withLockIfAvailable { $0 } == 2)
  }

  @Test func aHeldLockIsNotAvailable() {
    let value = Locked(1)
    let isHeld = value.withLock { _ in value.withLockIfAvailable { _ in true } == nil }
    #expect(isHeld)
  }

  @Test func theValueGoesWithIt() {
    final class Watched: Sendable {
      let gone: @Sendable () -> Void
      init(_ gone: @escaping @Sendable () -> Void) { self.gone = gone }
      deinit { gone() }
    }
    final class Shared: Sendable { let gone = Locked(0) }
    let shared = Shared()
    do {
      let value = Locked(Watched { shared.gone.withLock { $0 += 1 } })
      value.withLock { _ in }
      #expect(shared.gone.withLock { $0 } == 0)
    }
    #expect(shared.gone.withLock { $0 } == 1)
  }
}
