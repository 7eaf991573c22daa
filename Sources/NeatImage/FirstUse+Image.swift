import NeatBase

extension FirstUse {
  /// Encodes two small pictures, one of few colours and one of many: code, tables and types are there for a first
  /// picture then, which all threads encode together while nothing else is left to do.
  package static func encodePictures() {
    let (width, height) = (64, 16)
    for colors in [UInt32(30), 900] {
      // Opaque, and now and then the same as before.
      let pixels = (0..<UInt32(width * height)).map { 0xFF00_0000 | (($0 / 3) &* 7 % colors) &* 977 }
      pixels.withUnsafeBufferPointer {
        guard let base = $0.baseAddress else { return }
        note(pngFile(PixelRows(base, width: width, height: height), premultiplied: true).count)
      }
    }
  }
}
