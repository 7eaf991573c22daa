// Which stretches of a line need no look on a globe: those behind the horizon or beside the frame. The points of a
// stretch lie in a box of the Mercator square, and the box in a cap of the sphere: no way along the sphere is longer
// than the same way along the square, which is stretched everywhere. A cap is missed by a plane if its middle is
// farther outside than the cap is wide.

import NeatBase

struct GlobeLineCull {
  private let globe: LineGlobe
  /// What is seen lies where dot(xyz, p) + w >= 0, and how long xyz is.
  private let planes: InlineArray<5, SIMD4<Double>>
  private let lengths: InlineArray<5, Double>
  /// By how much a line's edge is farther than its points, along the sphere.
  private let past: Double

  /// - Parameter reach: logical pixels that lines go past their points.
  init(_ globe: LineGlobe, _ view: LineView, reach: Float) {
    self.globe = globe
    let (a, b, c, d) = globe.map.sphere
    // A pixel more, for what is rounded.
    let (right, bottom) = (Double(view.width) + 1, Double(view.height) + 1)
    func plane(_ value: (SIMD4<Double>) -> Double) -> SIMD4<Double> {
      SIMD4(value(a), value(b), value(c), value(d))
    }
    planes = [
      globe.map.horizon, plane { $0.x + $0.w }, plane { right * $0.w - $0.x }, plane { $0.y + $0.w },
      plane { bottom * $0.w - $0.y },
    ]
    lengths = InlineArray { [planes] in
      let p = planes[$0]
      return (p.x * p.x + p.y * p.y + p.z * p.z).squareRoot()
    }
    let units = Double(reach) * view.unitsPerPixel / globe.map.pixelScale
    let move = (globe.move * globe.move).sum().squareRoot()
    past = (units + move) * globe.unit * 2 * Double.pi
  }

  /// Whether nothing is seen of some triangles. On the way to the plane nobody knows.
  func misses(_ vertices: UnsafePointer<LineVertex>, _ indices: UnsafePointer<UInt16>, _ range: Range<Int>)
    -> Bool
  {
    guard globe.map.isWhole else { return false }
    var low = SIMD2<Float>(repeating: .infinity), high = SIMD2<Float>(repeating: -.infinity)
    for index in range {
      let place = vertices[Int(indices[index])].position
      low = place.replacing(with: low, where: low .< place)
      high = place.replacing(with: high, where: high .> place)
    }
    let half = SIMD2<Double>(high - low) / 2
    let width = (half * half).sum().squareRoot() * globe.unit * 2 * Double.pi + past
    let p = GlobeSurface.sphere(globe.place(SIMD2<Double>(low) + half))
    for number in 0..<5 {
      let plane = planes[number]
      if plane.x * p.x + plane.y * p.y + plane.z * p.z + plane.w < -lengths[number] * width { return true }
    }
    return false
  }
}
