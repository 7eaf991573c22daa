import CDeflate
import NeatBase

/// The checksum of two runs of bytes one after the other, from those of each (both begin with 1).
package func joinedAdler(_ first: UInt32, _ second: UInt32, _ secondCount: Int) -> UInt32 {
  let base: UInt64 = 65521
  let (a1, b1) = (UInt64(first & 0xFFFF), UInt64(first >> 16))
  let (a2, b2) = (UInt64(second & 0xFFFF), UInt64(second >> 16))
  let count = UInt64(secondCount) % base
  // Each byte of the second run has the first one's sum below it; the one that both begin with is there once.
  let a = (a1 + a2 + base - 1) % base
  let b = (b1 + b2 + count * (a1 + base - 1)) % base
  return UInt32(b << 16 | a)
}

/// The checksum of a run of bytes as chunks have it, which that of the bytes before can be joined to.
package struct JoinableCRC: Sendable {
  /// Of this run alone.
  package private(set) var value: UInt32
  /// What its length makes of what stands before: x to the power of its bits.
  private var shift: UInt32

  package init(_ bytes: UnsafePointer<UInt8>, count: Int) {
    value = libdeflate_crc32(0, bytes, count)
    shift = JoinableCRC.power(bits: UInt64(count) * 8)
  }

  /// Of this run and another one behind it.
  package func joined(_ next: JoinableCRC) -> JoinableCRC {
    var both = self
    both.value = JoinableCRC.product(value, next.shift) ^ next.value
    both.shift = JoinableCRC.product(shift, next.shift)
    return both
  }

  // Polynomials over two elements modulo that of CRC-32, the highest power in the lowest bit.

  private static let one = UInt32(1) << 31

  private static func power(bits: UInt64) -> UInt32 {
    var (result, square, left) = (one, one >> 1, bits)
    while left > 0 {
      if left & 1 == 1 { result = product(result, square) }
      square = product(square, square)
      left >>= 1
    }
    return result
  }

  private static func product(_ a: UInt32, _ b: UInt32) -> UInt32 {
    var (sum, b) = (UInt32(0), b)
    for bit in stride(from: UInt32(31), through: 0, by: -1) {
      if a >> bit & 1 == 1 { sum ^= b }
      b = b & 1 == 1 ? b >> 1 ^ 0xEDB8_8320 : b >> 1
    }
    return sum
  }
}
