import NeatBase
import NeatRaster
import Testing

/// Draws a frame in bands of the given height, and returns its pixels.
func paintedFrame(
  _ width: Int, _ height: Int, bandHeight: Int, background: UInt32 = 0, _ draw: (Band) -> Void
) throws -> [UInt32] {
  let frame = try Bitmap(width: width, height: height)
  frame.clear(Premultiplied(bits: background))
  for y in stride(from: 0, to: height, by: bandHeight) { draw(frame.band(y, y + bandHeight)) }
  return Array(UnsafeBufferPointer(start: frame.pixels, count: width * height))
}

/// The frame's pixels, once checked that bands of 1, 7 and all rows give the same.
func steadyFrame(_ width: Int, _ height: Int, background: UInt32 = 0, _ draw: (Band) -> Void) throws
  -> [UInt32]
{
  let whole = try paintedFrame(width, height, bandHeight: height, background: background, draw)
  for bandHeight in [1, 7] {
    let banded = try paintedFrame(width, height, bandHeight: bandHeight, background: background, draw)
    #expect(banded == whole, "bands of \(bandHeight) rows differ from one band")
  }
  return whole
}

/// Red, green, blue and alpha of a pixel.
func channels(_ pixel: UInt32) -> [Int] { (0..<4).map { Int(pixel >> UInt32(8 * $0) & 255) } }

func isNear(_ a: UInt32, _ b: UInt32, _ tolerance: Int) -> Bool {
  zip(channels(a), channels(b)).allSatisfy { abs($0 - $1) <= tolerance }
}
