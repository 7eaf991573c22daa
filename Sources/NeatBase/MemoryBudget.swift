import Synchronization

/// Bytes that one renderer or map may hold, and the bytes that it holds: pictures under way, and whatever is kept
/// from one picture to the next.
///
/// Code that is about to take much memory takes as many bytes from the budget first, and keeps the `MemoryHold` for
/// as long as it keeps the memory. All budgets of a process share a second one, so that many renderers together do
/// not hold more than the process may have.
///
/// A budget without room asks those who keep what can be loaded or made again (`addReserve`) to drop it, once,
/// before it refuses. Nobody may take from a budget while it holds a lock that such a reserve takes.
package final class MemoryBudget: Sendable {
  /// The bytes held of one budget, or of all of a process.
  fileprivate final class Account: Sendable {
    private let bytes = Atomic(0)

    /// Adds bytes; or the bytes that are left, fewer than asked for.
    func take(_ count: Int, limit: Int) -> Int? {
      var taken = bytes.load(ordering: .relaxed)
      while true {
        let left = max(0, limit - taken)
        guard count <= left else { return left }
        let (isDone, now) = bytes.compareExchange(
          expected: taken, desired: taken + count, ordering: .relaxed)
        if isDone { return nil }
        taken = now
      }
    }

    func giveBack(_ count: Int) { bytes.subtract(count, ordering: .relaxed) }

    var held: Int { bytes.load(ordering: .relaxed) }
  }

  /// Of all budgets of the process. A child of a fork begins with none.
  private static let process = PerProcess(Account())

  /// Drops what can be had again; whether its owner is still there.
  package typealias Reserve = @Sendable () -> Bool

  private let own = Account()
  private let ownLimit: UInt64
  private let reserves = Locked<[(number: UInt64, drop: Reserve)]>([])

  /// - Parameter limit: bytes; 0: the standard limit, which holds for all budgets of the process too.
  package init(limit: UInt64 = 0) { ownLimit = limit }

  /// Three quarters of the bytes that the process may have.
  package static var standardLimit: Int { ProcessMemory.allowed / 4 * 3 }

  /// Bytes that are held now.
  package var held: Int { own.held }

  /// Bytes that may be held.
  package var limit: Int { ownLimit == 0 ? MemoryBudget.standardLimit : Int(clamping: ownLimit) }

  /// Has a reserve dropped where there is no room, until its owner is gone.
  package func addReserve(_ reserve: @escaping Reserve) {
    reserves.withLock { $0.append((ContentID.next(), reserve)) }
  }

  /// Holds bytes. Throws `outOfMemory` with the bytes needed and left, also where the process has no such block.
  package func take(_ count: Int, for what: @autoclosure () -> String) throws(NeatError) -> MemoryHold {
    if case .held(let hold) = attempt(count) { return hold }
    dropReserves()
    switch attempt(count) {
    case .held(let hold): return hold
    case .noBlock:
      try ProcessMemory.require(count, for: what())
      throw NeatError(.outOfMemory, "\(what()) needs \(count) bytes, and the process has no such block")
    case .noRoom(let left, let limit):
      throw NeatError(
        .outOfMemory, "\(what()) needs \(count) bytes, and \(left)\(MemoryBudget.refusal)\(limit)")
    }
  }

  private static let refusal = " are left of the memory limit of "

  /// Whether an error of the code `outOfMemory` comes from a budget without room, and not from the system. Errors
  /// reach reports as a code and words, so the words tell: a picture goes on without what its budget refuses, and
  /// fails where the system refuses memory.
  package static func isRefusal(_ message: String) -> Bool { message.contains(refusal) }

  /// The same without dropping anything for it; nil where there is no room.
  package func takeSpare(_ count: Int) -> MemoryHold? {
    guard case .held(let hold) = attempt(count) else { return nil }
    return hold
  }

  private enum Outcome {
    case held(MemoryHold)
    case noRoom(left: Int, limit: Int)
    /// The process has no block of so many bytes.
    case noBlock
  }

  private func attempt(_ count: Int) -> Outcome {
    assert(count >= 0, "fewer than no bytes")
    let standard = MemoryBudget.standardLimit
    let ownLimit = ownLimit == 0 ? standard : Int(clamping: ownLimit)
    if let left = own.take(count, limit: ownLimit) { return .noRoom(left: left, limit: ownLimit) }
    let shared = MemoryBudget.process.get { _ in Account() }
    // A budget with a limit above the standard one is its host's word for the process.
    let all = max(ownLimit, standard)
    if let left = shared.take(count, limit: all) {
      own.giveBack(count)
      return .noRoom(left: left, limit: all)
    }
    let hold = MemoryHold(count, own, shared)
    return ProcessMemory.has(count) ? .held(hold) : .noBlock
  }

  /// Not under the lock of the list: what a reserve drops may end the life of any object.
  private func dropReserves() {
    let gone = reserves.withLock { $0 }.filter { !$0.drop() }.map(\.number)
    if !gone.isEmpty { reserves.withLock { $0.removeAll { gone.contains($0.number) } } }
  }
}

/// Bytes taken from a budget, which go back when the last reference goes.
package final class MemoryHold: Sendable {
  private let bytes: Atomic<Int>
  private let own: MemoryBudget.Account
  private let shared: MemoryBudget.Account

  fileprivate init(_ count: Int, _ own: MemoryBudget.Account, _ shared: MemoryBudget.Account) {
    bytes = Atomic(count)
    (self.own, self.shared) = (own, shared)
  }

  deinit { giveBack(count) }

  package var count: Int { bytes.load(ordering: .relaxed) }

  /// Gives back all but so many bytes; more than are held change nothing.
  package func shrink(to count: Int) {
    assert(count >= 0, "fewer than no bytes")
    let old = bytes.min(count, ordering: .relaxed).oldValue
    if count < old { giveBack(old - count) }
  }

  private func giveBack(_ count: Int) {
    own.giveBack(count)
    shared.giveBack(count)
  }
}
