import NeatBase
import NeatRaster

/// An image that a style can name: from a sprite or added by the application. Pixels are premultiplied RGBA,
/// or for signed distance fields whatever the sheet holds (the alpha channel is the distance).
package final class StyleImage: Sendable {
  package let name: String
  package let width: Int
  package let height: Int
  package let pixelRatio: Double
  package let isSDF: Bool
  /// Parts that may stretch, in image pixels from the left and from the top; nil: all of it.
  package let stretchX: [ClosedRange<Double>]?
  package let stretchY: [ClosedRange<Double>]?
  /// Where text may stand: left, top, right, bottom in image pixels.
  package let content: SIMD4<Double>?
  package let textFitWidth: String?
  package let textFitHeight: String?
  package let pixels: [UInt8]
  /// The pixels as drawing takes them.
  let texture: Texture
  /// The alpha channel of a distance field; nil for other images.
  nonisolated(unsafe) let field: UnsafeMutablePointer<UInt8>?

  package init(
    name: String, width: Int, height: Int, pixelRatio: Double, isSDF: Bool, pixels: [UInt8],
    stretchX: [ClosedRange<Double>]? = nil,
    stretchY: [ClosedRange<Double>]? = nil, content: SIMD4<Double>? = nil, textFitWidth: String? = nil,
    textFitHeight: String? = nil
  ) {
    precondition(pixels.count == width * height * 4)
    self.name = name
    self.width = width
    self.height = height
    self.pixelRatio = pixelRatio
    self.isSDF = isSDF
    self.stretchX = stretchX
    self.stretchY = stretchY
    self.content = content
    self.textFitWidth = textFitWidth
    self.textFitHeight = textFitHeight
    self.pixels = pixels
    texture = Texture(PixelImage(width: width, height: height, pixels: pixels, isPremultiplied: true))
    guard isSDF else {
      field = nil
      return
    }
    let field = UnsafeMutablePointer<UInt8>.allocate(capacity: width * height)
    for index in 0..<width * height { field[index] = pixels[index * 4 + 3] }
    self.field = field
  }

  /// An image of an application. Throws `invalidArgument` for a pixel ratio that is not within 0 to 16; 0
  /// stands for 1.
  package convenience init(name: String, _ picture: PixelImage, pixelRatio: Double, isSDF: Bool)
    throws(NeatError)
  {
    try self.init(name: name, picture, StyleImageOptions(pixelRatio: pixelRatio, isSDF: isSDF))
  }

  deinit { field?.deallocate() }
}
