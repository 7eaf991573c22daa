import CHarfBuzz
import NeatBase

/// A glyph of a shaped run, in 24ths of an em, in the order of drawing from left to right.
package struct ShapedGlyph: Sendable, BitwiseCopyable {
  /// Index of the glyph in its font.
  package var glyphIndex: UInt32
  /// Index of the first of the run's characters that it belongs to.
  package var cluster: Int32
  package var advance: Float
  package var offsetX: Float
  /// Upwards.
  package var offsetY: Float
}

extension FontFace {
  /// Most characters in one run.
  package static let maxRunLength = 8192

  /// Shapes characters of one script and direction, given in logical order. More than `maxRunLength` of them
  /// are cut off.
  package func shape(_ codepoints: UnsafeBufferPointer<UInt32>, rightToLeft: Bool) -> [ShapedGlyph] {
    guard !codepoints.isEmpty else { return [] }
    return MemoryReserve.making { shapeOnce(codepoints, rightToLeft: rightToLeft) } ?? []
  }

  /// Nil where HarfBuzz lacks memory.
  private func shapeOnce(_ codepoints: UnsafeBufferPointer<UInt32>, rightToLeft: Bool) -> [ShapedGlyph]? {
    guard let start = codepoints.baseAddress else { return [] }
    let buffer = hb_buffer_create()!
    defer { hb_buffer_destroy(buffer) }
    let count = Int32(min(codepoints.count, FontFace.maxRunLength))
    hb_buffer_add_codepoints(buffer, start, count, 0, count)
    hb_buffer_set_direction(buffer, rightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
    hb_buffer_guess_segment_properties(buffer)
    hb_shape(font, buffer, nil, 0)
    guard hb_buffer_allocation_successful(buffer) != 0 else { return nil }
    var length: UInt32 = 0
    guard let infos = hb_buffer_get_glyph_infos(buffer, &length),
      let positions = hb_buffer_get_glyph_positions(buffer, &length)
    else {
      return []
    }
    return (0..<Int(length)).map { index in
      let position = positions[index]
      return ShapedGlyph(
        glyphIndex: infos[index].codepoint, cluster: Int32(infos[index].cluster),
        advance: Float(position.x_advance) / 64,
        offsetX: Float(position.x_offset) / 64, offsetY: Float(position.y_offset) / 64)
    }
  }
}
