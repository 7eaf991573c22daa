import Synchronization

/// How much a message matters. The numbers are those of `neat_log_level`.
package enum LogLevel: UInt8, Sendable, Comparable {
  case debug = 1
  case info, warning, error

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// What a message is about.
package enum LogCategory: String, Sendable, CaseIterable {
  /// What a style lacks or has too much of; a sprite, a source, a tile, glyphs that cannot be had.
  case style, sprite, source, tile, glyphs
  /// Requests and their answers; connections and tries.
  case request, network
  /// The database of answers.
  case cache
  /// The map and all else.
  case map
}

package struct LogMessage: Sendable {
  package var level: LogLevel
  package var category: LogCategory
  package var text: String
  /// Microseconds since 1970.
  package var time: Int64
}

/// What the library has to say, for whoever listens: one for the whole process.
///
/// Messages go to a thread of the log's own, which tells them one at a time and in order. So they may be written
/// under any lock, and a listener may call whatever it likes. Where nobody listens, a message costs one load,
/// and its text is not made.
package enum Log {
  /// The level from which on somebody listens.
  private static let lowest = Atomic<UInt8>(.max)
  /// The address of the queue to whoever listens, and a reference to it; 0 for nobody. No lock: one could have
  /// been held at a fork. References are kept for good, as a writer may have read one just before it changed.
  private static let current = Atomic<UInt>(0)

  package static func isHeard(_ level: LogLevel) -> Bool {
    level.rawValue >= lowest.load(ordering: .relaxed)
  }

  /// An address for a message: `data:` may be of any length.
  package static func short(_ address: String) -> String {
    address.utf8.count <= 1024 ? address : String(address.prefix(256)) + "…"
  }

  /// Credentials in addresses are taken out. Any thread.
  package static func write(_ level: LogLevel, _ category: LogCategory, _ text: @autoclosure () -> String) {
    guard isHeard(level), let queue = ownQueue() else { return }
    queue.add(
      LogMessage(
        level: level, category: category, text: Address.withoutCredentials(inText: text()),
        time: SystemClock.microseconds))
  }

  /// Has messages of a level and above told to `listener`, in place of the one before; nil: to nobody. When this
  /// returns, the one before has heard what was written until now and is not called any more; but where it is
  /// itself what calls this, that comes later. Any thread.
  package static func listen(
    from level: LogLevel = .debug, _ listener: (@Sendable (LogMessage) -> Void)?
  ) {
    let queue = listener.map { LogQueue(level, $0) }
    let before = current.exchange(address(queue), ordering: .acquiringAndReleasing)
    self.queue(before)?.finish()
    let now = self.queue(current.load(ordering: .acquiring))
    lowest.store(now?.level.rawValue ?? .max, ordering: .relaxed)
  }

  /// The queue of this process: the child of a fork makes its own, to the listener of its parent.
  private static func ownQueue() -> LogQueue? {
    let known = current.load(ordering: .acquiring)
    guard let found = queue(known), !found.isOfThisProcess else { return queue(known) }
    let mine = address(LogQueue(found.level, found.listener))
    let (_, now) = current.compareExchange(expected: known, desired: mine, ordering: .acquiringAndReleasing)
    return queue(now == known ? mine : now)
  }

  private static func queue(_ address: UInt) -> LogQueue? {
    UnsafeRawPointer(bitPattern: address).map {
      Unmanaged<LogQueue>.fromOpaque($0).takeUnretainedValue()
    }
  }

  private static func address(_ queue: LogQueue?) -> UInt {
    queue.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
  }
}

/// Messages on their way to one listener, and the thread that tells them.
private final class LogQueue: @unchecked Sendable {  // what changes is under `mutex`
  /// Messages that wait at most. A listener that is slower misses some, and hears how many.
  private static let limit = 4096

  let level: LogLevel
  let listener: @Sendable (LogMessage) -> Void
  private let generation = ProcessGeneration.current
  private let mutex: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
  private let changed: UnsafeMutablePointer<pthread_cond_t> = .allocate(capacity: 1)
  private var waiting: [LogMessage] = []
  private var missedCount = 0
  private var isEnding = false
  private var teller: pthread_t?

  init(_ level: LogLevel, _ listener: @escaping @Sendable (LogMessage) -> Void) {
    self.level = level
    self.listener = listener
    assertDone(pthread_mutex_init(mutex, nil))
    assertDone(pthread_cond_init(changed, nil))
  }

  var isOfThisProcess: Bool { generation == ProcessGeneration.current }

  func add(_ message: LogMessage) {
    assertDone(pthread_mutex_lock(mutex))
    defer { assertDone(pthread_mutex_unlock(mutex)) }
    guard !isEnding else { return }
    guard waiting.count < LogQueue.limit, hasTeller() else {
      missedCount += 1
      return
    }
    waiting.append(message)
    assertDone(pthread_cond_signal(changed))
  }

  /// Starts the thread with the first message. Under `mutex`.
  private func hasTeller() -> Bool {
    if teller != nil { return true }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let status = OwnThread.start(
      &thread, context: context.toOpaque(),
      { context in
        if let context { Unmanaged<LogQueue>.fromOpaque(context).takeRetainedValue().tell() }
        return nil
      })
    guard status == 0 else {
      context.release()
      return false
    }
    teller = thread
    return true
  }

  private func tell() {
    while let (messages, missed) = take() {
      for message in messages { listener(message) }
      guard missed > 0, let last = messages.last else { continue }
      listener(
        LogMessage(
          level: .warning, category: .map, text: "\(missed) messages of the log came too fast and are lost",
          time: last.time))
    }
  }

  /// What waits, or comes next; nil at the end.
  private func take() -> ([LogMessage], missed: Int)? {
    assertDone(pthread_mutex_lock(mutex))
    defer { assertDone(pthread_mutex_unlock(mutex)) }
    while waiting.isEmpty {
      if isEnding { return nil }
      assertDone(pthread_cond_wait(changed, mutex))
    }
    defer { (waiting, missedCount) = ([], 0) }
    return (waiting, missedCount)
  }

  /// Takes no more messages, and waits until those that it has are told.
  func finish() {
    // A parent's thread is not here, and its lock may be held for ever.
    guard isOfThisProcess else { return }
    assertDone(pthread_mutex_lock(mutex))
    isEnding = true
    let thread = teller
    assertDone(pthread_cond_signal(changed))
    assertDone(pthread_mutex_unlock(mutex))
    guard let thread else { return }
    if pthread_equal(thread, pthread_self()) != 0 {
      assertDone(pthread_detach(thread))
    } else {
      assertDone(pthread_join(thread, nil))
    }
  }
}
