import NeatBase

/// Where a new thread starts. Linux often puts it on the processor that its maker runs on, and where processors
/// share no cache (virtual machines) leaves it there for milliseconds beside others that have nothing to do: a
/// third of all first pictures was drawn by one thread. So a thread starts on another processor than its
/// maker's; from then on it may run wherever its maker may.
struct ThreadStart {
  private typealias GetProcessor = @convention(c) () -> Int32
  private typealias Affinity = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> Int32
  private typealias SetAttribute =
    @convention(c) (UnsafeMutablePointer<pthread_attr_t>, Int, UnsafeMutableRawPointer) -> Int32

  /// What this C library has for it (glibc does): these are no part of POSIX.
  private struct Functions: Sendable {
    static let shared = Functions()

    let processor: GetProcessor
    let affinity: Affinity
    let setAffinity: Affinity
    let setAttribute: SetAttribute

    init?() {
      guard let processor = dlsym(nil, "sched_getcpu"), let affinity = dlsym(nil, "sched_getaffinity"),
        let setAffinity = dlsym(nil, "sched_setaffinity"),
        let setAttribute = dlsym(nil, "pthread_attr_setaffinity_np")
      else { return nil }
      self.processor = unsafeBitCast(processor, to: GetProcessor.self)
      self.affinity = unsafeBitCast(affinity, to: Affinity.self)
      self.setAffinity = unsafeBitCast(setAffinity, to: Affinity.self)
      self.setAttribute = unsafeBitCast(setAttribute, to: SetAttribute.self)
    }
  }

  /// A set of processors, as glibc's `cpu_set_t`: 1,024 of them. Where the machine has more, the kernel refuses
  /// to fill it.
  struct Processors: Equatable, Sendable {
    static let count = 1024
    var words = [UInt64](repeating: 0, count: Processors.count / 64)

    static var all: Processors { Processors(words: [UInt64](repeating: .max, count: Processors.count / 64)) }

    func contains(_ processor: Int) -> Bool { words[processor >> 6] >> UInt64(processor & 63) & 1 != 0 }
    mutating func remove(_ processor: Int) { words[processor >> 6] &= ~(1 << UInt64(processor & 63)) }
    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    fileprivate mutating func withBytes<T>(_ body: (Int, UnsafeMutableRawPointer) -> T) -> T {
      words.withUnsafeMutableBytes { body($0.count, $0.baseAddress!) }
    }
  }

  private let functions: Functions
  /// Where this thread may run.
  var allowed: Processors
  /// Where the new one starts.
  let others: Processors

  /// Nil where there is no choice, or nobody knows.
  init?() {
    guard let functions = Functions.shared else { return nil }
    let current = Int(functions.processor())
    var allowed = Processors()
    guard allowed.withBytes({ functions.affinity(0, $0, $1) }) == 0, (0..<Processors.count).contains(current)
    else { return nil }
    var others = allowed
    others.remove(current)
    if others.isEmpty { return nil }
    (self.functions, self.allowed, self.others) = (functions, allowed, others)
  }

  /// Has threads that are made with these attributes start there.
  func set(_ attributes: inout pthread_attr_t) {
    var others = others
    _ = withUnsafeMutablePointer(to: &attributes) { attributes in
      others.withBytes { functions.setAttribute(attributes, $0, $1) }
    }
  }

  /// On the new thread: from now on it may run where its maker may.
  func release() {
    // No mask where its maker has none: what may be used later (a larger `cpuset`) is then used here, too.
    var (all, found) = (Processors.all, Processors())
    if all.withBytes({ functions.setAffinity(0, $0, $1) }) == 0,
      found.withBytes({ functions.affinity(0, $0, $1) }) == 0, found == allowed
    {
      return
    }
    var allowed = allowed
    _ = allowed.withBytes { functions.setAffinity(0, $0, $1) }
  }
}
