import Dispatch
import Neatline

extension EventLoop {
  /// Has the main queue run the loop, until the returned value is cancelled or let go of: an application with a
  /// main queue calls neither `run` nor `poll`, and maps live beside all else that the main actor does.
  @MainActor
  public func runOnMainQueue() -> any Cancelable { MainQueueRunner(self) }
}

/// Polls a loop when its descriptor says so, or its next timer is due.
private final class MainQueueRunner: Cancelable {
  private let loop: EventLoop
  private let reading: any DispatchSourceRead
  private let timer: any DispatchSourceTimer
  private var isOver = false

  init(_ loop: EventLoop) {
    self.loop = loop
    reading = DispatchSource.makeReadSource(fileDescriptor: loop.backendDescriptor, queue: .main)
    timer = DispatchSource.makeTimerSource(queue: .main)
    // Only the main queue calls it.
    nonisolated(unsafe) let runner = Weak(self)
    reading.setEventHandler { runner.value?.poll() }
    timer.setEventHandler { runner.value?.poll() }
    timer.schedule(deadline: .now())
    reading.activate()
    timer.activate()
  }

  private final class Weak {
    weak var value: MainQueueRunner?
    init(_ value: MainQueueRunner) { self.value = value }
  }

  private func poll() {
    guard !isOver else { return }
    loop.poll()
    // A handler may have ended it.
    guard !isOver else { return }
    let wait = loop.backendTimeout
    timer.schedule(deadline: wait < 0 ? .distantFuture : .now() + .milliseconds(wait))
  }

  func cancel() {
    isOver = true
    reading.cancel()
    timer.cancel()
  }

  deinit { cancel() }
}
