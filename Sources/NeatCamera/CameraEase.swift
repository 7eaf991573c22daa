import NeatBase

/// A camera's way to another in a straight line: angles, paddings and zoom go evenly, the centre so that what is
/// seen moves evenly while the zoom changes. Behaviour after MapLibre GL JS's `easeTo`.
package struct CameraEase: Sendable {
  private enum Ground {
    /// The place at the offset, and where it goes, in unit coordinates.
    case plane(from: SIMD2<Double>, way: SIMD2<Double>, end: LonLat)
    case globe(GlobeWay)
  }

  private let course: CameraCourse
  private let ground: Ground
  private let zooms: (start: Double, end: Double)
  private let around: (place: LonLat, point: SIMD2<Double>)?
  /// Of the globe, where no zoom is asked for.
  private let keepsSize: Bool

  /// Throws `invalidArgument` for what no camera may be, for an offset above the horizon or beside the globe, and for a
  /// place that should stay and is not in front of the camera.
  package init(
    from camera: Camera, to change: CameraChange, size: ViewSize, limits: CameraLimits = .none
  ) throws(NeatError) {
    course = try CameraCourse(from: camera, change, size, limits)
    let start = course.start
    keepsSize = change.zoom == nil
    if limits.projection == .globe {
      let way = try GlobeWay(course, change)
      ground = .globe(way)
      zooms = (start.zoom, way.endZoom)
    } else {
      let place = try course.startPlace()
      let (center, zoom) = limits.place(change.center ?? place, course.end.zoom, size)
      let end = course.nearStart(center)
      let from = Mercator.held(place)
      ground = .plane(from: from, way: Mercator.held(end) - from, end: end)
      zooms = (start.zoom, zoom)
    }
    let view = try CameraView(camera: start, size: size, projection: limits.projection)
    if let place = change.around {
      guard let point = try view.nearPoint(of: place) else {
        throw NeatError(.invalidArgument, "(\(place.lon), \(place.lat)) is behind the camera")
      }
      around = (place, point)
    } else if let anchor = change.anchor, change.center == nil {
      let (found, isOnSurface) = try view.place(at: anchor)
      guard let place = found, limits.projection == .mercator || isOnSurface else {
        throw NeatError(.invalidArgument, "anchor (\(anchor.x), \(anchor.y)) is above the horizon")
      }
      around = (place, anchor)
    } else {
      around = nil
    }
  }

  /// The camera where a part of the way is done: 0 at the start, 1 at the end.
  package func camera(at k: Double) -> Camera {
    var camera = course.camera(at: k)
    switch ground {
    case .plane(let from, let way, let end):
      camera.zoom = zoom(at: k)
      if let around { return course.camera(camera, showing: around.place, at: around.point) }
      let point = camera.padding.middle(of: course.size.logical) + course.offset
      if k == 1 { return course.camera(camera, showing: end, at: point) }
      let place = Mercator.unproject(from + way * CameraEase.part(k, zooms.end - zooms.start))
      return course.camera(camera, showing: place, at: point)
    case .globe(let way):
      if let around {
        let (limits, size) = (course.limits, course.size)
        if keepsSize { return limits.camera(camera, turningTo: around.place, at: around.point, size) }
        camera.zoom = zoom(at: k)
        return limits.camera(camera, showing: around.place, at: around.point, size)
      }
      let (start, end) = way.zooms
      let center = k == 1 ? way.end : way.center(at: CameraEase.part(k, end - start))
      camera.zoom = k == 1 ? way.endZoom : way.zoom(start + (end - start) * k, at: center.lat)
      return course.finished(camera, at: center)
    }
  }

  private func zoom(at k: Double) -> Double {
    CameraRange.hold(k == 1 ? zooms.end : zooms.start + (zooms.end - zooms.start) * k, CameraRange.zoom)
  }

  /// How much of the way along the ground is done: what is seen moves as the scale allows, at most twice as fast at the
  /// start as at the end, or half.
  private static func part(_ k: Double, _ zoom: Double) -> Double {
    let scale = exp2(zoom)
    return k * pow(zoom > 0 ? min(2, scale) : max(0.5, scale), 1 - k)
  }

  /// Writes what a change names of the camera on its way. On the globe the zoom follows the centre.
  func written(_ change: CameraChange, into camera: Camera, at k: Double) -> Camera {
    change.written(
      into: camera, self.camera(at: k), at: k,
      always: course.limits.projection == .globe && change.movesCenter)
  }
}
