/// What a picture from outside may cost. Sizes are read from the header and checked before pixels are
/// allocated.
package struct ImageLimits: Sendable {
  /// Largest side, in pixels.
  package var maxSide: Int
  /// Largest width × height; a decoded picture takes 4 bytes a pixel.
  package var maxPixels: Int
  /// Largest encoded size, in bytes.
  package var maxBytes: Int

  package init(maxSide: Int = 16384, maxPixels: Int = 1 << 26, maxBytes: Int = 1 << 26) {
    self.maxSide = maxSide
    self.maxPixels = maxPixels
    self.maxBytes = maxBytes
  }
}

/// The encodings that `decodeImage` reads.
package enum ImageFormat: Sendable, Equatable {
  case png, jpeg, webp

  /// The format that the first bytes announce, whatever the file is called.
  package init?(sniffing bytes: [UInt8]) {
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    if bytes.starts(with: png) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF] as [UInt8]) {
      self = .jpeg
    } else if bytes.count >= 12, bytes.starts(with: Array("RIFF".utf8)),
      bytes[8..<12].elementsEqual("WEBP".utf8)
    {
      self = .webp
    } else {
      return nil
    }
  }
}
