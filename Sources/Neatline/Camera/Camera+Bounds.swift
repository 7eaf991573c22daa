import CNeatline

/// How a fit leaves room.
public struct FitOptions: Hashable, Sendable {
  /// Logical pixels kept free beside the camera's own padding.
  public var padding: Camera.Padding
  /// The deepest zoom, -2 to 25.5.
  public var maxZoom: Double
  /// Where the middle of what is shown goes, in logical pixels from the middle of the room: east and south
  /// along the ground.
  public var offset: ScreenPoint
  /// What the map is laid onto. On the globe what is hidden counts as if it lay at its edge. Maps and renderers go by
  /// their style, whatever stands here.
  public var projection: CameraProjection

  /// All of what the camera's own padding leaves, zoom 22 at most, on the plane.
  public init(
    padding: Camera.Padding = Camera.Padding(), maxZoom: Double = 22, offset: ScreenPoint = ScreenPoint(0, 0),
    projection: CameraProjection = .mercator
  ) {
    self.padding = padding
    self.maxZoom = maxZoom
    self.offset = offset
    self.projection = projection
  }

  /// The camera of a fit by what a map or renderer is laid onto where it ends.
  func camera(
    _ projection: (Double) throws(NeatlineError) -> CameraProjection,
    _ fit: (FitOptions) throws(NeatlineError) -> Camera
  ) throws(NeatlineError) -> Camera {
    var options = self
    options.projection = .mercator
    let plane = try fit(options)
    guard try projection(plane.zoom) == .globe else { return plane }
    options.projection = .globe
    let globe = try fit(options)
    return try projection(globe.zoom) == .globe ? globe : plane
  }

  var c: neat_fit_options {
    neat_fit_options(
      struct_size: UInt32(MemoryLayout<neat_fit_options>.size), has_max_zoom: 1, max_zoom: maxZoom,
      padding_top_px: padding.top, padding_left_px: padding.left, padding_bottom_px: padding.bottom,
      padding_right_px: padding.right, offset_x_px: offset.x, offset_y_px: offset.y,
      projection: projection.c)
  }
}

extension Camera {
  /// This view moved so that it shows a box of degrees as large as it fits into a picture, between the
  /// paddings and at the bearing, pitch and roll; zoom 22 at most. `west` greater than `east` crosses the 180th
  /// meridian. Throws `invalidArgument` for numbers that make no box and for paddings that leave no room.
  public func fitting(_ bounds: GeographicBounds, in size: PictureSize, options: FitOptions = FitOptions())
    throws(NeatlineError) -> Camera
  {
    var camera = Camera.c(self)
    var (size, options) = (size.c, options.c)
    try check(
      neat_camera_fit_bounds_with(
        &camera, &size, &options, bounds.west, bounds.south, bounds.east, bounds.north))
    return Camera(camera)
  }

  /// This view moved so that it shows places as large as they fit: all lie between the paddings and some at
  /// their edge, unless the zoom would be past -2 or the deepest. Longitudes are taken as they are: what
  /// crosses the 180th meridian goes on past it. Throws `invalidArgument` for no places, places past their
  /// range, and paddings that leave no room.
  public func fitting(_ coordinates: [Coordinate], in size: PictureSize, options: FitOptions = FitOptions())
    throws(NeatlineError) -> Camera
  {
    var camera = Camera.c(self)
    var (size, options) = (size.c, options.c)
    let numbers = coordinates.flatMap { [$0.longitude, $0.latitude] }
    try check(neat_camera_fit_points(&camera, &size, &options, numbers, coordinates.count))
    return Camera(camera)
  }

  /// This view moved so that it shows a shape as large as it fits: `fitting(_:in:options:)` of all its
  /// coordinates.
  public func fitting(_ shape: some Shape, in size: PictureSize, options: FitOptions = FitOptions())
    throws(NeatlineError) -> Camera
  {
    var coordinates: [Coordinate] = []
    for geometry in shape.geoJSON.geometries { geometry.forEachCoordinate { coordinates.append($0) } }
    return try fitting(coordinates, in: size, options: options)
  }

  /// The view from straight above, north up, that shows a box of degrees as large as it fits into a picture:
  /// see `fitting(_:in:options:)`.
  public init(fitting bounds: GeographicBounds, in size: PictureSize) throws(NeatlineError) {
    self = try Camera().fitting(bounds, in: size)
  }
}
