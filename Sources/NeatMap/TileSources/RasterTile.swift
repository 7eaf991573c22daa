import NeatBase
import NeatRaster

/// Pixels of a raster tile or of an image source, ready to be drawn.
package final class RasterTile: Sendable {
  package let image: PixelImage
  let texture: Texture

  /// - Parameter mipmaps: whether there are smaller versions for where it is seen from afar: of tiles, not of image
  ///   sources, as MapLibre GL JS has it.
  package init(_ image: PixelImage, mipmaps: Bool = false) {
    self.image = image
    texture = Texture(image, mipmaps: mipmaps)
  }

  // The picture itself, and the texture with its smaller versions.
  var cost: Int { image.pixels.count * 7 / 3 + 256 }
}
