import CNeatline

/// Where somebody is. What is nil is not known.
public struct Location: Hashable, Sendable {
  /// The place; its altitude is in metres above the sea.
  public var coordinate: Coordinate
  /// Metres around the place within which it may be in truth.
  public var horizontalAccuracy: Double?
  /// Where it is going: degrees clockwise from north.
  public var course: Double?
  /// Degrees.
  public var courseAccuracy: Double?
  /// Metres a second.
  public var speed: Double?
  /// Microseconds since 1970. Kept and told; what is shown follows the map's own clock.
  public var timestamp: Int64?
  /// Where the device points, of what a puck shows and of recordings: degrees clockwise from true north.
  public var headingDirection: Double?

  /// A place, and what is known of it.
  public init(
    coordinate: Coordinate, horizontalAccuracy: Double? = nil, course: Double? = nil,
    courseAccuracy: Double? = nil, speed: Double? = nil, timestamp: Int64? = nil
  ) {
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
    self.course = course
    self.courseAccuracy = courseAccuracy
    self.speed = speed
    self.timestamp = timestamp
  }

  init(_ location: neat_location) {
    func value(_ field: neat_location_field, _ value: Double) -> Double? {
      location.fields & UInt32(field.rawValue) == 0 ? nil : value
    }
    coordinate = Coordinate(
      longitude: location.lon_deg, latitude: location.lat_deg,
      altitude: value(NEAT_LOCATION_FIELD_ALTITUDE, location.altitude_m))
    horizontalAccuracy = value(NEAT_LOCATION_FIELD_HORIZONTAL_ACCURACY, location.horizontal_accuracy_m)
    course = value(NEAT_LOCATION_FIELD_COURSE, location.course_deg)
    courseAccuracy = value(NEAT_LOCATION_FIELD_COURSE_ACCURACY, location.course_accuracy_deg)
    speed = value(NEAT_LOCATION_FIELD_SPEED, location.speed_mps)
    headingDirection = value(NEAT_LOCATION_FIELD_HEADING, location.heading_deg)
    if location.fields & UInt32(NEAT_LOCATION_FIELD_TIME.rawValue) != 0 { timestamp = location.time_us }
  }

  /// Without the heading, which goes by itself.
  var c: neat_location {
    var result = neat_location()
    result.struct_size = UInt32(MemoryLayout<neat_location>.size)
    (result.lon_deg, result.lat_deg) = (coordinate.longitude, coordinate.latitude)
    func set(
      _ field: neat_location_field, _ path: WritableKeyPath<neat_location, Double>, _ value: Double?
    ) {
      guard let value else { return }
      result.fields |= UInt32(field.rawValue)
      result[keyPath: path] = value
    }
    set(NEAT_LOCATION_FIELD_ALTITUDE, \.altitude_m, coordinate.altitude)
    set(NEAT_LOCATION_FIELD_HORIZONTAL_ACCURACY, \.horizontal_accuracy_m, horizontalAccuracy)
    set(NEAT_LOCATION_FIELD_COURSE, \.course_deg, course)
    set(NEAT_LOCATION_FIELD_COURSE_ACCURACY, \.course_accuracy_deg, courseAccuracy)
    set(NEAT_LOCATION_FIELD_SPEED, \.speed_mps, speed)
    if let timestamp {
      result.fields |= UInt32(NEAT_LOCATION_FIELD_TIME.rawValue)
      result.time_us = timestamp
    }
    return result
  }

  /// The location that a call fills; nil where it fails.
  init?(_ call: (UnsafeMutablePointer<neat_location>) -> neat_status) {
    var location = neat_location()
    location.struct_size = UInt32(MemoryLayout<neat_location>.size)
    guard call(&location) == NEAT_STATUS_OK else { return nil }
    self.init(location)
  }
}

/// Where a device points.
public struct Heading: Hashable, Sendable {
  /// Degrees clockwise from true north.
  public var direction: Double
  /// Degrees; nil: not known.
  public var accuracy: Double?
  /// Microseconds since 1970; nil: not known.
  public var timestamp: Int64?

  /// A direction, and what is known of it.
  public init(direction: Double, accuracy: Double? = nil, timestamp: Int64? = nil) {
    self.direction = direction
    self.accuracy = accuracy
    self.timestamp = timestamp
  }

  init(_ heading: neat_heading) {
    self.init(
      direction: heading.direction_deg, accuracy: heading.has_accuracy == 0 ? nil : heading.accuracy_deg,
      timestamp: heading.has_time == 0 ? nil : heading.time_us)
  }

  var c: neat_heading {
    var result = neat_heading()
    result.struct_size = UInt32(MemoryLayout<neat_heading>.size)
    result.direction_deg = direction
    if let accuracy { (result.has_accuracy, result.accuracy_deg) = (1, accuracy) }
    if let timestamp { (result.has_time, result.time_us) = (1, timestamp) }
    return result
  }
}

/// How exactly a user lets a host know where they are.
public enum AccuracyAuthorization: UInt32, Hashable, Sendable {
  /// As exactly as the device knows.
  case fullAccuracy = 0
  /// Within some kilometres: a ring is shown, and no puck.
  case reducedAccuracy = 1
}
