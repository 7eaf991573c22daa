import NeatBase

/// Values of a camera on their way, each from where it is said to begin, or from where it was, to its end.
///
/// On the globe a centre goes as those of easings do, to its end, and where no zoom is animated the globe stays as large
/// as it is. What counts is what the map lies on when the way begins, so that nothing jumps where it comes to lie on
/// the other; the place under an anchor is taken anew then.
struct AnimatedValues: Sendable {
  private struct Anchored: Sendable {
    /// Nil where there is no ground under the point.
    let place: LonLat?
    /// What the place is one of.
    let projection: MapProjection
    /// Where it was to be seen last.
    var point: SIMD2<Double>
  }

  private let values: CameraAnimator.Values
  private let start: Camera
  /// Of a centre that goes over the globe.
  private let way: GlobeWay?
  private var hasSeenGlobe = false
  private var globeSize = GlobeSize()
  private var anchored: Anchored?

  /// The camera is that of the moment when they start to move.
  init(_ values: CameraAnimator.Values, from start: Camera, limits: CameraLimits) {
    self.values = values
    self.start = start
    guard let center = values.center, limits.projection == .globe else {
      way = nil
      return
    }
    let zoom = values.zoom?.from ?? start.zoom
    way = GlobeWay(
      from: center.from ?? start.center, zoom, to: center.to, values.zoom?.to ?? zoom, within: limits.bounds)
  }

  /// A camera with the values where a part of the way is done.
  /// - Parameter followsLatitude: whether no zoom is animated, so that it may be what keeps the globe's size.
  mutating func written(
    into camera: Camera, at part: Double, size: ViewSize, limits: CameraLimits, followsLatitude: Bool
  ) -> Camera {
    hasSeenGlobe = hasSeenGlobe || limits.projection == .globe
    hold(camera, size, limits.projection)
    var camera = plain(camera, at: part)
    if values.center != nil {
      let center = center(at: part)
      if values.zoom == nil, followsLatitude, hasSeenGlobe {
        return globeSize.camera(camera, at: center, limits, size)
      }
      camera.center = center
      if let way, values.zoom != nil, part != 0, part != 1 {
        let zooms = way.zooms
        camera.zoom = way.zoom(zooms.start + (zooms.end - zooms.start) * part, at: center.lat)
      }
    } else if let anchor = values.anchor {
      let from = anchor.from ?? anchor.to
      let point = SIMD2(mix(from.x, anchor.to.x, part), mix(from.y, anchor.to.y, part))
      anchored?.point = point
      guard let place = anchored?.place else { return camera }
      if limits.projection == .mercator {
        camera.center = AnimatedValues.center(of: camera, showing: place, at: point, size)
      } else {
        return globe(camera, showing: place, at: point, size, limits, followsLatitude: followsLatitude)
      }
    }
    return camera
  }

  private func mix(_ a: Double, _ b: Double, _ part: Double) -> Double {
    part == 1 ? b : a + (b - a) * part
  }

  /// All but the centre.
  private func plain(_ camera: Camera, at part: Double) -> Camera {
    var camera = camera
    func mix(_ a: Double, _ b: Double) -> Double { self.mix(a, b, part) }
    // A curve may overshoot.
    func side(_ a: Double, _ b: Double) -> Double { CameraRange.hold(mix(a, b), CameraRange.padding) }
    if let way = values.zoom { camera.zoom = mix(way.from ?? start.zoom, way.to) }
    if let way = values.pitch { camera.pitch = mix(way.from ?? start.pitch, way.to) }
    if let way = values.bearing {
      let from = way.from ?? start.bearing
      camera.bearing = part == 1 ? way.to : mix(from, Angle.near(way.to, to: from))
    }
    if let way = values.padding {
      let (a, b) = (way.from ?? start.padding, way.to)
      camera.padding = EdgeInsets(
        top: side(a.top, b.top), left: side(a.left, b.left), bottom: side(a.bottom, b.bottom),
        right: side(a.right, b.right))
    }
    return camera.held()
  }

  /// Of an animated centre.
  private func center(at part: Double) -> LonLat {
    guard let aim = values.center else { return start.center }
    if part == 1 { return aim.to }
    if let way { return way.center(at: part) }
    return PlaneWay.center(from: aim.from ?? start.center, to: aim.to, at: part)
  }

  // MARK: Anchors

  /// Takes the place under the anchor: at first, and where the map has come to lie on something else.
  private mutating func hold(_ camera: Camera, _ size: ViewSize, _ projection: MapProjection) {
    guard values.center == nil, let anchor = values.anchor, anchored?.projection != projection
    else { return }
    let point = anchored?.point ?? anchor.from ?? anchor.to
    let view = try? CameraView(camera: camera, size: size, projection: projection)
    let (place, isOnSurface) = (try? view?.place(at: point)) ?? (nil, false)
    anchored = Anchored(
      place: projection == .mercator || isOnSurface ? place : nil, projection: projection, point: point)
  }

  /// The camera that shows a place of the globe at a point. Limits hold the zoom before, so that the place stays there.
  private mutating func globe(
    _ camera: Camera, showing place: LonLat, at point: SIMD2<Double>, _ size: ViewSize,
    _ limits: CameraLimits, followsLatitude: Bool
  ) -> Camera {
    var camera = camera
    camera.pitch = min(max(camera.pitch, limits.minPitch), limits.maxPitch)
    if values.zoom == nil, followsLatitude {
      var free = camera
      free.zoom = globeSize.zoom(camera)
      let turned = GlobeView(free, size).camera(free, showing: place, at: point)
      let held = globeSize.camera(camera, at: turned.center, limits, size)
      // Where limits have the globe be of another size, the place is elsewhere.
      if abs(held.zoom - turned.zoom) < AnimatedValues.sameZoom { return held }
      camera.zoom = held.zoom
    }
    camera.zoom = limits.place(camera.center, camera.zoom, size).1
    return limits.camera(camera, showing: place, at: point, size)
  }

  private static let sameZoom = 1e-9

  /// Where a camera's centre is on the plane when it shows a place at a point; where it is where the point is in the sky.
  private static func center(
    of camera: Camera, showing place: LonLat, at point: SIMD2<Double>, _ size: ViewSize
  ) -> LonLat {
    guard let hit = ViewFrame(camera, size).ground(point), hit.isAhead else { return camera.center }
    let world = TileUnits.pixels * exp2(camera.zoom)
    let center = Mercator.unproject(Mercator.open(place) - hit.place / world)
    return LonLat(Angle.wrapped(center.lon), Mercator.heldLatitude(center.lat))
  }
}
