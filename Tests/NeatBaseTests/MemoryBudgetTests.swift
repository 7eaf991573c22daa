import Synchronization
import Testing

@testable import NeatBase

@Suite struct MemoryBudgetTests {
  @Test func bytesAreHeldUntilTheLastReferenceGoes() throws {
    let budget = MemoryBudget(limit: 1000)
    var first: MemoryHold? = try budget.take(600, for: "a")
    let error = #expect(throws: NeatError.self) { try budget.take(401, for: "b") }
    #expect(error?.code == .outOfMemory)
    #expect(error?.message == "b needs 401 bytes, and 400 are left of the memory limit of 1000")
    let second = try budget.take(400, for: "b")
    #expect(budget.held == 1000 && budget.takeSpare(1) == nil)
    first?.shrink(to: 700)
    #expect(budget.held == 1000, "a hold does not grow")
    first?.shrink(to: 100)
    #expect(budget.held == 500 && second.count == 400)
    first = nil
    #expect(budget.held == 400)
  }

  @Test func reservesAreDroppedBeforeAnythingIsRefused() throws {
    final class Owner: Sendable {
      let cache = Locked<[MemoryHold]>([])
    }
    let budget = MemoryBudget(limit: 1000)
    var owner: Owner? = Owner()
    let asked = Mutex(0)
    budget.addReserve { [weak owner] in
      asked.withLock { $0 += 1 }
      owner?.cache.withLock { $0 = [] }
      return owner != nil
    }
    let cached = try budget.take(900, for: "a cache")
    owner?.cache.withLock { $0.append(cached) }
    #expect(budget.takeSpare(200) == nil && asked.withLock { $0 } == 0, "spare bytes cost nobody anything")
    // What is in use elsewhere stays.
    #expect(throws: NeatError.self) { try budget.take(200, for: "a tile") }
    #expect(asked.withLock { $0 } == 1)
    withExtendedLifetime(cached) {}
    owner = nil
    #expect(throws: NeatError.self) { try budget.take(2000, for: "a tile") }
    #expect(throws: NeatError.self) { try budget.take(2000, for: "a tile") }
    #expect(asked.withLock { $0 } == 2, "an owner that is gone is asked once")
  }

  @Test func budgetsOfAProcessShareWhatItMayHave() throws {
    let half = MemoryBudget.standardLimit / 2 + (1 << 20)
    let (one, other) = (MemoryBudget(), MemoryBudget())
    let hold = one.takeSpare(half)
    #expect(hold != nil)
    #expect(other.takeSpare(half) == nil && other.held == 0)
    withExtendedLifetime(hold) {}
  }
}
