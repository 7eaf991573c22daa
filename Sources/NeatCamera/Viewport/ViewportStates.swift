import NeatBase

/// How a view follows the puck. What is nil stays as it is. The values before they are set are those of the mobile
/// SDKs' version 10.
package struct FollowPuckOptions: Sendable, Hashable {
  package enum Bearing: Sendable, Hashable {
    case heading
    case course
    /// Degrees.
    case constant(Double)
  }

  package var padding: EdgeInsets? = EdgeInsets()
  package var zoom: Double? = 16.35
  package var bearing: Bearing? = .heading
  package var pitch: Double? = 45

  package init() {}

  /// The camera for a location. A heading or course that is not known leaves the bearing as it is.
  package func camera(at location: ShownLocation) -> CameraChange {
    var change = CameraChange()
    change.center = location.place
    change.padding = padding
    change.zoom = zoom
    change.pitch = pitch
    switch bearing {
    case .heading: change.bearing = location.heading
    case .course: change.bearing = location.course
    case .constant(let degrees): change.bearing = degrees
    case nil: break
    }
    return change
  }

  /// The options, or an error that names what is out of its range.
  package func checked() throws(NeatError) -> FollowPuckOptions {
    var camera = Camera()
    if let padding { camera.padding = padding }
    if let zoom { camera.zoom = zoom }
    if let pitch { camera.pitch = pitch }
    if case .constant(let degrees) = bearing { camera.bearing = degrees }
    _ = try camera.checked()
    return self
  }
}

/// How a view shows a geometry as a whole.
package struct OverviewOptions: Sendable, Hashable {
  /// All places of the geometry.
  package var places: [LonLat] = []
  /// Kept free around the geometry, besides the camera's own padding.
  package var geometryPadding = EdgeInsets()
  /// The camera's own; nil: as it is.
  package var padding: EdgeInsets?
  package var bearing: Double? = 0
  package var pitch: Double? = 0
  package var maxZoom: Double?
  package var offset = SIMD2(0.0, 0.0)
  /// Of the easing where the state is there, and where its options change.
  package var animationMS = 1000.0

  package init() {}

  /// Places of a geometry.
  package static let placeLimit = 1_000_000

  /// The camera that shows the geometry in a view. Throws as a fit does.
  /// - Parameter fit: has a camera fitted by what its map is laid onto.
  package func camera(
    from camera: Camera, size: ViewSize,
    fit: (FitOptions, (FitOptions) throws(NeatError) -> Camera) throws(NeatError) -> Camera = {
      (options, fit) throws(NeatError) in try fit(options)
    }
  ) throws(NeatError) -> CameraChange {
    var start = camera
    start.roll = 0
    if let padding { start.padding = padding }
    if let bearing { start.bearing = bearing }
    if let pitch { start.pitch = pitch }
    var options = FitOptions()
    options.padding = geometryPadding
    options.offset = offset
    if let maxZoom { options.maxZoom = maxZoom }
    let found = try fit(options) { [start, places] options throws(NeatError) in
      try start.fitting(places, size: size, options: options)
    }
    var change = CameraChange()
    change.center = found.center
    change.zoom = found.zoom
    change.bearing = bearing
    change.pitch = pitch
    change.padding = padding
    return change
  }

  /// The options, or an error that names what is out of its range.
  package func checked() throws(NeatError) -> OverviewOptions {
    guard places.count <= OverviewOptions.placeLimit else {
      throw NeatError(
        .limitExceeded, "a geometry of \(places.count) places: \(OverviewOptions.placeLimit) are the most")
    }
    guard ViewportFlight.range.contains(animationMS) else {
      throw NeatError(.invalidArgument, "animation of \(animationMS) ms: not within 0...86400000")
    }
    // A view of any size that has room tells the rest.
    _ = try camera(from: Camera(), size: ViewSize(width: 16384, height: 16384))
    return self
  }
}
