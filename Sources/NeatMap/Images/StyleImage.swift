import NeatBase
import NeatRaster

/// An image that a style can name: from a sprite or added by the application. Pixels are premultiplied RGBA,
/// or for signed distance fields whatever the sheet holds (the alpha channel is the distance).
///
/// It is a part of a sheet, which all images of a sprite share. What drawing takes is cut out of the sheet when it is
/// first drawn, so that images which no picture shows cost nothing but their sheet.
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
  private let part: ImagePart
  private let cut: CutImage

  /// - Parameter memory: what the pixels that are cut out are taken from; nil: they are counted elsewhere.
  package init(
    name: String, _ part: ImagePart, pixelRatio: Double, isSDF: Bool, memory: MemoryBudget? = nil,
    stretchX: [ClosedRange<Double>]? = nil, stretchY: [ClosedRange<Double>]? = nil,
    content: SIMD4<Double>? = nil, textFitWidth: String? = nil, textFitHeight: String? = nil
  ) {
    self.name = name
    (width, height) = (part.width, part.height)
    self.pixelRatio = pixelRatio
    self.isSDF = isSDF
    self.stretchX = stretchX
    self.stretchY = stretchY
    self.content = content
    self.textFitWidth = textFitWidth
    self.textFitHeight = textFitHeight
    self.part = part
    cut = CutImage(name, part, memory)
  }

  /// An image that is all of its sheet.
  package convenience init(
    name: String, width: Int, height: Int, pixelRatio: Double, isSDF: Bool, pixels: [UInt8],
    stretchX: [ClosedRange<Double>]? = nil, stretchY: [ClosedRange<Double>]? = nil,
    content: SIMD4<Double>? = nil, textFitWidth: String? = nil, textFitHeight: String? = nil
  ) {
    self.init(
      name: name,
      ImagePart(PixelImage(width: width, height: height, pixels: pixels, isPremultiplied: true)),
      pixelRatio: pixelRatio, isSDF: isSDF, stretchX: stretchX, stretchY: stretchY, content: content,
      textFitWidth: textFitWidth, textFitHeight: textFitHeight)
  }

  /// An image of an application. Throws `invalidArgument` for a pixel ratio that is not within 0 to 16; 0
  /// stands for 1.
  package convenience init(name: String, _ picture: PixelImage, pixelRatio: Double, isSDF: Bool)
    throws(NeatError)
  {
    try self.init(name: name, picture, StyleImageOptions(pixelRatio: pixelRatio, isSDF: isSDF))
  }

  /// A copy of its pixels.
  package var picture: PixelImage { part.copied() }

  /// Bytes of its pixels.
  package var byteCount: Int { 4 * width * height }

  /// Bytes that an image which is all of a picture takes at most once it is drawn: the picture, the pixels as drawing
  /// takes them, and a distance field.
  package static func byteCount(_ picture: PixelImage, isSDF: Bool) -> Int {
    2 * picture.pixels.count + (isSDF ? picture.width * picture.height : 0)
  }

  /// The same of this image.
  var drawnByteCount: Int { part.sheetByteCount + byteCount + (isSDF ? width * height : 0) }

  /// The pixels as drawing takes them. Throws `outOfMemory` where there is no room for them. Any thread, but not
  /// under a lock of a map's.
  func texture() throws(NeatError) -> Texture { try cut.texture() }

  /// The alpha channel of a distance field; nil for other images. The same as for `texture`.
  func field() throws(NeatError) -> UnsafePointer<UInt8>? { isSDF ? try cut.field() : nil }
}
