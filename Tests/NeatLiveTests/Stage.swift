import NeatBase
import NeatCamera
import NeatLoop
import NeatMap

@testable import NeatLive

/// A map whose events are kept, and which calls `handle` with each.
final class Stage {
  let loop: RunLoop
  private(set) var map: LiveMap!
  var events: [MapEvent] = []
  var times: [EventTime] = []
  var handle: ((LiveMap, MapEvent) -> Void)?

  init(_ change: (inout MapEnvironment.Options) -> Void = { _ in }) throws {
    loop = try RunLoop()
    var options = MapEnvironment.Options()
    options.threadCount = 1
    options.retryCount = 0
    change(&options)
    map = try LiveMap(
      loop: loop, size: ViewSize(width: 64, height: 64), environment: try MapEnvironment(options)
    ) { [weak self] event, time in
      guard let self, let map = self.map else { return }
      self.events.append(event)
      self.times.append(time)
      self.handle?(map, event)
    }
  }

  func run(seconds: UInt64 = 30) {
    let deadline = Deadline.after(ms: seconds * 1000)
    while map.isBusy, !deadline.isOver { loop.runOnce() }
  }

  var failures: [MapEvent] { events.filter { if case .mapLoadingError = $0 { true } else { false } } }

  deinit {
    map.destroy()
    loop.close()
  }
}

extension Stage {
  var problems: [MapProblem] {
    events.compactMap { if case .mapLoadingError(let problem) = $0 { problem } else { nil } }
  }

  var requests: [RequestReport] {
    events.compactMap { if case .resourceRequest(let report) = $0 { report } else { nil } }
  }

  /// Events but for requests, which come as they come.
  var life: [MapEvent] { events.filter { if case .resourceRequest = $0 { false } else { true } } }
}
