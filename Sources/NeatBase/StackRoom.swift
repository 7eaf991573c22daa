import CStack

/// How deep foreign documents may lead on the stack of the calling thread.
///
/// Readers that recur over what they read (a document nested in itself, an expression in an expression) have a
/// limit of depth. Threads of hosts may have less stack than that limit takes: musl gives 128 KiB, and hosts
/// choose what they like. A reader asks here once, when it begins, and takes the smaller of its own limit and of
/// what the thread has room for, so that a deep document is refused and nothing overflows.
package enum StackRoom {
  /// Bytes that the calling thread has left; `Int.max` where that is not known (a host's fiber).
  package static var left: Int { stack_left() }

  /// What a call of the library takes besides the recursion over its input.
  package static let ofCall = 48 << 10
  /// What drawing takes, with the encoders, shapers and image decoders of other libraries.
  package static let ofDrawing = 112 << 10

  /// What one level of nested JSON takes of the readers that consume it: expressions take most. Debug builds have
  /// larger frames. `Tests/Lifetimes/stacks.c` measures it.
  package static var ofLevel: Int { _isDebugAssertConfiguration() ? 4096 : 832 }

  /// Levels of recursion, `limit` at most, for which the calling thread has room.
  package static func levels(_ limit: Int, bytes: Int = ofLevel) -> Int {
    max(0, min(limit, (left - ofCall) / bytes))
  }

  /// Throws `limitExceeded` where the calling thread has less than `bytes` left.
  package static func require(_ bytes: Int, for what: StaticString) throws(NeatError) {
    let left = left
    guard left < bytes else { return }
    throw NeatError(
      .limitExceeded, "\(what) takes \(bytes >> 10) KiB of stack, and this thread has \(left >> 10) KiB left")
  }
}
