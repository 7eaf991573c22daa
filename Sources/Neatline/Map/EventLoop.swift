import CNeatline

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A libuv loop with its worker threads, timers and network: what maps live on. Belongs to one thread, but
/// for `wake`.
public final class EventLoop {
  let pointer: OpaquePointer

  /// Makes a loop, which belongs to the calling thread.
  public init() throws(NeatlineError) { pointer = try handle { neat_loop_create($0) } }

  deinit { neat_loop_destroy(pointer) }

  /// Runs until nothing is under way, or until `timeout` milliseconds have passed (0: no limit). Returns
  /// whether work is left.
  @discardableResult
  public func run(timeout: Int = 0) -> Bool { neat_loop_run(pointer, UInt32(clamping: timeout)) != 0 }

  /// Handles what is ready without waiting. Returns whether work is left.
  @discardableResult
  public func poll() -> Bool { neat_loop_poll(pointer) != 0 }

  /// Earlier name of `poll`.
  @available(*, deprecated, renamed: "poll()")
  @discardableResult
  public func runOnce() -> Bool { poll() }

  /// For hosts with their own loop: the descriptor that becomes readable when there is work.
  public var backendDescriptor: Int32 { neat_loop_backend_fd(pointer) }

  /// Milliseconds until the next timer, 0 for at once, -1 for none.
  public var backendTimeout: Int { Int(neat_loop_backend_timeout_ms(pointer)) }

  /// What makes a waiting loop return, from any thread. To be used only while the loop lives.
  public var waker: Waker { Waker(pointer: pointer) }

  /// Makes a waiting loop return.
  public struct Waker: Sendable {
    fileprivate nonisolated(unsafe) let pointer: OpaquePointer
    /// Makes the loop return from `run`. Any thread.
    public func wake() { neat_loop_wake(pointer) }
  }
}

extension EventLoop {
  /// The calling thread's own loop, made when it is first asked for, as long as the thread lives: what a `MapView` and
  /// a `Snapshotter` live on where nothing else is said.
  public static var current: EventLoop {
    get throws(NeatlineError) {
      guard let key = ThreadLoop.key else {
        throw NeatlineError(.io, "the process has no more keys for what a thread owns")
      }
      if let known = pthread_getspecific(key) {
        return Unmanaged<EventLoop>.fromOpaque(known).takeUnretainedValue()
      }
      let made = try EventLoop()
      let owned = Unmanaged.passRetained(made)
      guard pthread_setspecific(key, owned.toOpaque()) == 0 else {
        owned.release()
        throw NeatlineError(.outOfMemory, "no memory for the thread's own loop")
      }
      return made
    }
  }
}

extension EventLoop {
  /// A loop, or the calling thread's own where there is none.
  static func given(_ loop: EventLoop?) throws(NeatlineError) -> EventLoop {
    guard let loop else { return try current }
    return loop
  }
}

private enum ThreadLoop {
  /// Nil where the process has as many keys as the system allows.
  static let key: pthread_key_t? = {
    var key = pthread_key_t()
    let result = pthread_key_create(&key) { loop in
      let loop: UnsafeMutableRawPointer? = loop
      if let loop { Unmanaged<EventLoop>.fromOpaque(loop).release() }
    }
    return result == 0 ? key : nil
  }()
}
