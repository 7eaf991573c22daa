/// Where the members of a camera lie. Past them a caller's camera is an error; a style's own one, which says
/// where a map begins, is held at the nearest.
package enum CameraRange {
  package static let longitude = -36000.0...36000
  package static let latitude = -90.0...90
  /// The world is 512 · 2^zoom logical pixels wide.
  package static let zoom = -2.0...25.5
  /// Bearing and roll, in degrees.
  package static let angle = -36000.0...36000
  /// From straight down to straight up.
  package static let pitch = 0.0...180.0
  /// How far a renderer's camera tilts, and a map's before anything is said of its limits.
  package static let usualPitch = 0.0...85.0
  package static let fieldOfView = 0.1...150.0
  /// Logical pixels.
  package static let padding = 0.0...65536.0

  /// Throws `invalidArgument`, naming what is out of its range.
  package static func check(_ name: String, _ value: Double, _ range: ClosedRange<Double>) throws(NeatError) {
    guard range.contains(value) else {
      throw NeatError(
        .invalidArgument, "\(name) \(value) is not within \(range.lowerBound)...\(range.upperBound)")
    }
  }

  /// What is wrong with a member that a style gives, by its name there; nil where nothing is, and for others.
  package static func faultOfStyle(_ name: String, _ value: Double) -> String? {
    switch name {
    case "zoom": fault(value, zoom)
    case "bearing", "roll": fault(value, angle)
    case "pitch" where value > usualPitch.upperBound:
      "\(value) is past \(usualPitch.upperBound), which is taken where no limits let a map tilt farther"
    case "pitch": fault(value, pitch)
    default: nil
    }
  }

  /// The nearest within the range; 0, or what is nearest to it, for NaN.
  package static func hold(_ value: Double, _ range: ClosedRange<Double>) -> Double {
    min(max(value.isNaN ? 0 : value, range.lowerBound), range.upperBound)
  }

  package static func fault(_ value: Double, _ range: ClosedRange<Double>) -> String? {
    range.contains(value)
      ? nil
      : "\(value) is not within \(range.lowerBound)...\(range.upperBound); \(hold(value, range)) is taken"
  }
}
