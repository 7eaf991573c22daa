import NeatBase

extension GlyphStore {
  /// The PBF of 256 characters as a glyph server answers with it: glyphs of the ranges that were loaded, else drawn
  /// from the stack's fonts. A range without a glyph is one of none. Throws `invalidArgument` for a `first` that no
  /// range begins with.
  package func encodedRange(first: UInt32, fontStack: FontStackID) throws(NeatError) -> [UInt8] {
    guard first % 256 == 0, first <= 0x10FF00 else {
      throw NeatError(.invalidArgument, "no range of glyphs begins with the character \(first)")
    }
    let fonts = faces(of: fontStack)
    var stack = ProtobufWriter()
    stack.message(1, Array(name(of: fontStack).utf8))
    stack.message(2, Array("\(first)-\(first + 255)".utf8))
    for codepoint in first..<first + 256 {
      if let glyph = loadedGlyph(fontStack, codepoint) {
        let count = Int(glyph.bitmapWidth * glyph.bitmapHeight)
        stack.message(
          3, encoded(codepoint, glyph.metrics, UnsafeBufferPointer(start: glyph.pixels, count: count)))
      } else if let found = drawn(codepoint, fonts) {
        var metrics = found.metrics
        metrics.top -= Float(fonts.ascender)
        stack.message(3, found.pixels.withUnsafeBufferPointer { encoded(codepoint, metrics, $0) })
      }
    }
    var result = ProtobufWriter()
    result.message(1, stack.bytes)
    return result.bytes
  }

  /// Of the first face that has the character and can draw it.
  private func drawn(_ codepoint: UInt32, _ fonts: (faces: [FontFace], ascender: Int)) -> GlyphPicture? {
    for face in fonts.faces {
      let index = face.glyphIndex(codepoint)
      // A glyph that cannot be drawn is as good as none.
      if index != 0, let picture = try? face.distanceField(glyphIndex: index) { return picture }
    }
    return nil
  }

  private func encoded(_ codepoint: UInt32, _ metrics: GlyphMetrics, _ pixels: UnsafeBufferPointer<UInt8>)
    -> [UInt8]
  {
    func whole(_ value: Float) -> Int { Int(bounded: Double(value.rounded())) }
    var glyph = ProtobufWriter()
    glyph.number(1, UInt64(codepoint))
    if !pixels.isEmpty { glyph.message(2, Array(pixels)) }
    glyph.number(3, UInt64(max(0, whole(metrics.width))))
    glyph.number(4, UInt64(max(0, whole(metrics.height))))
    glyph.signed(5, whole(metrics.left))
    glyph.signed(6, whole(metrics.top))
    glyph.number(7, UInt64(max(0, whole(metrics.advance))))
    return glyph.bytes
  }
}

/// Writes fields of a protocol buffer.
private struct ProtobufWriter {
  private(set) var bytes: [UInt8] = []

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 128 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func number(_ field: UInt64, _ value: UInt64) {
    varint(field << 3)
    varint(value)
  }

  mutating func signed(_ field: UInt64, _ value: Int) {
    number(field, UInt64(bitPattern: Int64(value << 1 ^ value >> 63)))
  }

  mutating func message(_ field: UInt64, _ content: [UInt8]) {
    varint(field << 3 | 2)
    varint(UInt64(content.count))
    bytes += content
  }
}
