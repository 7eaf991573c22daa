import NeatBase
import NeatMap
import NeatRaster

@testable import NeatLive

extension LiveMap {
  /// The colour at a point of the picture: red, green, blue, alpha.
  func color(_ x: Int, _ y: Int) throws -> [UInt8] {
    let bitmap = try draw().bitmap
    return withExtendedLifetime(bitmap) {
      let pixel = bitmap.pixels[y * bitmap.width + x]
      return (0..<4).map { UInt8(truncatingIfNeeded: pixel >> (8 * $0)) }
    }
  }
}

extension PixelImage {
  /// A square of one colour.
  init(side: Int, color: [UInt8]) {
    self.init(
      width: side, height: side, pixels: Array((0..<side * side).map { _ in color }.joined()),
      isPremultiplied: true)
  }
}
