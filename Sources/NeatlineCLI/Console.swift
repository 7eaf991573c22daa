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

  /// Why something of the standard output could not be written; 0 where all of it was.
  nonisolated(unsafe) private static var lost: Int32 = 0

  private static func write(_ text: String, to file: Int32) {
    var text = text
    let failure = text.withUTF8 { Platform.writeAll(file, UnsafeRawBufferPointer($0)) }
    // A message that cannot be written has nobody to tell it to.
    if let failure, file == STDOUT_FILENO, lost == 0 { lost = failure }
  }

  /// Whether all that went to the standard output was written; an error says why not.
  static func isWhole() -> Bool {
    guard lost != 0 else { return true }
    error("standard output: \(String(cString: strerror(lost)))")
    return false
  }
}

/// Ends the process. A success whose output or trace could not be written is none.
func exitProcess(_ status: Int32) -> Never {
  let isWhole = endLog() && Console.isWhole()
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
