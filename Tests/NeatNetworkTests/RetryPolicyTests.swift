import Testing

@testable import NeatNetwork

@Suite struct RetryPolicyTests {
  private let policy = RetryPolicy()

  private func delays(_ reason: RetryReason) -> [UInt64] {
    (1...8).map { policy.delayMS(reason, failures: $0) / 1000 }
  }

  @Test func waitsAreThoseOfTheReason() {
    #expect(delays(.server) == [1, 1, 1, 2, 4, 8, 16, 30])
    #expect(delays(.connection) == [1, 2, 4, 8, 16, 30, 30, 30])
    #expect(delays(.busy(askedMS: nil)) == [UInt64](repeating: 5, count: 8))
    #expect(policy.delayMS(.busy(askedMS: 0), failures: 1) == 1000)
    #expect(policy.delayMS(.busy(askedMS: 12_000), failures: 1) == 12_000)
    #expect(policy.delayMS(.busy(askedMS: 999_000), failures: 9) == 30_000)
    #expect(policy.delayMS(.connection, failures: .max) == 30_000)
  }
}
