#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A socket that clients connect to, over IPv4 or IPv6. It does not block. Whoever serves it closes it.
struct Listener {
  let descriptor: Int32
  /// `host:port`, with brackets around an IPv6 address; the port that was given where 0 was asked for.
  let address: String

  /// `ADDRESS:PORT`, with brackets around an IPv6 address.
  init(address: String, option: String) throws {
    guard let colon = address.lastIndex(of: ":"), colon != address.startIndex,
      let port = PictureRequest.whole(address[address.index(after: colon)...]).flatMap({ UInt16(exactly: $0) }
      ),
      case let host = address[..<colon], !host.contains(":") || host.hasPrefix("[") && host.hasSuffix("]")
    else { throw UsageError(message: "\(option): \"\(address)\" is no ADDRESS:PORT such as 127.0.0.1:9090") }
    try self.init(host: String(host), port: port, option: option)
  }

  init(host: String, port: UInt16, option: String = "--host") throws {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    hints.ai_socktype = Listener.stream
    var list: UnsafeMutablePointer<addrinfo>?
    let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    guard getaddrinfo(bare, "\(port)", &hints, &list) == 0, let place = list?.pointee else {
      throw UsageError(message: "\(option): \"\(host)\" is no address of this machine")
    }
    defer { freeaddrinfo(list) }
    let descriptor = socket(place.ai_family, place.ai_socktype, place.ai_protocol)
    guard descriptor >= 0 else {
      throw FileError(path: "\(host):\(port)", reason: String(cString: strerror(errno)))
    }
    var yes: Int32 = 1
    guard setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size)) == 0,
      bind(descriptor, place.ai_addr, place.ai_addrlen) == 0, listen(descriptor, 512) == 0
    else {
      let reason = String(cString: strerror(errno))
      Platform.close(descriptor)
      throw FileError(path: "\(host):\(port)", reason: reason)
    }
    do { try Platform.makeNonBlocking(descriptor) } catch {
      Platform.close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    let given = PeerAddress.withStorage { storage, length in getsockname(descriptor, storage, length) == 0 }
    address = "\(bare.contains(":") ? "[\(bare)]" : bare):\(given?.port ?? port)"
  }

  /// The socket that the service manager opened (LISTEN_FDS, as systemd hands it over); nil where there is none.
  init?(inherited: Void) throws {
    guard let owner = Platform.environment("LISTEN_PID"), owner == "\(getpid())",
      let count = Platform.environment("LISTEN_FDS").flatMap({ Int($0) }), count >= 1
    else { return nil }
    guard count == 1 else {
      throw UsageError(message: "\(count) sockets were handed over, and one is listened to")
    }
    descriptor = 3
    guard let given = PeerAddress.withStorage({ getsockname(3, $0, $1) == 0 }) else {
      throw FileError(path: "socket 3", reason: String(cString: strerror(errno)))
    }
    try Platform.makeNonBlocking(descriptor)
    address = "\(given.text):\(given.port)"
  }

  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    private static let stream = SOCK_STREAM
  #endif
}

/// Who is at the other end of a connection: an IPv4 address, or the /64 of an IPv6 address, which is what one
/// client has.
struct PeerAddress: Hashable {
  private var high: UInt64 = 0
  private(set) var port: UInt16 = 0

  static func == (a: PeerAddress, b: PeerAddress) -> Bool { a.high == b.high }
  func hash(into hasher: inout Hasher) { hasher.combine(high) }

  /// As people write it: all of an IPv4 address, the /64 of one of IPv6.
  private(set) var text = ""

  /// An address that the system gave; nil where it is of another family.
  init?(_ address: UnsafePointer<sockaddr>) {
    let family = Int32(address.pointee.sa_family)
    let size: Int
    switch family {
    case AF_INET: size = MemoryLayout<sockaddr_in>.size
    case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    self.init(UnsafeRawBufferPointer(start: address, count: size), family: family)
  }

  /// Reads the address that a call of the system fills in; nil where it fails.
  static func withStorage(_ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Bool)
    -> PeerAddress?
  {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isFilled = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
    }
    guard isFilled else { return nil }
    return withUnsafeBytes(of: storage) { PeerAddress($0, family: Int32(storage.ss_family)) }
  }

  private init(_ bytes: UnsafeRawBufferPointer, family: Int32) {
    // Both families have the port behind two bytes; sin_addr follows at 4, sin6_addr at 8.
    port = UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
    guard family == AF_INET6 else {
      high = UInt64(bytes.load(fromByteOffset: 4, as: UInt32.self))
      text = bytes[4..<8].map { "\($0)" }.joined(separator: ".")
      return
    }
    let address = bytes[8..<24]
    let isMapped =
      address.prefix(10).allSatisfy { $0 == 0 } && address.dropFirst(10).prefix(2).allSatisfy { $0 == 255 }
    // An IPv4 address in the clothes of IPv6 counts by itself; one bit keeps it apart from a /64.
    high =
      isMapped
      ? UInt64(bytes.load(fromByteOffset: 20, as: UInt32.self))
      : bytes.load(fromByteOffset: 8, as: UInt64.self) | 1 << 63
    text =
      isMapped
      ? bytes[20..<24].map { "\($0)" }.joined(separator: ".")
      : stride(from: 8, to: 16, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
        .joined(separator: ":") + "::/64"
  }
}
