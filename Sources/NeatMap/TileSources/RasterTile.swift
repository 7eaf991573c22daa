import NeatBase
import NeatImage
import NeatRaster

/// Pixels of a raster tile or of an image source, ready to be drawn.
package final class RasterTile: Sendable {
  let texture: Texture
  private let hold: MemoryHold?

  /// Reads a picture. Throws what reading throws, and `outOfMemory` before anything is taken.
  /// - Parameters:
  ///   - mipmaps: whether there are smaller versions for where it is seen from afar: of tiles, not of image
  ///     sources, as MapLibre GL JS has it.
  ///   - memory: what the pixels are taken from.
  package convenience init(decoding bytes: [UInt8], mipmaps: Bool = false, memory: MemoryBudget)
    throws(NeatError)
  {
    // The picture and the texture with its smaller versions, a third of it, are there at the same time.
    let limits = ImageLimits(memory: memory, besides: mipmaps ? 6 : 4)
    try self.init(decodeImage(bytes, limits: limits), mipmaps: mipmaps)
  }

  /// A picture that is there, whose texels are taken from a budget.
  package convenience init(_ image: PixelImage, memory: MemoryBudget) throws(NeatError) {
    var image = image
    image.hold = try memory.take(
      image.pixels.count, for: "a picture of \(image.width)x\(image.height) pixels")
    self.init(image, mipmaps: false)
  }

  /// Takes over what the picture holds of a budget.
  private init(_ image: PixelImage, mipmaps: Bool) {
    texture = Texture(image, mipmaps: mipmaps)
    hold = image.hold
    hold?.shrink(to: texture.byteCount)
  }

  /// Bytes.
  var cost: Int { texture.byteCount + 256 }
}
