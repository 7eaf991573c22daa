// Depth-buffered faces: triangles, and walls of four corners. Corners are rounded to 1/256 pixel and edges tested
// exactly in whole numbers with the top-left rule, so that faces that share an edge neither overlap nor gape. In a
// row each edge bounds x from one side; the bounds are found by division (the numbers are whole and below 2^52, so
// that a Double's quotient has the right floor), and the span between them is walked with depth linear on the
// screen, and colour in perspective.
import NeatBase

/// How faces are drawn.
package struct FaceStyle: Sendable {
  /// Leave out faces that run clockwise on the frame (y down): those seen from behind.
  package var isCulled: Bool
  /// Of surfaces of the same layer that are equally far: the last one shows, or the first one, as with what lets
  /// something through. Against layers before, the later one shows.
  package var laterWins = true
  package var pattern: PatternImage?

  package init(isCulled: Bool) { self.isCulled = isCulled }
}

/// Draws faces of three or four corners (`corners` indices each) into the band that `layer` has begun. The nearer one
/// wins.
package func drawFaces(
  _ vertices: UnsafeBufferPointer<DepthVertex>, indices: UnsafeBufferPointer<UInt32>, corners: Int,
  _ style: FaceStyle, _ layer: DepthLayer
) {
  precondition(corners == 3 || corners == 4)
  var index = 0
  while index + corners <= indices.count {
    let (i, j, k) = (Int(indices[index]), Int(indices[index + 1]), Int(indices[index + 2]))
    let l = Int(indices[index + corners - 1])
    index += corners
    guard i < vertices.count, j < vertices.count, k < vertices.count, l < vertices.count else { continue }
    let (a, b, c, d) = (vertices[i], vertices[j], vertices[k], vertices[l])
    if a.isInside && b.isInside && c.isInside && d.isInside {
      drawFace(a, b, c, d, corners, style, layer)
    } else {
      let ring = DepthVertex.clipped(corners == 4 ? [a, b, c, d] : [a, b, c])
      for corner in 2..<max(2, ring.count) {
        drawFace(ring[0], ring[corner - 1], ring[corner], ring[corner], 3, style, layer)
      }
    }
  }
}

/// Draws triangles (each three indices).
package func drawTriangles(
  _ vertices: UnsafeBufferPointer<DepthVertex>, indices: UnsafeBufferPointer<UInt32>, culled: Bool,
  layer: DepthLayer
) {
  drawFaces(vertices, indices: indices, corners: 3, FaceStyle(isCulled: culled), layer)
}

private func drawFace(
  _ first: DepthVertex, _ second: DepthVertex, _ third: DepthVertex, _ fourth: DepthVertex, _ corners: Int,
  _ style: FaceStyle, _ layer: DepthLayer
) {
  func wide(_ v: DepthVertex) -> SIMD2<Int64> { SIMD2(Int64(v.place.x), Int64(v.place.y)) }
  let (p, q, r, s) = (wide(first), wide(second), wide(third), wide(fourth))
  // Twice the area, by the diagonals: a triangle is a face whose last two corners are one.
  let area = (r.x - p.x) * (s.y - q.y) - (r.y - p.y) * (s.x - q.x)
  if area == 0 || (style.isCulled && area > 0) { return }
  let low = pointwiseMin(pointwiseMin(p, q), pointwiseMin(r, s))
  let high = pointwiseMax(pointwiseMax(p, q), pointwiseMax(r, s))
  // Pixels whose centres it can have, or any of whose samples.
  let (before, after): (Int64, Int64) = layer.isSmooth ? (0, 0) : (127, 128)
  let top = max(Int64(layer.y0), (low.y + before) >> 8)
  let bottom = min(Int64(layer.y1) - 1, (high.y - after) >> 8)
  let left = max(0, (low.x + before) >> 8)
  let right = min(Int64(layer.width) - 1, (high.x - after) >> 8)
  if top > bottom || left > right { return }
  let edges =
    area > 0
    ? FaceEdges(FaceEdge(p, q), FaceEdge(q, r), FaceEdge(r, s), FaceEdge(s, p), corners)
    : FaceEdges(FaceEdge(q, p), FaceEdge(r, q), FaceEdge(s, r), FaceEdge(p, s), corners)
  let surface = FaceSurface(first, second, third, fourth, area: area)
  layer.touchedTop = min(layer.touchedTop, Int(top))
  layer.touchedBottom = max(layer.touchedBottom, Int(bottom) + 1)
  let columns = (Double(left), Double(right))
  if layer.isSmooth {
    for y in Int(top)...Int(bottom) {
      let (starts, ends) = edges.samples(y, columns)
      surface.drawSamples(y, starts, ends, style, layer)
    }
    return
  }
  for y in Int(top)...Int(bottom) {
    let (start, end) = edges.centers(y, columns)
    if start <= end { surface.drawRow(y, start, end, style, layer) }
  }
}

/// Where the samples of a pixel lie, in 1/256 pixel from its corner.
enum SampleGrid {
  static let x = SIMD4<Double>(96, 224, 32, 160)
  static let y = SIMD4<Double>(32, 96, 160, 224)
}

/// One edge of a face, the inside on the left hand of y-down space: rise - 256·dy·x >= 0 inside, where `rise` is
/// linear in the row.
private struct FaceEdge {
  let dx: Double
  let dy: Double
  /// The rise of a point in the frame's corner.
  let rise: Double

  /// From corner to corner in 1/256 pixel.
  init(_ p: SIMD2<Int64>, _ q: SIMD2<Int64>) {
    let (dx, dy) = (q.x - p.x, q.y - p.y)
    // A point on the edge belongs to the face if the edge is a left or a top one.
    let isOwn = dy < 0 || (dy == 0 && dx > 0)
    // Corners are below 2^25, so that all of it is below 2^52.
    rise = Double(dy * p.x - dx * p.y - (isOwn ? 0 : 1))
    (self.dx, self.dy) = (Double(dx), Double(dy))
  }

  /// Narrows the columns to those whose centres are inside.
  @inline(__always) func cut(_ y: Double, _ low: inout Double, _ high: inout Double) {
    let rise = rise + dx * (256 * y + 128) - dy * 128
    if dy < 0 {
      low = max(low, -floored(rise / (-256 * dy)))
    } else if dy > 0 {
      high = min(high, floored(rise / (256 * dy)))
    } else if rise < 0 {
      high = low - 1
    }
  }

  /// The same for each of the four samples.
  @inline(__always) func cut(_ y: Double, _ low: inout SIMD4<Double>, _ high: inout SIMD4<Double>) {
    let rise = SampleGrid.y * dx - SampleGrid.x * dy + (self.rise + dx * (256 * y))
    if dy < 0 {
      low = pointwiseMax(low, 0 - floored(rise / (-256 * dy)))
    } else if dy > 0 {
      high = pointwiseMin(high, floored(rise / (256 * dy)))
    } else {
      high = high.replacing(with: low - 1, where: rise .< 0)
    }
  }

  /// Rounded down, for numbers below 2^51: adding 1.5 × 2^52 rounds.
  @inline(__always) private func floored(_ value: Double) -> Double {
    let rounded = (value + 6_755_399_441_055_744) - 6_755_399_441_055_744
    return rounded > value ? rounded - 1 : rounded
  }

  @inline(__always) private func floored(_ value: SIMD4<Double>) -> SIMD4<Double> {
    let rounded = (value + 6_755_399_441_055_744) - 6_755_399_441_055_744
    return rounded.replacing(with: rounded - 1, where: rounded .> value)
  }
}

/// The edges of a face of three or four corners.
private struct FaceEdges {
  let first, second, third, fourth: FaceEdge
  let isTriangle: Bool

  init(_ a: FaceEdge, _ b: FaceEdge, _ c: FaceEdge, _ d: FaceEdge, _ corners: Int) {
    // Of a triangle the edge between the last two corners is none.
    isTriangle = corners == 3
    (first, second, third, fourth) = (a, b, isTriangle ? d : c, d)
  }

  /// Columns of a row whose centres are inside.
  @inline(__always) func centers(_ row: Int, _ columns: (Double, Double)) -> (Int, Int) {
    var (low, high) = columns
    let y = Double(row)
    first.cut(y, &low, &high)
    second.cut(y, &low, &high)
    third.cut(y, &low, &high)
    if !isTriangle { fourth.cut(y, &low, &high) }
    // Held by the columns on one side each, and where they cross nothing is inside.
    return low <= high ? (Int(saturating: low), Int(saturating: high)) : (0, -1)
  }

  /// The same for each of the samples of a row's pixels.
  @inline(__always) func samples(_ row: Int, _ columns: (Double, Double)) -> (SIMD4<Int32>, SIMD4<Int32>) {
    var low = SIMD4(repeating: columns.0)
    var high = SIMD4(repeating: columns.1)
    let y = Double(row)
    first.cut(y, &low, &high)
    second.cut(y, &low, &high)
    third.cut(y, &low, &high)
    if !isTriangle { fourth.cut(y, &low, &high) }
    // What is empty is made so that it stays so as a whole number of few bits.
    let isEmpty = low .> high
    low.replace(with: columns.1 + 1, where: isEmpty)
    high.replace(with: columns.0 - 1, where: isEmpty)
    func whole(_ v: SIMD4<Double>) -> SIMD4<Int32> {
      let bits = unsafeBitCast(v + 6_755_399_441_055_744, to: SIMD4<Int64>.self)
      return SIMD4<Int32>(truncatingIfNeeded: bits)
    }
    return (whole(low), whole(high))
  }
}
