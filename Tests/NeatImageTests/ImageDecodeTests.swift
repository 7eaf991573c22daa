import NeatBase
import NeatImage
import NeatTestSupport
import Testing

private let tinyWebP: [UInt8] = fixtureWebP
private let tinyJPEG: [UInt8] = fixtureJPEG

@Suite struct ImageDecodeTests {
  private func png(_ width: Int = 24, _ height: Int = 18) -> [UInt8] {
    encodePNG(
      pixels: mapLikePixels(width: width, height: height, translucent: true), premultiplied: false,
      width: width, height: height)
  }

  private func code(_ bytes: [UInt8], _ limits: ImageLimits = .init()) -> ErrorCode? {
    do {
      _ = try decodeImage(bytes, premultiply: true, limits: limits)
      return nil
    } catch { return error.code }
  }

  @Test func formatsAreToldApartByContent() throws {
    #expect(ImageFormat(sniffing: png()) == .png)
    #expect(ImageFormat(sniffing: tinyJPEG) == .jpeg)
    #expect(ImageFormat(sniffing: tinyWebP) == .webp)
    #expect(ImageFormat(sniffing: []) == nil)
    #expect(code([]) == .image)
    #expect(code(Array("<svg/>".utf8)) == .image)
  }

  @Test func jpegAndWebPAreRead() throws {
    let jpeg = try decodeImage(tinyJPEG)
    #expect(jpeg.width == 3 && jpeg.height == 2)
    #expect(jpeg.pixels[3] == 255 && abs(Int(jpeg.pixels[0]) - 128) < 3)
    let straight = try decodeImage(tinyWebP, premultiply: false)
    #expect(straight.width == 3 && straight.height == 2)
    #expect(Array(straight.pixels[0..<4]) == [255, 0, 0, 128])
    #expect(Array(try decodeImage(tinyWebP).pixels[0..<4]) == [128, 0, 0, 128])
  }

  @Test func premultiplyingRoundsToNearest() {
    var pixels: [UInt8] = []
    for alpha in 0...255 {
      for color in stride(from: 0, through: 255, by: 5) {
        pixels += [UInt8(color), 255, UInt8(255 - color), UInt8(alpha)]
      }
    }
    let before = pixels
    premultiplyPixels(&pixels)
    for i in stride(from: 0, to: pixels.count, by: 4) {
      for channel in 0..<3 {
        let exact = (Double(before[i + channel]) * Double(before[i + 3]) / 255).rounded()
        #expect(Double(pixels[i + channel]) == exact)
      }
      #expect(pixels[i + 3] == before[i + 3])
    }
  }

  @Test func limitsHoldAtTheEdgeAndPastIt() {
    let bytes = png(24, 18)
    #expect(code(bytes, ImageLimits(maxSide: 24)) == nil)
    #expect(code(bytes, ImageLimits(maxSide: 23)) == .limitExceeded)
    #expect(code(bytes, ImageLimits(maxPixels: 24 * 18)) == nil)
    #expect(code(bytes, ImageLimits(maxPixels: 24 * 18 - 1)) == .limitExceeded)
    #expect(code(bytes, ImageLimits(maxBytes: bytes.count)) == nil)
    #expect(code(bytes, ImageLimits(maxBytes: bytes.count - 1)) == .limitExceeded)
    #expect(code(tinyJPEG, ImageLimits(maxSide: 2)) == .limitExceeded)
    #expect(code(tinyWebP, ImageLimits(maxSide: 2)) == .limitExceeded)
  }

  @Test func aHugeHeaderIsRefusedBeforeMemoryIsTaken() {
    var bytes = png()
    bytes.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
    #expect(code(bytes) != nil)
  }

  @Test func truncatedFilesAreErrors() {
    for (name, bytes) in [("PNG", png()), ("JPEG", tinyJPEG), ("WebP", tinyWebP)] {
      // The last bytes of a PNG are its end mark, of a JPEG the EOI, of a WebP padding: what matters is the
      // data before.
      for length in stride(from: 0, to: bytes.count - 16, by: 1) {
        #expect(code(Array(bytes[0..<length])) != nil, "\(name) of \(length) bytes")
      }
    }
  }

  @Test func damagedFilesNeverTrap() {
    var noise = SplitMix(seed: 99)
    for bytes in [png(), tinyJPEG, tinyWebP] {
      for _ in 0..<400 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...6, using: &noise) {
          damaged[Int.random(in: 0..<damaged.count, using: &noise)] = UInt8.random(in: 0...255, using: &noise)
        }
        if Bool.random(using: &noise) { damaged.removeLast(Int.random(in: 0..<damaged.count, using: &noise)) }
        _ = code(damaged, ImageLimits(maxSide: 4096, maxPixels: 1 << 22))
      }
    }
  }
}
