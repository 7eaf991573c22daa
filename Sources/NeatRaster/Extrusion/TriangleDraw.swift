// Depth-buffered triangles. Corners are rounded to 1/256 pixel and edges tested exactly in integers with the
// top-left rule, so that triangles that share an edge neither overlap nor gape. In a row each edge bounds x
// from one side; the bounds are found by division, and the span between them is walked with depth linear on
// the screen, and colour in perspective.
import NeatBase

/// Draws triangles (each three indices) into the band that `layer` has begun. The nearer one wins; of equals,
/// the later.
///
/// - Parameter culled: leave out triangles that run clockwise on the frame (y down): those seen from behind.
package func drawTriangles(
  _ vertices: UnsafeBufferPointer<DepthVertex>, indices: UnsafeBufferPointer<UInt32>, culled: Bool,
  layer: DepthLayer
) {
  var index = 0
  while index + 2 < indices.count {
    let (i, j, k) = (Int(indices[index]), Int(indices[index + 1]), Int(indices[index + 2]))
    index += 3
    guard i < vertices.count, j < vertices.count, k < vertices.count else { continue }
    let (a, b, c) = (vertices[i], vertices[j], vertices[k])
    if isInside(a) && isInside(b) && isInside(c) {
      drawTriangle(a, b, c, culled, layer)
    } else {
      let ring = clipped([a, b, c])
      for corner in 2..<max(2, ring.count) {
        drawTriangle(ring[0], ring[corner - 1], ring[corner], culled, layer)
      }
    }
  }
}

/// Beyond this many pixels from the frame's corner triangles are cut, so that products fit 64 bits.
private let guardPixels: Float = 65536
private let nearW: Float = 1e-5

private func isInside(_ v: DepthVertex) -> Bool {
  let limit = guardPixels * v.position.w
  return v.position.w >= nearW && abs(v.position.x) <= limit && abs(v.position.y) <= limit
}

private func distance(_ p: SIMD4<Float>, _ plane: Int) -> Float {
  switch plane {
  case 0: p.w - nearW
  case 1: guardPixels * p.w - p.x
  case 2: guardPixels * p.w + p.x
  case 3: guardPixels * p.w - p.y
  default: guardPixels * p.w + p.y
  }
}

/// The polygon cut to the near plane and the guard square (Sutherland and Hodgman).
private func clipped(_ corners: [DepthVertex]) -> [DepthVertex] {
  var current = corners
  guard
    current.allSatisfy({
      $0.position.x.isFinite && $0.position.y.isFinite && $0.position.z.isFinite && $0.position.w.isFinite
    })
  else {
    return []
  }
  for plane in 0..<5 where !current.isEmpty {
    var next: [DepthVertex] = []
    var previous = current[current.count - 1]
    var before = distance(previous.position, plane)
    for corner in current {
      let here = distance(corner.position, plane)
      if (here >= 0) != (before >= 0) {
        let t = before / (before - here)
        next.append(
          DepthVertex(
            position: previous.position + (corner.position - previous.position) * t,
            color: previous.color + (corner.color - previous.color) * t))
      }
      if here >= 0 { next.append(corner) }
      previous = corner
      before = here
    }
    current = next
  }
  return current
}

/// One edge: a·x + b·y + c >= 0 inside, x and y pixel centres counted in whole pixels.
private struct Edge {
  let a, b, c: Int64

  /// From corner to corner in 1/256 pixel, the inside on the left hand of y-down space.
  init(_ p: SIMD2<Int64>, _ q: SIMD2<Int64>) {
    let dx = q.x - p.x
    let dy = q.y - p.y
    // cross(q - p, pixel - p), the pixel's centre being 256·x + 128.
    a = -dy * 256
    b = dx * 256
    // A centre on the edge belongs to the triangle if the edge is a left or a top one.
    let isOwn = dy < 0 || (dy == 0 && dx > 0)
    c = dx * (128 - p.y) - dy * (128 - p.x) - (isOwn ? 0 : 1)
  }

  /// Narrows `low...high` to the columns of row `y` inside.
  @inline(__always) func cut(_ y: Int64, _ low: inout Int64, _ high: inout Int64) {
    let rest = b &* y &+ c
    if a > 0 {
      // x >= -rest / a, rounded up.
      low = max(low, -floorDivide(rest, a))
    } else if a < 0 {
      high = min(high, floorDivide(rest, -a))
    } else if rest < 0 {
      high = low - 1
    }
  }

  private func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}

/// A quantity that is linear on the screen: value, and its change a pixel right and down, from the first
/// corner.
private struct Plane<T: SIMD> where T.Scalar == Float {
  let value: T
  let dx: T
  let dy: T
}

/// A corner in 1/256 pixel; nil where it is not a number. Corners that were cut to the guard square may lie
/// beyond it by what rounding leaves.
private func snapped(_ v: DepthVertex) -> SIMD2<Int64>? {
  let place = SIMD2(v.position.x, v.position.y) / v.position.w * 256
  guard place.x.isFinite, place.y.isFinite else { return nil }
  let limit = 2 * guardPixels * 256
  let held = place.clamped(lowerBound: SIMD2(repeating: -limit), upperBound: SIMD2(repeating: limit)).rounded(
    .toNearestOrAwayFromZero)
  return SIMD2(Int64(saturating: held.x), Int64(saturating: held.y))
}

private func drawTriangle(
  _ first: DepthVertex, _ second: DepthVertex, _ third: DepthVertex, _ culled: Bool, _ layer: DepthLayer
) {
  guard let p = snapped(first), var q = snapped(second), var r = snapped(third) else { return }
  var (b, c) = (second, third)
  let area = (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
  if area == 0 || (culled && area > 0) { return }
  if area < 0 {
    swap(&q, &r)
    swap(&b, &c)
  }
  let top = max(Int64(layer.y0), (min(p.y, q.y, r.y) + 127) >> 8)
  let bottom = min(Int64(layer.y1) - 1, (max(p.y, q.y, r.y) - 128) >> 8)
  let left = max(0, (min(p.x, q.x, r.x) + 127) >> 8)
  let right = min(Int64(layer.width) - 1, (max(p.x, q.x, r.x) - 128) >> 8)
  if top > bottom || left > right { return }
  let edges = (Edge(p, q), Edge(q, r), Edge(r, p))
  let surface = Surface(first, b, c, p, q, r)
  layer.touchedTop = min(layer.touchedTop, Int(top))
  layer.touchedBottom = max(layer.touchedBottom, Int(bottom) + 1)
  for y in top...bottom {
    var low = left
    var high = right
    edges.0.cut(y, &low, &high)
    edges.1.cut(y, &low, &high)
    edges.2.cut(y, &low, &high)
    if low <= high { surface.drawRow(Int(y), Int(low), Int(high), layer) }
  }
}

/// Depth and colour over a triangle.
private struct Surface {
  let x: Float
  let y: Float
  /// Depth, and 1 / w.
  let depth: Plane<SIMD2<Float>>
  /// Colour over w.
  let color: Plane<SIMD4<Float>>
  /// The one colour of a triangle whose corners agree.
  let flat: UInt32?

  init(
    _ a: DepthVertex, _ b: DepthVertex, _ c: DepthVertex, _ p: SIMD2<Int64>, _ q: SIMD2<Int64>,
    _ r: SIMD2<Int64>
  ) {
    x = Float(p.x) / 256
    y = Float(p.y) / 256
    let (qx, qy) = (Float(q.x - p.x) / 256, Float(q.y - p.y) / 256)
    let (rx, ry) = (Float(r.x - p.x) / 256, Float(r.y - p.y) / 256)
    let scale = 1 / (qx * ry - qy * rx)
    func plane<T: SIMD>(_ v0: T, _ v1: T, _ v2: T) -> Plane<T> where T.Scalar == Float {
      let d1 = v1 - v0
      let d2 = v2 - v0
      return Plane(value: v0, dx: (d1 * ry - d2 * qy) * scale, dy: (d2 * qx - d1 * rx) * scale)
    }
    func inverse(_ v: DepthVertex) -> Float { 1 / v.position.w }
    func depthAndInverse(_ v: DepthVertex) -> SIMD2<Float> { SIMD2(v.position.z, 1) * inverse(v) }
    depth = plane(depthAndInverse(a), depthAndInverse(b), depthAndInverse(c))
    color = plane(a.color * inverse(a), b.color * inverse(b), c.color * inverse(c))
    flat = a.color == b.color && b.color == c.color ? Surface.pack(a.color) : nil
  }

  @inline(__always) static func pack(_ color: SIMD4<Float>) -> UInt32 {
    let low = color.replacing(with: 0, where: color .< 0)
    let value = roundedBytes(low.replacing(with: 1, where: low .> 1) * 255)
    return value.x | value.y << 8 | value.z << 16 | value.w << 24
  }

  func drawRow(_ row: Int, _ low: Int, _ high: Int, _ layer: DepthLayer) {
    let dy = Float(row) + 0.5 - y
    let offset = (row - layer.y0) * layer.width
    let depths = layer.depth.base + offset
    let colors = layer.color.base + offset
    let start = depth.value + depth.dy * dy
    let startColor = color.value + color.dy * dy
    for column in low...high {
      let dx = Float(column) + 0.5 - x
      let here = start + depth.dx * dx
      if here.x <= depths[column] {
        depths[column] = here.x
        colors[column] = flat ?? Surface.pack((startColor + color.dx * dx) / here.y)
      }
    }
  }
}
