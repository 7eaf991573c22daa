import NeatBase

/// The file of a trace.
package final class TraceFile: Sendable {
  private let descriptor: Int32

  /// Makes the file, or empties it. Throws `io`, naming it.
  package init(_ path: String) throws(NeatError) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw NeatError(.io, "the trace cannot be written: \(Descriptors.reason())", resource: path)
    }
  }

  deinit { Descriptors.drop(descriptor) }

  /// Takes the next bytes; false where they could not be written.
  package func take(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }
}
