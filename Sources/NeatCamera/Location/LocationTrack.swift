import NeatBase

/// What is shown of a location at a moment: on its way from one that a provider gave to the next.
package struct ShownLocation: Sendable, Hashable {
  package var place: LonLat
  package var altitude: Double?
  package var horizontalAccuracy: Double?
  package var course: Double?
  package var heading: Double?
}

/// The way from location to location, as a value of time and input.
///
/// A location that comes is reached in 1.1 s, a little longer than the second that most providers leave between
/// two, so that nothing stands still meanwhile; a heading, which comes more often, in 0.3 s. What comes on the way
/// starts from what is shown by then. Longitudes and angles go the shorter way round. The first of each is there
/// at once.
package struct LocationTrack: Sendable {
  package static let locationMS = 1100.0
  package static let headingMS = 300.0

  /// The last ones that were given.
  package private(set) var location: Location?
  package private(set) var heading: Heading?

  private var from: Location?
  private var headingFrom: Double?
  private var locationWay: Way
  private var headingWay: Way

  /// How much of its time is over.
  private struct Way {
    let durationMS: Double
    var doneMS: Double
    /// Nil: its time begins with the next frame.
    var lastMS: Double?

    init(_ durationMS: Double) { (self.durationMS, doneMS) = (durationMS, durationMS) }

    var isOver: Bool { doneMS >= durationMS }
    var part: Double { min(max(doneMS / durationMS, 0), 1) }

    mutating func begin(_ now: Double?) { (doneMS, lastMS) = (0, now) }
    mutating func end() { doneMS = durationMS }

    /// Time goes on; one that goes back counts for nothing.
    mutating func pass(_ now: Double) {
      guard !isOver else { return }
      let last = lastMS ?? now
      doneMS = min(doneMS + max(0, now - last), durationMS)
      lastMS = max(last, now)
    }
  }

  package init() {
    locationWay = Way(LocationTrack.locationMS)
    headingWay = Way(LocationTrack.headingMS)
  }

  /// Whether what is shown is on its way.
  package var isMoving: Bool {
    location != nil && (!locationWay.isOver || heading != nil && !headingWay.isOver)
  }

  /// Takes a location. Throws `invalidArgument`, and changes nothing, for what is none.
  /// - Parameter now: here and below nil where time is that of frames alone: the next one's counts.
  package mutating func take(_ given: Location, atMS now: Double?) throws(NeatError) {
    let given = try given.checked()
    if let now { pass(now) }
    if let last = location {
      from = between(last)
      locationWay.begin(now)
    } else {
      from = nil
      locationWay.end()
    }
    location = given
  }

  /// Takes a heading. Throws `invalidArgument`, and changes nothing, for what is none.
  package mutating func take(_ given: Heading, atMS now: Double?) throws(NeatError) {
    let given = try given.checked()
    if let now { pass(now) }
    if heading != nil, let shown = shownHeading {
      headingFrom = shown
      headingWay.begin(now)
    } else {
      headingWay.end()
    }
    heading = given
  }

  /// Nothing is known any more.
  package mutating func forget() { self = LocationTrack() }

  /// Goes to a time.
  package mutating func pass(_ now: Double) {
    guard now.isFinite else { return }
    locationWay.pass(now)
    headingWay.pass(now)
  }

  /// What is shown; nil before the first location.
  package var shown: ShownLocation? {
    guard let location else { return nil }
    let at = between(location)
    return ShownLocation(
      place: at.place, altitude: at.altitude, horizontalAccuracy: at.horizontalAccuracy, course: at.course,
      heading: shownHeading)
  }

  private var shownHeading: Double? {
    guard let heading else { return nil }
    guard let headingFrom, !headingWay.isOver else { return heading.direction }
    return LocationTrack.angle(headingFrom, heading.direction, headingWay.part)
  }

  /// The location of this moment on the way to `to`.
  private func between(_ to: Location) -> Location {
    guard let from, !locationWay.isOver else { return to }
    let part = locationWay.part
    // What was not known before is there at once, and what is not known any more goes.
    func mix(_ path: KeyPath<Location, Double?>) -> Double? {
      guard let end = to[keyPath: path] else { return nil }
      guard let start = from[keyPath: path] else { return end }
      return start + (end - start) * part
    }
    var at = to
    let lon = Angle.near(to.place.lon, to: from.place.lon)
    at.place.lon = Angle.wrapped(from.place.lon + (lon - from.place.lon) * part)
    at.place.lat = from.place.lat + (to.place.lat - from.place.lat) * part
    at.altitude = mix(\.altitude)
    at.horizontalAccuracy = mix(\.horizontalAccuracy)
    if let start = from.course, let end = to.course { at.course = LocationTrack.angle(start, end, part) }
    return at
  }

  private static func angle(_ from: Double, _ to: Double, _ part: Double) -> Double {
    Angle.turned(from + (Angle.near(to, to: from) - from) * part)
  }
}
