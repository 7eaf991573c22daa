import Glibc

struct BenchError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// Files, time, memory and processes by the C library.
enum Platform {
  static func read(_ path: String) throws -> [UInt8] {
    if path.hasSuffix(".gz") { return try output(of: "gzip -dc '\(path)'") }
    guard let file = fopen(path, "rb") else {
      throw BenchError("\(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    return readAll(file)
  }

  static func output(of command: String) throws -> [UInt8] {
    guard let pipe = popen(command, "r") else { throw BenchError("\(command): cannot be run") }
    let bytes = readAll(pipe)
    guard pclose(pipe) == 0 else { throw BenchError("\(command): failed") }
    return bytes
  }

  private static func readAll(_ file: UnsafeMutablePointer<FILE>) -> [UInt8] {
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return result }
      result += chunk[..<count]
    }
  }

  static func write(_ path: String, _ text: String) throws {
    guard let file = fopen(path, "wb") else {
      throw BenchError("\(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw BenchError("\(path): write failed")
    }
  }

  static func list(_ path: String, suffix: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var result: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(suffix) { result.append(name) }
    }
    return result.sorted()
  }

  /// Seconds of a clock that only goes forward.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Seconds of processors that this process has taken.
  static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Bytes of memory that this process held at most (VmHWM).
  static var peakBytes: Int { statusBytes("VmHWM:") }

  /// Bytes of memory that this process holds (VmRSS).
  static var residentBytes: Int { statusBytes("VmRSS:") }

  private static func statusBytes(_ name: String) -> Int {
    guard let text = try? read("/proc/self/status") else { return 0 }
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") where line.hasPrefix(name) {
      return
        (line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0)
        * 1024
    }
    return 0
  }

  /// Runs a program to its end; its status, and the most bytes of memory it held.
  static func run(_ path: String, _ words: [String], output: Int32? = nil) throws -> (
    status: Int32, peakBytes: Int
  ) {
    let pid = try begin(path, words, output: output)
    var result: Int32 = 0
    var usage = rusage()
    while wait4(pid, &result, 0, &usage) < 0, errno == EINTR {}
    return (result, usage.ru_maxrss * 1024)
  }

  /// Begins a program; its process.
  @discardableResult
  static func begin(_ path: String, _ words: [String], input: Int32? = nil, output: Int32? = nil) throws
    -> pid_t
  {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
    if let output { posix_spawn_file_actions_adddup2(&actions, output, 1) }
    var arguments: [UnsafeMutablePointer<CChar>?] = ([path] + words).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid: pid_t = 0
    let status = posix_spawn(&pid, path, &actions, nil, &arguments, environ)
    guard status == 0 else { throw BenchError("\(path): \(String(cString: strerror(status)))") }
    return pid
  }

  static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { throw BenchError("no pipe: \(String(cString: strerror(errno)))") }
    return (ends[0], ends[1])
  }

  /// This program.
  static var ownPath: String {
    guard let real = realpath("/proc/self/exe", nil) else { return "neatline-bench" }
    defer { free(real) }
    return String(cString: real)
  }

  /// Where this program lies.
  static var ownFolder: String {
    ownPath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  }
}
