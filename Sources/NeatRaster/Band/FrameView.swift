import NeatBase

/// Where boxes lie in a frame that is not seen in perspective.
struct FrameView {
  /// Pixels around the frame that count as in it, for soft edges and what is rounded.
  private static let slack = 2.0

  private let projection: Projection
  private let width, height: Double

  init(_ projection: Projection, width: Int, height: Int) {
    self.projection = projection
    (self.width, self.height) = (Double(width), Double(height))
  }

  /// Whether nothing of a box, given by its middle and its half size, is in the frame or near it.
  @inline(__always)
  func misses(middle: SIMD2<Double>, half: SIMD2<Double>) -> Bool {
    let x = projection.xx * middle.x + projection.xy * middle.y + projection.x0
    let y = projection.yx * middle.x + projection.yy * middle.y + projection.y0
    let right = abs(projection.xx) * half.x + abs(projection.xy) * half.y + FrameView.slack
    let down = abs(projection.yx) * half.x + abs(projection.yy) * half.y + FrameView.slack
    return x + right < 0 || y + down < 0 || x - right > width || y - down > height
  }

  /// The same of a box from corner to corner: x0, y0, x1, y1.
  @inline(__always)
  func misses(_ box: SIMD4<Int32>) -> Bool {
    let (low, high) = (SIMD2<Double>(box.lowHalf), SIMD2<Double>(box.highHalf))
    return misses(middle: (low + high) / 2, half: (high - low) / 2)
  }
}
