#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Lines over a socket of this machine (AF_UNIX): one there, one back.
enum UnixSocket {
  /// Bytes of a line, at most.
  static let lineLimit = 1 << 16

  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let datagram = Int32(SOCK_DGRAM.rawValue)
  #else
    private static let stream = SOCK_STREAM
    private static let datagram = SOCK_DGRAM
  #endif

  /// A socket at a path that nobody but this user may open. One that a server left behind is replaced; one of
  /// a server that runs is not.
  static func listen(_ path: String) throws -> Int32 {
    if let other = try? connect(path) {
      Platform.close(other)
      throw FileError(path: path, reason: "another server has this socket")
    }
    var info = stat()
    if lstat(path, &info) == 0 {
      guard info.st_mode & S_IFMT == S_IFSOCK else { throw FileError(path: path, reason: "is no socket") }
      guard unlink(path) == 0 || errno == ENOENT else { throw failure(path) }
    }
    let descriptor = try make(path)
    // Nobody connects before `listen`: so nobody gets in while the rights are not set.
    guard try withAddress(path, { bind(descriptor, $0, $1) }) == 0, chmod(path, 0o600) == 0,
      systemListen(descriptor) == 0
    else {
      let error = failure(path)
      Platform.close(descriptor)
      throw error
    }
    return descriptor
  }

  static func connect(_ path: String) throws -> Int32 {
    let descriptor = try make(path)
    guard try withAddress(path, { systemConnect(descriptor, $0, $1) }) == 0 else {
      let error = failure(path)
      Platform.close(descriptor)
      throw error
    }
    return descriptor
  }

  /// The next that connects; it has so many milliseconds for each piece. Nil where there will be none any more.
  static func accept(_ listener: Int32, milliseconds: Int) -> Int32? {
    while true {
      let descriptor = systemAccept(listener)
      if descriptor >= 0 {
        do {
          try Platform.keepFromPrograms(descriptor)
          try limit(descriptor, milliseconds)
          return descriptor
        } catch {
          // One that could hold the socket up for ever is not taken.
          Platform.close(descriptor)
          continue
        }
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      // Others of the process may give some back.
      case EMFILE, ENFILE, ENOMEM, ENOBUFS: Platform.sleep(milliseconds: 100)
      default: return nil
      }
    }
  }

  /// What comes, up to the end of a line; nil where none comes in time or it is too long.
  static func readLine(_ descriptor: Int32) -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < lineLimit {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
      if let end = bytes.firstIndex(of: 10) { return String(decoding: bytes[..<end], as: UTF8.self) }
    }
    return nil
  }

  /// Returns whether all of it went.
  @discardableResult static func write(_ descriptor: Int32, line: String) -> Bool {
    let bytes = Array((line + "\n").utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(noSignal))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Sends a text to whoever listens at a path, or at a name that is no file's (`@NAME`); nobody may be there.
  static func tell(_ path: String, _ text: String) {
    guard let descriptor = try? make(path, datagram) else { return }
    defer { Platform.close(descriptor) }
    let bytes = Array(text.utf8)
    // unchecked: a manager that is not there cannot be told.
    _ = try? withAddress(path, canBeName: true) { address, size in
      Int32(
        // unchecked: the same.
        clamping: bytes.withUnsafeBytes { sendto(descriptor, $0.baseAddress, $0.count, 0, address, size) })
    }
  }

  /// Milliseconds for each piece that comes or goes.
  static func limit(_ descriptor: Int32, _ milliseconds: Int) throws {
    var time = timeval()
    time.tv_sec = numericCast(milliseconds / 1000)
    time.tv_usec = numericCast(milliseconds % 1000 * 1000)
    for kind in [SO_RCVTIMEO, SO_SNDTIMEO] {
      guard setsockopt(descriptor, SOL_SOCKET, kind, &time, socklen_t(MemoryLayout<timeval>.size)) == 0 else {
        throw FileError(path: "socket", reason: String(cString: strerror(errno)))
      }
    }
  }

  #if canImport(Darwin)
    private static let noSignal = 0
  #else
    private static let noSignal = MSG_NOSIGNAL
  #endif

  private static func make(_ path: String, _ kind: Int32 = stream) throws -> Int32 {
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw failure(path) }
    do { try Platform.keepFromPrograms(descriptor) } catch {
      Platform.close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func withAddress(
    _ path: String, canBeName: Bool = false, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard !path.isEmpty, path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw FileError(path: path, reason: "the path of a socket has 1 to 107 bytes")
    }
    var size = MemoryLayout<sockaddr_un>.size
    withUnsafeMutableBytes(of: &address.sun_path) { place in
      place.copyBytes(from: path.utf8)
      guard canBeName, path.hasPrefix("@") else { return }
      // A name that is no file's begins with a NUL, and goes to the end of the address.
      place[0] = 0
      size = MemoryLayout<sa_family_t>.size + path.utf8.count
    }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(size)) }
    }
  }

  private static func failure(_ path: String) -> FileError {
    FileError(path: path, reason: String(cString: strerror(errno)))
  }
}

// The system's names, which those of the type hide.
private func systemListen(_ descriptor: Int32) -> Int32 { listen(descriptor, 16) }
private func systemAccept(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t)
  -> Int32
{
  connect(descriptor, address, size)
}
