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
package struct Camera: Sendable, Hashable {
  package var center: LonLat
  /// -2 … 25.5; the world is 512 · 2^zoom logical pixels wide.
  package var zoom: Double
  package var bearing: Double
  /// 0 … 85.
  package var pitch: Double
  package var roll: Double
  package var padding = EdgeInsets()
  /// The vertical angle of view.
  package var fieldOfView = Camera.defaultFieldOfView

  package static let defaultFieldOfView = 36.869897645844021
  package static let zoomRange = -2.0...25.5
  package static let pitchRange = 0.0...85.0

  package init(center: LonLat = LonLat(0, 0), zoom: Double = 0, bearing: Double = 0, pitch: Double = 0, roll: Double = 0) {
    self.center = center
    self.zoom = zoom
    self.bearing = bearing
    self.pitch = pitch
    self.roll = roll
  }

  /// The camera, or an error that names the value out of its range.
  package func checked() throws(NeatError) -> Camera {
    func check(_ name: String, _ value: Double, _ range: ClosedRange<Double>) throws(NeatError) {
      guard value.isFinite, range.contains(value) else {
        throw NeatError(.invalidArgument, "camera: \(name) \(value) is not within \(range.lowerBound)...\(range.upperBound)")
      }
    }
    try check("longitude", center.lon, -36000...36000)
    try check("latitude", center.lat, -90...90)
    try check("zoom", zoom, Camera.zoomRange)
    try check("bearing", bearing, -36000...36000)
    try check("pitch", pitch, Camera.pitchRange)
    try check("roll", roll, -36000...36000)
    try check("field of view", fieldOfView, 0.1...150)
    for inset in [padding.top, padding.left, padding.bottom, padding.right] { try check("padding", inset, 0...65536) }
    return self
  }
}

/// The size of a picture: logical pixels and how many device pixels each has along an edge.
package struct ViewSize: Sendable, Hashable, CustomStringConvertible {
  package var width: Int
  package var height: Int
  package var pixelRatio: Double

  /// Device pixels along an edge at most.
  package static let maxEdge = 16384

  package init(width: Int, height: Int, pixelRatio: Double = 1) {
    self.width = width
    self.height = height
    self.pixelRatio = pixelRatio
  }

  package var description: String { "\(deviceWidth)x\(deviceHeight) pixels" }

  package var deviceWidth: Int { Int((Double(width) * pixelRatio).rounded()) }
  package var deviceHeight: Int { Int((Double(height) * pixelRatio).rounded()) }

  package func checked() throws(NeatError) -> ViewSize {
    guard pixelRatio.isFinite, pixelRatio >= 0.1, pixelRatio <= 16 else {
      throw NeatError(.invalidArgument, "pixel ratio \(pixelRatio) is not within 0.1...16")
    }
    guard width > 0, height > 0, width <= ViewSize.maxEdge, height <= ViewSize.maxEdge, deviceWidth > 0, deviceHeight > 0,
      deviceWidth <= ViewSize.maxEdge, deviceHeight <= ViewSize.maxEdge
    else {
      throw NeatError(
        .invalidArgument, "size \(width)x\(height) at ratio \(pixelRatio) is not within 1...\(ViewSize.maxEdge) device pixels")
    }
    return self
  }
}
