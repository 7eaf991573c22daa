import NeatBase
import NeatLoop

/// A loop on a thread of its own, for callers that block: `HTTPThread().fetch(request, deadline)`. Starts its
/// thread at once, ends it when released.
package final class HTTPThread: Sendable {
  package let loop: RunLoop
  private let options: HTTPOptions
  private let thread: pthread_t
  private let generation = ProcessGeneration.current

  /// Throws `io` when the system refuses a thread.
  package init(options: HTTPOptions = .init()) throws(NeatError) {
    loop = try RunLoop()
    self.options = options
    let context = Unmanaged.passRetained(loop).toOpaque()
    var thread = pthread_t()
    let result = OwnThread.start(
      &thread, context: context,
      { context in
        guard let context else { return nil }
        // TLS libraries write to sockets in ways that raise this signal.
        var signals = sigset_t()
        assertDone(sigemptyset(&signals))
        assertDone(sigaddset(&signals, SIGPIPE))
        assertDone(pthread_sigmask(SIG_BLOCK, &signals, nil))
        let loop = Unmanaged<RunLoop>.fromOpaque(context).takeRetainedValue()
        loop.run()
        loop.close()
        return nil
      })
    guard result == 0 else {
      Unmanaged<RunLoop>.fromOpaque(context).release()
      throw NeatError(.io, "no thread for requests")
    }
    self.thread = thread
  }

  deinit {
    // In the child of a fork the thread is not there, and its lock may be held for ever.
    guard generation == ProcessGeneration.current else { return }
    loop.stop()
    // The last one to let go can be something that ran on the loop: a thread cannot wait for itself.
    if pthread_equal(thread, pthread_self()) != 0 {
      assertDone(pthread_detach(thread))
    } else {
      assertDone(pthread_join(thread, nil))
    }
  }

  /// Fetches and waits, no longer than until the deadline. Any thread but the loop's.
  package func fetch(_ request: HTTPRequest, _ deadline: Deadline = .never) -> HTTPResult {
    run(deadline, late: .failure(NeatError(.timeout, "no answer in time", resource: request.url))) {
      [options] loop, settle in
      do throws(NeatError) {
        var request = request
        if let left = deadline.remainingMS {
          request.timeoutMS = min(max(left, 1), request.timeoutMS == 0 ? .max : request.timeoutMS)
        }
        return try loop.http(options).fetch(request, settle).cancel
      } catch {
        settle(.failure(error))
        return {}
      }
    }
  }

  private final class Slot<T: Sendable>: Sendable {
    struct State: Sendable {
      var result: T?
      var cancel: LoopBound<() -> Void>?
    }
    let state = Locked(State())
    let signal = Signal()

    func settle(_ result: T) {
      state.withLock { if $0.result == nil { $0.result = result } }
      signal.set()
    }
  }

  /// Begins something on the loop and waits for it to settle. `begin` gives back how to cancel it, which
  /// happens at the deadline.
  package func run<T: Sendable>(
    _ deadline: Deadline, late: T, _ begin: @escaping @Sendable (RunLoop, @escaping (T) -> Void) -> () -> Void
  ) -> T {
    let slot = Slot<T>()
    let loop = loop
    let isPosted = loop.post {
      let cancel = LoopBound(begin(loop) { slot.settle($0) }, loop)
      slot.state.withLock { state in
        if state.result == nil { state.cancel = cancel }
      }
    }
    guard isPosted else { return late }
    // A little later than the request's own time, so that its own words about the delay arrive.
    let isDone = slot.signal.wait(until: deadline.extended(byMS: 20))
    if !isDone {
      loop.post {
        slot.state.withLock(\.cancel)?.value()
      }
    }
    return slot.state.withLock { state in
      let result = state.result ?? late
      state.result = result
      return result
    }
  }
}

extension RunLoop {
  /// This loop's HTTP client, made with these options when first asked for. On the loop's thread.
  package func http(_ options: HTTPOptions = .init()) throws(NeatError) -> HTTPClient {
    if let client = attached(HTTPClient.self) { return client }
    let client = try HTTPClient(loop: self, options: options)
    attach(client) { client.close() }
    return client
  }
}
