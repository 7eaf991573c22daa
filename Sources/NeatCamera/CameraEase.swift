import NeatBase

/// A camera's way to another in a straight line: angles, paddings and zoom go evenly, the centre so that what is
/// seen moves evenly while the zoom changes. Behaviour after MapLibre GL JS's `easeTo`.
package struct CameraEase: Sendable {
  private let course: CameraCourse
  /// On the globe; what is of the plane then has no meaning.
  private let globe: GlobeWay?
  private let zooms: (start: Double, end: Double)
  /// The place at the offset, and where it goes, in unit coordinates.
  private let from: SIMD2<Double>
  private let way: SIMD2<Double>
  private let center: LonLat
  private let around: (place: LonLat, point: SIMD2<Double>)?

  /// Throws `invalidArgument` for what no camera may be, for an offset above the horizon, and for a place that
  /// should stay and is not in front of the camera.
  package init(
    from camera: Camera, to change: CameraChange, size: ViewSize, limits: CameraLimits = .none
  ) throws(NeatError) {
    course = try CameraCourse(from: camera, change, size, limits)
    let start = course.start
    globe = limits.projection == .globe ? try GlobeWay(course, change) : nil
    let place = try course.startPlace()
    let (center, zoom) = limits.place(change.center ?? place, course.end.zoom, size)
    zooms = (start.zoom, zoom)
    self.center = course.nearStart(center)
    from = Mercator.held(place)
    way = Mercator.held(self.center) - from
    if let place = change.around {
      let view = try CameraView(camera: start, size: size, projection: limits.projection)
      guard let point = try globe == nil ? view.point(of: place) : view.nearPoint(of: place) else {
        throw NeatError(.invalidArgument, "(\(place.lon), \(place.lat)) is behind the camera")
      }
      around = (place, point)
    } else if let anchor = change.anchor, change.center == nil {
      let view = try CameraView(camera: start, size: size, projection: limits.projection)
      let (found, isOnSurface) = try view.place(at: anchor)
      guard let place = found, globe == nil || isOnSurface else {
        throw NeatError(.invalidArgument, "anchor (\(anchor.x), \(anchor.y)) is above the horizon")
      }
      around = (place, anchor)
    } else {
      around = nil
    }
  }

  /// The camera where a part of the way is done: 0 at the start, 1 at the end.
  package func camera(at k: Double) -> Camera {
    if let globe { return camera(at: k, over: globe) }
    var camera = course.camera(at: k)
    camera.zoom = k == 1 ? zooms.end : zooms.start + (zooms.end - zooms.start) * k
    camera.zoom = CameraRange.hold(camera.zoom, CameraRange.zoom)
    if let around { return course.camera(camera, showing: around.place, at: around.point) }
    let point = camera.padding.middle(of: course.size.logical) + course.offset
    if k == 1 { return course.camera(camera, showing: center, at: point) }
    let place = Mercator.unproject(from + way * (k * CameraEase.speed(at: k, zooms.end - zooms.start)))
    return course.camera(camera, showing: place, at: point)
  }

  /// What is seen moves as the scale allows: at most twice as fast at the start as at the end, or half.
  private static func speed(at k: Double, _ zoom: Double) -> Double {
    let scale = exp2(zoom)
    return pow(zoom > 0 ? min(2, scale) : max(0.5, scale), 1 - k)
  }

  private func camera(at k: Double, over globe: GlobeWay) -> Camera {
    var camera = course.camera(at: k)
    if let around {
      camera.zoom = CameraRange.hold(zooms.start + (zooms.end - zooms.start) * k, CameraRange.zoom)
      return course.globeCamera(camera, showing: around.place, at: around.point)
    }
    let (start, end) = globe.zooms
    let center = k == 1 ? globe.end : globe.center(at: k * CameraEase.speed(at: k, end - start))
    camera.zoom = k == 1 ? globe.endZoom : globe.zoom(start + (end - start) * k, at: center.lat)
    return course.finished(camera, at: center)
  }
}
