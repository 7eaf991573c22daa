import NeatBase

/// An edge of a fill that crosses the centre of at least one row of the band.
package struct ScanEdge: BitwiseCopyable {
  /// x at the centre of `row`, and its change from a row to the next, in pixels with 32 bits of fraction.
  var x: Int64
  var step: Int64
  /// First row of the band, counted from its top, and one past the last.
  var row: Int32
  var end: Int32
  /// 1 where the edge goes down, 0 where it goes up.
  var winding: Int32
}

/// What drawing functions reuse from call to call. One a worker; not for concurrent use (which is why nothing
/// is checked here).
package final class RasterScratch: @unchecked Sendable {
  @exclusivity(unchecked) var edges = GrowingBuffer<ScanEdge>()
  @exclusivity(unchecked) var rowStarts = GrowingBuffer<Int32>()
  @exclusivity(unchecked) var crossings = GrowingBuffer<Int32>()
  /// How often the edges of a small shape wind, by rows.
  @exclusivity(unchecked) var windings = GrowingBuffer<UInt64>()

  /// For each pixel column of a glyph: the left texel (counted from one left of the bitmap), and the weight of the
  /// right one.
  @exclusivity(unchecked) var glyphColumns = GrowingBuffer<Int32>()
  @exclusivity(unchecked) var glyphFractions = GrowingBuffer<Float>()
  /// A row of a glyph's field between two texel rows, with zeros around it.
  @exclusivity(unchecked) var glyphRow = GrowingBuffer<Float>()
  /// A glyph's field with zeros around it.
  @exclusivity(unchecked) var glyphField = GrowingBuffer<UInt8>()
  @exclusivity(unchecked) var glyphSamples = GlyphSamples()

  package init() {}

  /// Bytes that it holds.
  package var byteCount: Int {
    edges.heldBytes + windings.heldBytes
      + (rowStarts.capacity + crossings.capacity + glyphColumns.capacity) * MemoryLayout<Int32>.stride
      + (glyphFractions.capacity + glyphRow.capacity) * MemoryLayout<Float>.stride
      + glyphField.heldBytes + glyphSamples.heldBytes
  }
}
