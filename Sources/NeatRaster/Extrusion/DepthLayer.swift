import NeatBase

/// A corner of a triangle with depth.
package struct DepthVertex: Sendable, BitwiseCopyable {
  /// (x·w, y·w, z, w): frame pixels times w; z / w grows away from the viewer.
  package var position: SIMD4<Float>
  /// Premultiplied, 0...1.
  package var color: SIMD4<Float>

  package init(position: SIMD4<Float>, color: SIMD4<Float>) {
    self.position = position
    self.color = color
  }
}

/// Depth and colour of a band while triangles are drawn into it. Depth lasts for the frame, so that layers
/// hide each other; colour for one layer, so that the layer's opacity applies once. One a worker; not for
/// concurrent use.
package final class DepthLayer: @unchecked Sendable {
  var depth = GrowingBuffer<Float>()
  var color = GrowingBuffer<UInt32>()
  private(set) var width = 0
  private(set) var y0 = 0
  private(set) var y1 = 0
  /// Rows that this layer has touched.
  var touchedTop = 0
  var touchedBottom = 0

  package init() {}

  /// Bytes that it holds.
  package var byteCount: Int {
    depth.heldBytes + color.heldBytes
  }

  /// Starts a band of a frame: everything is infinitely far.
  package func begin(_ band: Band) {
    (width, y0, y1) = (band.width, band.y0, band.y1)
    let count = width * max(0, y1 - y0)
    depth.overwrite(count).update(repeating: .infinity, count: count)
    color.overwrite(count).update(repeating: 0, count: count)
    (touchedTop, touchedBottom) = (y1, y0)
  }

  /// Puts the layer's colours over the band, times `opacity` (0...1), and clears them for the next layer.
  package func composite(_ band: Band, opacity: Float) {
    precondition(band.y0 == y0 && band.y1 == y1 && band.width == width)
    assert(touchedTop >= y0 && touchedBottom <= y1, "rows of another band were touched")
    let cover = UInt32(saturating: min(max(opacity, 0), 1) * 255 + 0.5)
    for y in touchedTop..<max(touchedTop, touchedBottom) {
      let row = color.base + (y - y0) * width
      if cover > 0 { Blend.composite(band.row(y), row, width, opacity: cover) }
      row.update(repeating: 0, count: width)
    }
    (touchedTop, touchedBottom) = (y1, y0)
  }
}
