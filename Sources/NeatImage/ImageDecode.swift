import NeatBase

/// Decodes a PNG, JPEG or WebP picture, told apart by content, to 8-bit RGBA.
///
/// - Parameter premultiply: multiply the colours by alpha, as drawing wants them.
/// - Throws: `.image` when the data is of no known format, corrupt or cut short; `.limitExceeded` when it is
///   larger than `limits` allow; `.outOfMemory` when there is no room for it; `.unsupported` for a kind of picture that is known and not read (an animated
///   WebP).
package func decodeImage(_ bytes: [UInt8], premultiply: Bool = true, limits: ImageLimits = .init())
  throws(NeatError) -> PixelImage
{
  guard bytes.count <= limits.maxBytes else {
    throw NeatError(.limitExceeded, "image of \(bytes.count) bytes is over the limit of \(limits.maxBytes)")
  }
  guard let format = ImageFormat(sniffing: bytes) else {
    throw NeatError(
      .image, bytes.isEmpty ? "image is empty" : "image is neither PNG nor JPEG nor WebP", offset: 0)
  }
  var raw: RawImage
  switch format {
  case .png: raw = try decodePNG(bytes, limits)
  case .jpeg: raw = try decodeJPEG(bytes, limits)
  case .webp: raw = try decodeWebP(bytes, limits)
  }
  if premultiply && !raw.isOpaque { premultiplyPixels(&raw.pixels) }
  raw.hold?.shrink(to: (4 + limits.besides) * raw.width * raw.height)
  var image = PixelImage(
    width: raw.width, height: raw.height, pixels: raw.pixels, isPremultiplied: premultiply)
  image.hold = raw.hold
  return image
}

/// What a format's reader hands back: RGBA, not premultiplied.
struct RawImage {
  var width: Int
  var height: Int
  /// Known to have no alpha below 255, so that premultiplying can be left out.
  var isOpaque: Bool
  var pixels: [UInt8]
  /// What is held of the budget while it is decoded.
  var hold: MemoryHold?
}

/// Multiplies colours by alpha in place, rounding to nearest.
package func premultiplyPixels(_ pixels: inout [UInt8]) {
  let count = pixels.count / 4
  pixels.withUnsafeMutableBytes { buffer in
    for i in 0..<count {
      let pixel = buffer.loadUnaligned(fromByteOffset: i &* 4, as: UInt32.self)
      let alpha = pixel >> 24
      if alpha == 255 { continue }
      // Two channels at a time, 16 bits each: c * a + 128 is at most 65153, and (t + t / 256) / 256 is
      // exactly round(t / 255).
      var rb = (pixel & 0x00FF_00FF) &* alpha &+ 0x0080_0080
      rb = ((rb &+ ((rb >> 8) & 0x00FF_00FF)) >> 8) & 0x00FF_00FF
      var g = ((pixel >> 8) & 0xFF) &* alpha &+ 0x80
      g = (g &+ (g >> 8)) >> 8
      buffer.storeBytes(of: rb | (g << 8) | (alpha << 24), toByteOffset: i &* 4, as: UInt32.self)
    }
  }
}

/// Divides the colours of one premultiplied pixel by its alpha, rounding to nearest; colours above alpha
/// become 255.
@inline(__always)
func unpremultiplied(_ pixel: UInt32) -> UInt32 {
  let alpha = pixel >> 24
  if alpha == 255 { return pixel }
  if alpha == 0 { return 0 }
  let half = alpha >> 1
  let r = min(255, ((pixel & 0xFF) &* 255 &+ half) / alpha)
  let g = min(255, ((pixel >> 8 & 0xFF) &* 255 &+ half) / alpha)
  let b = min(255, ((pixel >> 16 & 0xFF) &* 255 &+ half) / alpha)
  return r | (g << 8) | (b << 16) | (alpha << 24)
}
