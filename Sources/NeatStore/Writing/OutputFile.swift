import NeatBase

/// A file under way, written by place. It is locked against a second writer. Errors name the file.
final class OutputFile: Sendable {
  let path: String
  private let descriptor: Int32

  /// Opens, or makes, a file. `fresh`: what it held is dropped. Throws `io`, or `state` where another writer
  /// has it.
  init(path: String, fresh: Bool) throws(NeatError) {
    self.path = path
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw OutputFile.failure(path, "cannot be written") }
    // From here on the file is closed by `deinit`.
    self.descriptor = descriptor
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      guard errno == EWOULDBLOCK else { throw OutputFile.failure(path, "cannot be locked") }
      throw NeatError(.state, "another writer is at work on it", resource: path)
    }
    if fresh { try truncate(to: 0) }
  }

  /// Opens a file that is only read. Throws `notFound`, `io`.
  init(reading path: String) throws(NeatError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { throw NeatError(.notFound, "no such file", resource: path) }
      throw OutputFile.failure(path, "cannot be opened")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw NeatError(.io, "not a regular file", resource: path)
    }
  }

  /// Makes a file in a folder that has no name. Throws `io`.
  init(temporaryIn folder: String) throws(NeatError) {
    path = folder
    var template = Array("\(folder)/.neatline-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw OutputFile.failure(folder, "no file can be made there") }
    guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, unlink(template) == 0 else {
      throw OutputFile.failure(folder, "no file can be made there")
    }
  }

  deinit {
    Descriptors.drop(descriptor)
  }

  static func failure(_ path: String, _ what: String) -> NeatError {
    NeatError(.io, "\(what): \(Descriptors.reason())", resource: path)
  }

  func byteCount() throws(NeatError) -> UInt64 {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw OutputFile.failure(path, "its size is not known") }
    return UInt64(status.st_size)
  }

  func truncate(to count: UInt64) throws(NeatError) {
    while ftruncate(descriptor, off_t(count)) != 0 {
      guard errno == EINTR else { throw OutputFile.failure(path, "cannot be cut") }
    }
  }

  func write(_ bytes: [UInt8], at offset: UInt64) throws(NeatError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress! + done, $0.count - done, off_t(offset) + off_t(done))
      }
      if count < 0 && errno == EINTR { continue }
      // A write of nothing has no error of its own.
      if count == 0 { errno = ENOSPC }
      guard count > 0 else { throw OutputFile.failure(path, "cannot be written") }
      done += count
    }
  }

  /// Throws `io` where the file ends before.
  func read(at offset: UInt64, count: Int) throws(NeatError) -> [UInt8] {
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      done = 0
      while done < count {
        let result = pread(descriptor, buffer.baseAddress! + done, count - done, off_t(offset) + off_t(done))
        if result < 0 && errno == EINTR { continue }
        if result < 0 { failed = true }
        if result <= 0 { return }
        done += result
      }
    }
    if failed { throw OutputFile.failure(path, "cannot be read") }
    guard bytes.count == count else {
      throw NeatError(.io, "ends before its contents do", offset: Int(offset) + bytes.count, resource: path)
    }
    return bytes
  }

  /// Returns when what was written is on the disk.
  func sync() throws(NeatError) {
    while fsync(descriptor) != 0 {
      guard errno == EINTR else { throw OutputFile.failure(path, "cannot be brought to the disk") }
    }
  }

  /// Gives a finished file its name; whoever looks sees the old file or the new one.
  static func publish(_ draft: String, as path: String) throws(NeatError) {
    guard rename(draft, path) == 0 else { throw failure(path, "cannot be replaced") }
    // The folder's entry, too.
    let descriptor = open(OutputPath.folder(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 {
      // unchecked: not every file system can; the name stands either way.
      fsync(descriptor)
      Descriptors.drop(descriptor)
    }
  }
}
