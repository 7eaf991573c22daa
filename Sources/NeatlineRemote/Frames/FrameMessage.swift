/// A frame as it goes to a page: what changed of a picture since the frame before, in rectangles, each a picture
/// file. Numbers are little-endian.
///
///     0  UInt8   1, the version of this layout
///     1  UInt8   flags: 1, the page has every pixel as it was drawn when it has painted this
///     2  UInt16  count of parts
///     4  UInt32  number of the frame, from 1 on
///     8  UInt32  count of the client's messages that were heeded before it was drawn
///     12 UInt16  width and height of the whole picture in pixels
///     16         the parts, one behind the other:
///          0  UInt16  x, y, width, height of the rectangle in pixels
///          8  UInt8   format: 1 PNG, 2 JPEG, 3 WebP
///          9  UInt8   flags: 1, every pixel is as it was drawn
///          10 UInt16  0
///          12 UInt32  count of the bytes of the file, which follow
package struct FrameMessage {
  package struct Part {
    package var rect: PixelRect
    /// 1 PNG, 2 JPEG, 3 WebP.
    package var format: UInt8
    package var isExact: Bool
    package var file: [UInt8]

    package init(_ rect: PixelRect, format: UInt8, isExact: Bool, file: [UInt8]) {
      (self.rect, self.format, self.isExact, self.file) = (rect, format, isExact, file)
    }
  }

  package var number: UInt32
  package var heeded: UInt32
  package var width: Int
  package var height: Int
  package var isExact: Bool
  package var parts: [Part]

  package init(
    number: UInt32, heeded: UInt32, width: Int, height: Int, isExact: Bool, parts: [Part]
  ) {
    (self.number, self.heeded, self.width, self.height) = (number, heeded, width, height)
    (self.isExact, self.parts) = (isExact, parts)
  }

  package static let headBytes = 16
  package static let partHeadBytes = 16

  /// Pictures have at most 16,384 pixels an edge, and fewer than 65,536 blocks.
  package var bytes: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(
      FrameMessage.headBytes + parts.reduce(0) { $0 + FrameMessage.partHeadBytes + $1.file.count })
    func put(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.littleEndian) { result += $0 }
    }
    result += [1, isExact ? 1 : 0]
    put(UInt16(parts.count))
    put(number)
    put(heeded)
    put(UInt16(width))
    put(UInt16(height))
    for part in parts {
      for side in [part.rect.x, part.rect.y, part.rect.width, part.rect.height] { put(UInt16(side)) }
      result += [part.format, part.isExact ? 1 : 0, 0, 0]
      put(UInt32(part.file.count))
      result += part.file
    }
    return result
  }
}
