import NeatBase
import NeatImage
import NeatTestSupport
import Testing

/// What pictures hold of a budget, while they are decoded and after.
@Suite struct ImageMemoryTests {
  private func files(_ width: Int, _ height: Int) throws -> [(name: String, bytes: [UInt8], working: Int)] {
    var pixels = mapLikePixels(width: width, height: height)
    let jpeg = try pixels.withUnsafeMutableBufferPointer { buffer in
      try encodeJPEG(PixelRows(buffer.baseAddress!, width: width, height: height), quality: 80)
    }
    let webp = try pixels.withUnsafeMutableBufferPointer { buffer in
      try encodeWebP(PixelRows(buffer.baseAddress!, width: width, height: height), quality: 80)
    }
    let png = encodePNG(pixels: pixels, premultiplied: false, width: width, height: height)
    return [("PNG", png, 0), ("JPEG", jpeg, 6), ("WebP", webp, 4)]
  }

  @Test func picturesHoldTheirPixelsAtTheLimitAndPastIt() throws {
    for (name, bytes, working) in try files(64, 32) {
      let needed = (4 + working) * 64 * 32
      let budget = MemoryBudget(limit: UInt64(needed))
      let picture = try decodeImage(bytes, limits: ImageLimits(memory: budget))
      #expect(budget.held == picture.pixels.count, "\(name): what decoding takes goes back")
      withExtendedLifetime(picture) {}
      let short = MemoryBudget(limit: UInt64(needed - 1))
      let error = #expect(throws: NeatError.self) {
        try decodeImage(bytes, limits: ImageLimits(memory: short))
      }
      #expect(error?.code == .outOfMemory && error?.message.contains("\(name) image of 64x32") == true)
      #expect(short.held == 0)
    }
  }

  @Test func damagedPicturesGiveBackWhatTheyHeld() throws {
    for (name, bytes, _) in try files(64, 32) {
      let budget = MemoryBudget(limit: 1 << 20)
      #expect(throws: NeatError.self, "\(name)") {
        try decodeImage(Array(bytes[..<(bytes.count / 2)]), limits: ImageLimits(memory: budget))
      }
      #expect(budget.held == 0, "\(name)")
    }
  }

  /// The size that the limits are compared with is the decoder's own: a mutant is refused, or has no more pixels than
  /// the limits allow.
  @Test func mutantsAreRefusedOrWithinTheLimits() throws {
    var noise = SplitMix(seed: 42)
    let limits = ImageLimits(maxSide: 512, maxPixels: 1 << 16)
    for (name, bytes, _) in try files(48, 40) {
      var (read, refused) = (0, 0)
      for _ in 0..<4000 {
        var mutant = bytes
        for _ in 0..<Int.random(in: 1...4, using: &noise) {
          // Most of what says the size stands at the head.
          let end = Bool.random(using: &noise) ? min(mutant.count, 64) : mutant.count
          let at = Int.random(in: 0..<end, using: &noise)
          switch Int.random(in: 0..<3, using: &noise) {
          case 0: mutant[at] = UInt8.random(in: 0...255, using: &noise)
          case 1: mutant.insert(contentsOf: [0xff, 0x01], at: at)
          default: mutant.remove(at: at)
          }
        }
        let budget = MemoryBudget(limit: 4 << 20)
        var limits = limits
        limits.memory = budget
        do throws(NeatError) {
          let image = try decodeImage(mutant, limits: limits)
          #expect(image.width <= 512 && image.height <= 512 && image.width * image.height <= 1 << 16)
          #expect(image.pixels.count == 4 * image.width * image.height && budget.held == image.pixels.count)
          read += 1
        } catch {
          #expect([.image, .limitExceeded, .unsupported].contains(error.code), "\(name): \(error)")
          refused += 1
        }
        #expect(budget.held == 0)
      }
      #expect(read > 0 && refused > 0, "\(name): \(read) read, \(refused) refused")
    }
  }

  /// A JPEG whose frame comes after a marker that has no length (T.81, B.1.1.3): 8000 by 8000 in 130 bytes.
  @Test func aMarkerWithoutLengthHidesNoSize() throws {
    let head: [UInt8] = [
      0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xff, 0x01,
    ]
    let frame: [UInt8] = [0xff, 0xc9, 0, 11, 8, 0x1f, 0x40, 0x1f, 0x40, 1, 1, 0x11, 0]
    let rest: [UInt8] = [
      0xff, 0xcc, 0, 6, 0, 0x10, 0x10, 5, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 0x3f, 0, 0xff, 0, 0xbf, 0xd1, 0x92,
      0x80, 0xff, 0xd9,
    ]
    let table: [UInt8] = [0xff, 0xdb, 0, 0x43, 0] + [UInt8](repeating: 8, count: 64)
    let bytes = head + table + frame + rest
    let error = #expect(throws: NeatError.self) {
      try decodeImage(bytes, limits: ImageLimits(maxPixels: 1 << 22))
    }
    #expect(error?.code == .limitExceeded && error?.message.contains("8000x8000") == true)
  }
}
