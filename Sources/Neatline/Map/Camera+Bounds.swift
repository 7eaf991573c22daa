import CNeatline

extension Camera {
  /// This view moved so that it shows a box of degrees as large as it fits into a picture, between the
  /// paddings and at the bearing; zoom 22 at most. `west` greater than `east` crosses the 180th meridian.
  /// Throws `invalidArgument` for numbers that make no box, for a pitch, and for paddings that leave no room.
  public func fitting(_ bounds: GeographicBounds, in size: PictureSize) throws(NeatlineError) -> Camera {
    var camera = Camera.c(self)
    var size = size.c
    try check(neat_camera_fit_bounds(&camera, &size, bounds.west, bounds.south, bounds.east, bounds.north))
    return Camera(camera)
  }

  /// The view from straight above, north up, that shows a box of degrees as large as it fits into a picture:
  /// see `fitting(_:in:)`.
  public init(fitting bounds: GeographicBounds, in size: PictureSize) throws(NeatlineError) {
    self = try Camera().fitting(bounds, in: size)
  }
}
