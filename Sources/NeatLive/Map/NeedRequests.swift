import NeatCamera
import NeatMap
import NeatResource

/// The requests of a live map: those that it waits for, and those that go on after an answer, since the network
/// is not there or what came will expire. Only for the loop's thread. A cancelled one answers within the call.
final class NeedRequests {
  private var waiting: [Need: CancelHandle] = [:]

  private struct Open {
    let handle: CancelHandle
    var hasData: Bool
    /// Seconds since 1970.
    var expires: Int64?
  }
  private var open: [Need: Open] = [:]
  /// When tiles that left the view while they were renewed expire.
  private var left: [Need: Int64] = [:]

  /// Answers that workers decode, and for each what follows it: of one resource each after the one before.
  private var decoding: [Need: [() -> Void]] = [:]

  /// Whether an answer is waited for, or decoded.
  var isUnderWay: Bool { !waiting.isEmpty || !decoding.isEmpty }
  func isUnderWay(_ need: Need) -> Bool { waiting[need] != nil || decoding[need] != nil }
  func isUnderWay(where isSuch: (Need) -> Bool) -> Bool {
    waiting.keys.contains(where: isSuch) || decoding.keys.contains(where: isSuch)
  }
  var count: Int { waiting.count }
  /// What is asked for and has not been answered.
  var asked: Dictionary<Need, CancelHandle>.Keys { waiting.keys }

  /// Begins to decode, now or when what came before is done.
  func decode(_ need: Need, _ begin: @escaping () -> Void) {
    if decoding[need] != nil { return decoding[need, default: []].append(begin) }
    decoding[need] = []
    begin()
  }

  func isDecoding(_ need: Need) -> Bool { decoding[need] != nil }

  func hasDecoded(_ need: Need) {
    guard var next = decoding[need] else { return }
    guard !next.isEmpty else { return decoding[need] = nil }
    let begin = next.removeFirst()
    decoding[need] = next
    begin()
  }

  func add(_ need: Need, _ handle: CancelHandle) {
    open.removeValue(forKey: need)?.handle.cancel()
    left[need] = nil
    waiting[need] = handle
  }

  enum Take {
    /// Nothing that the map would show.
    case none
    case first, later
  }

  /// What an answer is to the map.
  func take(_ need: Need, _ answer: ResourceAnswer) -> Take {
    var hasData = true
    if case .failed = answer.result { hasData = false }
    let first = waiting.removeValue(forKey: need)
    let before = open[need]
    guard first != nil || before != nil else { return .none }
    if answer.isFinal {
      open[need] = nil
    } else if let handle = first ?? before?.handle {
      open[need] = Open(
        handle: handle, hasData: hasData || before?.hasData == true, expires: answer.facts.expires)
    }
    if first != nil { return .first }
    // What is shown stays, unless there is something else.
    return answer.facts.isNotModified || !hasData ? .none : .later
  }

  /// Ends the requests for tiles that the view has no use for any more. What had not come is asked for anew when
  /// it has, and what has expired meanwhile. Gives back the seconds until the first of those that are in view
  /// again expires: nobody renews it before.
  func leave(_ core: MapCore, _ transform: Transform, now: Int64) -> Int64? {
    guard !waiting.isEmpty || !open.isEmpty || !left.isEmpty else { return nil }
    let tiles = core.tilesOfUse(transform)
    for (need, handle) in waiting where !tiles.contains(need) {
      waiting[need] = nil
      handle.cancel()
    }
    for (need, request) in open where !tiles.contains(need) {
      open[need] = nil
      request.handle.cancel()
      if !request.hasData { core.forget(need) } else if let time = request.expires { left[need] = time }
    }
    // What is being decoded is there after that.
    for (need, time) in left where time <= now && decoding[need] == nil {
      left[need] = nil
      core.forget(need)
    }
    return left.filter { tiles.contains($0.key) }.values.min().map { $0 - now }
  }

  /// Cancels those that answer for something that went.
  func cancel(where hasGone: (Need) -> Bool) {
    let ended =
      waiting.filter { hasGone($0.key) }.map(\.value) + open.filter { hasGone($0.key) }.map(\.value.handle)
    waiting = waiting.filter { !hasGone($0.key) }
    open = open.filter { !hasGone($0.key) }
    left = left.filter { !hasGone($0.key) }
    decoding = decoding.filter { !hasGone($0.key) }
    for handle in ended { handle.cancel() }
  }
}
