// Triangles of lines in perspective, or reaching far outside the frame: clipped against the near plane and a
// square around the frame, with what they interpolate. Attributes are linear in homogeneous coordinates, so
// cutting them there is exact; the rasterizer divides by w again.
import NeatBase

/// A corner of a triangle: pixels, 1/w and what is interpolated, each over w.
struct SoupVertex: BitwiseCopyable {
  var x: Float
  var y: Float
  var iw: Float
  /// Along a round cap, across the line, tile units along the line, and how much the view squeezes the
  /// extrusion; all over w.
  var nx: Float
  var ny: Float
  var distance: Float
  var gamma: Float
}

/// x·w, y·w, w, nx, ny, distance, gamma; on a globe, the side of its horizon.
typealias Corner = SIMD8<Double>

extension LineContents {
  mutating func addSoup(
    _ mesh: LineMesh, _ piece: LinePiece, _ view: LineView, _ shade: LineShade, offset: Float,
    _ range: Range<Int>
  ) {
    let vertices = mesh.vertices + Int(piece.vertexOffset)
    var ring: [Corner] = []
    var first = range.lowerBound
    while first < range.upperBound {
      let chunkEnd = min(first + LineContents.chunkIndices, range.upperBound)
      let firstVertex = soup.count
      var low = SIMD2<Float>(repeating: .infinity)
      var high = SIMD2<Float>(repeating: -.infinity)
      for triangle in stride(from: first, to: chunkEnd, by: 3) {
        ring.removeAll(keepingCapacity: true)
        for corner in 0..<3 {
          ring.append(
            LineContents.corner(vertices[Int(mesh.indices[triangle + corner])], view, shade, offset))
        }
        LineContents.clip(&ring, SIMD2(Double(view.width), Double(view.height)))
        if ring.count < 3 { continue }
        for corner in 1..<ring.count - 1 {
          let out = soup.extend(3)
          for (place, point) in [ring[0], ring[corner], ring[corner + 1]].enumerated() {
            out[place] = LineContents.vertex(point)
            low = pointwiseMin(low, SIMD2(out[place].x, out[place].y))
            high = pointwiseMax(high, SIMD2(out[place].x, out[place].y))
          }
        }
      }
      first = chunkEnd
      if soup.count == firstVertex { continue }
      if high.x < 0 || high.y < 0 || low.x > view.width || low.y > view.height {
        soup.removeLast(soup.count - firstVertex)
        continue
      }
      add(
        LineChunk(
          minX: low.x, minY: low.y, maxX: high.x, maxY: high.y, shade: Int32(shades.count - 1),
          first: Int32(firstVertex),
          end: Int32(soup.count), base: LineChunk.soup), view)
    }
  }

  static func vertex(_ corner: Corner) -> SoupVertex {
    let iw = 1 / corner[2]
    return SoupVertex(
      x: Float(corner[0] * iw), y: Float(corner[1] * iw), iw: Float(iw), nx: Float(corner[3] * iw),
      ny: Float(corner[4] * iw),
      distance: Float(corner[5] * iw), gamma: Float(corner[6] * iw))
  }

  private static func corner(_ vertex: LineVertex, _ view: LineView, _ shade: LineShade, _ offset: Float)
    -> Corner
  {
    let projection = view.projection
    let extrude =
      SIMD2(Double(vertex.extrude.x), Double(vertex.extrude.y)) * (Double(shade.outset) * view.unitsPerPixel)
    var place = SIMD2<Double>(vertex.position) + extrude
    if offset != 0 { place += view.offset(vertex, offset) }
    let p = projection.homogeneous(place.x, place.y)
    var gamma = 1.0
    if !projection.isAffine {
      // The extrusion's length on the screen, as if its own w did not change over it.
      let (halfWidth, halfHeight) = (Double(view.width) / 2, Double(view.height) / 2)
      let w = projection.wx * extrude.x + projection.wy * extrude.y
      let x = projection.xx * extrude.x + projection.xy * extrude.y - w * halfWidth
      let y = projection.yx * extrude.x + projection.yy * extrude.y - w * halfHeight
      let seen = (x * x + y * y).squareRoot() / abs(p.z) / view.pixelRatio
      let flat = (extrude * extrude).sum().squareRoot() / view.unitsPerPixel
      gamma = seen > 1e-9 ? flat / seen : 1
    }
    return Corner(
      p.x, p.y, p.z, vertex.isRound ? 1 : 0, vertex.isUp ? 1 : -1, Double(vertex.distance), gamma, 0)
  }

  /// Whether a corner lies before the eye, in the square around the frame and before a globe's horizon.
  @inline(__always) static func isWhollySeen(_ corner: Corner, _ size: SIMD2<Double>) -> Bool {
    (0..<6).allSatisfy { distance(corner, $0, size) >= 0 }
  }

  /// Distances to the planes that bound what is kept: near, and a square that leaves a margin around the
  /// frame.
  private static func distance(_ corner: Corner, _ plane: Int, _ size: SIMD2<Double>) -> Double {
    let margin = 4096.0
    return switch plane {
    case 0: corner[2] - HomogeneousClip.nearW
    case 1: corner[0] + margin * corner[2]
    case 2: (size.x + margin) * corner[2] - corner[0]
    case 3: corner[1] + margin * corner[2]
    case 4: (size.y + margin) * corner[2] - corner[1]
    default: corner[7]
    }
  }

  static func clip(_ ring: inout [Corner], _ size: SIMD2<Double>, isGlobe: Bool = false) {
    for plane in 0..<(isGlobe ? 6 : 5) {
      // A coordinate that is not a number is on no side.
      if ring.allSatisfy({ distance($0, plane, size) >= 0 }) { continue }
      var next: [Corner] = []
      for index in ring.indices {
        let (a, b) = (ring[index], ring[index + 1 == ring.count ? 0 : index + 1])
        let (da, db) = (distance(a, plane, size), distance(b, plane, size))
        if da >= 0 { next.append(a) }
        if (da >= 0 && db < 0) || (da < 0 && db >= 0) {
          let isOrdered = a[0] != b[0] ? a[0] < b[0] : a[1] < b[1]
          next.append(isOrdered ? a + (b - a) * (da / (da - db)) : b + (a - b) * (db / (db - da)))
        }
      }
      ring = next
      if ring.count < 3 { return }
    }
  }
}
