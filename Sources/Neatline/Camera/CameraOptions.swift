import CNeatline

/// Some of a camera's values: what is nil stays as it is. The names are those of version 10 of the mobile SDKs.
public struct CameraOptions: Hashable, Sendable {
  /// The centre of the view.
  public var center: Coordinate?
  /// Logical pixels kept free along the edges.
  public var padding: Camera.Padding?
  /// A point of the view, in logical pixels from its top left corner: the place under it stays under it. Of no
  /// effect beside a centre.
  public var anchor: ScreenPoint?
  /// -2...25.5.
  public var zoom: Double?
  /// Degrees clockwise from north.
  public var bearing: Double?
  /// Degrees from straight down, 0...180, within the limits: to 85 before they say more.
  public var pitch: Double?
  /// Degrees about the line of sight.
  public var roll: Double?

  /// What is left out stays as it is.
  public init(
    center: Coordinate? = nil, padding: Camera.Padding? = nil, anchor: ScreenPoint? = nil,
    zoom: Double? = nil, bearing: Double? = nil, pitch: Double? = nil, roll: Double? = nil
  ) {
    self.center = center
    self.padding = padding
    self.anchor = anchor
    self.zoom = zoom
    self.bearing = bearing
    self.pitch = pitch
    self.roll = roll
  }

  /// All of a camera.
  public init(_ camera: Camera) {
    self.init(
      center: Coordinate(latitude: camera.latitude, longitude: camera.longitude), padding: camera.padding,
      zoom: camera.zoom, bearing: camera.bearing, pitch: camera.pitch, roll: camera.roll)
  }

  var c: neat_camera_change {
    var change = neat_camera_change()
    change.struct_size = UInt32(MemoryLayout<neat_camera_change>.size)
    func mark(_ field: neat_camera_field) { change.fields |= UInt32(field.rawValue) }
    if let center {
      mark(NEAT_CAMERA_FIELD_CENTER)
      (change.lon_deg, change.lat_deg) = (center.longitude, center.latitude)
    }
    if let zoom {
      mark(NEAT_CAMERA_FIELD_ZOOM)
      change.zoom = zoom
    }
    if let bearing {
      mark(NEAT_CAMERA_FIELD_BEARING)
      change.bearing_deg = bearing
    }
    if let pitch {
      mark(NEAT_CAMERA_FIELD_PITCH)
      change.pitch_deg = pitch
    }
    if let roll {
      mark(NEAT_CAMERA_FIELD_ROLL)
      change.roll_deg = roll
    }
    if let padding {
      mark(NEAT_CAMERA_FIELD_PADDING)
      (change.padding_top_px, change.padding_left_px) = (padding.top, padding.left)
      (change.padding_bottom_px, change.padding_right_px) = (padding.bottom, padding.right)
    }
    if let anchor {
      mark(NEAT_CAMERA_FIELD_ANCHOR)
      (change.anchor_x_px, change.anchor_y_px) = (anchor.x, anchor.y)
    }
    return change
  }
}

extension Map {
  /// Changes some of the camera's values at once, and ends an easing, a flight and a glide. Throws
  /// `invalidArgument` for values past their range and an anchor above the horizon, and changes nothing.
  public func setCamera(_ options: CameraOptions) throws(NeatlineError) {
    var change = options.c
    try check(neat_map_change_camera(pointer, &change))
  }

  /// Where the camera may be, whatever moves it: zoom 0 to 22, pitch 0 to 85 and the height of the world before
  /// it is said.
  public var cameraLimits: CameraLimits {
    var limits = neat_camera_limits()
    limits.struct_size = UInt32(MemoryLayout<neat_camera_limits>.size)
    _ = neat_map_camera_limits(pointer, &limits)
    return CameraLimits(limits)
  }

  /// Sets where the camera may be, and moves it there at once, with one `cameraChanged` where it was elsewhere.
  /// Throws `invalidArgument` for limits past their range, and changes nothing.
  public func setCameraLimits(_ limits: CameraLimits) throws(NeatlineError) {
    var limits = limits.c
    try check(neat_map_set_camera_limits(pointer, &limits))
  }
}
