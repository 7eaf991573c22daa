import Synchronization

/// What a process makes once, when it first draws: tables of ours, and what the Swift runtime knows of types. When
/// it first meets a type that generic code asks something of (a table's key, a vector's number), it looks through
/// all that any library of the process says of types, which takes as long as laying out a dozen roads.
/// All of this would be made where it is first needed, while other threads wait. A thread that has nothing to do
/// makes it before.
package enum FirstUse {
  package typealias Step = @Sendable () -> Void

  /// The same steps, each of which is over before the process is forked: a child would find the runtime's locks held
  /// by a thread that it does not have.
  package static func keepingForks(_ steps: [Step]) -> [Step] {
    steps.map { step in { Fork.heldBack(step) } }
  }

  /// Whether nobody in this process has taken the steps; for one who then does them.
  package static func begin() -> Bool {
    // In the child of a fork the runtime does not know its first thread: others cannot wait for it.
    guard ProcessGeneration.current == 0 else { return false }
    let isFirst = isTaken.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
    if isFirst { keepBlocks() }
    return isFirst
  }

  /// Blocks up to this size, of the C library, serve again in the place of going back to the system.
  private static let keptBytes = 1 << 20

  /// The GNU C library maps blocks of more than 128 KiB by themselves, and takes the maps away with them, until one
  /// is freed: from then on blocks as large come from its heap. A first picture takes a dozen (tiles as they are
  /// stored and unpacked, glyphs, meshes), whose pages would each be new.
  private static func keepBlocks() {
    guard let block = malloc(keptBytes) else { return }
    note(Int(bitPattern: block))
    free(block)
  }

  private static let isTaken = Atomic(false)
  /// What nobody asks for is not computed; so somebody is told.
  private static let known = Atomic(0)

  /// Keys of tables and sets.
  package static func meet(keys types: [Any.Type]) {
    note(types.reduce(0) { $1 is any Hashable.Type ? $0 + 1 : $0 })
  }

  /// Numbers of vectors, and bounds of ranges.
  package static func meetNumbers() {
    let types: [Any.Type] = [Double.self, Float.self, Int32.self, UInt32.self, Int.self]
    note(types.reduce(0) { $1 is any SIMDScalar.Type && $1 is any Comparable.Type ? $0 + 1 : $0 })
  }

  package static func meetMemoryLimits() { note(ProcessMemory.allowed & 1) }

  package static func note(_ count: Int) { known.store(count, ordering: .relaxed) }
}
