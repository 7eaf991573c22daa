import CNeatline

/// What the map's camera shows, by its size: each function is that of `Camera`, with the view as it is now,
/// within an animation too.
extension Map {
  /// What pictures of a zoom are laid onto, as the style's projection says; the plane before the style is there. Where
  /// the style goes over from the globe to the plane it is what is nearer. Throws `invalidArgument` for a zoom that
  /// is not within -2 to 25.5.
  public func projection(atZoom zoom: Double) throws(NeatlineError) -> CameraProjection {
    var projection = NEAT_PROJECTION_MERCATOR
    try check(neat_map_projection(pointer, zoom, &projection))
    return CameraProjection(projection)
  }

  private var seen: (camera: Camera, projection: CameraProjection) {
    get throws(NeatlineError) {
      let camera = try camera
      return (camera, try projection(atZoom: camera.zoom))
    }
  }

  /// Where the view shows a place; (-1, -1) where it does not. Throws `invalidArgument` for what is no place.
  public func point(for coordinate: Coordinate) throws(NeatlineError) -> ScreenPoint {
    let (camera, projection) = try seen
    return try camera.point(for: coordinate, in: size, projection: projection)
  }

  /// Where the view shows places, each as `point(for:)`.
  public func points(for coordinates: [Coordinate]) throws(NeatlineError) -> [ScreenPoint] {
    let (camera, projection) = try seen
    return try camera.points(for: coordinates, in: size, projection: projection)
  }

  /// The place under a point; nil at the horizon and above. Throws `invalidArgument` for what is no point.
  public func coordinate(for point: ScreenPoint) throws(NeatlineError) -> Coordinate? {
    let (camera, projection) = try seen
    return try camera.coordinate(for: point, in: size, projection: projection)
  }

  /// The places under points, each as `coordinate(for:)`.
  public func coordinates(for points: [ScreenPoint]) throws(NeatlineError) -> [Coordinate?] {
    let (camera, projection) = try seen
    return try camera.coordinates(for: points, in: size, projection: projection)
  }

  /// The place under a point, and whether the map is drawn there.
  public func coordinateInfo(for point: ScreenPoint) throws(NeatlineError) -> CoordinateInfo {
    let (camera, projection) = try seen
    return try camera.coordinateInfo(for: point, in: size, projection: projection)
  }

  /// The box of degrees that a camera would show in this view, longitudes within ±180.
  public func coordinateBounds(for camera: Camera) throws(NeatlineError) -> GeographicBounds {
    try camera.coordinateBounds(in: size, projection: try projection(atZoom: camera.zoom))
  }

  /// The same box with its zoom: the camera's.
  public func coordinateBoundsZoom(for camera: Camera) throws(NeatlineError) -> (
    bounds: GeographicBounds, zoom: Double
  ) {
    (try coordinateBounds(for: camera), camera.zoom)
  }

  /// The box of degrees that a camera would show in this view, west less than east.
  public func coordinateBoundsUnwrapped(for camera: Camera) throws(NeatlineError) -> GeographicBounds {
    try camera.coordinateBoundsUnwrapped(in: size, projection: try projection(atZoom: camera.zoom))
  }

  /// The camera that shows a box of degrees as large as it fits; what is nil is as it is now. Throws
  /// `invalidArgument` for what is no box and paddings that leave no room.
  public func camera(
    for bounds: GeographicBounds, padding: Camera.Padding = Camera.Padding(), bearing: Double? = nil,
    pitch: Double? = nil, maxZoom: Double = 22, offset: ScreenPoint = ScreenPoint(0, 0)
  ) throws(NeatlineError) -> Camera {
    let (from, size) = (try turned(bearing, pitch), size)
    return try FitOptions(padding: padding, maxZoom: maxZoom, offset: offset)
      .camera(projection(atZoom:)) { options throws(NeatlineError) in
        try from.fitting(bounds, in: size, options: options)
      }
  }

  /// The camera that shows places as large as they fit; what is nil is as it is now. Throws `invalidArgument`
  /// for no places and paddings that leave no room.
  public func camera(
    for coordinates: [Coordinate], padding: Camera.Padding = Camera.Padding(), bearing: Double? = nil,
    pitch: Double? = nil, maxZoom: Double = 22, offset: ScreenPoint = ScreenPoint(0, 0)
  ) throws(NeatlineError) -> Camera {
    let (from, size) = (try turned(bearing, pitch), size)
    return try FitOptions(padding: padding, maxZoom: maxZoom, offset: offset)
      .camera(projection(atZoom:)) { options throws(NeatlineError) in
        try from.fitting(coordinates, in: size, options: options)
      }
  }

  /// The camera that shows a shape as large as it fits; what is nil is as it is now. Throws `invalidArgument`
  /// for a shape without coordinates and paddings that leave no room.
  public func camera(
    for shape: some Shape, padding: Camera.Padding = Camera.Padding(), bearing: Double? = nil,
    pitch: Double? = nil, maxZoom: Double = 22, offset: ScreenPoint = ScreenPoint(0, 0)
  ) throws(NeatlineError) -> Camera {
    let (from, size) = (try turned(bearing, pitch), size)
    return try FitOptions(padding: padding, maxZoom: maxZoom, offset: offset)
      .camera(projection(atZoom:)) { options throws(NeatlineError) in
        try from.fitting(shape, in: size, options: options)
      }
  }

  private func turned(_ bearing: Double?, _ pitch: Double?) throws(NeatlineError) -> Camera {
    var camera = try camera
    camera.bearing = bearing ?? camera.bearing
    camera.pitch = pitch ?? camera.pitch
    return camera
  }
}
