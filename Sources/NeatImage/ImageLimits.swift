import NeatBase

/// What a picture from outside may cost. Sizes are read from the header, by the library that decodes the picture, and
/// checked before pixels are allocated.
package struct ImageLimits: Sendable {
  /// Largest side, in pixels.
  package var maxSide: Int
  /// Largest width × height; a decoded picture takes 4 bytes a pixel.
  package var maxPixels: Int
  /// Largest encoded size, in bytes.
  package var maxBytes: Int
  /// What the picture's memory is taken from; nil: it is compared with what the process may have.
  package var memory: MemoryBudget?
  /// Bytes a pixel that the caller takes while it has the picture. They are held with the picture's.
  package var besides: Int

  package init(
    maxSide: Int = 16384, maxPixels: Int = 1 << 26, maxBytes: Int = 1 << 26, memory: MemoryBudget? = nil,
    besides: Int = 0
  ) {
    self.maxSide = maxSide
    self.maxPixels = maxPixels
    self.maxBytes = maxBytes
    self.memory = memory
    self.besides = besides
  }

  /// Throws unless a picture of this size may be decoded, and there is memory for it.
  /// - Parameters:
  ///   - format: as errors name it.
  ///   - working: bytes a pixel that the library which decodes it takes besides the pixels.
  /// - Returns: what is held of the budget while the picture is decoded.
  func admit(_ width: Int, _ height: Int, format: String, working: Int) throws(NeatError) -> MemoryHold? {
    guard width > 0, height > 0 else {
      throw NeatError(.image, "\(format) image of \(width)x\(height) pixels is empty")
    }
    guard width <= maxSide, height <= maxSide, width <= maxPixels / height else {
      throw NeatError(
        .limitExceeded,
        "\(format) image of \(width)x\(height) pixels is over the limit (side \(maxSide), pixels \(maxPixels))"
      )
    }
    let bytes = (4 + max(working, besides)) * width * height
    let words = "\(format) image of \(width)x\(height) pixels"
    if let memory { return try memory.take(bytes, for: words) }
    try ProcessMemory.require(bytes, for: words)
    return nil
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
