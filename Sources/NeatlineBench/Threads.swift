import Glibc
import Synchronization

/// Work on threads of its own.
final class Threads: Sendable {
  private let handle: Atomic<UInt>
  private let body: @Sendable () throws -> Void
  private let failure = AtomicLazyReference<Failure>()

  private final class Failure: Sendable {
    let words: String
    init(_ error: any Error) { words = "\(error)" }
  }

  private init(_ body: @escaping @Sendable () throws -> Void) {
    self.body = body
    handle = Atomic(0)
  }

  static func begin(_ body: @escaping @Sendable () throws -> Void) -> Threads {
    let work = Threads(body)
    var thread = pthread_t()
    let context = Unmanaged.passRetained(work).toOpaque()
    pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let work = Unmanaged<Threads>.fromOpaque(context).takeRetainedValue()
        do { try work.body() } catch { _ = work.failure.storeIfNil(Failure(error)) }
        return nil
      }, context)
    work.handle.store(UInt(thread), ordering: .relaxed)
    return work
  }

  /// Throws what the work failed with.
  func wait() throws {
    pthread_join(pthread_t(handle.load(ordering: .relaxed)), nil)
    if let failure = failure.load() { throw BenchError(failure.words) }
  }

  /// Does something `count` times, on several threads that take turns.
  static func run(_ width: Int, _ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let next = Counter()
    let threads = (0..<width).map { _ in
      begin {
        while case let index = next.take(), index < count { try body(index) }
      }
    }
    for thread in threads { try thread.wait() }
  }

  private final class Counter: Sendable {
    private let value = Atomic(0)
    func take() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
  }
}
