/// How large a picture is by its head, without decoding it: some kilobytes may say that they are a hundred million
/// pixels. PNG (2003, section 11.2.2), JPEG (T.81, B.2.2), WebP (RFC 9649).
enum IconSize {
  /// Width and height; nil where the bytes begin like none of the three.
  static func read(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    func has(_ text: String, _ at: Int) -> Bool { bytes.dropFirst(at).starts(with: text.utf8) }
    if has("PNG", 1), has("IHDR", 12) {
      guard let width = big(bytes, 16, 4), let height = big(bytes, 20, 4) else { return nil }
      return (width, height)
    }
    if has("RIFF", 0), has("WEBP", 8) { return webp(bytes, has) }
    return bytes.starts(with: [0xff, 0xd8]) ? jpeg(bytes) : nil
  }

  private static func webp(_ bytes: [UInt8], _ has: (String, Int) -> Bool) -> (width: Int, height: Int)? {
    if has("VP8X", 12) {
      guard let width = little(bytes, 24, 3), let height = little(bytes, 27, 3) else { return nil }
      return (width + 1, height + 1)
    }
    if has("VP8L", 12) {
      guard let bits = little(bytes, 21, 4) else { return nil }
      return (bits & 0x3fff + 1, bits >> 14 & 0x3fff + 1)
    }
    guard has("VP8 ", 12), let width = little(bytes, 26, 2), let height = little(bytes, 28, 2) else {
      return nil
    }
    return (width & 0x3fff, height & 0x3fff)
  }

  /// From segment to segment until that of a frame.
  private static func jpeg(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    var at = 2
    while at + 3 < bytes.count, bytes[at] == 0xff {
      let marker = bytes[at + 1]
      if marker == 0xff {
        at += 1
        continue
      }
      if (0xc0...0xcf).contains(marker), ![0xc4, 0xc8, 0xcc].contains(marker) {
        guard let height = big(bytes, at + 5, 2), let width = big(bytes, at + 7, 2) else { return nil }
        return (width, height)
      }
      guard let length = big(bytes, at + 2, 2) else { return nil }
      at += 2 + length
    }
    return nil
  }

  private static func big(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int? {
    guard at + count <= bytes.count else { return nil }
    return bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func little(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int? {
    guard at + count <= bytes.count else { return nil }
    return bytes[at..<at + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
