import NeatBase

/// A rectangle of a sheet.
package struct ImagePart: Sendable {
  private let sheet: PixelImage
  private let x: Int
  private let y: Int
  package let width: Int
  package let height: Int

  /// The rectangle lies within the sheet.
  init(_ sheet: PixelImage, x: Int, y: Int, width: Int, height: Int) {
    precondition(x >= 0 && y >= 0 && width > 0 && height > 0, "a part of a sheet has pixels")
    precondition(x + width <= sheet.width && y + height <= sheet.height, "a part lies within its sheet")
    (self.sheet, self.x, self.y, self.width, self.height) = (sheet, x, y, width, height)
  }

  /// All of a picture.
  init(_ picture: PixelImage) {
    (sheet, x, y, width, height) = (picture, 0, 0, picture.width, picture.height)
  }

  /// Bytes of the sheet.
  var sheetByteCount: Int { sheet.pixels.count }

  /// Calls the body with each row: its number, and its pixels.
  func forEachRow(_ body: (Int, UnsafeRawBufferPointer) -> Void) {
    sheet.pixels.withUnsafeBytes { bytes in
      for row in 0..<height {
        let start = ((y + row) * sheet.width + x) * 4
        body(row, UnsafeRawBufferPointer(rebasing: bytes[start..<start + width * 4]))
      }
    }
  }

  /// A picture of its own.
  func copied() -> PixelImage {
    if width == sheet.width, height == sheet.height { return sheet }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 4)
    forEachRow { pixels.append(contentsOf: $1) }
    return PixelImage(width: width, height: height, pixels: pixels, isPremultiplied: sheet.isPremultiplied)
  }
}
