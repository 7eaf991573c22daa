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

/// Work that answers a request, on a thread that may take its time.
struct DrawJob: Sendable {
  /// Of the connection that waits for it.
  let ticket: Int
  /// Device pixels: what it costs.
  let pixels: Int
  /// When it came, and when it must be over, in milliseconds of the monotonic clock.
  let arrival: Int
  let deadline: Int
  /// Is told how many milliseconds are left.
  let work: @Sendable (Int) -> HTTPAnswer

  var isLarge: Bool { pixels > ServerLimits.largePixels }
}

/// Threads that draw, and the pictures that wait for them. The functions are for any thread.
final class DrawQueue: @unchecked Sendable {  // everything that changes is under `mutex`
  private let limits: ServerLimits
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let hasWork = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let onFinish: @Sendable () -> Void

  private var small = Fifo()
  private var large = Fifo()
  private var cancelled: Set<Int> = []
  private var underWay = 0
  private var largeUnderWay = 0
  /// Of large pictures.
  private var pixelsUnderWay = 0
  private var lastWasLarge = false
  private var finished: [(ticket: Int, answer: HTTPAnswer)] = []

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

  /// Starts the threads. `onFinish` is called, on one of them, when there is something for `takeFinished`.
  init(_ limits: ServerLimits, onFinish: @escaping @Sendable () -> Void) throws {
    self.limits = limits
    self.onFinish = onFinish
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(hasWork, nil)
    for _ in 0..<limits.workers { try start() }
  }

  private func start() throws {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 8 << 20)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let context = Unmanaged.passRetained(self).toOpaque()
    let status = pthread_create(
      &thread, &attributes,
      { context in
        #if canImport(Darwin)
          Unmanaged<DrawQueue>.fromOpaque(context).takeUnretainedValue().serve()
        #else
          if let context { Unmanaged<DrawQueue>.fromOpaque(context).takeUnretainedValue().serve() }
        #endif
        return nil
      }, context)
    guard status == 0 else { throw FileError(path: "threads", reason: String(cString: strerror(status))) }
  }

  private func locked<R>(_ body: () -> R) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Pictures that wait, and that are being drawn.
  var load: (waiting: Int, underWay: Int) { locked { (small.count + large.count, underWay) } }

  /// Takes a job, unless too many wait already. Large ones have no more than a part of the places.
  func add(_ job: DrawJob) -> Bool {
    locked {
      guard small.count + large.count < limits.queue, !job.isLarge || large.count < limits.largeQueue else {
        return false
      }
      if job.isLarge { large.append(job) } else { small.append(job) }
      pthread_cond_signal(hasWork)
      return true
    }
  }

  /// Nobody waits any more for a job whose answer was not taken: it is not begun, and where it is, its answer
  /// is dropped.
  func cancel(_ ticket: Int) {
    locked {
      let before = small.count + large.count + finished.count
      small.remove(ticket: ticket)
      large.remove(ticket: ticket)
      finished.removeAll { $0.ticket == ticket }
      if small.count + large.count + finished.count == before { cancelled.insert(ticket) }
    }
  }

  /// Takes a job back whose time is over. Returns whether it was still waiting.
  func withdraw(_ ticket: Int) -> Bool {
    locked {
      let before = small.count + large.count
      small.remove(ticket: ticket)
      large.remove(ticket: ticket)
      return small.count + large.count < before
    }
  }

  /// Answers since the last call.
  func takeFinished() -> [(ticket: Int, answer: HTTPAnswer)] {
    locked {
      let result = finished
      finished = []
      return result
    }
  }

  private func serve() {
    while true {
      let job = next()
      let left = job.deadline - Platform.milliseconds
      let answer = left > 0 ? job.work(left) : DrawQueue.lateAnswer
      locked {
        underWay -= 1
        if job.isLarge {
          largeUnderWay -= 1
          pixelsUnderWay -= job.pixels
        }
        if cancelled.remove(job.ticket) == nil { finished.append((job.ticket, answer)) }
        // Room for a large one, which any thread may take.
        pthread_cond_broadcast(hasWork)
      }
      onFinish()
    }
  }

  private func next() -> DrawJob {
    locked {
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
        pthread_cond_wait(hasWork, mutex)
      }
    }
  }

  /// As many pixels at once as two of the largest pictures have: what drawing takes in memory.
  private func hasRoom(for job: DrawJob) -> Bool {
    largeUnderWay < limits.largeWorkers
      && (pixelsUnderWay == 0 || pixelsUnderWay + job.pixels <= 2 * limits.pixels)
  }

  /// Of a picture whose time was over before its turn came.
  static var lateAnswer: HTTPAnswer { .later(503, "the picture had no turn in time\n") }
}
