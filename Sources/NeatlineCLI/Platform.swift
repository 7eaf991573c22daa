#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The few calls of the system that the commands need.
enum Platform {
  static func write(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    #if canImport(Glibc)
      return Glibc.write(file, bytes, count)
    #elseif canImport(Musl)
      return Musl.write(file, bytes, count)
    #else
      return Darwin.write(file, bytes, count)
    #endif
  }

  /// Writes all of it: what a signal interrupts is tried again, and a descriptor that does not block is waited for.
  /// Returns the number of the error; nil where there is none.
  static func writeAll(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int32? {
    var done = 0
    while done < bytes.count {
      let count = write(file, bytes.baseAddress! + done, bytes.count - done)
      if count > 0 {
        done += count
      } else if count == 0 {
        return ENOSPC
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        var polled = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        if poll(&polled, 1, -1) < 0, errno != EINTR { return errno }
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }

  /// Set by the signals that ask a program to end.
  private nonisolated(unsafe) static var interrupted: sig_atomic_t = 0

  static var isInterrupted: Bool { interrupted != 0 }

  /// A pipe that gets a byte with a signal; -1: none.
  private nonisolated(unsafe) static var poked: Int32 = -1

  /// From now on SIGINT and SIGTERM only show in `isInterrupted`, and in a pipe; the second one ends the
  /// program at once.
  static func catchInterrupts(poking pipe: Int32 = -1) {
    poked = pipe
    for number in [SIGINT, SIGTERM] {
      // unchecked: both signals may be caught, and the result is what caught them before.
      signal(number) { number in
        Platform.interrupted = 1
        // unchecked: the same.
        signal(number, SIG_DFL)
        if Platform.poked >= 0 { Platform.poke(Platform.poked) }
      }
    }
  }

  /// Of the monotonic clock.
  static var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  /// A variable of the environment; nil where it is not set or empty.
  static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// Becomes another program, looked for in the path; returns why not, where it cannot.
  static func become(_ arguments: [String]) -> String {
    let texts: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for text in texts { free(text) } }
    guard let program = texts[0] else { return String(cString: strerror(ENOMEM)) }
    execvp(program, texts)
    return String(cString: strerror(errno))
  }

  /// The bytes of a file.
  static func readFile(_ path: String) throws -> [UInt8] {
    try readHead(path, .max)
  }

  /// The first bytes of a file, as many as there are.
  static func readHead(_ path: String, _ limit: Int) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw FileError(path: path, reason: String(cString: strerror(errno))) }
    defer { Platform.close(file) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(limit, 1 << 16))
    while result.count < limit {
      let count = read(file, &buffer, min(buffer.count, limit - result.count))
      if count == 0 { break }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileError(path: path, reason: String(cString: strerror(errno))) }
      result += buffer[0..<count]
    }
    return result
  }
}

struct FileError: Error, CustomStringConvertible {
  let path: String
  let reason: String
  var description: String { "\(path): \(reason)" }
}
