/// Tells contents apart, of whatever length, but not for those who mean to make two alike: words of eight bytes,
/// in two lanes that mix them differently (FNV-1a, and multiplication by the golden ratio).
struct Fingerprint {
  private var low: UInt64 = 0xcbf2_9ce4_8422_2325
  private var high: UInt64

  init(_ bytes: UnsafeRawBufferPointer) {
    high = low ^ UInt64(bytes.count)
    var index = 0
    while index + 8 <= bytes.count {
      add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
      index += 8
    }
    if index < bytes.count { add(bytes[index...].reversed().reduce(0) { $0 << 8 | UInt64($1) }) }
  }

  @inline(__always) private mutating func add(_ word: UInt64) {
    low = (low ^ word) &* 0x100_0000_01b3
    high = (high ^ (word >> 29 | word << 35)) &* 0x9e37_79b9_7f4a_7c15
    high ^= high >> 31
  }

  /// 32 hexadecimal digits.
  var text: String { Fingerprint.digits(high) + Fingerprint.digits(low ^ low >> 32) }

  private static func digits(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
