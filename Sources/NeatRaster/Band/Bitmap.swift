// NeatRaster draws into 8-bit premultiplied RGBA, rows from the top, a pixel one little-endian UInt32 with
// red in the lowest byte.
//
// How a frame is drawn Bitmap owns the pixels of a frame (or of a texture that is draped later). Band rows
// y0..<y1 of it. Workers take bands; each replays the frame's commands in order. RowClip for each row of a
// band the pixels a tile may touch: those whose centre lies in the tile's projected quad. RasterScratch one a
// worker: memory that the drawing functions reuse. Projection tile units to frame pixels, an affine map or a
// homography (pitch). Premultiplied a colour ready to blend; the span functions of `Blend` write it.
//
// Once a frame (once a tile and layer) a `FillFrame` or a `LineFrame` is made of geometry in pixels; then
// each band calls their `draw`. All positions are frame pixels, y down; the centre of pixel (x,
// y) is (x + 0.5, y + 0.5). Shapes own the pixels whose centres they cover, and a centre on an edge belongs
// to the shape right of it or below it. Edges are cut against rows from their own ends, in fixed point, never
// from the band's: the height of the bands and the number of threads do not change a pixel.
import NeatBase

/// The pixels of a frame. Zeroed (transparent) when made. Bands of it that do not overlap may be drawn by
/// different threads at the same time.
package final class Bitmap: @unchecked Sendable {
  /// Pixels along a side that a bitmap may have at most.
  package static let maxSide = 16384

  package let width: Int
  package let height: Int
  package let pixels: UnsafeMutablePointer<UInt32>

  /// Throws `limitExceeded` for sides outside 1...`maxSide`, `outOfMemory`.
  /// - Parameter isCleared: false for who writes every pixel before it reads any.
  package init(width: Int, height: Int, isCleared: Bool = true) throws(NeatError) {
    guard (1...Bitmap.maxSide).contains(width), (1...Bitmap.maxSide).contains(height) else {
      throw NeatError(
        .limitExceeded, "a bitmap of \(width) by \(height) pixels: sides must be in 1...\(Bitmap.maxSide)")
    }
    self.width = width
    self.height = height
    try ProcessMemory.require(4 * width * height, for: "a bitmap of \(width) by \(height) pixels")
    pixels = BlockPool.take(Bitmap.byteCount(width, height)).bindMemory(
      to: UInt32.self, capacity: width * height + 4)
    let cleared = isCleared ? 0 : width * height
    (pixels + cleared).initialize(repeating: 0, count: width * height + 4 - cleared)
  }

  deinit { BlockPool.give(pixels, Bitmap.byteCount(width, height)) }

  /// Four pixels more than there are: loops go by fours.
  private static func byteCount(_ width: Int, _ height: Int) -> Int { 4 * (width * height + 4) }

  package func clear(_ color: Premultiplied) { pixels.update(repeating: color.bits, count: width * height) }

  /// Turns it upside down.
  package func flip() {
    for row in 0..<height / 2 {
      let (upper, lower) = (pixels + row * width, pixels + (height - 1 - row) * width)
      for column in 0..<width {
        let pixel = upper[column]
        upper[column] = lower[column]
        lower[column] = pixel
      }
    }
  }

  /// A square of it, as a bitmap of its own. The square lies within.
  package func cut(x: Int, y: Int, edge: Int) throws(NeatError) -> Bitmap {
    precondition(x >= 0 && y >= 0 && edge >= 1 && x + edge <= width && y + edge <= height)
    let part = try Bitmap(width: edge, height: edge, isCleared: false)
    for row in 0..<edge {
      (part.pixels + row * edge).initialize(from: pixels + (y + row) * width + x, count: edge)
    }
    return part
  }

  /// The whole bitmap as one band.
  package var band: Band { band(0, height) }

  /// Rows `y0..<y1`, cut to the bitmap.
  package func band(_ y0: Int, _ y1: Int) -> Band {
    let top = min(max(y0, 0), height)
    return Band(
      pixels: pixels + top * width, stride: width, width: width, y0: top, y1: min(max(y1, top), height))
  }

  /// The picture as unpremultiplied bytes; the division truncates, as `readPixels` consumers of MapLibre do.
  package func unpremultiplied() -> PixelImage {
    var bytes = [UInt8](repeating: 0, count: width * height * 4)
    for index in 0..<width * height {
      let pixel = pixels[index]
      let alpha = pixel >> 24
      if alpha == 0 { continue }
      for channel in 0..<3 {
        let value = pixel >> UInt32(8 * channel) & 255
        bytes[4 * index + channel] = UInt8(min(255, value * 255 / alpha))
      }
      bytes[4 * index + 3] = UInt8(alpha)
    }
    return PixelImage(width: width, height: height, pixels: bytes, isPremultiplied: false)
  }
}

/// Rows `y0..<y1` of a frame that is `width` pixels wide.
package struct Band: @unchecked Sendable {  // rows of its own
  /// Column 0 of row `y0`, be it the band's or not.
  package let pixels: UnsafeMutablePointer<UInt32>
  /// Pixels from a row to the next.
  package let stride: Int
  package let width: Int
  /// The first column of a part of a frame: those before it may not be touched.
  package let x0: Int
  package let y0: Int
  package let y1: Int

  package init(pixels: UnsafeMutablePointer<UInt32>, stride: Int, x0: Int = 0, width: Int, y0: Int, y1: Int) {
    assert(y0 <= y1 && x0 >= 0 && x0 <= width && width - x0 <= stride, "rows that reach into each other")
    self.pixels = pixels
    self.x0 = x0
    self.stride = stride
    self.width = width
    self.y0 = y0
    self.y1 = y1
  }

  /// Column 0 of row `y` of the frame, which must be one of the band's.
  @inline(__always) package func row(_ y: Int) -> UnsafeMutablePointer<UInt32> {
    assert(y >= y0 && y < y1, "a row of another band")
    return pixels + (y &- y0) &* stride
  }
}

/// A colour multiplied by its alpha, 8 bits a channel, as a pixel has it.
package struct Premultiplied: Hashable, Sendable, BitwiseCopyable {
  package var bits: UInt32

  @inline(__always) package init(bits: UInt32) { self.bits = bits }

  /// `opacity` in 0...1 multiplies the colour's own alpha.
  package init(_ color: Color, opacity: Float = 1) {
    let alpha = min(max(color.a * opacity, 0), 1)
    func byte(_ value: Float) -> UInt32 { UInt32(saturating: min(max(value, 0), 1) * alpha * 255 + 0.5) }
    bits =
      byte(color.r) | byte(color.g) << 8 | byte(color.b) << 16 | UInt32(saturating: alpha * 255 + 0.5) << 24
  }

  package static let transparent = Premultiplied(bits: 0)

  @inline(__always) package var alpha: UInt32 { bits >> 24 }
  @inline(__always) package var isOpaque: Bool { bits >> 24 == 255 }
  @inline(__always) package var isTransparent: Bool { bits == 0 }
}
