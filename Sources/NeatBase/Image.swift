/// A picture in memory: 8-bit RGBA, rows from the top, 4 bytes a pixel without padding.
package struct PixelImage: Sendable {
  package let width: Int
  package let height: Int
  /// Whether the colour channels are multiplied by alpha.
  package let isPremultiplied: Bool
  package var pixels: [UInt8]
  /// What the pixels hold of a budget; nil: they are not counted.
  package var hold: MemoryHold?

  package init(width: Int, height: Int, pixels: [UInt8], isPremultiplied: Bool) {
    precondition(pixels.count == width * height * 4)
    self.width = width
    self.height = height
    self.pixels = pixels
    self.isPremultiplied = isPremultiplied
  }
}
