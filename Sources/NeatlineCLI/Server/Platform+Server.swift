#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Platform {
  /// Where the process's addresses are limited (RLIMIT_AS), its threads share one heap: each of their own would
  /// take 64 MiB of addresses, used or not, which pictures then lack.
  static func shareHeapWhereAddressesAreFew() {
    #if canImport(Glibc)
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < 4 << 30,
        // Of glibc's, though its module does not have it; M_ARENA_MAX is -8.
        let symbol = dlsym(nil, "mallopt")
      else { return }
      _ = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)(-8, 1)
    #endif
  }

  static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  private struct Moment {
    var parts = tm()
    init() {
      var now = time(nil)
      gmtime_r(&now, &parts)
    }
    var month: String {
      ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][Int(parts.tm_mon)]
    }
    var weekday: String { ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(parts.tm_wday)] }
    var year: Int { 1900 + Int(parts.tm_year) }
    var clock: String { "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))" }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
  }

  /// The time as HTTP writes it, such as "Sun, 06 Nov 1994 08:49:37 GMT".
  static var httpDate: String {
    let now = Moment()
    return "\(now.weekday), \(now.two(now.parts.tm_mday)) \(now.month) \(now.year) \(now.clock) GMT"
  }

  /// The time as logs have it, such as "06/Nov/1994:08:49:37 +0000".
  static var logDate: String {
    let now = Moment()
    return "\(now.two(now.parts.tm_mday))/\(now.month)/\(now.year):\(now.clock) +0000"
  }

  /// Such as "1994-11-06T08:49:37Z".
  static var isoDate: String {
    let now = Moment()
    return "\(now.year)-\(now.two(now.parts.tm_mon + 1))-\(now.two(now.parts.tm_mday))T\(now.clock)Z"
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
      // unchecked: the limit that there is then says how many there may be.
      setrlimit(kind, &limit)
      guard getrlimit(kind, &limit) == 0 else { return 1024 }
    }
    return Int(clamping: limit.rlim_cur)
  }

  /// A descriptor that does not block, and that programs which are started do not have.
  static func makeNonBlocking(_ descriptor: Int32) throws {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else {
      throw FileError(path: "descriptor \(descriptor)", reason: String(cString: strerror(errno)))
    }
    try keepFromPrograms(descriptor)
  }

  static func keepFromPrograms(_ descriptor: Int32) throws {
    guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
      throw FileError(path: "descriptor \(descriptor)", reason: String(cString: strerror(errno)))
    }
  }

  /// Two ends that do not block.
  static func makePipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw FileError(path: "pipe", reason: String(cString: strerror(errno))) }
    do { for end in ends { try makeNonBlocking(end) } } catch {
      for end in ends { close(end) }
      throw error
    }
    return (ends[0], ends[1])
  }

  /// Makes the other end readable. Any thread, and within a signal.
  static func poke(_ pipe: Int32) {
    var byte: UInt8 = 1
    // unchecked: a pipe that is full is readable already, and within a signal nothing else can be done.
    _ = write(pipe, &byte, 1)
  }

  /// Takes all that was poked.
  static func drain(_ pipe: Int32) {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      while true {
        let count = read(pipe, buffer.baseAddress!, buffer.count)
        guard count > 0 || count < 0 && errno == EINTR else { return }
      }
    }
  }

  /// Where the program itself is.
  static var programFolder: String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    return FilePath.folder(String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  private nonisolated(unsafe) static var reloads: sig_atomic_t = 0

  /// From now on SIGHUP only shows in `takeReload`.
  static func catchReloads() {
    // unchecked: the signal may be caught, and the result is what caught it before.
    signal(SIGHUP) { _ in Platform.reloads = 1 }
  }

  /// Whether SIGHUP came since the last call.
  static func takeReload() -> Bool {
    guard reloads != 0 else { return false }
    reloads = 0
    return true
  }

  /// Changes with the content of a file: its place, size and time; nil where there is none.
  static func stamp(_ path: String) -> [Int]? {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    #if canImport(Darwin)
      let time = info.st_mtimespec
    #else
      let time = info.st_mtim
    #endif
    return [Int(truncatingIfNeeded: info.st_ino), Int(info.st_size), time.tv_sec, time.tv_nsec]
  }

  static func isFolder(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
  }

  /// Names in a folder, sorted; nil where it cannot be read.
  static func names(in folder: String) -> [String]? {
    guard let directory = opendir(folder) else { return nil }
    defer {
      // unchecked: it was only read.
      closedir(directory)
    }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  static var workingFolder: String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    return String(cString: path)
  }

  /// Bytes of memory that the process has.
  static var residentBytes: Int {
    guard let text = try? String(decoding: readFile("/proc/self/statm"), as: UTF8.self),
      let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return 0 }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Of the clock on the wall, since 1970.
  static var clockMilliseconds: Int {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int(now.tv_sec) * 1000 + Int(now.tv_nsec) / 1_000_000
  }

  /// The latitude of a height of Mercator's, both in radians.
  static func gudermannian(_ y: Double) -> Double { atan(sinh(y)) }

  /// Since 1970.
  static var wallSeconds: Int { Int(time(nil)) }

  /// Makes a folder and those above it.
  static func makeFolder(_ path: String) throws {
    if isFolder(path) { return }
    let parent = FilePath.folder(path)
    if path.contains("/"), !parent.isEmpty, parent != path { try makeFolder(parent) }
    guard mkdir(path, 0o777) == 0 || errno == EEXIST && isFolder(path) else {
      throw FileError(path: path, reason: String(cString: strerror(errno)))
    }
  }

  static func removeFile(_ path: String) -> Bool { unlink(path) == 0 }

  /// Tells the service manager (NOTIFY_SOCKET, as systemd has it) how the program is doing.
  static func notifyManager(_ text: String) {
    if let path = environment("NOTIFY_SOCKET") { UnixSocket.tell(path, text) }
  }

  /// Returns whether all that was written arrived, as far as the system tells.
  @discardableResult static func close(_ descriptor: Int32) -> Bool {
    #if canImport(Glibc)
      Glibc.close(descriptor) == 0
    #elseif canImport(Musl)
      Musl.close(descriptor) == 0
    #else
      Darwin.close(descriptor) == 0
    #endif
  }

  static func sleep(milliseconds: Int) {
    // unchecked: a shorter sleep is as good.
    usleep(UInt32(milliseconds) * 1000)
  }

  /// What a thread runs.
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread that ends with its body or with the process.
  static func startThread(_ run: @escaping @Sendable () -> Void) throws {
    var attributes = pthread_attr_t()
    let made = pthread_attr_init(&attributes)
    guard made == 0 else { throw FileError(path: "threads", reason: String(cString: strerror(made))) }
    defer { assertDone(pthread_attr_destroy(&attributes)) }
    assertDone(pthread_attr_setstacksize(&attributes, 8 << 20))
    assertDone(pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let body = Unmanaged.passRetained(Body(run))
    let status = pthread_create(
      &thread, &attributes,
      { context in
        #if canImport(Darwin)
          Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        #else
          if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        #endif
        return nil
      }, body.toOpaque())
    guard status == 0 else {
      body.release()
      throw FileError(path: "threads", reason: String(cString: strerror(status)))
    }
  }
}

/// Meters of the map's plane (EPSG:3857).
enum SphericalMercator {
  private static let radius = 6_378_137.0

  static func degrees(_ x: Double, _ y: Double) -> (Double, Double) {
    (x / radius * 180 / .pi, Platform.gudermannian(y / radius) * 180 / .pi)
  }
}
