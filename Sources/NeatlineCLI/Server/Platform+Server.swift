#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Platform {
  static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// The time as HTTP writes it, such as "Sun, 06 Nov 1994 08:49:37 GMT".
  static var httpDate: String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date =
      "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year)"
    return "\(date) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
  }

  /// Asks for room for so many descriptors. Returns how many there may be.
  static func raiseDescriptorLimit(_ wanted: Int) -> Int {
    var limit = rlimit()
    #if canImport(Glibc)
      let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let kind = RLIMIT_NOFILE
    #endif
    guard getrlimit(kind, &limit) == 0 else { return 1024 }
    if limit.rlim_cur < UInt64(wanted) {
      limit.rlim_cur = min(limit.rlim_max, numericCast(wanted))
      setrlimit(kind, &limit)
      getrlimit(kind, &limit)
    }
    return Int(clamping: limit.rlim_cur)
  }

  static func makeNonBlocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Two ends that do not block.
  static func makePipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw FileError(path: "pipe", reason: String(cString: strerror(errno))) }
    for end in ends { makeNonBlocking(end) }
    return (ends[0], ends[1])
  }

  /// Makes the other end readable. Any thread, and within a signal.
  static func poke(_ pipe: Int32) {
    var byte: UInt8 = 1
    _ = write(pipe, &byte, 1)
  }

  /// Takes all that was poked.
  static func drain(_ pipe: Int32) {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      while read(pipe, buffer.baseAddress!, buffer.count) > 0 {}
    }
  }
}
