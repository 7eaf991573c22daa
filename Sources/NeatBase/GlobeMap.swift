// The numbers by which one frame's globe is projected, apart from the object that all tiles share: loops over many
// corners take them as a value and count no references.

package struct GlobeMap: BitwiseCopyable, Sendable {
  package typealias Columns = (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)

  /// The unit sphere (x 90° east of the null meridian, y north, z to longitude 0) to device pixels: (x·w, y·w, -, w).
  package let sphere: Columns
  /// The unit square of Mercator (and height in its units) to device pixels, as the plane has it.
  package let plane: Columns
  /// 1: a globe, above 0: on its way to the plane.
  package let globeness: Double
  /// Places p with dot(xyz, p) + w >= 0 are seen.
  package let horizon: SIMD4<Double>
  /// The cosine of the latitude of the camera's centre.
  package let centerCosine: Double

  package init(
    sphere: Columns, plane: Columns, globeness: Double, horizon: SIMD4<Double>, centerCosine: Double
  ) {
    self.sphere = sphere
    self.plane = plane
    self.globeness = globeness
    self.horizon = horizon
    self.centerCosine = centerCosine
  }

  /// Whether it is a globe and nothing of the plane.
  @inlinable @inline(__always) package var isWhole: Bool { globeness > 0.999 }

  /// How much larger the ground is at the camera's centre than at the equator of the same globe.
  @inlinable package var pixelScale: Double { 1 + (1 / centerCosine - 1) * globeness }

  /// By how much lines and circles are wider in tile units than at the equator, where the Mercator square is so much
  /// larger than there.
  @inlinable @inline(__always) package func thickness(stretch: Double) -> Double {
    isWhole ? stretch : 1 + (stretch - 1) * globeness
  }

  /// (x·w, y·w, side of the horizon, w) of a place of the sphere that is of `place` on the plane.
  @inlinable @inline(__always) package func project(
    _ p: SIMD3<Double>, plane place: SIMD2<Double>, height: Double = 0
  ) -> SIMD4<Double> {
    let q = raised(p, height)
    var result = mixed(q, place, height)
    result.z = horizon.x * q.x + horizon.y * q.y + horizon.z * q.z + horizon.w
    return result
  }

  /// The same of a place on the ground.
  @inlinable @inline(__always) package func project(_ point: GlobePoint) -> SIMD4<Double> {
    project(point.sphere, plane: point.place)
  }

  /// (x·w, y·w, depth, w) of the same: for what hides by its depth.
  @inlinable package func solid(_ p: SIMD3<Double>, plane place: SIMD2<Double>, height: Double)
    -> SIMD4<Double>
  {
    mixed(raised(p, height), place, height)
  }

  /// A place of the sphere so many metres above it.
  @inlinable @inline(__always) package func raised(_ p: SIMD3<Double>, _ height: Double) -> SIMD3<Double> {
    height == 0 ? p : p * (1 + height / Mercator.meanEarthRadius)
  }

  /// What lies at `q` on the globe and over `place` on the plane, as far as the globe has become one.
  @inlinable @inline(__always)
  package func mixed(_ q: SIMD3<Double>, _ place: SIMD2<Double>, _ height: Double) -> SIMD4<Double> {
    let round = sphere.0 * q.x + sphere.1 * q.y + sphere.2 * q.z + sphere.3
    guard !isWhole else { return round }
    let high = height / (Mercator.meanCircumference * centerCosine)
    let flat = plane.0 * place.x + plane.1 * place.y + plane.2 * high + plane.3
    return flat + (round - flat) * globeness
  }
}

/// A place of the sphere that knows what is near it: sines and powers are found once, and places a little aside by
/// their series.
package struct GlobePoint: BitwiseCopyable, Sendable {
  /// Of the unit square.
  package let place: SIMD2<Double>
  @usableFromInline let e: Double
  @usableFromInline let sine: Double
  @usableFromInline let cosine: Double

  package init(_ place: SIMD2<Double>) {
    self.place = place
    e = exp((0.5 - place.y) * 2 * Double.pi)
    let longitude = (place.x - 0.5) * 2 * Double.pi
    (sine, cosine) = (sin(longitude), cos(longitude))
  }

  @inlinable @inline(__always)
  package init(_ place: SIMD2<Double>, _ e: Double, _ sine: Double, _ cosine: Double) {
    (self.place, self.e, self.sine, self.cosine) = (place, e, sine, cosine)
  }

  /// How much larger the Mercator square is here than at the equator.
  @inlinable @inline(__always) package var stretch: Double { (e + 1 / e) / 2 }

  @inlinable @inline(__always) package var sphere: SIMD3<Double> {
    let inverse = 1 / e, share = 1 / (e + inverse)
    return SIMD3(sine * 2 * share, (e - inverse) * share, cosine * 2 * share)
  }

  /// The place that lies so far aside on the unit square.
  @inlinable @inline(__always) package func moved(_ way: SIMD2<Double>) -> GlobePoint {
    let (x, y) = (way.x * 2 * Double.pi, way.y * -2 * Double.pi)
    // The first terms that are left out are below 1e-11.
    guard abs(x) < 0.02, abs(y) < 0.02 else { return GlobePoint(place + way) }
    let s = x * (1 - x * x / 6 * (1 - x * x / 20)), c = 1 - x * x / 2 * (1 - x * x / 12)
    let power = 1 + y * (1 + y / 2 * (1 + y / 3 * (1 + y / 4 * (1 + y / 5))))
    return GlobePoint(place + way, e * power, sine * c + cosine * s, cosine * c - sine * s)
  }
}
