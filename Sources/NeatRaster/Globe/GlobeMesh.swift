// The sphere as a mesh of 128 by 128 cells of the Mercator square, each of two triangles, and of triangles to the
// poles: what MapLibre GL JS draws low zooms with. Where the globe's edge is seen, the chords of that mesh tell from
// the sphere; a pixel is taken to its triangle, and a place is what the corners' places are there.

import NeatBase

enum GlobeMesh {
  static let cells = 128

  private static let corners: [SIMD3<Double>] = {
    var result: [SIMD3<Double>] = []
    result.reserveCapacity((cells + 1) * (cells + 1))
    for y in 0...cells {
      for x in 0...cells {
        result.append(point(SIMD2(Double(x), Double(y)) / Double(cells)))
      }
    }
    return result
  }()

  /// A place of the unit square on the unit sphere, by the sine that the reference's rasterizer has: which pixels the
  /// globe's outline takes hangs on it. It is off by 0.0002 of the radius at most, an eighth of a pixel at these zooms.
  private static func point(_ place: SIMD2<Double>) -> SIMD3<Double> {
    let latitude = atan(exp((0.5 - place.y) * 2 * Double.pi)) / Double.pi - 0.25
    let longitude = place.x - 0.5
    let cosine = sine(latitude + 0.25)
    return SIMD3(sine(longitude) * cosine, sine(latitude), sine(longitude + 0.25) * cosine)
  }

  /// The sine of so many turns: the odd polynomial of fifth degree that is exact at 0, 30, 60 and 90 degrees
  /// (SwiftShader's, "Sin-Cos-Optimization").
  static func sine(_ turns: Double) -> Double {
    let away = 0.25 - turns
    let x = 0.25 - abs(away - away.rounded())
    let (root, square) = (3.0.squareRoot(), x * x)
    let (a, b, c) = ((47 - 9 * root) / 5, 288 * root - 540, (36288 - 20736 * root) / 5)
    return x * (a + square * (b + square * c))
  }

  /// A point of the grid on the unit sphere.
  @inline(__always) static func corner(_ x: Int, _ y: Int) -> SIMD3<Double> { corners[y * (cells + 1) + x] }

  /// A triangle, and the places of its corners in cells.
  struct Triangle {
    var a, b, c: SIMD3<Double>
    var pa, pb, pc: SIMD2<Double>
  }

  /// One of a cell's two triangles; rows before the first and past the last lead to the poles.
  static func triangle(_ x: Int, _ y: Int, isSecond: Bool) -> Triangle {
    let column = ((x % cells) + cells) % cells
    func corner(_ dx: Int, _ dy: Int) -> SIMD3<Double> { corners[(y + dy) * (cells + 1) + column + dx] }
    let (left, top) = (Double(x), Double(y))
    if y < 0 || y >= cells {
      let row = y < 0 ? 0 : cells
      let (west, east) = (
        corners[row * (cells + 1) + column], corners[row * (cells + 1) + column + 1]
      )
      let edge = Double(row)
      return Triangle(
        a: west, b: east, c: SIMD3(0, y < 0 ? 1 : -1, 0), pa: SIMD2(left, edge), pb: SIMD2(left + 1, edge),
        pc: SIMD2(left + 1, edge + (y < 0 ? -1 : 1)))
    }
    if isSecond {
      return Triangle(
        a: corner(1, 0), b: corner(0, 1), c: corner(1, 1), pa: SIMD2(left + 1, top), pb: SIMD2(left, top + 1),
        pc: SIMD2(left + 1, top + 1))
    }
    return Triangle(
      a: corner(0, 0), b: corner(0, 1), c: corner(1, 0), pa: SIMD2(left, top), pb: SIMD2(left, top + 1),
      pc: SIMD2(left + 1, top))
  }

  @inline(__always) static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  /// The point of the mesh in a plane `height` along `axis` from the sphere's middle, in the direction `out` within it.
  static func edge(_ axis: SIMD3<Double>, _ height: Double, _ out: SIMD3<Double>) -> SIMD3<Double> {
    let reach = max(0, 1 - height * height).squareRoot()
    let middle = axis * height
    let round = middle + out * reach
    let at = GlobeSurface.place(round) * Double(cells)
    let x = Int(bounded: at.x.rounded(.down)), y = min(max(Int(bounded: at.y.rounded(.down)), -1), cells)
    let isSecond = at.x - Double(x) + at.y - Double(y) > 1
    let t = triangle(x, y, isSecond: isSecond && y >= 0 && y < cells)
    let normal = cross(t.b - t.a, t.c - t.a)
    let along = (normal * out).sum()
    guard along != 0 else { return round }
    let length = (normal * (t.a - middle)).sum() / along
    // No chord is further from the sphere than this.
    return abs(length - reach) < 0.01 ? middle + out * length : round
  }
}
