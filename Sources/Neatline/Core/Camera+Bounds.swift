import CNeatline

extension Camera {
  /// The view that shows a box of degrees as large as it fits into a picture of logical pixels, north up, at zoom 22 at most. `west` greater than `east`
  /// crosses the 180th meridian; latitudes past those of the Mercator map are held at them. Throws `invalidArgument` for what is no box.
  public init(fitting bounds: GeographicBounds, width: Int, height: Int) throws(NeatlineError) {
    var camera = Camera.c(Camera())
    var size = PictureSize(width, height).c
    try check(neat_camera_fit_bounds(&camera, &size, bounds.west, bounds.south, bounds.east, bounds.north))
    self.init(camera)
  }
}
