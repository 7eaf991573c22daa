import Synchronization

/// Numbers for immutable memory that others may keep copies of: the same number means the same bytes, for as
/// long as the program runs.
package enum ContentID {
  private static let last = Atomic<UInt64>(0)

  /// A number that nothing else has; never 0.
  package static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
