import Neatline

// A PNG reader that keeps the colours of half-transparent pixels as they are written (the engine's pictures
// are premultiplied, which loses bits of them). 8 bits a channel and not interlaced; others go through the
// engine.

extension Picture {
  /// Reads a PNG as RGBA, not premultiplied.
  static func png(_ bytes: [UInt8]) throws -> Picture {
    if let picture = try PNGReader.read(bytes) { return picture }
    return Picture(unpremultiplying: try Image(decoding: bytes))
  }

  /// Divides by alpha; cuts, and does not round, as the suites' own harness does.
  init(unpremultiplying image: Image) {
    self.init(width: image.width, height: image.height, pixels: image.pixels)
    pixels.withUnsafeMutableBufferPointer { p in
      for at in stride(from: 0, to: p.count, by: 4) where p[at + 3] != 255 {
        let alpha = Int(p[at + 3])
        for channel in at..<at + 3 {
          // Light that adds to what it does not cover is brighter than its alpha; that harness keeps the low byte.
          p[channel] = alpha == 0 ? 0 : UInt8(truncatingIfNeeded: Int(p[channel]) * 255 / alpha)
        }
      }
    }
  }

  /// The picture as a PNG file (through premultiplied colours, for looking at).
  func png() throws -> [UInt8] {
    var premultiplied = pixels
    for at in stride(from: 0, to: premultiplied.count, by: 4) where premultiplied[at + 3] != 255 {
      let alpha = Int(premultiplied[at + 3])
      for channel in at..<at + 3 {
        premultiplied[channel] = UInt8((Int(premultiplied[channel]) * alpha + 127) / 255)
      }
    }
    return try Image(width: width, height: height, pixels: premultiplied).png()
  }

  static func blank(_ width: Int, _ height: Int) -> Picture {
    Picture(width: width, height: height, pixels: [UInt8](repeating: 0, count: width * height * 4))
  }
}

private enum PNGReader {
  static func read(_ bytes: [UInt8]) throws -> Picture? {
    guard bytes.count > 33, bytes[0] == 0x89, bytes[1] == 0x50 else { throw Failure("not a PNG") }
    func word(_ at: Int) -> Int {
      Int(bytes[at]) << 24 | Int(bytes[at + 1]) << 16 | Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
    }
    let width = word(16), height = word(20)
    guard bytes[24] == 8, bytes[28] == 0, let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][Int(bytes[25])] else {
      return nil
    }
    let isPalette = bytes[25] == 3
    guard width > 0, height > 0, width <= 16384, height <= 16384 else {
      throw Failure("a PNG of \(width)x\(height)")
    }
    var palette: [UInt8] = [], alphas: [UInt8] = [], packed: [UInt8] = []
    var at = 8
    while at + 12 <= bytes.count {
      let size = word(at)
      guard at + 12 + size <= bytes.count else { throw Failure("a chunk beyond the PNG's end") }
      let body = bytes[(at + 8)..<(at + 8 + size)]
      switch String(decoding: bytes[(at + 4)..<(at + 8)], as: UTF8.self) {
      case "PLTE": palette = Array(body)
      case "tRNS": if isPalette { alphas = Array(body) } else { return nil }
      case "IDAT": packed += body
      default: break
      }
      at += 12 + size
    }
    let row = width * channels
    var raw = try SmallInflate.zlib(packed, count: (row + 1) * height)
    guard raw.count == (row + 1) * height else { throw Failure("a PNG with \(raw.count) bytes of pixels") }
    unfilter(&raw, row: row, height: height, step: channels)
    var picture = Picture.blank(width, height)
    for y in 0..<height {
      for x in 0..<width {
        let from = y * (row + 1) + 1 + x * channels, to = (y * width + x) * 4
        let (r, g, b, a): (UInt8, UInt8, UInt8, UInt8)
        if isPalette {
          let index = Int(raw[from])
          guard index * 3 + 2 < palette.count else { throw Failure("colour \(index) is not in the palette") }
          (r, g, b) = (palette[index * 3], palette[index * 3 + 1], palette[index * 3 + 2])
          a = index < alphas.count ? alphas[index] : 255
        } else if channels < 3 {
          (r, g, b, a) = (raw[from], raw[from], raw[from], channels == 2 ? raw[from + 1] : 255)
        } else {
          (r, g, b, a) = (raw[from], raw[from + 1], raw[from + 2], channels == 4 ? raw[from + 3] : 255)
        }
        picture.pixels[to] = r
        picture.pixels[to + 1] = g
        picture.pixels[to + 2] = b
        picture.pixels[to + 3] = a
      }
    }
    return picture
  }

  private static func unfilter(_ raw: inout [UInt8], row: Int, height: Int, step: Int) {
    raw.withUnsafeMutableBufferPointer { p in
      for y in 0..<height {
        let start = y * (row + 1) + 1
        let filter = p[start - 1]
        if filter == 0 { continue }
        for x in 0..<row {
          let left = x >= step ? Int(p[start + x - step]) : 0
          let up = y > 0 ? Int(p[start + x - row - 1]) : 0
          let corner = x >= step && y > 0 ? Int(p[start + x - row - 1 - step]) : 0
          let add: Int
          switch filter {
          case 1: add = left
          case 2: add = up
          case 3: add = (left + up) / 2
          default:
            let guess = left + up - corner
            let (dl, du, dc) = (abs(guess - left), abs(guess - up), abs(guess - corner))
            add = dl <= du && dl <= dc ? left : du <= dc ? up : corner
          }
          p[start + x] = UInt8(truncatingIfNeeded: Int(p[start + x]) + add)
        }
      }
    }
  }
}
