import NeatBase
import Testing

@testable import NeatImage

/// JPEG and WebP, written and read back.
struct ImageEncodeTests {
  /// A picture with soft colours, which all formats keep well.
  private static func gradient(_ width: Int, _ height: Int, alpha: (Int, Int) -> UInt32 = { _, _ in 255 })
    -> [UInt32]
  {
    var pixels: [UInt32] = []
    for y in 0..<height {
      for x in 0..<width {
        let a = alpha(x, y)
        let (r, g, b) = (UInt32(x * 200 / width), UInt32(y * 200 / height), UInt32(90))
        pixels.append(r * a / 255 | g * a / 255 << 8 | b * a / 255 << 16 | a << 24)
      }
    }
    return pixels
  }

  private static func distance(_ a: UInt32, _ b: UInt32) -> Int {
    [0, 8, 16, 24].map { abs(Int(a >> $0 & 0xFF) - Int(b >> $0 & 0xFF)) }.max() ?? 0
  }

  private static func words(_ image: PixelImage) -> [UInt32] {
    image.pixels.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
  }

  @Test func aJPEGReadsBackNearlyAsItWas() throws {
    let pixels = Self.gradient(70, 50)
    var sizes: [Int] = []
    for (quality, tolerance) in [(30, 40), (85, 12), (100, 4)] {
      let file = try encodeJPEG(pixels: pixels, width: 70, height: 50, quality: quality)
      sizes.append(file.count)
      let image = try decodeImage(file)
      #expect((image.width, image.height) == (70, 50))
      #expect(zip(Self.words(image), pixels).allSatisfy { Self.distance($0, $1) <= tolerance })
    }
    #expect(sizes == sizes.sorted())
  }

  @Test func aJPEGShowsWhatIsTransparentOverWhite() throws {
    // Black that lets half of it through, and nothing at all.
    let pixels = [UInt32](repeating: 0x8000_0000, count: 16 * 16) + [UInt32](repeating: 0, count: 16 * 16)
    let image = try decodeImage(try encodeJPEG(pixels: pixels, width: 16, height: 32, quality: 95))
    let words = Self.words(image)
    #expect(Self.distance(words[5 * 16 + 5], 0xFF7F_7F7F) <= 3)
    #expect(Self.distance(words[25 * 16 + 5], 0xFFFF_FFFF) <= 3)
  }

  @Test func aWebPOfQuality100IsThePictureItself() throws {
    let pixels = Self.gradient(61, 47)
    #expect(
      Self.words(try decodeImage(try encodeWebP(pixels: pixels, width: 61, height: 47, quality: 100)))
        == pixels)
  }

  @Test func aWebPKeepsAlpha() throws {
    let pixels = Self.gradient(64, 64) { x, y in x < 32 ? 255 : UInt32(y * 4) }
    for (quality, tolerance) in [(80, 24), (100, 2)] {
      let file = try encodeWebP(pixels: pixels, width: 64, height: 64, quality: quality)
      let words = Self.words(try decodeImage(file))
      // Colours where next to nothing shows are of no account.
      #expect(zip(words, pixels).allSatisfy { Self.distance($0, $1) <= tolerance })
      #expect(zip(words, pixels).allSatisfy { $0 >> 24 == $1 >> 24 })
    }
  }

  @Test func theEdgesOfTheFormatsAreLimits() throws {
    let row = [UInt32](repeating: 0xFF20_4060, count: maxJPEGSide + 1)
    #expect(
      try decodeImage(encodeWebP(pixels: row, width: maxWebPSide, height: 1, quality: 80)).width == 16383)
    #expect(try encodeJPEG(pixels: row, width: maxJPEGSide, height: 1, quality: 80).count > 100)
    for (width, height) in [(maxJPEGSide + 1, 1), (1, maxJPEGSide + 1)] {
      #expect { try encodeJPEG(pixels: row, width: width, height: height, quality: 80) } throws: {
        ($0 as? NeatError)?.code == .limitExceeded
      }
    }
    for (width, height) in [(maxWebPSide + 1, 1), (1, maxWebPSide + 1)] {
      #expect { try encodeWebP(pixels: row, width: width, height: height, quality: 80) } throws: {
        ($0 as? NeatError)?.code == .limitExceeded
      }
    }
  }

  @Test func coloursAboveAlphaDoNotWrap() throws {
    // Not well made: brighter than its alpha allows.
    let pixels = [UInt32](repeating: 0x10FF_FFFF, count: 64)
    #expect(
      Self.words(try decodeImage(try encodeJPEG(pixels: pixels, width: 8, height: 8, quality: 95))).allSatisfy
      {
        Self.distance($0, 0xFFFF_FFFF) <= 2
      })
  }
}
