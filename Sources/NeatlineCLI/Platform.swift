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
      Glibc.write(file, bytes, count)
    #elseif canImport(Musl)
      Musl.write(file, bytes, count)
    #else
      Darwin.write(file, bytes, count)
    #endif
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
      signal(number) { number in
        Platform.interrupted = 1
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
    guard let file = fopen(path, "rb") else {
      throw FileError(path: path, reason: String(cString: strerror(errno)))
    }
    defer { fclose(file) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      result += buffer[0..<count]
    }
    guard ferror(file) == 0 else { throw FileError(path: path, reason: String(cString: strerror(errno))) }
    return result
  }

  /// The first bytes of a file.
  static func readHead(_ path: String, _ count: Int) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else {
      throw FileError(path: path, reason: String(cString: strerror(errno)))
    }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: count)
    return Array(buffer[0..<fread(&buffer, 1, count, file)])
  }
}

struct FileError: Error, CustomStringConvertible {
  let path: String
  let reason: String
  var description: String { "\(path): \(reason)" }
}
