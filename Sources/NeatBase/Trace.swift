import Synchronization

/// What spans of time are about: the `cat` of Chrome's trace format.
package enum TraceCategory: String, Sendable {
  /// A turn of a map, and frames: preparing, placing labels, making commands, drawing.
  case map, frame
  /// Tiles and documents that are read, cut and laid out.
  case data
  /// Requests, from asking to the answer.
  case request
  /// Pictures that are encoded.
  case image
}

/// Where time goes: spans of the whole process in Chrome's trace format, an array of events that `ui.perfetto.dev`
/// and `chrome://tracing` show. Where nobody traces, a span costs one load, and its words are not made.
package enum Trace {
  /// The process that traces, by its generation and 1; 0: none does.
  private static let tracing = Atomic(0)
  private static let shared = PerProcess(Box())

  private final class Box: Sendable {
    let recorder = Locked<TraceRecorder?>(nil)
  }

  /// The child of a fork has none, and leaves its parent's file alone.
  private static var box: Box { shared.get { _ in Box() } }

  /// Bytes that a trace may take; what comes after is left out, which its last event says.
  package static let limit = 1 << 30

  package static var isRunning: Bool {
    let number = tracing.load(ordering: .relaxed)
    return number != 0 && number == ProcessGeneration.current + 1
  }

  /// Takes the next bytes of a trace, one call at a time, and says whether it could; where it could not, the trace
  /// ends there.
  package typealias Writer = @Sendable ([UInt8]) -> Bool

  /// Begins to trace, into what `open` gives. Throws `state` where one is under way, of which nothing is opened:
  /// it may be the same file. Any thread.
  package static func start(limit: Int = Trace.limit, _ open: () throws(NeatError) -> Writer)
    throws(NeatError)
  {
    try box.recorder.withLock { recorder throws(NeatError) in
      guard recorder == nil else { throw NeatError(.state, "a trace is under way") }
      recorder = TraceRecorder(limit: limit, try open())
      tracing.store(ProcessGeneration.current + 1, ordering: .relaxed)
    }
  }

  /// Ends the trace. Throws `io` where not all could be written, `state` where there is none. Any thread.
  package static func stop() throws(NeatError) {
    let ended = box.recorder.withLock { recorder in
      if recorder != nil { tracing.store(0, ordering: .relaxed) }
      defer { recorder = nil }
      recorder?.finish()
      return recorder
    }
    guard let ended else { throw NeatError(.state, "no trace is under way") }
    if ended.hasFailed { throw NeatError(.io, "the trace could not be written to its end") }
  }

  /// Does something, and notes how long it took.
  @inline(__always)
  package static func span<T, E: Error>(
    _ name: StaticString, _ category: TraceCategory, _ detail: @autoclosure () -> String = "",
    _ body: () throws(E) -> T
  ) throws(E) -> T {
    guard isRunning else { return try body() }
    let began = SystemClock.microseconds
    defer { add(name, category, detail(), began, SystemClock.microseconds) }
    return try body()
  }

  /// Notes what went on beside other things: a request.
  package static func note(
    _ name: StaticString, _ category: TraceCategory, _ detail: @autoclosure () -> String, began: Int64,
    ended: Int64
  ) {
    guard isRunning else { return }
    let detail = detail()
    box.recorder.withLock { $0?.addAsync(name, category, detail, began, ended) }
  }

  private static func add(
    _ name: StaticString, _ category: TraceCategory, _ detail: String, _ began: Int64, _ ended: Int64
  ) {
    box.recorder.withLock { $0?.add(name, category, detail, began, ended) }
  }
}

/// Makes the bytes of a trace.
private struct TraceRecorder {
  private let write: Trace.Writer
  private let process = getpid()
  private let limit: Int
  private var bytes: [UInt8] = [UInt8(ascii: "[")]
  private var written = 0
  private var asyncCount = 0
  /// When bytes were written last: microseconds.
  private var flushed: Int64 = 0
  private(set) var hasFailed = false
  private var isFull = false
  private var threads: [pthread_t: Int] = [:]

  init(limit: Int, _ write: @escaping Trace.Writer) {
    self.limit = limit
    self.write = write
    bytes.reserveCapacity(TraceRecorder.chunk + 4096)
  }

  private static let chunk = 1 << 16

  mutating func add(
    _ name: StaticString, _ category: TraceCategory, _ detail: String, _ began: Int64, _ ended: Int64
  ) {
    event(name, category, "X", began, detail, ",\"dur\":\(max(0, ended - began))")
  }

  mutating func addAsync(
    _ name: StaticString, _ category: TraceCategory, _ detail: String, _ began: Int64, _ ended: Int64
  ) {
    asyncCount += 1
    event(name, category, "b", began, detail, ",\"id\":\(asyncCount)")
    event(name, category, "e", max(began, ended), "", ",\"id\":\(asyncCount)")
  }

  mutating func finish() {
    if isFull { put("full", "map", "i", SystemClock.microseconds, "later events are left out", "") }
    bytes += Array("\n]\n".utf8)
    flush()
  }

  private mutating func event(
    _ name: StaticString, _ category: TraceCategory, _ phase: String, _ time: Int64, _ detail: String,
    _ more: String
  ) {
    guard !hasFailed, !isFull else { return }
    guard written + bytes.count < limit else {
      isFull = true
      return
    }
    put("\(name)", category.rawValue, phase, time, detail, more)
    // A process may end at any time.
    let now = SystemClock.microseconds
    if bytes.count >= TraceRecorder.chunk || abs(now - flushed) >= 1_000_000 {
      flush()
      flushed = now
    }
  }

  private mutating func put(
    _ name: String, _ category: String, _ phase: String, _ time: Int64, _ detail: String, _ more: String
  ) {
    var text = written == 0 && bytes.count == 1 ? "\n" : ",\n"
    text += "{\"name\":\"\(name)\",\"cat\":\"\(category)\",\"ph\":\"\(phase)\",\"ts\":\(time)"
    text += ",\"pid\":\(process)"
    text += ",\"tid\":\(thread())\(more)"
    bytes += Array(text.utf8)
    if !detail.isEmpty {
      bytes += Array(",\"args\":{\"detail\":\"".utf8)
      for byte in detail.utf8 {
        // Names are the style's: they may have any character.
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 0..<0x20: bytes.append(UInt8(ascii: " "))
        default: bytes.append(byte)
        }
      }
      bytes += Array("\"}".utf8)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func flush() {
    if !write(bytes) { hasFailed = true }
    written += bytes.count
    bytes.removeAll(keepingCapacity: true)
  }

  /// Threads by numbers of the trace's own, in the order in which they come.
  private mutating func thread() -> Int {
    let handle = pthread_self()
    if let known = threads[handle] { return known }
    threads[handle] = threads.count + 1
    return threads.count
  }
}
