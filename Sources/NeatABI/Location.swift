import CNeatline
import NeatBase
import NeatCamera
import NeatLive
import NeatMap

extension neat_location: GrowingStruct {
  static var structName: String { "neat_location" }
  static var firstSize: Int { 80 }
}

extension neat_heading: GrowingStruct {
  static var structName: String { "neat_heading" }
  static var firstSize: Int { 40 }
}

extension neat_location_provider: GrowingStruct {
  static var structName: String { "neat_location_provider" }
  static var firstSize: Int { 32 }
}

extension neat_location {
  private func has(_ field: neat_location_field) -> Bool { fields & UInt32(field.rawValue) != 0 }
  private mutating func mark(_ field: neat_location_field) { fields |= UInt32(field.rawValue) }

  private func value(_ field: neat_location_field, _ value: Double) -> Double? { has(field) ? value : nil }

  private mutating func set(
    _ field: neat_location_field, _ path: WritableKeyPath<neat_location, Double>, _ value: Double?
  ) {
    guard let value else { return }
    mark(field)
    self[keyPath: path] = value
  }

  func location() throws(NeatError) -> Location {
    guard fields < 64 else {
      throw NeatError(
        .invalidArgument, "a location has the fields \(fields), and 63 are all that it may have")
    }
    var location = Location(LonLat(lon_deg, lat_deg))
    location.altitude = value(NEAT_LOCATION_FIELD_ALTITUDE, altitude_m)
    location.horizontalAccuracy = value(NEAT_LOCATION_FIELD_HORIZONTAL_ACCURACY, horizontal_accuracy_m)
    location.course = value(NEAT_LOCATION_FIELD_COURSE, course_deg)
    location.courseAccuracy = value(NEAT_LOCATION_FIELD_COURSE_ACCURACY, course_accuracy_deg)
    location.speed = value(NEAT_LOCATION_FIELD_SPEED, speed_mps)
    if has(NEAT_LOCATION_FIELD_TIME) { location.timeUS = time_us }
    return location
  }

  init(_ location: Location) {
    self.init()
    struct_size = UInt32(MemoryLayout<neat_location>.size)
    (lon_deg, lat_deg) = (location.place.lon, location.place.lat)
    set(NEAT_LOCATION_FIELD_ALTITUDE, \.altitude_m, location.altitude)
    set(NEAT_LOCATION_FIELD_HORIZONTAL_ACCURACY, \.horizontal_accuracy_m, location.horizontalAccuracy)
    set(NEAT_LOCATION_FIELD_COURSE, \.course_deg, location.course)
    set(NEAT_LOCATION_FIELD_COURSE_ACCURACY, \.course_accuracy_deg, location.courseAccuracy)
    set(NEAT_LOCATION_FIELD_SPEED, \.speed_mps, location.speed)
    if let time = location.timeUS {
      mark(NEAT_LOCATION_FIELD_TIME)
      time_us = time
    }
  }

  init(_ shown: ShownLocation) {
    self.init()
    struct_size = UInt32(MemoryLayout<neat_location>.size)
    (lon_deg, lat_deg) = (shown.place.lon, shown.place.lat)
    set(NEAT_LOCATION_FIELD_ALTITUDE, \.altitude_m, shown.altitude)
    set(NEAT_LOCATION_FIELD_HORIZONTAL_ACCURACY, \.horizontal_accuracy_m, shown.horizontalAccuracy)
    set(NEAT_LOCATION_FIELD_COURSE, \.course_deg, shown.course)
    set(NEAT_LOCATION_FIELD_HEADING, \.heading_deg, shown.heading)
  }

  mutating func add(_ heading: Heading?) {
    set(NEAT_LOCATION_FIELD_HEADING, \.heading_deg, heading?.direction)
  }
}

extension neat_heading {
  init(_ heading: Heading) {
    self.init()
    struct_size = UInt32(MemoryLayout<neat_heading>.size)
    direction_deg = heading.direction
    if let accuracy = heading.accuracy { (has_accuracy, accuracy_deg) = (1, accuracy) }
    if let time = heading.timeUS { (has_time, time_us) = (1, time) }
  }

  fileprivate var heading: Heading {
    var heading = Heading(direction_deg)
    if has_accuracy != 0 { heading.accuracy = accuracy_deg }
    if has_time != 0 { heading.timeUS = time_us }
    return heading
  }
}

@c @implementation
public func neat_map_set_location_options(
  _ map: OpaquePointer!, _ options: UnsafePointer<CChar>!, _ options_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let json = try JSONOptions(try bytes(options, options_size, "options"), known: LocationOptions.names)
    try map.setLocationOptions(try map.locationOptions.changed(by: json))
  }
}

@c @implementation
public func neat_map_location_options(_ map: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in Buffer(Array(map.locationOptions.json.text.utf8)) }
}

@c @implementation
public func neat_map_set_puck_image(
  _ map: OpaquePointer!, _ kind: neat_puck_image, _ image: OpaquePointer!, _ pixel_ratio: Double
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    guard let kind = PuckImageKind(rawValue: UInt32(kind.rawValue)) else {
      throw NeatError(.invalidArgument, "a puck has no image of the number \(kind.rawValue)")
    }
    guard let image else { return try map.setPuckImage(kind, nil) }
    let picture: ImageHandle = Handle.object(image)
    try map.setPuckImage(
      kind, try PuckImage(picture.pixelImage, pixelRatio: pixel_ratio == 0 ? 1 : pixel_ratio))
  }
}

@c @implementation
public func neat_map_set_puck_model(_ map: OpaquePointer!, _ data: UnsafePointer<UInt8>!, _ size: Int)
  -> neat_status
{
  attempt(map) { map throws(NeatError) in
    let given = try bytes(data, size, "data")
    try map.setPuckModel(given.isEmpty ? nil : try PuckModelHolder(given))
  }
}

@c @implementation
public func neat_map_push_location(_ map: OpaquePointer!, _ location: UnsafePointer<neat_location>!)
  -> neat_status
{
  attempt(map) { map throws(NeatError) in
    try map.push(try required(try received(location), "location").location())
  }
}

@c @implementation
public func neat_map_push_heading(_ map: OpaquePointer!, _ heading: UnsafePointer<neat_heading>!)
  -> neat_status
{
  attempt(map) { map throws(NeatError) in
    try map.push(try required(try received(heading), "heading").heading)
  }
}

@c @implementation
public func neat_map_fail_location(
  _ map: OpaquePointer!, _ status: neat_status, _ message: UnsafePointer<CChar>!, _ message_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    guard let code = ErrorCode(rawValue: Int32(truncatingIfNeeded: status.rawValue)) else {
      throw NeatError(.invalidArgument, "status \(status.rawValue) is no failure")
    }
    try map.failLocation(NeatError(code, try text(message, message_size, "message")))
  }
}

@c @implementation
public func neat_map_set_accuracy_authorization(
  _ map: OpaquePointer!, _ authorization: neat_accuracy_authorization
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    guard let value = AccuracyAuthorization(rawValue: UInt32(authorization.rawValue)) else {
      throw NeatError(.invalidArgument, "no accuracy authorization has the number \(authorization.rawValue)")
    }
    try map.setAccuracyAuthorization(value)
  }
}

extension AccuracyAuthorization {
  var c: neat_accuracy_authorization {
    self == .full ? NEAT_ACCURACY_AUTHORIZATION_FULL : NEAT_ACCURACY_AUTHORIZATION_REDUCED
  }
}

@c @implementation
public func neat_map_accuracy_authorization(
  _ map: OpaquePointer!, _ out_authorization: UnsafeMutablePointer<neat_accuracy_authorization>!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    try required(out_authorization, "out_authorization").pointee = map.accuracyAuthorization.c
  }
}

@c @implementation
public func neat_map_forget_location(_ map: OpaquePointer!) -> neat_status {
  attempt(map) { map throws(NeatError) in try map.forgetLocation() }
}

private func there<T>(_ value: T?, _ name: String) throws(NeatError) -> T {
  guard let value else { throw NeatError(.notFound, "there is no \(name) yet") }
  return value
}

@c @implementation
public func neat_map_latest_location(
  _ map: OpaquePointer!, _ out_location: UnsafeMutablePointer<neat_location>!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let out = try Receiver(out_location, "out_location")
    out.fill(neat_location(try there(map.latestLocation, "location")))
  }
}

@c @implementation
public func neat_map_shown_location(
  _ map: OpaquePointer!, _ out_location: UnsafeMutablePointer<neat_location>!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let out = try Receiver(out_location, "out_location")
    out.fill(neat_location(try there(map.shownLocation, "location")))
  }
}

@c @implementation
public func neat_map_latest_heading(
  _ map: OpaquePointer!, _ out_heading: UnsafeMutablePointer<neat_heading>!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let out = try Receiver(out_heading, "out_heading")
    out.fill(neat_heading(try there(map.latestHeading, "heading")))
  }
}

@c @implementation
public func neat_map_set_location_provider(
  _ map: OpaquePointer!, _ provider: UnsafePointer<neat_location_provider>!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    guard let given = try received(provider) else { return try map.setLocationProvider(nil) }
    let context = given.context
    try map.setLocationProvider(
      LocationProvider(
        update: { given.update?(context, $0 ? 1 : 0, $1 ? 1 : 0) },
        requestFullAccuracy: { key in key.withCString { given.request_full_accuracy?(context, $0) } }))
  }
}

@c @implementation
public func neat_map_request_full_accuracy(
  _ map: OpaquePointer!, _ purpose_key: UnsafePointer<CChar>!, _ purpose_key_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    try map.requestFullAccuracy(purposeKey: try text(purpose_key, purpose_key_size, "purpose_key"))
  }
}
