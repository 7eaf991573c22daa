import NeatBase
import NeatRaster

/// Pixels of a raster tile or of an image source, ready to be drawn.
package final class RasterTile: Sendable {
  package let image: PixelImage
  let texture: Texture

  package init(_ image: PixelImage) {
    self.image = image
    texture = Texture(image)
  }

  var cost: Int { image.pixels.count * 2 + 256 }
}
