import NeatBase

/// What tells a file from another one of the same path, and from itself after a change.
struct FileIdentity: Hashable, Sendable {
  private var device: UInt64 = 0
  private var inode: UInt64 = 0
  private var size: Int64 = 0
  private var seconds = 0
  private var nanoseconds = 0

  /// Of what is at a path now; all zero where there is nothing.
  init(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
  }

  /// Whether it is the same file, changed or not.
  func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }
}
