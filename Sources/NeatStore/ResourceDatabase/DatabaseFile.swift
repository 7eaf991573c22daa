import NeatBase

/// Which file stands at a path; nil where none does.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

/// A lock that processes take on the folder of a database while one of them opens it or puts it aside; it
/// leaves no file, and ends with its process. Where a folder cannot be locked there is none.
struct FolderLock: ~Copyable {
  private let descriptor: Int32

  private static let waitMS = 5

  /// Throws `timeout` where others keep it for longer than `timeoutMS`.
  init(beside path: String, timeoutMS: Int) throws(NeatError) {
    let folder = path.lastIndex(of: "/").map { path.prefix(through: $0) } ?? "."
    descriptor = open(String(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    var waited = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      guard errno == EWOULDBLOCK else { return }
      guard waited < timeoutMS else {
        Descriptors.drop(descriptor)
        throw NeatError(
          .timeout, "others have locked its folder for more than \(timeoutMS) ms", resource: path)
      }
      // unchecked: a shorter wait is as good.
      usleep(UInt32(FolderLock.waitMS * 1000))
      waited += FolderLock.waitMS
    }
  }

  deinit {
    if descriptor >= 0 { Descriptors.drop(descriptor) }
  }
}

/// SQLite reports a read that the system refuses (EIO) as damage. A file is put aside, or replaced, only where all of
/// it can be read.
enum DamageCheck {
  private static let blockBytes = 1 << 18

  /// Reads the file, and what SQLite keeps beside it, from beginning to end. Throws `io` where the system refuses.
  static func requireReadable(_ path: String) throws(NeatError) {
    for suffix in ["", "-wal", "-journal"] {
      var number: Int32 = 0
      withUnsafeTemporaryAllocation(byteCount: blockBytes, alignment: 16) { block in
        number = readFailure(path + suffix, block)
      }
      guard number == 0 || number == ENOENT else {
        throw NeatError(.io, "cannot be read: \(Descriptors.reason(number))", resource: path)
      }
    }
  }

  /// The error number of the first call that fails; 0 where none does.
  private static func readFailure(_ path: String, _ block: UnsafeMutableRawBufferPointer) -> Int32 {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return errno }
    defer {
      Descriptors.drop(descriptor)
    }
    var offset: off_t = 0
    while true {
      let count = pread(descriptor, block.baseAddress, block.count, offset)
      if count == 0 { return 0 }
      if count > 0 {
        offset += off_t(count)
      } else if errno != EINTR {
        return errno
      }
    }
  }
}

/// Renaming of broken databases. Nothing of them is deleted.
enum BrokenDatabase {
  /// How many may stand beside each other: a disk that breaks every file is not filled with them.
  static let maxCount = 8

  static func name(_ path: String, _ number: Int) -> String { "\(path).broken-\(number)" }

  /// Renames the file and what SQLite keeps beside it; where to. Nil where the file that was seen is not
  /// there any more: then another process has done so. The folder is locked.
  static func putAside(_ path: String, seen: FileIdentity?) throws(NeatError) -> String? {
    guard let seen, FileIdentity(path) == seen else { return nil }
    for number in 1...maxCount {
      let target = name(path, number)
      // What cannot be looked at may be there.
      guard access(target, F_OK) != 0, errno == ENOENT else { continue }
      try move(path, to: target)
      return target
    }
    throw NeatError(
      .limitExceeded, "\(maxCount) broken ones stand beside it already", resource: path)
  }

  /// All or nothing: a log belongs to the file that it stands beside, and would be read into a new one.
  private static func move(_ path: String, to target: String) throws(NeatError) {
    var moved: [String] = []
    for suffix in ["", "-wal", "-shm", "-journal"] {
      if rename(path + suffix, target + suffix) == 0 {
        moved.append(suffix)
      } else if suffix.isEmpty || errno != ENOENT {
        let reason = Descriptors.reason()
        for suffix in moved.reversed() {
          // unchecked: the error that is thrown says that the file may be in either place.
          rename(target + suffix, path + suffix)
        }
        throw NeatError(.io, "it cannot be renamed to \(target): \(reason)", resource: path)
      }
    }
  }
}
