import NeatBase
import NeatTestSupport
import NeatImage
import Testing

@Suite struct PNGEncodeTests {
  private func roundTrip(_ pixels: [UInt32], _ width: Int, _ height: Int, _ comment: Comment? = nil) throws {
    for mode in [PNGMode.fast, .small] {
      let bytes = encodePNG(pixels: pixels, premultiplied: false, width: width, height: height, mode: mode)
      let image = try decodeImage(bytes, premultiply: false, limits: ImageLimits(maxSide: 1 << 24))
      #expect(image.width == width && image.height == height, comment)
      let same = image.pixels.withUnsafeBytes { decoded in
        pixels.withUnsafeBytes { memcmp(decoded.baseAddress!, $0.baseAddress!, $0.count) == 0 }
      }
      #expect(same, comment)
    }
  }

  /// A part of a picture is encoded as a copy of it is, in every format and kind of pixels.
  @Test(arguments: [false, true]) func rowsMayStandApart(_ isTranslucent: Bool) throws {
    let (width, height) = (120, 90)
    for colors in [0, 3, 200] {
      var pixels = mapLikePixels(width: width, height: height, translucent: isTranslucent)
      if colors > 0 {
        for index in pixels.indices {
          pixels[index] = UInt32(index % colors) &* 0x0001_0307 | (isTranslucent ? 0xC000_0000 : 0xFF00_0000)
        }
      }
      let (x, y, edge) = (17, 30, 48)
      let part = (0..<edge * edge).map { pixels[(y + $0 / edge) * width + x + $0 % edge] }
      try pixels.withUnsafeBufferPointer { whole in
        let rows = PixelRows(
          whole.baseAddress! + y * width + x, width: edge, height: edge, stride: width)
        for mode in [PNGMode.fast, .small] {
          for premultiplied in [false, true] {
            #expect(
              encodePNG(rows, premultiplied: premultiplied, mode: mode)
                == encodePNG(
                  pixels: part, premultiplied: premultiplied, width: edge, height: edge, mode: mode))
          }
        }
        let jpeg = try encodeJPEG(pixels: part, width: edge, height: edge, quality: 85)
        #expect(try encodeJPEG(rows, quality: 85) == jpeg)
        for quality in [80, 100] {
          let webp = try encodeWebP(pixels: part, width: edge, height: edge, quality: quality)
          #expect(try encodeWebP(rows, quality: quality) == webp)
        }
      }
    }
  }

  @Test func mapPicturesSurviveInRGBAndRGBAndPalette() throws {
    try roundTrip(mapLikePixels(width: 96, height: 70), 96, 70)
    try roundTrip(mapLikePixels(width: 96, height: 70, translucent: true), 96, 70)
    try roundTrip(mapLikePixels(width: 31, height: 9), 31, 9)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 16, 17, 255, 256, 257]) func everyPaletteDepthSurvives(colors: Int) throws
  {
    for width in [1, 3, 7, 8, 9, 33] {
      let height = colors / width + 2
      let pixels = (0..<(width * height)).map {
        UInt32($0 % colors) &* 0x0101_0307 | ($0 % 2 == 0 ? 0xFF00_0000 : 0x8000_0000)
      }
      try roundTrip(pixels, width, height, "\(width)")
    }
  }

  @Test func noiseSurvives() throws {
    var noise = SplitMix(seed: 7)
    for (width, height) in [(1, 1), (1, 300), (300, 1), (61, 43), (9000, 3)] {
      let rgba = (0..<(width * height)).map { _ in
        UInt32.random(in: 0...UInt32.max, using: &noise) | 0x0100_0000
      }
      try roundTrip(rgba, width, height)
      try roundTrip(rgba.map { $0 | 0xFF00_0000 }, width, height)
    }
  }

  @Test func smoothGradientsSurvive() throws {
    let pixels = (0..<(128 * 128)).map { i -> UInt32 in
      let x = UInt32(i % 128)
      let y = UInt32(i / 128)
      return (x * 2) | (y * 2) << 8 | ((x + y) & 0xFF) << 16 | 0xFF00_0000
    }
    try roundTrip(pixels, 128, 128)
  }

  @Test func longRunsAndSkewedFrequenciesSurvive() throws {
    // Fibonacci-like frequencies force code lengths to the limit.
    var pixels: [UInt32] = []
    var a = 1
    var b = 1
    for value in 0..<22 {
      pixels += [UInt32](repeating: 0xFF00_0000 | UInt32(value * 11) &* 0x010301, count: min(a, 9000))
      (a, b) = (b, a + b)
    }
    var noise = SplitMix(seed: 3)
    pixels.shuffle(using: &noise)
    pixels.removeLast(pixels.count % 100)
    try roundTrip(pixels, 100, pixels.count / 100)
    try roundTrip([UInt32](repeating: 0xFF12_3456, count: 512 * 512), 512, 512)
  }

  @Test func premultipliedColoursAreDividedByAlpha() throws {
    let pixels: [UInt32] = [0x8040_2010, 0x0000_0000, 0xFF01_0203, 0x0101_0001]
    let image = try decodeImage(
      encodePNG(pixels: pixels, premultiplied: true, width: 4, height: 1), premultiply: false)
    #expect(image.pixels == [32, 64, 128, 128, 0, 0, 0, 0, 3, 2, 1, 255, 255, 0, 255, 1])
    let again = try decodeImage(
      encodePNG(pixels: pixels, premultiplied: true, width: 4, height: 1), premultiply: true)
    #expect(again.pixels == [0x10, 0x20, 0x40, 0x80, 0, 0, 0, 0, 3, 2, 1, 255, 1, 0, 1, 1])
  }

  /// Strips are those of the picture, whoever works on them.
  @Test func threadsDoNotChangeAByte() throws {
    let threads = Executor(width: 3) { count, body in
      // Out of order, as threads may come to them.
      for index in (0..<count).reversed() { body(index) }
    }
    for (width, height) in [(512, 512), (300, 700), (9000, 40), (1, 4000)] {
      for isTranslucent in [false, true] {
        let pixels = mapLikePixels(width: width, height: height, translucent: isTranslucent)
        let alone = encodePNG(pixels: pixels, premultiplied: false, width: width, height: height)
        let shared = pixels.withUnsafeBufferPointer {
          encodePNG(
            PixelRows($0.baseAddress!, width: width, height: height), premultiplied: false, executor: threads)
        }
        #expect(alone == shared)
        try roundTrip(pixels, width, height)
      }
    }
    // Noise is filtered; each row has a filter of its own.
    var noise = SplitMix(seed: 5)
    let pixels = (0..<700 * 300).map { _ in UInt32.random(in: 0...UInt32.max, using: &noise) | 0xFF00_0000 }
    try roundTrip(pixels, 700, 300)
  }

  /// A file's kind of pixels.
  private enum Kind: UInt8 { case rgb = 2, palette = 3, rgba = 6 }

  /// Strips are compressed before all is known of a picture. What is found out late changes the file's kind.
  @Test func whatIsFoundOutLateCounts() throws {
    let (width, height) = (512, 512)
    let threads = Executor(width: 4) { count, body in
      for index in (0..<count).reversed() { body(index) }
    }
    func check(_ pixels: [UInt32], _ kind: Kind, _ name: Comment) throws {
      var files: [[UInt8]] = []
      for executor in [Executor.inline, threads] {
        let file = pixels.withUnsafeBufferPointer {
          encodePNG(
            PixelRows($0.baseAddress!, width: width, height: height), premultiplied: false, executor: executor
          )
        }
        files.append(file)
      }
      #expect(files[0] == files[1], name)
      #expect(Kind(rawValue: files[0][25]) == kind, name)
      try roundTrip(pixels, width, height, name)
    }
    // Blocks of four pixels, many colours in each row.
    let flat = (0..<width * height).map { UInt32($0 / 4) &* 0x9E37_79B1 | 0xFF00_0000 }
    try check(flat, .rgb, "many colours")
    for y in [0, 37, 300, 511] {
      var pixels = flat
      pixels[y * width + 200] = 0x80FF_FFFF
      try check(pixels, .rgba, "one pixel of row \(y) lets something through")
    }
    for colors in [48, 100, 255, 256] {
      try check(flat.map { ($0 >> 8 & 0xFFFF) % UInt32(colors) | 0xFF00_0000 }, .palette, "\(colors) colours")
    }
    let sea = UInt32(0xFFE0_C0A0)
    try check(
      (0..<width * height).map { $0 < 400 * width ? sea : flat[$0] }, .rgb, "the upper strips have one colour"
    )
    try check(
      (0..<width * height).map { $0 / width == 333 ? flat[$0] : sea }, .palette, "one row has 128 colours")
    var noise = SplitMix(seed: 8)
    try check(
      flat.indices.map {
        $0 < 64 * width ? flat[$0] : UInt32.random(in: 0...0xFF_FFFF, using: &noise) | 0xFF << 24
      },
      .rgb, "all but the first strip is noise")
  }

  @Test func checksumsOfRunsAreJoined() {
    var random = SplitMix(seed: 3)
    let bytes = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    bytes.withUnsafeBufferPointer { bytes in
      let base = bytes.baseAddress!
      let whole = JoinableCRC(base, count: bytes.count)
      for (first, second) in [(0, 0), (1, 2), (7, 7), (31_234, 99_999), (100_000, 100_000)] {
        let joined = JoinableCRC(base, count: first)
          .joined(JoinableCRC(base + first, count: second - first))
          .joined(JoinableCRC(base + second, count: bytes.count - second))
        #expect(joined.value == whole.value)
      }
    }
    // The one that every description of CRC-32 gives.
    let digits = Array("123456789".utf8)
    #expect(JoinableCRC(digits, count: digits.count).value == 0xCBF4_3926)
  }

  /// Opaque pictures of many colours, most of whose pixels are those to the left, above or anywhere before:
  /// rows that are a match and more, rows as long as the window and longer, rows too long for strips of
  /// cells.
  @Test(arguments: [
    1, 2, 3, 85, 86, 87, 173, 512, 1025, 10_922, 10_923, 21_838, 21_839, 21_841, 32_761, 32_762, 40_000,
  ])
  func repeatedPixelsSurvive(_ width: Int) throws {
    var noise = SplitMix(seed: UInt64(width))
    let height = max(3, min(700, 120_000 / width))
    var pixels: [UInt32] = []
    for index in 0..<width * height {
      let kind = Int.random(in: 0..<100, using: &noise)
      if kind < 60, index > 0 {
        pixels.append(pixels[index - 1])
      } else if kind < 85, index >= width {
        pixels.append(pixels[index - width])
      } else if kind < 92, index > 40 {
        pixels.append(pixels[index - Int.random(in: 1...min(index, 30_000), using: &noise)])
      } else {
        pixels.append(UInt32.random(in: 0...UInt32.max, using: &noise) | 0xFF00_0000)
      }
      // Whole rows again, now and then.
      if index % width == width - 1, index > 2 * width, kind < 30 {
        for x in 0..<width { pixels[index - x] = pixels[index - x - width] }
      }
    }
    try roundTrip(pixels, width, height)
  }

  /// Of every width, of runs, copies from above and from anywhere, and noise: what comes back is the same.
  @Test func randomPicturesSurvive() throws {
    for seed in 0..<UInt64(200) {
      var noise = SplitMix(seed: seed)
      let widths = [1...4, 1...200, 84...88, 500...1100, 10_915...10_930]
      let width = Int.random(in: widths[Int(seed % 5)], using: &noise)
      let height = max(3, Int.random(in: 1...max(1, min(900, 60_000 / width)), using: &noise))
      let (flat, above, far) = (
        Int.random(in: 20...95, using: &noise), Int.random(in: 0...60, using: &noise),
        Int.random(in: 0...60, using: &noise)
      )
      let colors = [300, 5000, 1 << 24][Int(seed / 5 % 3)]
      var pixels: [UInt32] = []
      var (copied, back) = (0, 1)
      for index in 0..<width * height {
        if copied > 0 {
          copied -= 1
          pixels.append(pixels[index - back])
        } else if index > 0, Int.random(in: 0..<100, using: &noise) < flat {
          pixels.append(pixels[index - 1])
        } else if index >= width, Int.random(in: 0..<100, using: &noise) < above {
          pixels.append(pixels[index - width])
        } else if index > 2, Int.random(in: 0..<100, using: &noise) < far {
          back = Int.random(in: 1...min(index, 20_000), using: &noise)
          copied = Int.random(in: 0...120, using: &noise)
          pixels.append(pixels[index - back])
        } else {
          pixels.append(UInt32.random(in: 0..<UInt32(colors), using: &noise) &* 0x9E3779 | 0xFF00_0000)
        }
      }
      try roundTrip(pixels, width, height, "\(seed)")
    }
  }

  /// Runs that end one pixel before the longest match, with it and after it, with the row, and with the
  /// strip; and the same in every row.
  @Test func runsOfEveryLengthSurvive() throws {
    let runs = [1, 2, 3, 9, 10, 11, 49, 50, 51, 56, 57, 58, 63, 64, 65, 85, 86, 87, 107, 143, 172, 173, 600]
    for run in runs {
      for height in [2, 3, 70] {
        // The first row has a colour a pixel: no palette has them all.
        let pixels = (0..<600 * height).map { index -> UInt32 in
          let number = index < 600 ? 50_000 + index : index / run % 5000
          return 0xFF00_0000 | UInt32(number) &* 0x8D05 & 0xFF_FFFF
        }
        try roundTrip(pixels, 600, height, "\(run)")
        let last = pixels.suffix(600)
        let rows = pixels.prefix(600) + [ArraySlice<UInt32>](repeating: last, count: height - 1).joined()
        try roundTrip(Array(rows), 600, height, "\(run)")
      }
    }
  }

  /// A match of pixels is written in as many bytes as they have, across the filter bytes of rows.
  @Test(arguments: [1, 2, 7, 85, 86, 512]) func equalRowsTakeHardlyAByte(_ width: Int) throws {
    var noise = SplitMix(seed: 11)
    // A row of noise and of one colour, 300 times; another first row, for more than 256 colours.
    var pixels = (0..<width * 300).map { UInt32($0 % width) &* 0x05_0309 | 0xFF00_0000 }
    for index in 0..<min(width * 300, 600) {
      pixels[index] = UInt32.random(in: 0...UInt32.max, using: &noise) | 0xFF00_0000
    }
    try roundTrip(pixels, width, 300)
    let count = encodePNG(pixels: pixels, premultiplied: false, width: width, height: 300).count
    #expect(count < 600 * 4 + 3 * width + width * 300 * 3 / 40 + 1200)
  }

  /// Pixels that come again as far back as a distance reaches, and a pixel further: in one row, and over the
  /// filter bytes of others.
  @Test(arguments: [21_000, 1000]) func whatLiesAtTheEdgeOfTheWindowSurvives(_ width: Int) throws {
    for back in 10_900...10_930 {
      var pixels = [UInt32](repeating: 0xFF80_9080, count: 21_000)
      for index in 0..<300 { pixels[20_000 + index] = 0xFF00_0000 | UInt32(index * index) }
      for (place, color) in [(30, UInt32(0xFF11_2233)), (31, 0xFF44_5566), (32, 0xFF77_8899)] {
        (pixels[place], pixels[place + back]) = (color, color)
      }
      try roundTrip(pixels, width, 21_000 / width, "\(back)")
    }
  }

  /// What cannot be compressed grows by a hundredth at most: noise below a plain part, which says that the
  /// picture is flat.
  @Test func noiseHardlyGrows() throws {
    var noise = SplitMix(seed: 13)
    for (width, height) in [(512, 512), (1, 900), (2, 800), (300, 40)] {
      let pixels = (0..<width * height).map { index -> UInt32 in
        index < width * height / 4
          ? 0xFF20_4060 : UInt32.random(in: 0...UInt32.max, using: &noise) | 0xFF00_0000
      }
      try roundTrip(pixels, width, height)
      let count = encodePNG(pixels: pixels, premultiplied: false, width: width, height: height).count
      let bytes = (3 * width + 1) * height
      #expect(count < bytes * 3 / 4 + bytes / 100 + height + 1000, "\(width)")
    }
  }

  @Test func checksumsOfStripsJoin() {
    var noise = SplitMix(seed: 2)
    let bytes = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &noise) }
    func adler(_ bytes: ArraySlice<UInt8>) -> UInt32 {
      var (a, b): (UInt32, UInt32) = (1, 0)
      for byte in bytes {
        a = (a + UInt32(byte)) % 65521
        b = (b + a) % 65521
      }
      return b << 16 | a
    }
    for cut in [0, 1, 65520, 65521, 65522, 131_072, 200_000] {
      let joined = joinedAdler(adler(bytes[..<cut]), adler(bytes[cut...]), 200_000 - cut)
      #expect(joined == adler(bytes[...]))
    }
  }

  @Test func referencePicturesAreNotMuchLargerThanZlibLevelOneMakesThem() throws {
    // Without the shared data there is nothing to check.
    guard let bytes = SharedFiles.path("data/reference/positron.png").flatMap(SharedFiles.read) else {
      return
    }
    let image = try decodeImage(bytes, premultiply: false)
    let fast = encodePNG(image, mode: .fast)
    let small = encodePNG(image, mode: .small)
    #expect(try decodeImage(fast, premultiply: false).pixels == image.pixels)
    #expect(small.count <= fast.count)
    #expect(fast.count < bytes.count * 2)
  }
}
