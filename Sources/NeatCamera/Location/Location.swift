import NeatBase

/// Where somebody is, as a provider says it: a fix of a satellite receiver, a row of a recording. What is nil is
/// not known.
package struct Location: Sendable, Hashable {
  package var place: LonLat
  /// Metres.
  package var altitude: Double?
  /// Metres around the place within which it may be in truth.
  package var horizontalAccuracy: Double?
  /// Where it is going: degrees clockwise from north.
  package var course: Double?
  /// Degrees.
  package var courseAccuracy: Double?
  /// Metres a second.
  package var speed: Double?
  /// Microseconds since 1970. Told and kept, and never computed with: what is shown follows the map's own clock,
  /// so that times that go back or jump do no harm.
  package var timeUS: Int64?

  package init(_ place: LonLat) { self.place = place }

  /// Metres, metres a second, degrees past which there is no such location.
  package static let altitudeRange = -1e6...1e8
  package static let accuracyRange = 0.0...1e8
  package static let speedRange = 0.0...1e6

  /// The location, its course within 0 to 360 and its longitude within ±180, or an error that names what is out
  /// of its range.
  package func checked() throws(NeatError) -> Location {
    func check(_ name: String, _ value: Double?, _ range: ClosedRange<Double>) throws(NeatError) {
      guard let value, !range.contains(value) else { return }
      throw NeatError(
        .invalidArgument,
        "location: \(name) \(value) is not within \(range.lowerBound)...\(range.upperBound)")
    }
    try check("longitude", place.lon, CameraRange.longitude)
    try check("latitude", place.lat, CameraRange.latitude)
    try check("altitude", altitude, Location.altitudeRange)
    try check("horizontal accuracy", horizontalAccuracy, Location.accuracyRange)
    try check("course", course, CameraRange.angle)
    try check("course accuracy", courseAccuracy, 0...360)
    try check("speed", speed, Location.speedRange)
    var result = self
    result.place.lon = Angle.wrapped(place.lon)
    result.course = course.map(Angle.turned)
    return result
  }
}

/// Where a device points: degrees clockwise from true north.
package struct Heading: Sendable, Hashable {
  package var direction: Double
  /// Degrees.
  package var accuracy: Double?
  /// Microseconds since 1970.
  package var timeUS: Int64?

  package init(_ direction: Double) { self.direction = direction }

  /// The heading within 0 to 360, or an error that names what is out of its range.
  package func checked() throws(NeatError) -> Heading {
    guard CameraRange.angle.contains(direction) else {
      throw NeatError(.invalidArgument, "heading \(direction) is not within -36000...36000")
    }
    if let accuracy, !(0.0...360).contains(accuracy) {
      throw NeatError(.invalidArgument, "heading: accuracy \(accuracy) is not within 0...360")
    }
    var result = self
    result.direction = Angle.turned(direction)
    return result
  }
}

/// How exactly a user lets a host know where they are. The numbers are those of `neat_accuracy_authorization`.
package enum AccuracyAuthorization: UInt32, Sendable, Hashable {
  case full = 0
  case reduced = 1
}

extension Angle {
  /// The same angle from 0 up to below 360.
  static func turned(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    // A sliver below 0 would come out as 360.
    return rest < 0 ? (rest + 360 < 360 ? rest + 360 : 0) : rest
  }
}
