// Drawing takes milliseconds for a tile and seconds for a poster. Small pictures go first, and large ones
// have no more than a part of the threads and of the memory, so that a tile does not wait for posters,
// whoever asks for how many. A large one that has waited long has its turn all the same.
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Work that answers requests, on a thread that may take its time.
struct DrawJob: Sendable {
  let ticket: Int
  /// Device pixels: what it costs.
  let pixels: Int
  /// When it came, and when it must be over, in milliseconds of the monotonic clock.
  let arrival: Int
  let deadline: Int
  /// Is told how many milliseconds are left; fewer than one where its time was over before its turn came.
  let work: @Sendable (Int) -> Void

  var isLarge: Bool { pixels > ServerLimits.largePixels }
}

/// Threads that draw, and the pictures that wait for them. The functions are for any thread.
final class DrawQueue: @unchecked Sendable {  // everything that changes is under `lock`
  private let limits: ServerLimits
  private let lock = Lock()
  private let hasWork = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  private var small = Fifo()
  private var large = Fifo()
  private var underWay = 0
  private var largeUnderWay = 0
  /// Of large pictures.
  private var pixelsUnderWay = 0
  private var lastWasLarge = false

  /// Jobs in the order they came.
  private struct Fifo {
    private var jobs: [DrawJob] = []
    private var head = 0

    var count: Int { jobs.count - head }
    var first: DrawJob? { head < jobs.count ? jobs[head] : nil }

    mutating func append(_ job: DrawJob) { jobs.append(job) }

    mutating func removeFirst() {
      head += 1
      if head == jobs.count || head >= 64 {
        jobs.removeFirst(head)
        head = 0
      }
    }

    mutating func remove(ticket: Int) {
      jobs.removeFirst(head)
      head = 0
      jobs.removeAll { $0.ticket == ticket }
    }
  }

  /// Starts the threads.
  init(_ limits: ServerLimits) throws {
    self.limits = limits
    assertDone(pthread_cond_init(hasWork, nil))
    for _ in 0..<limits.workers { try Platform.startThread { [self] in serve() } }
  }

  /// Pictures that wait, and that are being drawn.
  var load: (waiting: Int, underWay: Int) { lock.locked { (small.count + large.count, underWay) } }

  /// Takes a job, unless too many wait already. Large ones have no more than a part of the places.
  func add(_ job: DrawJob) -> Bool {
    lock.locked {
      guard small.count + large.count < limits.queue, !job.isLarge || large.count < limits.largeQueue else {
        return false
      }
      if job.isLarge { large.append(job) } else { small.append(job) }
      assertDone(pthread_cond_signal(hasWork))
      return true
    }
  }

  /// Takes a job back whose time is over or that nobody waits for any more. Returns whether it was still waiting.
  func withdraw(_ ticket: Int) -> Bool {
    lock.locked {
      let before = small.count + large.count
      small.remove(ticket: ticket)
      large.remove(ticket: ticket)
      return small.count + large.count < before
    }
  }

  private func serve() {
    while true {
      let job = next()
      job.work(job.deadline - Platform.milliseconds)
      lock.locked {
        underWay -= 1
        if job.isLarge {
          largeUnderWay -= 1
          pixelsUnderWay -= job.pixels
        }
        // Room for a large one, which any thread may take.
        assertDone(pthread_cond_broadcast(hasWork))
      }
    }
  }

  private func next() -> DrawJob {
    lock.locked {
      while true {
        // Two large ones in a row only where no small one waits: with one thread, too, each kind has its
        // turn.
        if let job = large.first, hasRoom(for: job),
          small.count == 0
            || !lastWasLarge && Platform.milliseconds - job.arrival >= ServerLimits.largePatience
        {
          large.removeFirst()
          largeUnderWay += 1
          pixelsUnderWay += job.pixels
          underWay += 1
          lastWasLarge = true
          return job
        }
        if let job = small.first {
          small.removeFirst()
          underWay += 1
          lastWasLarge = false
          return job
        }
        assertDone(pthread_cond_wait(hasWork, lock.mutex))
      }
    }
  }

  /// As many pixels at once as two of the largest pictures have: what drawing takes in memory.
  private func hasRoom(for job: DrawJob) -> Bool {
    largeUnderWay < limits.largeWorkers
      && (pixelsUnderWay == 0 || pixelsUnderWay + job.pixels <= 2 * limits.pixels)
  }
}
