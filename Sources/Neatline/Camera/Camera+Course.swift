import CNeatline

/// What of a view the limits hold.
public enum ConstrainMode: Hashable, Sendable {
  /// The view does not go past the northern and southern edge of the world; bounds hold the centre.
  case height
  /// Nor past its eastern and western edge.
  case widthAndHeight
  /// The whole view stays within the bounds, or within the world: `maxBounds` of MapLibre GL JS.
  case screen
  /// Bounds hold the centre, and nothing else is held.
  case none

  var c: neat_constrain_mode {
    switch self {
    case .height: NEAT_CONSTRAIN_MODE_HEIGHT
    case .widthAndHeight: NEAT_CONSTRAIN_MODE_WIDTH_AND_HEIGHT
    case .screen: NEAT_CONSTRAIN_MODE_SCREEN
    case .none: NEAT_CONSTRAIN_MODE_NONE
    }
  }
}

/// Where a camera may be.
public struct CameraLimits: Hashable, Sendable {
  /// What is held.
  public var mode: ConstrainMode
  /// Nil: the world. `west` greater than `east` crosses the 180th meridian.
  public var bounds: GeographicBounds?
  /// The zooms, within -2...25.5.
  public var minZoom: Double, maxZoom: Double
  /// The pitches, within 0...180; the steepest is 85 before anything is said.
  public var minPitch: Double, maxPitch: Double
  /// Whether worlds stand side by side.
  public var repeatsWorld: Bool

  /// Zoom 0 to 22, pitch 0 to 85, within the height of the world.
  public init(
    mode: ConstrainMode = .height, bounds: GeographicBounds? = nil, minZoom: Double = 0, maxZoom: Double = 22,
    minPitch: Double = 0, maxPitch: Double = 85, repeatsWorld: Bool = true
  ) {
    self.mode = mode
    self.bounds = bounds
    self.minZoom = minZoom
    self.maxZoom = maxZoom
    self.minPitch = minPitch
    self.maxPitch = maxPitch
    self.repeatsWorld = repeatsWorld
  }

  init(_ c: neat_camera_limits) {
    let mode: ConstrainMode =
      switch c.mode {
      case NEAT_CONSTRAIN_MODE_WIDTH_AND_HEIGHT: .widthAndHeight
      case NEAT_CONSTRAIN_MODE_SCREEN: .screen
      case NEAT_CONSTRAIN_MODE_NONE: .none
      default: .height
      }
    self.init(
      mode: mode,
      bounds: c.has_bounds == 0
        ? nil
        : GeographicBounds(west: c.west_deg, south: c.south_deg, east: c.east_deg, north: c.north_deg),
      minZoom: c.min_zoom, maxZoom: c.max_zoom, minPitch: c.min_pitch_deg, maxPitch: c.max_pitch_deg,
      repeatsWorld: c.is_one_world == 0)
  }

  var c: neat_camera_limits {
    neat_camera_limits(
      struct_size: UInt32(MemoryLayout<neat_camera_limits>.size), mode: mode.c,
      has_bounds: bounds == nil ? 0 : 1, has_max_zoom: 1, has_max_pitch: 1,
      is_one_world: repeatsWorld ? 0 : 1, west_deg: bounds?.west ?? 0, south_deg: bounds?.south ?? 0,
      east_deg: bounds?.east ?? 0, north_deg: bounds?.north ?? 0, min_zoom: minZoom, max_zoom: maxZoom,
      min_pitch_deg: minPitch, max_pitch_deg: maxPitch)
  }
}

/// A way from one view to another.
public struct CameraCourse: Hashable, Sendable {
  /// How the way goes.
  public enum Kind: Hashable, Sendable {
    /// Straight.
    case ease
    /// Out, over and in along an arc, after van Wijk and Nuij (2003).
    case fly
  }

  /// How the way goes.
  public var kind: Kind
  /// Where it begins.
  public var from: Camera
  /// Where it ends.
  public var to: Camera
  /// Whether the centre stays that of the start instead of going to that of `to`.
  public var keepsCenter = false
  /// A place that stays where it is seen; the centre then follows from it. An easing's only.
  public var around: Coordinate?
  /// Where the centre goes, in logical pixels right of and below the middle of what the paddings leave.
  public var offset = ScreenPoint(0, 0)
  /// How far out a flight goes, 0.01 to 100.
  public var curve = 1.42
  /// The zoom of a flight's top; nil: as far out as it goes.
  public var minZoom: Double?
  /// Screens along the arc in a second.
  public var speed = 1.2
  /// The same in screens of the view as they go by; counts before `speed`.
  public var screenSpeed: Double?
  /// Seconds; a flight that would take longer takes none.
  public var maxDuration: Double?
  /// Nil: none but those of every camera.
  public var limits: CameraLimits?
  /// What it goes over: `projection(atZoom:)` of a map or renderer says what theirs is.
  public var projection = CameraProjection.mercator

  /// A way between two views. Bearing and roll go the shorter way around, and so does the longitude.
  public init(_ kind: Kind, from: Camera, to: Camera) {
    self.kind = kind
    self.from = from
    self.to = to
  }

  /// The camera at a part of the way, 0 at the start and 1 at the end. Throws `invalidArgument` for what no
  /// camera, limit or option may be, an offset above the horizon or beside the globe, and a place that should stay
  /// and is behind the camera or on the globe's far side.
  public func camera(at t: Double, in size: PictureSize) throws(NeatlineError) -> Camera {
    try run(t, size).0
  }

  /// How long a flight takes at its speed, in seconds; of an easing, which has none, 0. Throws as
  /// `camera(at:in:)`.
  public func duration(in size: PictureSize) throws(NeatlineError) -> Double { try run(1, size).1 / 1000 }

  private func run(_ t: Double, _ size: PictureSize) throws(NeatlineError) -> (Camera, Double) {
    var course = neat_camera_course(around, offset)
    course.keeps_center = keepsCenter ? 1 : 0
    course.setArc(curve, minZoom, speed, screenSpeed, maxDuration)
    var (from, to, size, out) = (Camera.c(from), Camera.c(to), size.c, Camera.c(Camera()))
    var limits = (self.limits ?? CameraLimits()).c
    var duration = 0.0
    try check(
      withUnsafePointer(to: &limits) {
        let limits = self.limits == nil ? nil : $0
        return kind == .ease
          ? neat_camera_ease(&from, &to, &size, projection.c, &course, limits, t, &out)
          : neat_camera_fly(&from, &to, &size, projection.c, &course, limits, t, &out, &duration)
      })
    return (Camera(out), duration)
  }
}

extension neat_camera_course {
  init(_ around: Coordinate?, _ offset: ScreenPoint) {
    self.init()
    struct_size = UInt32(MemoryLayout<neat_camera_course>.size)
    if let around {
      has_around = 1
      (around_lon_deg, around_lat_deg) = (around.longitude, around.latitude)
    }
    (offset_x_px, offset_y_px) = (offset.x, offset.y)
  }

  /// The arc of a flight.
  mutating func setArc(
    _ curve: Double, _ minZoom: Double?, _ speed: Double, _ screenSpeed: Double?, _ maxDuration: Double?
  ) {
    // 0 is C's word for the default; here it is a number out of range, and is refused as one.
    func given(_ value: Double) -> Double { value == 0 ? -1 : value }
    self.curve = given(curve)
    if let minZoom { (has_min_zoom, min_zoom) = (1, minZoom) }
    self.speed = given(speed)
    screen_speed = screenSpeed.map(given) ?? 0
    max_duration_ms = (maxDuration ?? 0) * 1000
  }
}

extension Camera {
  /// This camera at the nearest of where it may be. On the globe `bounds` hold the centre and nothing else is held;
  /// `minZoom` is that at the equator, and elsewhere the zoom at which the globe is as large. Throws
  /// `invalidArgument` for a camera, size or limits past their range.
  public func constrained(
    by limits: CameraLimits, in size: PictureSize, projection: CameraProjection = .mercator
  ) throws(NeatlineError) -> Camera {
    var (camera, size, limits) = (Camera.c(self), size.c, limits.c)
    try check(neat_camera_constrain(&camera, &size, projection.c, &limits))
    return Camera(camera)
  }
}
