import NeatBase
import NeatImage
import NeatTestSupport

/// A picture as maps have them: areas of one colour, edges blended between them, some noise where asked.
func mapLikePixels(width: Int, height: Int, translucent: Bool = false, seed: UInt64 = 1) -> [UInt32] {
  var noise = SplitMix(seed: seed)
  var pixels = [UInt32](repeating: 0xFFE8_F0F2, count: width * height)
  for _ in 0..<40 {
    let x0 = Int.random(in: 0..<width, using: &noise)
    let y0 = Int.random(in: 0..<height, using: &noise)
    let w = Int.random(in: 1...max(1, width / 3), using: &noise)
    let h = Int.random(in: 1...max(1, height / 3), using: &noise)
    let alpha: UInt32 = translucent ? UInt32.random(in: 0...255, using: &noise) : 255
    let color = UInt32.random(in: 0...0xFFFFFF, using: &noise) | alpha << 24
    for y in y0..<min(height, y0 + h) {
      let shift = (y - y0) % 7
      for x in stride(from: x0 + shift, to: min(width, x0 + w), by: 1) {
        pixels[y * width + x] =
          x < x0 + shift + 2 ? color &+ UInt32(x & 3) &* 0x0001_0201 & 0x00FF_FFFF | alpha << 24 : color
      }
    }
  }
  return pixels
}

// Pictures in arrays, which must outlive the rows that point into them.

func encodePNG(pixels: [UInt32], premultiplied: Bool, width: Int, height: Int, mode: PNGMode = .fast)
  -> [UInt8]
{
  pixels.withUnsafeBufferPointer {
    encodePNG(
      PixelRows($0.baseAddress!, width: width, height: height), premultiplied: premultiplied, mode: mode)
  }
}

func encodeJPEG(pixels: [UInt32], width: Int, height: Int, quality: Int) throws -> [UInt8] {
  try pixels.withUnsafeBufferPointer {
    try encodeJPEG(PixelRows($0.baseAddress!, width: width, height: height), quality: quality)
  }
}

func encodeWebP(pixels: [UInt32], width: Int, height: Int, quality: Int) throws -> [UInt8] {
  try pixels.withUnsafeBufferPointer {
    try encodeWebP(PixelRows($0.baseAddress!, width: width, height: height), quality: quality)
  }
}
