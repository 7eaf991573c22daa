import Synchronization

/// Memory that this process may have and has. Swift ends the process where memory is refused, so whoever is
/// about to take much of it asks here first.
package enum ProcessMemory {
  /// Bytes kept free for the many small allocations that cannot fail one by one. The reserve is a part of it.
  package static let headroom = MemoryReserve.byteCount
  /// Blocks below this are not asked for; where only the machine or its container limits the process, those
  /// below `largeBlock`.
  package static let smallBlock = 1 << 20
  package static let largeBlock = 64 << 20
  /// Of this and above, whether the system gives it is tried.
  package static let probedBlock = 4 << 20

  /// Hands pages that nothing uses any more back to the system, where the platform's allocator keeps them.
  package static func giveBack() {
    BlockPool.removeAll()
    // A function of glibc's that its module does not have; other libraries' allocators keep less.
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
  }

  /// Throws `outOfMemory`, with both figures, where a block of this many bytes is not to be had.
  package static func require(_ bytes: Int, for what: @autoclosure () -> String) throws(NeatError) {
    guard let (left, all) = shortage(of: bytes) else {
      guard bytes >= probedBlock, !isGiven(bytes) else { return }
      throw NeatError(.outOfMemory, "\(what()) needs \(bytes) bytes, which the system refuses")
    }
    throw NeatError(
      .outOfMemory,
      "\(what()) needs \(bytes) bytes, and \(max(0, left - headroom)) are left of the \(all) that this process may have"
    )
  }

  /// Bytes of memory that the process has; 0 where the system does not tell.
  package static var residentBytes: Int { ProcessUse.current().pages }

  /// Whether a block of this many bytes is to be had.
  package static func has(_ bytes: Int) -> Bool {
    shortage(of: bytes) == nil && (bytes < probedBlock || isGiven(bytes))
  }

  /// Whether the system gives so many bytes, none of which is written to. It may be another answer a moment later:
  /// other threads allocate too.
  private static func isGiven(_ bytes: Int) -> Bool {
    // Not by `malloc`: the C library would change its mind about which blocks it maps.
    let block = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard block != MAP_FAILED, let block else { return false }
    // unchecked: a whole mapping of this process can be taken away.
    munmap(block, bytes)
    return true
  }

  /// What is left, and what the process may have in all, where that is less than these bytes and the
  /// headroom.
  private static func shortage(of bytes: Int) -> (left: Int, all: Int)? {
    guard bytes >= smallBlock else { return nil }
    let limits = ProcessLimits.current()
    guard limits.isTight || bytes >= largeBlock else { return nil }
    let left = limits.left(for: bytes)
    return bytes > left - headroom ? (left, limits.all) : nil
  }

  /// Throws `outOfMemory` where there is not even the headroom: before work of many small pieces.
  ///
  /// Where no limit is set the system is asked once in a tick of its coarse clock (4 ms or so), for small
  /// handles are made by the million a second: a limit that a process sets on itself is noticed that much
  /// later.
  package static func requireHeadroom() throws(NeatError) {
    let tick = CoarseClock.now()
    guard unlimitedAt.load(ordering: .relaxed) != tick else { return }
    let limits = ProcessLimits.current()
    guard limits.isTight else {
      unlimitedAt.store(tick, ordering: .relaxed)
      return
    }
    let left = limits.left(for: 0)
    guard left < headroom else { return }
    throw NeatError(
      .outOfMemory,
      "\(max(0, left)) bytes are left of the \(limits.all) that this process may have: at least \(headroom) are needed"
    )
  }

  /// The tick at which the process was last seen to have no limit.
  private static let unlimitedAt = Atomic<Int>(-1)

  /// Bytes that the process may have in all.
  package static var allowed: Int { ProcessLimits.current().all }
}

/// A clock that is read without asking the system, in nanoseconds; it goes by ticks of some milliseconds.
private enum CoarseClock {
  #if canImport(Glibc)
    private static let clock = CLOCK_MONOTONIC_COARSE
  #else
    private static let clock = CLOCK_MONOTONIC
  #endif

  static func now() -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec &* 1_000_000_000 &+ time.tv_nsec
  }
}

/// What limits the memory of a process, in bytes; `Int.max` where nothing does.
struct ProcessLimits {
  /// RLIMIT_AS: of addresses, used or not.
  var addresses: Int
  /// RLIMIT_DATA: of what can be written to.
  var data: Int
  /// Of the machine and of the control groups that the process is in: of pages in use.
  var pages: Int

  var all: Int { min(addresses, data, pages) }
  /// Whether the system refuses memory past a limit, rather than ending some process when pages run out.
  var isTight: Bool { addresses != .max || data != .max }

  static func current() -> ProcessLimits {
    ProcessLimits(addresses: ResourceLimit.addresses, data: ResourceLimit.data, pages: pages)
  }

  private static let pages = min(ControlGroup.memoryLimit(), physical)

  private static var physical: Int {
    let count = sysconf(Int32(_SC_PHYS_PAGES))
    return count > 0 ? count.multipliedReportingOverflow(by: ProcessUse.pageSize).partialValue : .max
  }

  /// Bytes that the process does not have yet, and those of the reserve.
  func left() -> Int {
    let use = ProcessUse.current()
    // The reserve has addresses and no pages.
    let held = MemoryReserve.heldBytes
    return min(addresses - use.addresses + held, data - use.data + held, pages - use.pages)
  }

  /// The same; where that is too little for a block of these bytes, blocks kept for later pictures go first.
  func left(for bytes: Int) -> Int {
    let left = left()
    guard bytes > left - ProcessMemory.headroom, BlockPool.keptBytes > 0 else { return left }
    ProcessMemory.giveBack()
    return self.left()
  }
}

private enum ResourceLimit {
  #if canImport(Glibc)
    static var addresses: Int { value(__rlimit_resource_t(RLIMIT_AS.rawValue)) }
    static var data: Int { value(__rlimit_resource_t(RLIMIT_DATA.rawValue)) }

    private static func value(_ resource: __rlimit_resource_t) -> Int {
      var limit = rlimit()
      return getrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : .max
    }
  #else
    static var addresses: Int { value(RLIMIT_AS) }
    static var data: Int { value(RLIMIT_DATA) }

    private static func value(_ resource: Int32) -> Int {
      var limit = rlimit()
      return getrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : .max
    }
  #endif
}

/// What a process has, in bytes.
struct ProcessUse {
  var addresses = 0
  var data = 0
  var pages = 0

  static let pageSize = max(4096, sysconf(Int32(_SC_PAGESIZE)))

  /// Nothing where the system does not tell.
  static func current() -> ProcessUse {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
      // Size, resident, shared, text, libraries, data and stack, dirty: in pages.
      let count = SmallFile.head("/proc/self/statm", into: buffer)
      var numbers = (0, 0, 0, 0, 0, 0, 0)
      withUnsafeMutableBytes(of: &numbers) { numbers in
        let numbers = numbers.bindMemory(to: Int.self)
        var index = 0
        for byte in buffer.prefix(count) where index < numbers.count {
          if byte >= 48, byte <= 57 {
            numbers[index] = numbers[index] &* 10 &+ Int(byte - 48)
          } else {
            index += 1
          }
        }
      }
      return ProcessUse(
        addresses: numbers.0 &* pageSize, data: numbers.5 &* pageSize, pages: numbers.1 &* pageSize)
    }
  }
}

/// The limits of the control groups that a process is in, versions 1 and 2.
enum ControlGroup {
  /// The lowest limit on the way from the process's group to the root; `Int.max` for none.
  static func memoryLimit(root: String = "/sys/fs/cgroup", membership: String = "/proc/self/cgroup") -> Int {
    var lowest = Int.max
    let colon = UInt8(ascii: ":"), slash = UInt8(ascii: "/")
    for line in SmallFile.bytes(membership).split(separator: UInt8(ascii: "\n")) {
      // NUMBER:CONTROLLERS:PATH, with 0 and no controllers for version 2.
      guard let first = line.firstIndex(of: colon), let second = line[(first + 1)...].firstIndex(of: colon)
      else { continue }
      let controllers = line[(first + 1)..<second]
      let isOld = controllers.split(separator: UInt8(ascii: ",")).contains { $0.elementsEqual("memory".utf8) }
      guard isOld || controllers.isEmpty else { continue }
      var group = line[(second + 1)...]
      while true {
        let isRoot = group.elementsEqual("/".utf8)
        let folder =
          root + (isOld ? "/memory" : "") + (isRoot ? "" : String(decoding: group, as: UTF8.self))
        lowest = min(lowest, limit(folder + (isOld ? "/memory.limit_in_bytes" : "/memory.max")))
        guard let end = group.lastIndex(of: slash), !isRoot else { break }
        group = end == group.startIndex ? group[...end] : group[..<end]
      }
    }
    return lowest
  }

  /// What stands in a file; "max", no file and numbers past all memory are no limit.
  private static func limit(_ path: String) -> Int {
    var number = 0
    for byte in SmallFile.bytes(path) {
      guard byte >= 48, byte <= 57 else { break }
      if number > Int.max / 100 { return .max }
      number = number * 10 + Int(byte - 48)
    }
    return number > 0 && number < 1 << 60 ? number : .max
  }
}

/// The beginnings of files of the system.
private enum SmallFile {
  /// The bytes read; 0 where there are none.
  static func head(_ path: String, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { Descriptors.drop(descriptor) }
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 || errno != EINTR { return max(0, count) }
    }
  }

  static func bytes(_ path: String) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in count = head(path, into: buffer) }
  }
}
