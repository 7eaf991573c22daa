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

/// The checksum (Adler-32) of rows of pixels as a file has them, with three bytes each, without writing them so.
///
/// It is two sums: of the bytes, and of what that one is after each of them. For whole pixels the second one is
/// three times the sum of what the first one is after each pixel, less what is added to that too early.
struct PixelAdler {
  private static let base: UInt64 = 65521
  /// Steps of four pixels in which no sum of 32 bits runs over.
  private static let mostSteps = 1024

  private var sum: UInt64 = 1
  private var sums: UInt64 = 0

  var value: UInt32 { UInt32(truncatingIfNeeded: sums << 16 | sum) }

  /// The 0 before a row.
  mutating func addFilterByte() { sums = (sums + sum) % PixelAdler.base }

  /// Adds pixels, and copies them.
  /// - Returns: the bits that all of them have.
  @inline(__always)
  mutating func add(
    _ pixels: UnsafePointer<UInt32>, count: Int, copyingTo target: UnsafeMutablePointer<UInt32>
  ) -> UInt32 {
    var x = 0
    var all4 = SIMD4<UInt32>(repeating: .max)
    while count &- x >= 4 {
      let steps = min((count &- x) / 4, PixelAdler.mostSteps)
      addSteps(UnsafeRawPointer(pixels + x), steps, UnsafeMutableRawPointer(target + x), &all4)
      x &+= 4 &* steps
    }
    var all = all4[0] & all4[1] & all4[2] & all4[3]
    while x < count {
      let pixel = pixels[x]
      target[x] = pixel
      all &= pixel
      for byte in 0..<3 {
        sum &+= UInt64(pixel &>> UInt32(8 &* byte) & 0xFF)
        sums &+= sum
      }
      x &+= 1
    }
    sum %= PixelAdler.base
    sums %= PixelAdler.base
    return all
  }

  @inline(__always)
  private mutating func addSteps(
    _ pixels: UnsafeRawPointer, _ steps: Int, _ target: UnsafeMutableRawPointer, _ all: inout SIMD4<UInt32>
  ) {
    assert(steps > 0 && steps <= PixelAdler.mostSteps, "sums that may run over")
    // Of each fourth pixel: bytes, greens, blues, and what the first one was after each step.
    var (bytes, greens, blues, sofar) = (
      SIMD4<UInt32>.zero, SIMD4<UInt32>.zero, SIMD4<UInt32>.zero, SIMD4<UInt32>.zero
    )
    for step in 0..<steps {
      let four = pixels.loadUnaligned(fromByteOffset: 16 &* step, as: SIMD4<UInt32>.self)
      target.storeBytes(of: four, toByteOffset: 16 &* step, as: SIMD4<UInt32>.self)
      all &= four
      let green = four &>> 8 & 0xFF
      let blue = four &>> 16 & 0xFF
      greens &+= green
      blues &+= blue
      bytes &+= (four & 0xFF) &+ green &+ blue
      sofar &+= bytes
    }
    let total = { (four: SIMD4<UInt32>) in
      UInt64(four[0]) &+ UInt64(four[1]) &+ UInt64(four[2]) &+ UInt64(four[3])
    }
    // A pixel's weight is how many stand from it on: four for each step, less its place in the step.
    let late = UInt64(bytes[1]) &+ 2 &* UInt64(bytes[2]) &+ 3 &* UInt64(bytes[3])
    let weighted = 3 &* (4 &* total(sofar) &- late) &- total(greens) &- 2 &* total(blues)
    sums = (sums &+ 12 &* UInt64(steps) &* sum &+ weighted) % PixelAdler.base
    sum = (sum &+ total(bytes)) % PixelAdler.base
  }
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
