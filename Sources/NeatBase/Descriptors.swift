/// File descriptors of the process.
package enum Descriptors {
  /// The system's words for an error number.
  package static func reason(_ number: Int32 = errno) -> String {
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }

  /// Throws `io` where a pipe, which takes two descriptors, cannot be made: before a library makes one that ends the
  /// process if it cannot.
  package static func requirePair() throws(NeatError) {
    var ends: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutableBytes(of: &ends) { pipe($0.bindMemory(to: Int32.self).baseAddress) }
    guard result == 0 else { throw NeatError(.io, reason()) }
    drop(ends.0)
    drop(ends.1)
  }

  /// Closes a descriptor whose last writes, if any, nobody waits for.
  package static func drop(_ descriptor: Int32) {
    // unchecked: the system takes the descriptor back in any case, and an error could only tell of writes.
    close(descriptor)
  }
}
