import Neatline

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

  /// Whole lines, as they are.
  static func raw(_ text: String) { write(text, to: STDOUT_FILENO) }

  static func error(_ text: String) { note("error: ", "31", text) }

  static func warning(_ text: String) { note("warning: ", "33", text) }

  /// What is neither result nor trouble.
  static func notice(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

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

/// Ends the process. A success whose trace could not be written is none.
func exitProcess(_ status: Int32) -> Never {
  let isWhole = endLog()
  exit(status == 0 && !isWhole ? 1 : status)
}

/// Tells what the log still has, and ends the trace; whether all of it could be written.
private func endLog() -> Bool {
  setLogHandler(nil)
  guard StyleOptions.isTracing else { return true }
  do { try Trace.stop() } catch {
    Console.error("--trace: \(error)")
    return false
  }
  return true
}
