import CNeatline
import NeatBase
import NeatLive
import NeatLoop
import Synchronization

/// A loop and the maps on it. Only for the loop's thread, but for waking.
final class LoopHandle: ProcessBound {
  let loop: RunLoop
  let generation = ProcessGeneration.current
  private var maps: [ObjectIdentifier: () -> Bool] = [:]

  init() throws(NeatError) { loop = try RunLoop() }

  func add(_ map: LiveMap) {
    maps[ObjectIdentifier(map)] = { [weak map] in map?.isBusy ?? false }
  }

  func remove(_ map: LiveMap) { maps[ObjectIdentifier(map)] = nil }

  var isBusy: Bool { maps.values.contains { $0() } }

  /// Runs while something is under way, but no longer than a time (0: without limit).
  func run(timeoutMS: UInt64) {
    var isOver = false
    let timer = timeoutMS > 0 ? loop.timer(afterMS: timeoutMS) { isOver = true } : nil
    // What was posted is nobody's work.
    loop.runNoWait()
    while isBusy, !isOver, !isWoken.exchange(false, ordering: .acquiring) { loop.runOnce() }
    timer?.cancel()
  }

  private let isWoken = Atomic(false)

  /// Makes a waiting `run` return. Any thread.
  func wake() {
    isWoken.store(true, ordering: .releasing)
    loop.post {}
  }
}

@c @implementation
public func neat_loop_create(_ out_loop: OutHandle!) -> neat_status {
  produce(out_loop) { () throws(NeatError) in try LoopHandle() }
}

/// The loop behind a handle, for functions without a status: nil for NULL, and for a loop of the process that
/// this one was forked from.
private func ownLoop(_ loop: OpaquePointer?) -> LoopHandle? {
  var found: LoopHandle?
  _ = attempt { () throws(NeatError) in
    guard let loop else { return }
    let handle: LoopHandle = Handle.object(loop)
    try handle.checkProcess("loop")
    found = handle
  }
  return found
}

@c @implementation
public func neat_loop_destroy(_ loop: OpaquePointer!) {
  Handle.destroy(bound: loop, LoopHandle.self) { $0.loop.close() }
}

@c @implementation
public func neat_loop_run(_ loop: OpaquePointer!, _ timeout_ms: UInt32) -> Int32 {
  guard let handle = ownLoop(loop) else { return 0 }
  handle.run(timeoutMS: UInt64(timeout_ms))
  return handle.isBusy ? 1 : 0
}

@c @implementation
public func neat_loop_poll(_ loop: OpaquePointer!) -> Int32 {
  guard let handle = ownLoop(loop) else { return 0 }
  handle.loop.runNoWait()
  return handle.isBusy ? 1 : 0
}

@c @implementation
public func neat_loop_backend_fd(_ loop: OpaquePointer!) -> Int32 {
  ownLoop(loop)?.loop.backendFD ?? -1
}

@c @implementation
public func neat_loop_backend_timeout_ms(_ loop: OpaquePointer!) -> Int32 {
  ownLoop(loop)?.loop.backendTimeoutMS ?? -1
}

@c @implementation
public func neat_loop_wake(_ loop: OpaquePointer!) {
  ownLoop(loop)?.wake()
}
