import NeatBase

/// A picture to draw quads with: premultiplied texels and, where asked for, its smaller versions (each half
/// as large, box filtered).
package final class Texture: @unchecked Sendable {  // immutable once made
  package let width: Int
  package let height: Int
  package let isOpaque: Bool
  /// For those who keep copies.
  package let id = ContentID.next()
  private let memory: UnsafeMutablePointer<UInt32>
  private var levels: [TextureView] = []

  /// Takes the picture's pixels, multiplying them by alpha where they are not yet.
  package convenience init(_ image: PixelImage, mipmaps: Bool = false) {
    self.init(width: image.width, height: image.height, mipmaps: mipmaps) { pixels in
      image.pixels.withUnsafeBytes { bytes in
        UnsafeMutableRawPointer(pixels).copyMemory(
          from: bytes.baseAddress!, byteCount: 4 * image.width * image.height)
      }
      if !image.isPremultiplied {
        for i in 0..<(image.width * image.height) where pixels[i] >> 24 != 255 {
          pixels[i] = Blend.scale(pixels[i] | 0xFF00_0000, pixels[i] >> 24)
        }
      }
    }
  }

  /// `fill` writes all `width` × `height` premultiplied texels. Sides at least 1.
  package init(width: Int, height: Int, mipmaps: Bool = false, fill: (UnsafeMutablePointer<UInt32>) -> Void) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    var sizes = [(width, height)]
    while mipmaps, let (w, h) = sizes.last, w > 1 || h > 1 { sizes.append((max(1, w / 2), max(1, h / 2))) }
    memory = .allocate(capacity: sizes.reduce(0) { $0 + $1.0 * $1.1 })
    fill(memory)
    var all: UInt32 = .max
    for i in 0..<(width * height) { all &= memory[i] }
    isOpaque = all >> 24 == 255
    assert(sizes.allSatisfy { $0.0 >= 1 && $0.1 >= 1 }, "a level has a texel")
    var place = memory
    for (level, (w, h)) in sizes.enumerated() {
      if level > 0 { Texture.halve(levels[level - 1], into: place, w, h) }
      levels.append(TextureView(pixels: place, stride: w, width: w, height: h))
      place += w * h
    }
  }

  deinit { memory.deallocate() }

  /// Bytes of the texels, with those of the smaller versions.
  package var byteCount: Int { levels.reduce(0) { $0 + 4 * $1.width * $1.height } }

  /// The texels themselves.
  package var pixels: UnsafePointer<UInt32> { UnsafePointer(memory) }

  var levelCount: Int { levels.count }

  /// 0 is the picture itself.
  func level(_ index: Int) -> TextureView { levels[index] }

  /// The level whose texels are nearest to a pixel's size, as GL_LINEAR_MIPMAP_NEAREST picks it.
  func level(texelsPerPixel: Float) -> Int {
    var level = 0
    var limit: Float = 1.41421356
    while level + 1 < levels.count && texelsPerPixel > limit {
      level += 1
      limit *= 2
    }
    return level
  }

  private static func halve(
    _ from: TextureView, into out: UnsafeMutablePointer<UInt32>, _ width: Int, _ height: Int
  ) {
    assert(width <= max(1, from.width) && height <= max(1, from.height), "a level larger than the one above")
    for y in 0..<height {
      let top = from.pixels + min(2 * y, from.height - 1) * from.stride
      let bottom = from.pixels + min(2 * y + 1, from.height - 1) * from.stride
      for x in 0..<width {
        let left = min(2 * x, from.width - 1)
        let right = min(2 * x + 1, from.width - 1)
        let low: UInt32 = 0x00FF_00FF
        let rb =
          (top[left] & low) &+ (top[right] & low) &+ (bottom[left] & low) &+ (bottom[right] & low)
          &+ 0x0002_0002
        let ga =
          (top[left] >> 8 & low) &+ (top[right] >> 8 & low) &+ (bottom[left] >> 8 & low)
          &+ (bottom[right] >> 8 & low) &+ 0x0002_0002
        out[y * width + x] = (rb >> 2 & low) | (ga >> 2 & low) << 8
      }
    }
  }
}
