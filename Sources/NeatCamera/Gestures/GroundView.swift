import NeatBase

/// A place as fingers hold it.
enum HeldGround: Sendable, Hashable {
  /// In the unit square, which goes on to the east and west.
  case plane(SIMD2<Double>)
  case globe(LonLat)
}

/// The ground as fingers hold it: which place is under a point of the screen, and which camera shows it under another.
/// Points near and above the horizon of the plane, and beside the globe, stand for the nearest that have ground.
struct GroundView {
  private enum Kind {
    case plane(PlaneGround)
    case globe(GlobeView)
  }

  let camera: Camera
  private let kind: Kind

  /// The camera and the size have been checked.
  init(_ camera: Camera, _ size: ViewSize, on projection: MapProjection) {
    self.camera = camera
    switch projection {
    case .mercator: kind = .plane(PlaneGround(camera, size))
    case .globe: kind = .globe(GlobeView(camera, size))
    }
  }

  /// Where the centre is seen, in logical pixels.
  var middle: SIMD2<Double> {
    switch kind {
    case .plane(let plane): plane.frame.middle
    case .globe(let globe): globe.frame.middle
    }
  }

  /// Whether there is no ground to hold at a point of the screen.
  func isAboveHorizon(_ point: SIMD2<Double>) -> Bool {
    switch kind {
    case .plane(let plane): plane.isAboveHorizon(point)
    case .globe(let globe): !globe.place(point).isOnSurface
    }
  }

  func ground(_ point: SIMD2<Double>) -> HeldGround {
    switch kind {
    case .plane(let plane): .plane(plane.ground(point))
    case .globe(let globe): .globe(globe.place(point).0)
    }
  }

  /// The camera moved so that it shows what is held under a point, as far as the world goes to the north and south; on
  /// the plane its longitude goes on past 180. The globe stays as large as it is, so that the zoom changes with the
  /// latitude.
  func camera(showing ground: HeldGround, at point: SIMD2<Double>) -> Camera {
    switch (kind, ground) {
    case (.plane(let plane), .plane(let place)):
      return GroundView.camera(camera, centeredAt: place - plane.offset(point))
    case (.globe(let globe), .globe(let place)):
      guard place.lon.isFinite, place.lat.isFinite else { return camera }
      return globe.camera(camera, showing: place, at: point).held()
    // What is held was taken from a view of the same projection.
    case (.plane, .globe), (.globe, .plane): return camera
    }
  }

  /// How fast the centre goes while the ground under a point moves with that: on the plane in the unit square, on the
  /// globe in degrees.
  func centerVelocity(_ point: SIMD2<Double>, _ velocity: SIMD2<Double>) -> SIMD2<Double> {
    switch kind {
    case .plane(let plane): return -plane.groundVelocity(point, velocity)
    case .globe:
      // A way that is short enough to be straight.
      let seconds = 1e-3
      let there = camera(showing: ground(point), at: point + velocity * seconds).center
      let way = SIMD2(Angle.wrapped(there.lon - camera.center.lon), there.lat - camera.center.lat)
      let fastest = SIMD2(repeating: GroundView.fastestTurn)
      let turn = way / seconds
      return turn.clamped(lowerBound: -fastest, upperBound: fastest)
    }
  }

  /// Degrees in a second: near its edge and the poles a finger could turn the globe at any speed.
  private static let fastestTurn = 360.0

  /// The camera, its centre a way further than it is, in the units of `centerVelocity`.
  func camera(along way: SIMD2<Double>) -> Camera {
    switch kind {
    case .plane: return GroundView.camera(camera, centeredAt: Mercator.held(camera.center) + way)
    case .globe:
      var moved = camera
      moved.center = LonLat(
        Angle.wrapped(camera.center.lon + way.x), Mercator.heldLatitude(camera.center.lat + way.y))
      moved.zoom += GlobeView.zoomChange(
        from: Mercator.heldLatitude(camera.center.lat), to: moved.center.lat)
      return moved.held()
    }
  }

  private static func camera(_ camera: Camera, centeredAt place: SIMD2<Double>) -> Camera {
    var camera = camera
    camera.center = Mercator.unproject(SIMD2(place.x, min(max(place.y, 0), 1)))
    camera.center.lat = Mercator.heldLatitude(camera.center.lat)
    return camera
  }

  /// An angle within -180 to 180 degrees; those two stay.
  static func wrapped(_ degrees: Double) -> Double {
    abs(degrees) <= 180 ? degrees : degrees - 360 * ((degrees + 180) / 360).rounded(.down)
  }
}
