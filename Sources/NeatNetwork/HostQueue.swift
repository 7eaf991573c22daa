import NeatBase

/// Requests to one host that wait, by priority and age.
struct HostQueue {
  var runningCount = 0
  private var waiting = [[HTTPCall]](repeating: [], count: HTTPRequest.priorityCount)
  /// Where each list begins: what was before is taken.
  private var heads = [Int](repeating: 0, count: HTTPRequest.priorityCount)

  mutating func add(_ call: HTTPCall) { waiting[Int(call.priority)].append(call) }

  /// The one that goes next. Those that ended or moved to another priority meanwhile are dropped here.
  mutating func first() -> HTTPCall? {
    for level in waiting.indices {
      while heads[level] < waiting[level].count {
        let call = waiting[level][heads[level]]
        if case .waiting = call.phase, Int(call.priority) == level { return call }
        dropFirst(level)
      }
    }
    return nil
  }

  /// Takes the one that `first` gave.
  mutating func removeFirst(_ call: HTTPCall) { dropFirst(Int(call.priority)) }

  private mutating func dropFirst(_ level: Int) {
    heads[level] += 1
    // Half of the list at a time, so that each entry is moved once.
    if heads[level] >= 32, heads[level] * 2 >= waiting[level].count {
      waiting[level].removeFirst(heads[level])
      heads[level] = 0
    }
  }

  var isIdle: Bool { runningCount == 0 && waiting.indices.allSatisfy { heads[$0] == waiting[$0].count } }
}
