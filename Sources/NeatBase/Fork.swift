import CFork

/// Forks that wait: see `fork_hold_back`.
package enum Fork {
  /// Does what holds locks of a system library: a fork waits until it is done, for 2 seconds at most, as a child would
  /// find them held by a thread that it does not have. Within it no lock is waited for that is held around it elsewhere.
  @inline(__always) package static func heldBack<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E)
    -> R
  {
    holdBack()
    defer { letGo() }
    return try body()
  }

  /// The same from here to `letGo` by the same thread.
  package static func holdBack() { fork_hold_back() }
  package static func letGo() { fork_let_go() }

  /// Between two parts of long work: forks that wait happen here.
  package static func giveWay() { fork_give_way() }
}
