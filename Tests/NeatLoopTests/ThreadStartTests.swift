import NeatBase
import Synchronization
import Testing

@testable import NeatLoop

/// Where the threads of a pool start, and that they may go anywhere afterwards.
@Suite struct ThreadStartTests {
  private typealias Affinity = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> Int32

  /// Where the calling thread may run; nil where this C library does not say.
  private static func allowed() -> ThreadStart.Processors? {
    guard let symbol = dlsym(nil, "sched_getaffinity") else { return nil }
    var processors = ThreadStart.Processors()
    let result = processors.words.withUnsafeMutableBytes {
      unsafeBitCast(symbol, to: Affinity.self)(0, $0.count, $0.baseAddress!)
    }
    return result == 0 ? processors : nil
  }

  @Test func aThreadStartsBesideItsMaker() throws {
    guard let allowed = Self.allowed(), let start = ThreadStart() else { return }
    #expect(start.allowed == allowed)
    let lacking = (0..<ThreadStart.Processors.count).filter {
      start.allowed.contains($0) != start.others.contains($0)
    }
    #expect(lacking.count == 1, "the maker's alone")
  }

  @Test func thereIsNoChoiceOfOneProcessor() throws {
    guard let allowed = Self.allowed() else { return }
    // A thread of its own: others' are left alone.
    let found = Locked<[Bool]>([])
    let first = try #require((0..<ThreadStart.Processors.count).first { allowed.contains($0) })
    let job = Job {
      guard let symbol = dlsym(nil, "sched_setaffinity") else { return }
      var one = ThreadStart.Processors()
      one.words[first >> 6] = 1 << UInt64(first & 63)
      let result = one.words.withUnsafeMutableBytes {
        unsafeBitCast(symbol, to: Affinity.self)(0, $0.count, $0.baseAddress!)
      }
      found.withLock { $0 = [result == 0, ThreadStart() == nil] }
    }
    job.run()
    #expect(found.withLock { $0 } == [true, true])
  }

  @Test func threadsOfAPoolMayRunWhereverTheirMakerMay() throws {
    guard let allowed = Self.allowed() else { return }
    let pool = WorkerPool(width: 4)
    let found = Locked<[ThreadStart.Processors?]>([])
    // Pieces that wait for each other are each done by another thread.
    let arrived = Atomic<Int>(0)
    pool.executor.forEach(4) { _ in
      arrived.add(1, ordering: .relaxed)
      while arrived.load(ordering: .relaxed) < 4 { sched_yield() }
      found.withLock { $0.append(Self.allowed()) }
    }
    #expect(found.withLock { $0 } == [allowed, allowed, allowed, allowed])
  }

  @Test func aThreadIsKeptFromWhereItsMakerMayNotRun() throws {
    guard let allowed = Self.allowed(), var start = ThreadStart() else { return }
    let first = try #require((0..<ThreadStart.Processors.count).first { allowed.contains($0) })
    start.allowed.remove(first)
    let found = Locked<ThreadStart.Processors?>(nil)
    Job { [start] in
      start.release()
      found.withLock { $0 = Self.allowed() }
    }.run()
    #expect(found.withLock { $0 } == start.allowed)
  }

  /// What a thread of its own does.
  private final class Job: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func run() {
      var thread = pthread_t()
      let result = pthread_create(
        &thread, nil,
        { context in
          if let context { Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body() }
          return nil
        }, Unmanaged.passRetained(self).toOpaque())
      precondition(result == 0)
      pthread_join(thread, nil)
    }
  }
}
