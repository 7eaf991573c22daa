import CNeatline

/// A camera as an eye in space: where it is and how it is turned.
public struct FreeCameraOptions: Hashable, Sendable {
  /// Where the eye is, in Mercator units: the world is 1 wide, x to the east, y to the south, z up.
  public var position: SIMD3<Double>
  /// A unit quaternion, the real part last. Identity looks straight down, with north at the top.
  public var orientation: SIMD4<Double>

  /// An eye at a place, which looks straight down.
  public init(position: SIMD3<Double>, orientation: SIMD4<Double> = SIMD4(0, 0, 0, 1)) {
    self.position = position
    self.orientation = orientation
  }

  init(_ c: neat_free_camera) {
    self.init(position: SIMD3(c.x, c.y, c.z), orientation: SIMD4(c.qx, c.qy, c.qz, c.qw))
  }

  var c: neat_free_camera {
    var free = neat_free_camera()
    free.struct_size = UInt32(MemoryLayout<neat_free_camera>.size)
    (free.x, free.y, free.z) = (position.x, position.y, position.z)
    (free.qx, free.qy, free.qz, free.qw) = (orientation.x, orientation.y, orientation.z, orientation.w)
    return free
  }

  /// Turns the eye to a place, `altitude` metres above the ground. Throws `invalidArgument` for what is no place,
  /// and for one that is not below the eye.
  public mutating func lookAtPoint(_ coordinate: Coordinate, altitude: Double = 0) throws(NeatlineError) {
    var free = c
    try check(neat_free_camera_look_at(&free, coordinate.longitude, coordinate.latitude, altitude))
    self = FreeCameraOptions(free)
  }
}

extension Camera {
  /// The eye of the camera in a view.
  public func free(in size: PictureSize) throws(NeatlineError) -> FreeCameraOptions {
    var (camera, size, free) = (Camera.c(self), size.c, FreeCameraOptions(position: .zero).c)
    try check(neat_camera_to_free(&camera, &size, &free))
    return FreeCameraOptions(free)
  }

  /// The camera with an eye of its own; paddings and field of view stay. Throws `invalidArgument` for an eye below
  /// the ground, one that looks past the horizon, and where the camera would be past its range.
  public func seen(from free: FreeCameraOptions, in size: PictureSize) throws(NeatlineError) -> Camera {
    var (camera, size, free) = (Camera.c(self), size.c, free.c)
    try check(neat_camera_from_free(&camera, &size, &free))
    return Camera(camera)
  }
}

extension Map {
  /// The eye of the map's camera.
  public var freeCameraOptions: FreeCameraOptions {
    get throws(NeatlineError) { try camera.free(in: size) }
  }

  /// Moves the camera to an eye, within the map's limits. Throws as `Camera.seen(from:in:)`.
  public func setFreeCamera(_ options: FreeCameraOptions) throws(NeatlineError) {
    try setCamera(try camera.seen(from: options, in: size))
  }

  /// Metres above the sea at a place, by what is loaded of the source of the style's terrain, or of its first
  /// elevation source where it has no terrain; nil where nothing is. Throws `state` before there is a style.
  public func elevation(at coordinate: Coordinate) throws(NeatlineError) -> Double? {
    var metres = 0.0
    let status = neat_map_elevation(pointer, coordinate.longitude, coordinate.latitude, &metres)
    if status == NEAT_STATUS_NOT_FOUND { return nil }
    try check(status)
    return metres
  }

  /// The camera that shows places as large as they fit into a part of the view, given by two corners in logical
  /// pixels; what is nil is as it is now. Throws `invalidArgument` for no places and a part without room.
  public func camera(
    for coordinates: [Coordinate], in rect: (topLeft: ScreenPoint, bottomRight: ScreenPoint),
    bearing: Double? = nil, pitch: Double? = nil, maxZoom: Double = 22
  ) throws(NeatlineError) -> Camera {
    let now = try camera.padding
    let padding = Camera.Padding(
      top: max(0, rect.topLeft.y - now.top), left: max(0, rect.topLeft.x - now.left),
      bottom: max(0, Double(size.height) - rect.bottomRight.y - now.bottom),
      right: max(0, Double(size.width) - rect.bottomRight.x - now.right))
    return try camera(
      for: coordinates, padding: padding, bearing: bearing, pitch: pitch, maxZoom: maxZoom)
  }
}
