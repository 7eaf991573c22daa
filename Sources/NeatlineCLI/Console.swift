#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard output and error; colour only where a person reads.
enum Console {
  private static let hasColor = isatty(STDERR_FILENO) != 0 && getenv("NO_COLOR") == nil

  static func out(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

  static func error(_ text: String) { note("error: ", "31", text) }

  static func warning(_ text: String) { note("warning: ", "33", text) }

  private static func note(_ label: String, _ color: String, _ text: String) {
    write((hasColor ? "\u{1B}[\(color)m\(label)\u{1B}[0m" : label) + text + "\n", to: STDERR_FILENO)
  }

  /// A line that tells how far long work is, on a terminal only; it overwrites itself.
  static func progress(_ text: String) {
    if isatty(STDERR_FILENO) != 0 { write("\r\u{1B}[K" + text, to: STDERR_FILENO) }
  }

  static func endProgress() { progress("") }

  private static func write(_ text: String, to file: Int32) {
    var text = text
    text.withUTF8 { buffer in
      var sent = 0
      while sent < buffer.count {
        let count = Platform.write(file, buffer.baseAddress! + sent, buffer.count - sent)
        if count <= 0 { return }
        sent += count
      }
    }
  }
}

func exitProcess(_ status: Int32) -> Never { exit(status) }

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

  /// From now on SIGINT and SIGTERM only show in `isInterrupted`; the second one ends the program at once.
  static func catchInterrupts() {
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        Platform.interrupted = 1
        signal(number, SIG_DFL)
      }
    }
  }

  /// Of the monotonic clock.
  static var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  /// The bytes of a file.
  static func readFile(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw FileError(path: path, reason: String(cString: strerror(errno))) }
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
    guard let file = fopen(path, "rb") else { throw FileError(path: path, reason: String(cString: strerror(errno))) }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: count)
    return Array(buffer[0..<fread(&buffer, 1, count, file)])
  }

  /// Writes a file beside its place and moves it there, so that nobody sees half of it.
  static func writeFile(_ path: String, _ bytes: [UInt8]) throws {
    let draft = "\(path).\(getpid()).part"
    guard let file = fopen(draft, "wb") else { throw FileError(path: path, reason: String(cString: strerror(errno))) }
    let count = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, count == bytes.count, rename(draft, path) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(draft)
      throw FileError(path: path, reason: reason)
    }
  }
}

struct FileError: Error, CustomStringConvertible {
  let path: String
  let reason: String
  var description: String { "\(path): \(reason)" }
}
