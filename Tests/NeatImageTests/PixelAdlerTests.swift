import NeatBase
import NeatTestSupport
import Testing

@testable import NeatImage

/// The checksum of pixels is that of the bytes that the file has for them.
@Suite struct PixelAdlerTests {
  /// By the definition (RFC 1950).
  private func adler(_ bytes: [UInt8]) -> UInt32 {
    var (a, b) = (UInt32(1), UInt32(0))
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return b << 16 | a
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 63, 512, 4095, 4096, 4097, 4101, 32_761])
  func itIsThatOfTheBytes(_ width: Int) {
    var random = SplitMix(seed: UInt64(width))
    for kind in 0..<3 {
      // All white, which makes the largest sums; one colour, whose bytes differ; any.
      var adler = PixelAdler()
      var bytes: [UInt8] = []
      for _ in 0..<3 {
        let row = (0..<width).map { _ in
          kind == 0 ? UInt32.max : kind == 1 ? 0xFF03_02FF : UInt32(truncatingIfNeeded: random.next())
        }
        bytes.append(0)
        for pixel in row { for byte in 0..<3 { bytes.append(UInt8(pixel >> UInt32(8 * byte) & 0xFF)) } }
        adler.addFilterByte()
        let copy = [UInt32](unsafeUninitializedCapacity: width) { target, count in
          let all = adler.add(row, count: width, copyingTo: target.baseAddress!)
          #expect(all == row.reduce(.max, &))
          count = width
        }
        #expect(copy == row)
      }
      #expect(adler.value == self.adler(bytes), "\(width) pixels, kind \(kind)")
    }
  }
}
