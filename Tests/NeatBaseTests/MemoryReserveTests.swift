import CReserve
import Testing

@testable import NeatBase

/// Serialized, and in a process of its own (`scripts/test`): the reserve and the count of refusals are the process's, so
/// that calls of other tests would fail.
@Suite(.serialized, .enabled(if: getenv("NEATLINE_RESERVE_TESTS") != nil)) struct MemoryReserveTests {
  @Test func theReserveIsFilledAgainAfterUse() throws {
    try MemoryReserve.hold()
    #expect(MemoryReserve.heldBytes == MemoryReserve.byteCount)
    #expect(reserve_give(1 << 10))
    #expect(!reserve_is_whole() && MemoryReserve.heldBytes < MemoryReserve.byteCount)
    try MemoryReserve.hold()
    #expect(reserve_is_whole() && MemoryReserve.heldBytes == MemoryReserve.byteCount)
  }

  @Test func theReserveEnds() throws {
    try MemoryReserve.hold()
    var count = 0
    while reserve_give(1) { count += 1 }
    #expect(count == Int(RESERVE_PIECES) && MemoryReserve.heldBytes == 0)
    #expect(MemoryReserve.making { nil as Int? } == nil)
    try MemoryReserve.hold()
    #expect(MemoryReserve.heldBytes == MemoryReserve.byteCount)
  }

  @Test func whatALibraryIsRefusedIsTriedAgain() throws {
    try MemoryReserve.hold()
    let refusals = MemoryReserve.refusals
    try MemoryReserve.check(since: refusals)
    var attempts = 0
    let made: Int? = MemoryReserve.making {
      attempts += 1
      return attempts < 3 ? nil : 7
    }
    #expect(made == 7 && attempts == 3)
    let error = #expect(throws: NeatError.self) { try MemoryReserve.check(since: refusals) }
    #expect(error?.code == .outOfMemory)
    try MemoryReserve.hold()
  }

  @Test func blocksPastWhatTheSystemGivesAreRefusedBeforeTheyAreTaken() throws {
    // Addresses end at 128 TiB.
    let error = #expect(throws: NeatError.self) { try ProcessMemory.require(1 << 50, for: "a block") }
    #expect(error?.code == .outOfMemory)
    #expect(!ProcessMemory.has(1 << 50) && ProcessMemory.has(ProcessMemory.probedBlock))
  }
}
