// The globe of one frame: from places of the Mercator square, and from tiles, over the unit sphere to device pixels.
//
// Behaviour after MapLibre GL JS's globe: between globe and plane homogeneous pixels are mixed, and a plane through
// the horizon parts what is seen from what lies behind. What is drawn on the globe (and what is draped over terrain on
// it) goes through `GlobeTile.project`; nothing else knows how a tile comes to lie on the sphere.

/// How one frame shows the globe. Immutable; shared by all tiles of the frame.
package final class GlobeSurface: Sendable {
  package typealias Columns = GlobeMap.Columns

  /// How places come to lie on the frame.
  package let map: GlobeMap
  package var sphere: Columns { map.sphere }
  package var plane: Columns { map.plane }
  package var globeness: Double { map.globeness }
  package var horizon: SIMD4<Double> { map.horizon }
  /// The eye, in radii from the sphere's middle, in the axes of the sphere.
  package let eye: SIMD3<Double>
  /// The camera's centre on the unit square.
  package let center: SIMD2<Double>
  package var centerCosine: Double { map.centerCosine }
  /// Logical pixels.
  package let radius: Double
  /// Logical pixels from the eye to the camera's centre.
  package let cameraToCenterDistance: Double
  /// What drawing finds from it once for all bands of a frame.
  package let derived = Locked<(any AnyObject & Sendable)?>(nil)

  package init(
    sphere: Columns, plane: Columns, globeness: Double, eye: SIMD3<Double>, center: SIMD2<Double>,
    centerCosine: Double, radius: Double, cameraToCenterDistance: Double
  ) {
    self.eye = eye
    self.center = center
    self.radius = radius
    self.cameraToCenterDistance = cameraToCenterDistance
    let distance = (eye * eye).sum().squareRoot()
    let toEye = eye / distance
    // While the globe flattens, the plane that cuts the far side off withdraws behind it.
    let share = min(max((globeness - 0.2) / 0.8, 0), 1)
    let withdrawn = share > 0 ? min(1 / share - 1, 4) : 4
    map = GlobeMap(
      sphere: sphere, plane: plane, globeness: globeness, horizon: SIMD4(toEye, withdrawn - 1 / distance),
      centerCosine: centerCosine)
  }

  package var isWhole: Bool { map.isWhole }

  /// A place of the unit square on the unit sphere. Beyond the square's upper and lower edge: the poles.
  @inline(__always) package static func sphere(_ place: SIMD2<Double>) -> SIMD3<Double> {
    let angle = (0.5 - place.y) * 2 * Double.pi
    let e = exp(angle), inverse = 1 / e
    let cosine = 2 / (e + inverse), sine = (e - inverse) / (e + inverse)
    let longitude = (place.x - 0.5) * 2 * Double.pi
    return SIMD3(sin(longitude) * cosine, sine, cos(longitude) * cosine)
  }

  /// The cosine of the latitude of a row of the unit square: how much smaller a circle of latitude is than the equator.
  @inline(__always) package static func circumference(_ y: Double) -> Double {
    let e = exp((0.5 - y) * 2 * Double.pi)
    return 2 / (e + 1 / e)
  }

  /// (x·w, y·w, side of the horizon, w) of a place of the sphere that is of `place` on the plane.
  @inline(__always) package func project(_ p: SIMD3<Double>, plane place: SIMD2<Double>, height: Double = 0)
    -> SIMD4<Double>
  {
    map.project(p, plane: place, height: height)
  }

  /// (x·w, y·w, depth, w) of the same: for what hides by its depth.
  package func solid(_ p: SIMD3<Double>, plane place: SIMD2<Double>, height: Double) -> SIMD4<Double> {
    map.solid(p, plane: place, height: height)
  }

  /// The directions east and south at a place of the sphere; none at the poles.
  package static func axes(_ p: SIMD3<Double>) -> (east: SIMD3<Double>, south: SIMD3<Double>) {
    let length = max((p.x * p.x + p.z * p.z).squareRoot(), 1e-12)
    let east = SIMD3(p.z, 0, -p.x) / length
    let south = SIMD3(
      east.y * p.z - east.z * p.y, east.z * p.x - east.x * p.z, east.x * p.y - east.y * p.x)
    return (east, south)
  }

  /// A pole: seen only at the very end of the way to the globe.
  package func pole(north: Bool) -> SIMD4<Double> {
    let p = SIMD3(0.0, north ? 1 : -1, 0)
    var result = sphere.0 * p.x + sphere.1 * p.y + sphere.2 * p.z + sphere.3
    result.z = horizon.y * p.y + horizon.w
    return result
  }

  /// How much larger the ground is at the camera's centre than at the equator of the same globe.
  package var pixelScale: Double { map.pixelScale }

  /// Whether poles are shown: past the last fiftieth of the way to the plane they are not.
  package var hasPoles: Bool { globeness > 0.98 }

  /// The place of the unit square that is antipodal to the middle of what is seen.
  package var antipode: SIMD2<Double> {
    GlobeSurface.place(SIMD3(-horizon.x, -horizon.y, -horizon.z))
  }

  /// The place of the unit square of a direction of the sphere.
  package static func place(_ p: SIMD3<Double>) -> SIMD2<Double> {
    let length = (p * p).sum().squareRoot()
    let sine = min(max(p.y / length, -1), 1)
    // atanh, without its pole.
    let y = 0.5 - 0.25 / Double.pi * log((1 + sine) / max(1 - sine, 1e-300))
    return SIMD2(0.5 + atan2(p.x, p.z) / (2 * Double.pi), y)
  }
}

/// A tile on the globe: units of the tile to device pixels.
package struct GlobeTile: Sendable, Equatable {
  package let surface: GlobeSurface
  /// The tile's north-west corner on the unit square, in its copy of the world, and a tile unit there.
  package let origin: SIMD2<Double>
  package let unit: Double
  package let id: TileID

  package init(_ surface: GlobeSurface, _ id: OverscaledTileID) {
    self.surface = surface
    self.id = id.canonical
    let count = Double(UInt64(1) << UInt64(id.canonical.z))
    origin = SIMD2(Double(id.canonical.x) / count + Double(id.wrap), Double(id.canonical.y) / count)
    unit = 1 / (count * TileUnits.extent)
  }

  package static func == (a: GlobeTile, b: GlobeTile) -> Bool {
    a.surface === b.surface && a.origin == b.origin && a.unit == b.unit
  }

  /// The place of the unit square.
  @inline(__always) package func place(_ u: Double, _ v: Double) -> SIMD2<Double> {
    origin + SIMD2(u, v) * unit
  }

  /// (x·w, y·w, side of the horizon (0 and more: seen), w) in device pixels of a place of the tile, `height` metres
  /// above the ground.
  @inline(__always) package func project(_ u: Double, _ v: Double, height: Double = 0) -> SIMD4<Double> {
    let place = place(u, v)
    return surface.project(GlobeSurface.sphere(place), plane: place, height: height)
  }

  /// The same of a place of the unit square on the ground.
  @inline(__always) package func project(_ point: GlobePoint) -> SIMD4<Double> {
    surface.project(point.sphere, plane: point.place)
  }

  /// (x·w, y·w, depth, w) of a place of the tile, `height` metres above the ground: for what hides by its depth.
  package func solid(_ u: Double, _ v: Double, height: Double) -> SIMD4<Double> {
    let place = place(u, v)
    return surface.solid(GlobeSurface.sphere(place), plane: place, height: height)
  }

  /// The same of a pole, which a tile at the northern or southern edge of the square reaches. On the way to the plane
  /// poles lie as far beyond that edge as MapLibre GL JS has them: four tiles.
  package func solidPole(_ u: Double, north: Bool) -> SIMD4<Double> {
    let place = place(u, TileUnits.extent * (north ? -4 : 4))
    return surface.solid(SIMD3(0, north ? 1 : -1, 0), plane: place, height: 0)
  }

  /// A direction in the axes at the camera's centre (x east, y south, z up) in those at a place of the tile.
  package func turned(_ direction: SIMD3<Double>, _ u: Double, _ v: Double) -> SIMD3<Double> {
    let (cu, tu) = (GlobeSurface.sphere(surface.center), GlobeSurface.sphere(place(u, v)))
    let ((ce, cs), (te, ts)) = (GlobeSurface.axes(cu), GlobeSurface.axes(tu))
    let world = ce * direction.x + cs * direction.y + cu * direction.z
    let there = SIMD3((world * te).sum(), (world * ts).sum(), (world * tu).sum())
    return direction + (there - direction) * surface.globeness
  }

  /// The same for the place moved in tile units.
  package func moved(u: Double, v: Double) -> GlobeTile {
    GlobeTile(surface: surface, origin: origin + SIMD2(u, v) * unit, unit: unit, id: id)
  }

  private init(surface: GlobeSurface, origin: SIMD2<Double>, unit: Double, id: TileID) {
    self.surface = surface
    self.origin = origin
    self.unit = unit
    self.id = id
  }

  /// By how much lines and circles are wider in tile units than at the equator, where the tile's row is `v`.
  @inline(__always) package func thickness(_ v: Double) -> Double {
    thickness(stretch: 1 / GlobeSurface.circumference(origin.y + v * unit))
  }

  /// The same where the Mercator square is so much larger than at the equator.
  @inline(__always) package func thickness(stretch: Double) -> Double {
    surface.map.thickness(stretch: stretch)
  }

  /// Whether the tile reaches the northern (southern) edge of the Mercator square.
  package var isNorthmost: Bool { id.y == 0 }
  package var isSouthmost: Bool { UInt64(id.y) + 1 == UInt64(1) << UInt64(id.z) }
}
