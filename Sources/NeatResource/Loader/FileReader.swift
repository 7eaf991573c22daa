import NeatBase

/// An open file that is only read, from any thread; parts are read by place, so no thread disturbs another.
package final class FileReader: Sendable {
  package let path: String
  package let byteCount: Int
  private let descriptor: Int32

  /// Throws `notFound`, or `io` for what cannot be opened or is no regular file.
  package init(path: String) throws(NeatError) {
    self.path = path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileReader.failure(path, "cannot be opened") }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      Descriptors.drop(descriptor)
      throw NeatError(.io, "not a regular file", resource: path)
    }
    self.descriptor = descriptor
    byteCount = Int(status.st_size)
  }

  deinit { Descriptors.drop(descriptor) }

  private static func failure(_ path: String, _ what: String) -> NeatError {
    let number = errno
    return NeatError(
      number == ENOENT || number == ENOTDIR ? .notFound : .io, "\(what): \(Descriptors.reason(number))",
      resource: path)
  }

  /// The bytes from `offset` on, `count` of them or as many as the file has.
  package func read(offset: Int, count: Int) throws(NeatError) -> [UInt8] {
    let size = max(0, min(count, byteCount - offset))
    do throws(NeatError) { try ProcessMemory.require(size, for: "reading the file") } catch {
      throw error.naming(path)
    }
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, done in
      done = 0
      while done < size {
        let result = pread(descriptor, buffer.baseAddress! + done, size - done, offset + done)
        if result < 0 && errno == EINTR { continue }
        if result < 0 { failed = true }
        if result <= 0 { return }
        done += result
      }
    }
    if failed { throw FileReader.failure(path, "cannot be read") }
    return bytes
  }

  /// A whole file. Throws `limitExceeded` when it is longer than `limit` bytes.
  package static func readAll(_ path: String, limit: Int) throws(NeatError) -> [UInt8] {
    let file = try FileReader(path: path)
    guard file.byteCount <= limit else {
      throw NeatError(
        .limitExceeded, "the file has \(file.byteCount) bytes, the limit is \(limit)", resource: path)
    }
    return try file.read(offset: 0, count: file.byteCount)
  }
}
