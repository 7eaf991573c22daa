import NeatBase

extension Transform {
  /// The globe that touches the plane at the camera's centre.
  /// - Parameters:
  ///   - local: logical pixels from the centre (x east, y south, z up) to device pixels, with depths between those of
  ///     a near and a far plane.
  ///   - plane: the unit square of Mercator to device pixels.
  static func globe(
    _ local: (_ near: Double, _ far: Double) -> Matrix4, plane: Matrix4, _ camera: Camera, _ latitude: Double,
    globeness: Double,
    worldSize: Double, distance: Double
  ) -> GlobeSurface {
    let (phi, lambda) = (latitude * .pi / 180, camera.center.lon * .pi / 180)
    let (sine, cosine) = (sin(phi), cos(phi))
    let (sl, cl) = (sin(lambda), cos(lambda))
    let radius = worldSize / (2 * .pi) / cosine
    // The sphere's axes in those at the camera's centre, whose origin lies a radius below it.
    let turn = Matrix4(
      columns: (
        SIMD4(cl, sine * sl, cosine * sl, 0), SIMD4(0, -cosine, sine, 0),
        SIMD4(-sl, sine * cl, cosine * cl, 0), SIMD4(0, 0, 0, 1)
      ))
    // All of the globe has a depth, as in MapLibre GL JS.
    let sphere =
      local(globeNear, distance + 2 * radius).translated(0, 0, -radius).scaled(radius, radius, radius) * turn
    let (heading, pitch) = (camera.heading * .pi / 180, camera.pitch * .pi / 180)
    let away = distance / radius
    let e = SIMD3(
      -sin(heading) * sin(pitch) * away, cos(heading) * sin(pitch) * away, cos(pitch) * away + 1)
    // Back by the transposed turn.
    let eye = SIMD3(
      cl * e.x + sine * sl * e.y + cosine * sl * e.z, -cosine * e.y + sine * e.z,
      -sl * e.x + sine * cl * e.y + cosine * cl * e.z)
    return GlobeSurface(
      sphere: sphere.columns, plane: plane.columns, globeness: globeness, eye: eye,
      center: Mercator.project(LonLat(camera.center.lon, latitude)), centerCosine: cosine, radius: radius,
      cameraToCenterDistance: distance)
  }

  /// Logical pixels from the eye within which nothing of a globe is drawn.
  private static let globeNear = 0.5

  /// x and y of z / w = x - y / w, of what stands on the ground.
  package var depthPlanes: SIMD2<Double> {
    func planes(_ near: Double, _ far: Double) -> SIMD2<Double> {
      SIMD2(far + near, 2 * far * near) / (far - near)
    }
    let flat = planes(Transform.nearPlane(size.logical.y), farDistance)
    guard let globe else { return flat }
    let round = planes(Transform.globeNear, cameraToCenterDistance + 2 * globe.radius)
    return globe.isWhole ? round : flat + (round - flat) * globeness
  }

  /// The same view of the plane.
  package var onPlane: Transform {
    globe == nil
      ? self : Transform(checked: camera, size, isMoving: isMoving, labelMargin: labelMargin, globeness: 0)
  }

  /// The ground under a device pixel in world coordinates, in the copy of the world that is nearest to the camera's
  /// centre: beside the globe, of the nearest point of its edge. Nil where a plane has none.
  package func ground(screen: SIMD2<Double>) -> SIMD2<Double>? {
    guard globe != nil else { return world(screen: screen) }
    let (place, _) = GlobeView(camera, size).place(screen / size.pixelRatio)
    let latitude = min(max(place.lat, -Mercator.maxLatitude), Mercator.maxLatitude)
    var world = Mercator.project(LonLat(place.lon, latitude)) * worldSize
    world.x += ((center.x - world.x) / worldSize).rounded() * worldSize
    return world
  }

  /// A tile on the globe; nil where the plane is what is seen.
  package func globeTile(_ id: OverscaledTileID) -> GlobeTile? { globe.map { GlobeTile($0, id) } }

  /// Device pixels of a place, and whether it is on the side that is seen; nil behind the eye.
  package func screen(place: LonLat) -> (point: SIMD2<Double>, isSeen: Bool)? {
    let square = Mercator.project(
      LonLat(place.lon, min(max(place.lat, -Mercator.maxLatitude), Mercator.maxLatitude)))
    guard let globe else { return screen(world: square * worldSize).map { ($0, true) } }
    let latitude = place.lat * .pi / 180, longitude = place.lon * .pi / 180
    let p = SIMD3(sin(longitude) * cos(latitude), sin(latitude), cos(longitude) * cos(latitude))
    let q = globe.project(p, plane: square)
    guard q.w > 0 else { return nil }
    return (SIMD2(q.x, q.y) / q.w, q.z >= 0)
  }
}

extension GlobeSurface {
  /// What lies flat on the globe around a place: from logical pixels of the camera's centre (x east, y south, z up),
  /// with the place at their origin, to device pixels. `plane` is the same on the plane.
  package func tangent(_ square: SIMD2<Double>, plane: Matrix4) -> Matrix4 {
    let p = GlobeSurface.sphere(square)
    let (east, south) = GlobeSurface.axes(p)
    func turned(_ v: SIMD3<Double>) -> SIMD4<Double> { sphere.0 * v.x + sphere.1 * v.y + sphere.2 * v.z }
    func mixed(_ flat: SIMD4<Double>, _ round: SIMD4<Double>) -> SIMD4<Double> {
      isWhole ? round : flat + (round - flat) * globeness
    }
    let flat = plane.columns
    return Matrix4(
      columns: (
        mixed(flat.0, turned(east) / radius), mixed(flat.1, turned(south) / radius),
        mixed(flat.2, turned(p) / radius), mixed(flat.3, turned(p) + sphere.3)
      ))
  }
}
