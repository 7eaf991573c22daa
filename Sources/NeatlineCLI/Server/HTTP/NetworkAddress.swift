#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An address of IPv6, or one of IPv4 as IPv6 maps it (::ffff:a.b.c.d).
struct NetworkAddress: Equatable, Sendable {
  private(set) var high: UInt64 = 0
  private(set) var low: UInt64 = 0

  /// What stands before the 32 bits of an IPv4 address.
  private static let mapped: UInt64 = 0xffff_0000_0000

  var isIPv4: Bool { high == 0 && low >> 32 == NetworkAddress.mapped >> 32 }
  /// 127.0.0.0/8 or ::1.
  var isLoopback: Bool { AddressRange.loopback.contains { $0.contains(self) } }

  fileprivate init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// An address that the system gave; nil where it is of another family.
  init?(_ address: UnsafePointer<sockaddr>) {
    let bytes = UnsafeRawPointer(address)
    // sin_addr lies at 4, sin6_addr at 8.
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      low = NetworkAddress.mapped | UInt64(UInt32(bigEndian: bytes.load(fromByteOffset: 4, as: UInt32.self)))
    case AF_INET6: (high, low) = NetworkAddress.words(bytes + 8)
    default: return nil
    }
  }

  /// As inet_pton reads it: `192.0.2.1` or `2001:db8::1`.
  init?(_ text: String) {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 {
      low = NetworkAddress.mapped | bytes[..<4].reduce(0) { $0 << 8 | UInt64($1) }
    } else if inet_pton(AF_INET6, text, &bytes) == 1 {
      (high, low) = bytes.withUnsafeBytes { NetworkAddress.words($0.baseAddress!) }
    } else {
      return nil
    }
  }

  /// This machine's end of a connection.
  init?(localEndOf descriptor: Int32) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let found = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        getsockname(descriptor, address, &length) == 0 ? NetworkAddress(address) : nil
      }
    }
    guard let found else { return nil }
    self = found
  }

  private static func words(_ bytes: UnsafeRawPointer) -> (UInt64, UInt64) {
    (
      UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    )
  }
}

/// The addresses that share their first bits.
struct AddressRange: Equatable, Sendable {
  private let first: NetworkAddress
  /// Of 128.
  private let bits: Int

  static let loopback = [AddressRange("127.0.0.0/8")!, AddressRange("::1")!]

  /// `10.0.0.0/8`, `2001:db8::/32`, or one address. Nil where it is neither, or has bits behind those that it
  /// counts.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = NetworkAddress(String(parts[0])) else { return nil }
    let isShort = !text.contains(":")
    var bits = 128
    if parts.count == 2 {
      guard let count = PictureRequest.whole(parts[1]), count <= (isShort ? 32 : 128) else { return nil }
      bits = isShort ? 96 + count : count
    }
    first = address
    self.bits = bits
    guard AddressRange.cut(address, bits) == address else { return nil }
  }

  func contains(_ address: NetworkAddress) -> Bool { AddressRange.cut(address, bits) == first }

  private static func cut(_ address: NetworkAddress, _ bits: Int) -> NetworkAddress {
    // Swift's smart shifts give 0 for 64 and more.
    NetworkAddress(
      high: address.high & ~(UInt64.max >> UInt64(min(bits, 64))),
      low: address.low & ~(UInt64.max >> UInt64(max(bits - 64, 0))))
  }
}
