import NeatBase

/// Where a file goes that is made beside its place and then renamed: a plain rename would put a file in the
/// place of a link or a device.
package enum OutputPath {
  /// As many links as the system itself follows.
  private static let linkLimit = 40

  /// The path with symbolic links followed, also to what is not there yet. Throws `invalidArgument` for what
  /// is there and no regular file: an archive cannot be written into a pipe or a device. Throws `state` for a
  /// file that is there, unless it may be overwritten.
  package static func resolve(_ path: String, overwrites: Bool) throws(NeatError) -> String {
    var path = path
    for _ in 0..<linkLimit {
      var status = stat()
      guard lstat(path, &status) == 0 else {
        // Whether it can be made shows when it is.
        return path
      }
      switch status.st_mode & S_IFMT {
      case S_IFLNK: path = try follow(path)
      case S_IFREG:
        guard overwrites else {
          throw NeatError(.state, "is there already, and may not be overwritten", resource: path)
        }
        return path
      default:
        throw NeatError(
          .invalidArgument, "is no regular file: an archive cannot be written into it", resource: path)
      }
    }
    throw NeatError(.io, "too many symbolic links", resource: path)
  }

  /// The folder that a file is in.
  package static func folder(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func follow(_ path: String) throws(NeatError) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(path, &buffer, Int(PATH_MAX))
    guard count > 0 else { throw OutputFile.failure(path, "cannot be followed") }
    let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard !target.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return target }
    return path[...slash] + target
  }
}
