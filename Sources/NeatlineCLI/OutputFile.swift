#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a command's result goes.
enum OutputFile {
  /// Writes a file beside its place and moves it there, so that nobody sees half of it. A symbolic link is
  /// followed: what it names is replaced, not the link. What is no regular file, such as a pipe or a device,
  /// is written into. `-` is standard output.
  static func write(_ path: String, _ bytes: [UInt8]) throws {
    if path == "-" { return try write(bytes, into: STDOUT_FILENO, "standard output") }
    var status = stat()
    let isThere = stat(path, &status) == 0
    guard isThere || errno == ENOENT else { throw failure(path) }
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw failure(path) }
      do { try write(bytes, into: descriptor, path) } catch {
        Platform.close(descriptor)
        throw error
      }
      guard Platform.close(descriptor) else { throw failure(path) }
      return
    }
    let place = try followed(path)
    let (draft, descriptor) = try openDraft(place)
    do {
      do {
        try write(bytes, into: descriptor, path)
        // Who may read it stays as it was.
        if isThere, fchmod(descriptor, status.st_mode & 0o7777) != 0 { throw failure(path) }
      } catch {
        Platform.close(descriptor)
        throw error
      }
      guard Platform.close(descriptor), rename(draft, place) == 0 else { throw failure(path) }
    } catch {
      // unchecked: the error is that of the writing, and a draft is not taken for the file.
      unlink(draft)
      throw error
    }
  }

  /// A file of its own beside a place. Other threads may be writing drafts of it, and a program that was killed
  /// may have left one under the same number of a process.
  private static func openDraft(_ place: String) throws -> (path: String, descriptor: Int32) {
    for attempt in 0..<100 {
      let draft = "\(place).\(getpid())\(attempt == 0 ? "" : "-\(attempt)").part"
      while true {
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        if descriptor >= 0 { return (draft, descriptor) }
        if errno != EINTR { break }
      }
      guard errno == EEXIST else { break }
    }
    throw failure(place)
  }

  /// Throws where a file is there that may not be overwritten. Pipes and devices are no such files.
  static func check(_ path: String, overwrites: Bool) throws {
    var status = stat()
    guard !overwrites, path != "-" else { return }
    guard stat(path, &status) == 0 else {
      // A file that cannot be looked at may be there.
      guard errno == ENOENT || errno == ENOTDIR else { throw failure(path) }
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return }
    throw FileError(path: path, reason: "is there already; --force replaces it")
  }

  private static func write(_ bytes: [UInt8], into descriptor: Int32, _ name: String) throws {
    guard let number = bytes.withUnsafeBytes({ Platform.writeAll(descriptor, $0) }) else { return }
    throw FileError(path: name, reason: String(cString: strerror(number)))
  }

  /// The path behind symbolic links, also of what is not there yet.
  private static func followed(_ path: String) throws -> String {
    var path = path
    // As many links as the system itself follows.
    for _ in 0..<40 {
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      let count = readlink(path, &buffer, Int(PATH_MAX))
      guard count > 0 else { throw failure(path) }
      let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      path =
        target.hasPrefix("/") ? target : (path.lastIndex(of: "/").map { String(path[...$0]) } ?? "") + target
    }
    throw FileError(path: path, reason: String(cString: strerror(ELOOP)))
  }

  private static func failure(_ path: String) -> FileError {
    FileError(path: path, reason: String(cString: strerror(errno)))
  }
}
