// Heatmaps as MapLibre draws them: kernels are summed in a buffer of a quarter of the frame's width and
// height, whose values then look up a colour ramp. A kernel is weight · 0.3989 · exp(-4.5 · d²), d the
// distance over the radius, on a square just large enough for it to fall to 1/255/16. The exponential is
// separable, so that a kernel costs one multiplication and one addition a cell. Cells add points in their
// order: the sum does not depend on the band.
import NeatBase

/// One point of a heatmap.
package struct HeatPoint: Sendable, BitwiseCopyable {
  /// Frame pixels.
  package var center: SIMD2<Float>
  /// Frame pixels, where the kernel has fallen to e^-4.5.
  package var radius: Float
  /// heatmap-weight × heatmap-intensity.
  package var weight: Float

  package init(center: SIMD2<Float>, radius: Float, weight: Float) {
    self.center = center
    self.radius = radius
    self.weight = weight
  }
}

/// The sums of one heatmap layer over a frame. Bands of it that do not overlap may be filled by different
/// threads; all must be before colours are read.
package final class HeatField: @unchecked Sendable {
  /// Frame pixels along a side of a cell.
  package static let cellSize = 4

  /// Cells.
  package let width: Int
  package let height: Int
  private let frameWidth: Int
  private let frameHeight: Int
  let values: UnsafeMutablePointer<Float>

  /// For a frame of this many pixels (at least 1 by 1).
  /// - Parameter cells: along both sides; nil: one to four pixels.
  package init(frameWidth: Int, frameHeight: Int, cells: Int? = nil) {
    precondition(frameWidth > 0 && frameHeight > 0)
    self.frameWidth = frameWidth
    self.frameHeight = frameHeight
    width = max(1, cells ?? frameWidth / HeatField.cellSize)
    height = max(1, cells ?? frameHeight / HeatField.cellSize)
    values = .allocate(capacity: width * height)
    values.initialize(repeating: 0, count: width * height)
  }

  deinit { values.deallocate() }

  /// Frame pixels a cell has exactly, where the frame does not divide by four.
  var cell: SIMD2<Float> { SIMD2(Float(frameWidth) / Float(width), Float(frameHeight) / Float(height)) }

  /// Adds points, whose kernels face the viewer, to the rows of cells `rows`.
  package func add(_ points: UnsafeBufferPointer<HeatPoint>, rows: Range<Int>) {
    assert(rows.lowerBound >= 0 && rows.upperBound <= height, "rows of no field")
    let scratch = UnsafeMutablePointer<Float>.allocate(capacity: width + 4)
    defer { scratch.deallocate() }
    for index in 0..<points.count {
      guard let kernel = Kernel(points[index], self) else { continue }
      let y0 = max(rows.lowerBound, kernel.y0)
      let y1 = min(rows.upperBound, kernel.y1)
      if y0 < y1, kernel.x0 < kernel.x1 { kernel.add(to: self, y0, y1, scratch) }
    }
  }
}

private struct Kernel {
  let center: SIMD2<Float>
  let peak: Float
  /// Kernel units of a frame pixel.
  let scale: Float
  let x0, y0, x1, y1: Int

  init?(_ point: HeatPoint, _ field: HeatField) {
    // Written so that NaN is refused too.
    guard let reach = HeatSheet.reach(weight: point.weight), point.radius > 0, point.radius < 65536,
      abs(point.center.x) < 1e6, abs(point.center.y) < 1e6
    else { return nil }
    peak = point.weight * 0.3989422804014327
    center = point.center
    scale = 1 / point.radius
    // Half the square's side; it takes the cells whose centres lie in it.
    let side = Float(reach) * point.radius
    let cell = field.cell
    func first(_ value: Float, _ limit: Int) -> Int {
      Int(bounded: min(max((value - 0.5).rounded(.up), 0), Float(limit)))
    }
    x0 = first((center.x - side) / cell.x, field.width)
    x1 = first((center.x + side) / cell.x, field.width)
    y0 = first((center.y - side) / cell.y, field.height)
    y1 = first((center.y + side) / cell.y, field.height)
  }

  func add(to field: HeatField, _ top: Int, _ bottom: Int, _ columns: UnsafeMutablePointer<Float>) {
    let cell = field.cell
    let count = x1 - x0
    assert(x0 >= 0 && x1 <= field.width && top >= 0 && bottom <= field.height, "cells of no field")
    for i in 0..<count {
      let d = ((Float(x0 + i) + 0.5) * cell.x - center.x) * scale
      columns[i] = expf(-4.5 * d * d)
    }
    for y in top..<bottom {
      let d = ((Float(y) + 0.5) * cell.y - center.y) * scale
      let factor = peak * expf(-4.5 * d * d)
      let row = field.values + y * field.width + x0
      for i in 0..<count { row[i] += factor * columns[i] }
    }
  }
}
