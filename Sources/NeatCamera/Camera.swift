import NeatBase

/// Space kept free along the edges of a view, in logical pixels.
package struct EdgeInsets: Sendable, Hashable {
  package var top = 0.0, left = 0.0, bottom = 0.0, right = 0.0

  package init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }
}

/// Where a map is looked at from. Angles in degrees: bearing clockwise from north, pitch from straight down.
/// `CameraRange` says what each may be.
package struct Camera: Sendable, Hashable {
  package var center: LonLat
  /// The world is 512 · 2^zoom logical pixels wide.
  package var zoom: Double
  package var bearing: Double
  package var pitch: Double
  package var roll: Double
  package var padding = EdgeInsets()
  /// The vertical angle of view.
  package var fieldOfView = Camera.defaultFieldOfView
  /// Where north is at a bearing of 0: degrees clockwise from the top.
  package var north = 0.0

  /// What is at the top, whatever stands for north: degrees clockwise from it.
  package var heading: Double { bearing - north }

  package static let defaultFieldOfView = 36.869897645844021

  package init(
    center: LonLat = LonLat(0, 0), zoom: Double = 0, bearing: Double = 0, pitch: Double = 0, roll: Double = 0
  ) {
    self.center = center
    self.zoom = zoom
    self.bearing = bearing
    self.pitch = pitch
    self.roll = roll
  }

  /// The camera, or an error that names the value out of its range.
  package func checked() throws(NeatError) -> Camera {
    func check(_ name: String, _ value: Double, _ range: ClosedRange<Double>) throws(NeatError) {
      try CameraRange.check("camera: \(name)", value, range)
    }
    try check("longitude", center.lon, CameraRange.longitude)
    try check("latitude", center.lat, CameraRange.latitude)
    try check("zoom", zoom, CameraRange.zoom)
    try check("bearing", bearing, CameraRange.angle)
    try check("pitch", pitch, CameraRange.pitch)
    try check("roll", roll, CameraRange.angle)
    try check("north", north, CameraRange.angle)
    try check("field of view", fieldOfView, CameraRange.fieldOfView)
    for inset in [padding.top, padding.left, padding.bottom, padding.right] {
      try check("padding", inset, CameraRange.padding)
    }
    return self
  }

  /// The camera with each member that a style may give at the nearest of its range: for cameras that no
  /// caller gave.
  package func held() -> Camera {
    var camera = self
    camera.center = LonLat(
      CameraRange.hold(center.lon, CameraRange.longitude), CameraRange.hold(center.lat, CameraRange.latitude))
    camera.zoom = CameraRange.hold(zoom, CameraRange.zoom)
    camera.bearing = CameraRange.hold(bearing, CameraRange.angle)
    camera.pitch = CameraRange.hold(pitch, CameraRange.pitch)
    camera.roll = CameraRange.hold(roll, CameraRange.angle)
    return camera
  }
}

/// The size of a picture: logical pixels and how many device pixels each has along an edge.
package struct ViewSize: Sendable, Hashable, CustomStringConvertible {
  package var width: Int
  package var height: Int
  package var pixelRatio: Double

  /// The device pixels of an edge, where they are not those that the logical ones come to.
  private var edge: Int?

  /// Device pixels along an edge at most.
  package static let maxEdge = 16384

  /// A square whose logical edge is no whole number.
  init(square edge: Int, pixelRatio: Double) {
    width = Int(bounded: (Double(edge) / pixelRatio).rounded())
    height = width
    self.pixelRatio = pixelRatio
    self.edge = edge
  }

  package init(width: Int, height: Int, pixelRatio: Double = 1) {
    self.width = width
    self.height = height
    self.pixelRatio = pixelRatio
  }

  package var description: String { "\(deviceWidth)x\(deviceHeight) pixels" }

  package var deviceWidth: Int { edge ?? Int(bounded: (Double(width) * pixelRatio).rounded()) }
  package var deviceHeight: Int { edge ?? Int(bounded: (Double(height) * pixelRatio).rounded()) }

  package func checked() throws(NeatError) -> ViewSize {
    guard pixelRatio.isFinite, pixelRatio >= 0.1, pixelRatio <= 16 else {
      throw NeatError(.invalidArgument, "pixel ratio \(pixelRatio) is not within 0.1...16")
    }
    guard width > 0, height > 0, width <= ViewSize.maxEdge, height <= ViewSize.maxEdge, deviceWidth > 0,
      deviceHeight > 0,
      deviceWidth <= ViewSize.maxEdge, deviceHeight <= ViewSize.maxEdge
    else {
      throw NeatError(
        .invalidArgument,
        "size \(width)x\(height) at ratio \(pixelRatio) is not within 1...\(ViewSize.maxEdge) device pixels")
    }
    return self
  }
}
