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
      guard errno == EWOULDBLOCK || errno == EINTR else { return }
      guard waited < timeoutMS else {
        close(descriptor)
        throw NeatError(
          .timeout, "others have locked its folder for more than \(timeoutMS) ms", resource: path)
      }
      usleep(UInt32(FolderLock.waitMS * 1000))
      waited += FolderLock.waitMS
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
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
      guard access(target, F_OK) != 0 else { continue }
      guard rename(path, target) == 0 else {
        throw NeatError(
          .io, "it cannot be renamed: \(String(cString: strerror(errno)))", resource: path)
      }
      // The log belongs to the file that it stands beside, whatever its name.
      for suffix in ["-wal", "-shm", "-journal"] { rename(path + suffix, target + suffix) }
      return target
    }
    throw NeatError(
      .limitExceeded, "\(maxCount) broken ones stand beside it already", resource: path)
  }
}
