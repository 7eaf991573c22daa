// Depth-buffered faces: triangles, and walls of four corners. Corners are rounded, to 1/256 pixel where edges
// are smooth and else to 1/16, as the reference's rasterizer has it. Edges are tested exactly in whole
// numbers, so that faces that share an edge neither overlap nor gape. In a row each edge bounds x from one
// side; the bounds are found by division (the numbers are whole and below 2^52, so that a Double's quotient
// has the right floor), and the span between them is walked with depth linear on the screen, and colour in
// perspective.
import NeatBase

/// How faces are drawn.
package struct FaceStyle: Sendable {
  /// Leave out faces that run clockwise on the frame (y down): those seen from behind.
  package var isCulled: Bool
  /// Of surfaces of the same layer that are equally far: the last one shows, or the first one, as with what
  /// lets something through; with smooth edges, those that cover a pixel in part come after those that cover
  /// it whole. Against layers before, the later one shows.
  package var laterWins = true
  package var pattern: PatternImage?
  /// Whether the triangles of a call lie in one plane. With smooth edges those that follow each other and
  /// share an edge are then drawn as one face, which has nothing to smooth inside.
  package var isPlane = false

  package init(isCulled: Bool) { self.isCulled = isCulled }
}

/// Draws faces of three or four corners (`corners` indices each) into the band that `layer` has begun. The
/// nearer one wins.
package func drawFaces(
  _ vertices: UnsafeBufferPointer<DepthVertex>, indices: UnsafeBufferPointer<UInt32>, corners: Int,
  _ style: FaceStyle, _ layer: DepthLayer
) {
  precondition(corners == 3 || corners == 4)
  let joins = corners == 3 && style.isPlane && layer.isSmooth
  var index = 0
  while index + corners <= indices.count {
    let (i, j, k) = (Int(indices[index]), Int(indices[index + 1]), Int(indices[index + 2]))
    let l = Int(indices[index + corners - 1])
    index += corners
    guard i < vertices.count, j < vertices.count, k < vertices.count, l < vertices.count else { continue }
    let (a, b, c, d) = (vertices[i], vertices[j], vertices[k], vertices[l])
    if joins, let face = joined(vertices, indices, index - 3) {
      index += 3
      drawFace(vertices[face.0], vertices[face.1], vertices[face.2], vertices[face.3], 4, style, layer)
      continue
    }
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
  if layer.isSmooth { return drawSnapped(first, second, third, fourth, corners, style, layer) }
  drawSnapped(first.coarse, second.coarse, third.coarse, fourth.coarse, corners, style, layer)
}

private func drawSnapped(
  _ first: DepthVertex, _ second: DepthVertex, _ third: DepthVertex, _ fourth: DepthVertex, _ corners: Int,
  _ style: FaceStyle, _ layer: DepthLayer
) {
  let (p, q, r, s) = (
    FaceOutline.wide(first.place), FaceOutline.wide(second.place), FaceOutline.wide(third.place),
    FaceOutline.wide(fourth.place)
  )
  // Twice the area, by the diagonals: a triangle is a face whose last two corners are one.
  let area = (r.x - p.x) * (s.y - q.y) - (r.y - p.y) * (s.x - q.x)
  if area == 0 || (style.isCulled && area > 0) { return }
  let low = pointwiseMin(pointwiseMin(p, q), pointwiseMin(r, s))
  let high = pointwiseMax(pointwiseMax(p, q), pointwiseMax(r, s))
  // Pixels whose centres it can have, or any of whose samples.
  let (before, after): (Int64, Int64) =
    layer.isSmooth ? (255 - SampleGrid.last, SampleGrid.first) : (127, 128)
  let top = max(Int64(layer.y0), (low.y + before) >> 8)
  let bottom = min(Int64(layer.y1) - 1, (high.y - after) >> 8)
  let left = max(0, (low.x + before) >> 8)
  let right = min(Int64(layer.width) - 1, (high.x - after) >> 8)
  if top > bottom || left > right { return }
  layer.touchedTop = min(layer.touchedTop, Int(top))
  layer.touchedBottom = max(layer.touchedBottom, Int(bottom) + 1)
  let surface = FaceSurface(first, second, third, fourth, area: area)
  if layer.isSmooth {
    let box = FaceBox(
      top: Int(top), bottom: Int(bottom), left: Int32(truncatingIfNeeded: left),
      right: Int32(truncatingIfNeeded: right))
    let places = (first.place, second.place, third.place, fourth.place)
    layer.drawSmooth(FaceOutline(corners: places, isTurned: area < 0, box: box), surface, style)
    return
  }
  let edges =
    area > 0
    ? FaceEdges(FaceEdge(p, q), FaceEdge(q, r), FaceEdge(r, s), FaceEdge(s, p), corners)
    : FaceEdges(FaceEdge(q, p), FaceEdge(r, q), FaceEdge(s, r), FaceEdge(p, s), corners)
  let columns = (Double(left), Double(right))
  for y in Int(top)...Int(bottom) {
    let (start, end) = edges.centers(y, columns)
    if start <= end { surface.drawRow(y, start, end, style, layer) }
  }
}

/// The corners of the face that two triangles make which share an edge, from a place in the indices on; nil
/// if they do not, or if it is not convex, or is to be cut.
private func joined(
  _ vertices: UnsafeBufferPointer<DepthVertex>, _ indices: UnsafeBufferPointer<UInt32>, _ place: Int
) -> (Int, Int, Int, Int)? {
  guard place + 6 <= indices.count else { return nil }
  func corner(_ number: Int) -> Int { Int(indices[place + number]) }
  let (i, j, k) = (corner(0), corner(1), corner(2))
  let (l, m, n) = (corner(3), corner(4), corner(5))
  /// The second triangle's corner across the edge from `b` to `c`, which it has the other way round.
  func across(_ b: Int, _ c: Int) -> Int? {
    (l == c && m == b) ? n : (m == c && n == b) ? l : (n == c && l == b) ? m : nil
  }
  let face: (Int, Int, Int, Int)
  if let o = across(j, k) {
    face = (i, j, o, k)
  } else if let o = across(k, i) {
    face = (j, k, o, i)
  } else if let o = across(i, j) {
    face = (k, i, o, j)
  } else {
    return nil
  }
  guard face.2 < vertices.count else { return nil }
  let (a, b, c, d) = (vertices[face.0], vertices[face.1], vertices[face.2], vertices[face.3])
  guard a.isInside && b.isInside && c.isInside && d.isInside else { return nil }
  return FaceOutline.isConvex(a.place, b.place, c.place, d.place) ? face : nil
}

/// One edge of a face, the inside on the left hand of y-down space: rise - 256·dy·x >= 0 inside, where `rise`
/// is linear in the row.
private struct FaceEdge {
  let dx: Double
  let dy: Double
  /// The rise of a point in the frame's corner.
  let rise: Double

  /// From corner to corner in 1/256 pixel.
  init(_ p: SIMD2<Int64>, _ q: SIMD2<Int64>) {
    let (dx, dy) = (q.x - p.x, q.y - p.y)
    // A point on the edge belongs to the face if the edge is a left or a bottom one, as in `PixelEdge`; what
    // has no length bounds nothing.
    let isOwn = dy < 0 || (dy == 0 && dx <= 0)
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

  /// Rounded down, for numbers below 2^51: adding 1.5 × 2^52 rounds.
  @inline(__always) private func floored(_ value: Double) -> Double {
    let rounded = (value + 6_755_399_441_055_744) - 6_755_399_441_055_744
    return rounded > value ? rounded - 1 : rounded
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
}
