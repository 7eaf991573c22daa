// What version 10 of the mobile SDKs calls otherwise than this module does.

/// A camera with all its values, as version 10 of the mobile SDKs calls it.
public typealias CameraState = Camera

/// Paddings of a view, as version 10 of the mobile SDKs calls them.
public typealias EdgeInsets = Camera.Padding

/// A box of degrees, as version 10 of the mobile SDKs calls it.
public typealias CoordinateBounds = GeographicBounds

/// Where a camera may be, as version 10 of the mobile SDKs calls it.
public typealias CameraBounds = CameraLimits

extension GeographicBounds {
  /// A box from two of its corners. One whose western edge is east of its eastern one crosses the 180th meridian.
  public init(southwest: Coordinate, northeast: Coordinate) {
    self.init(
      west: southwest.longitude, south: southwest.latitude, east: northeast.longitude,
      north: northeast.latitude)
  }

  /// The south-western corner.
  public var southwest: Coordinate { Coordinate(longitude: west, latitude: south) }
  /// The north-eastern corner.
  public var northeast: Coordinate { Coordinate(longitude: east, latitude: north) }
}

extension Camera {
  /// The centre of the view.
  public var center: Coordinate {
    get { Coordinate(longitude: longitude, latitude: latitude) }
    set { (longitude, latitude) = (newValue.longitude, newValue.latitude) }
  }
}

extension CameraOptions {
  /// All of a camera.
  public init(cameraState: CameraState) { self.init(cameraState) }
}

extension Camera.Padding {
  /// None.
  public static var zero: Camera.Padding { Camera.Padding() }
}

/// Some of where a camera may be: what is nil stays as it is.
public struct CameraBoundsOptions: Hashable, Sendable {
  /// What holds the centre.
  public var bounds: CoordinateBounds?
  /// The deepest zoom, within -2...25.5.
  public var maxZoom: Double?
  /// The least deep zoom, within -2...25.5.
  public var minZoom: Double?
  /// The steepest pitch in degrees, within 0...180.
  public var maxPitch: Double?
  /// The least pitch in degrees, within 0...180.
  public var minPitch: Double?

  /// What is left out stays as it is.
  public init(
    bounds: CoordinateBounds? = nil, maxZoom: Double? = nil, minZoom: Double? = nil, maxPitch: Double? = nil,
    minPitch: Double? = nil
  ) {
    self.bounds = bounds
    self.maxZoom = maxZoom
    self.minZoom = minZoom
    self.maxPitch = maxPitch
    self.minPitch = minPitch
  }
}

extension Map {
  /// The camera as it is now, within an animation too.
  public var cameraState: CameraState { (try? camera) ?? Camera() }

  /// Changes some of the camera's values at once, as `setCamera(_:)`. Throws `invalidArgument` for values past their
  /// range and an anchor above the horizon, and changes nothing.
  public func setCamera(to cameraOptions: CameraOptions) throws(NeatlineError) {
    try setCamera(cameraOptions)
  }

  /// Where the camera may be, whatever moves it.
  public var cameraBounds: CameraBounds { cameraLimits }

  /// Sets some of where the camera may be, and moves it there at once. Throws `invalidArgument` for limits past their
  /// range, and changes nothing.
  public func setCameraBounds(with options: CameraBoundsOptions) throws(NeatlineError) {
    var limits = cameraLimits
    limits.bounds = options.bounds ?? limits.bounds
    limits.maxZoom = options.maxZoom ?? limits.maxZoom
    limits.minZoom = options.minZoom ?? limits.minZoom
    limits.maxPitch = options.maxPitch ?? limits.maxPitch
    limits.minPitch = options.minPitch ?? limits.minPitch
    try setCameraLimits(limits)
  }
}
