/// The rows of a frame that something may touch.
package struct FrameRows: Sendable, BitwiseCopyable {
  private var top, bottom: Float

  package static let all = FrameRows(top: -.infinity, bottom: .infinity)
  static let none = FrameRows(top: .infinity, bottom: -.infinity)

  @inline(__always) mutating func add(_ top: Float, _ bottom: Float) {
    self.top = min(self.top, top)
    self.bottom = max(self.bottom, bottom)
  }

  /// Whether it touches none of a band's.
  @inline(__always) package func misses(_ band: Band) -> Bool {
    bottom < Float(band.y0) || top > Float(band.y1)
  }
}
