import NeatBase
import Testing

@testable import NeatCamera

@Suite struct LocationTrackTests {
  private func location(_ lon: Double, _ lat: Double, accuracy: Double? = nil, course: Double? = nil)
    -> Location
  {
    var location = Location(LonLat(lon, lat))
    location.horizontalAccuracy = accuracy
    location.course = course
    return location
  }

  @Test func theFirstLocationIsThereAtOnce() throws {
    var track = LocationTrack()
    #expect(track.shown == nil && !track.isMoving)
    try track.take(location(11, 47), atMS: 500)
    #expect(track.shown?.place == LonLat(11, 47) && !track.isMoving)
  }

  @Test func theNextIsReachedWithin1100Milliseconds() throws {
    var track = LocationTrack()
    try track.take(location(10, 40, accuracy: 10, course: 350), atMS: 0)
    try track.take(location(12, 41, accuracy: 20, course: 10), atMS: 1000)
    #expect(track.isMoving && track.shown?.place == LonLat(10, 40))
    track.pass(1550)
    #expect(track.shown?.place == LonLat(11, 40.5))
    #expect(track.shown?.horizontalAccuracy == 15 && track.shown?.course == 0, "over north, the shorter way")
    // Time that goes back counts for nothing.
    track.pass(1200)
    #expect(track.shown?.place == LonLat(11, 40.5))
    track.pass(2099)
    #expect(track.isMoving)
    track.pass(2100)
    #expect(!track.isMoving && track.shown?.place == LonLat(12, 41))
  }

  @Test func aLocationOnTheWayStartsFromWhatIsShown() throws {
    var track = LocationTrack()
    try track.take(location(10, 40), atMS: 0)
    try track.take(location(12, 40), atMS: 0)
    try track.take(location(10, 40), atMS: 550)
    #expect(track.shown?.place == LonLat(11, 40))
    track.pass(1100)
    #expect(track.shown?.place == LonLat(10.5, 40))
  }

  /// A host that paces frames: the time of a location begins with its next frame.
  @Test func withoutATimeTheNextFramesCounts() throws {
    var track = LocationTrack()
    try track.take(location(10, 40), atMS: nil)
    try track.take(location(12, 40), atMS: nil)
    track.pass(77_000)
    #expect(track.shown?.place == LonLat(10, 40))
    track.pass(77_550)
    #expect(track.shown?.place == LonLat(11, 40))
  }

  @Test func theAntimeridianIsCrossedTheShorterWay() throws {
    var track = LocationTrack()
    try track.take(location(179, 0), atMS: 0)
    try track.take(location(-179, 0), atMS: 0)
    track.pass(550)
    #expect(abs(track.shown?.place.lon ?? 0) == 180)
    track.pass(825)
    #expect(track.shown?.place.lon == -179.5)
  }

  @Test func headingsGoTheShorterWayIn300Milliseconds() throws {
    var track = LocationTrack()
    try track.take(location(0, 0), atMS: 0)
    #expect(track.shown?.heading == nil)
    try track.take(Heading(350), atMS: 0)
    #expect(track.shown?.heading == 350)
    try track.take(Heading(-360 + 20), atMS: 100)
    track.pass(250)
    #expect(track.shown?.heading == 5)
    track.pass(400)
    #expect(track.shown?.heading == 20 && !track.isMoving)
  }

  @Test func whatIsNotKnownBeforeOrAfterDoesNotMove() throws {
    var track = LocationTrack()
    try track.take(location(0, 0, accuracy: 5), atMS: 0)
    try track.take(location(1, 0, course: 90), atMS: 0)
    track.pass(550)
    #expect(track.shown?.horizontalAccuracy == nil && track.shown?.course == 90)
  }

  @Test func whatIsNoLocationIsRefusedAndChangesNothing() throws {
    var track = LocationTrack()
    try track.take(location(1, 2), atMS: 0)
    let before = track.shown
    var wrong: [Location] = [
      location(.nan, 0), location(0, .infinity), location(0, 90.1), location(36_001, 0),
      location(0, 0, accuracy: -1), location(0, 0, accuracy: .nan), location(0, 0, course: .infinity),
    ]
    var other = location(0, 0)
    other.speed = -1
    wrong.append(other)
    other = location(0, 0)
    other.altitude = .nan
    wrong.append(other)
    for each in wrong { #expect(throws: NeatError.self) { try track.take(each, atMS: 0) } }
    for each in [Double.nan, .infinity, 36_001] {
      #expect(throws: NeatError.self) { try track.take(Heading(each), atMS: 0) }
    }
    #expect(track.shown == before && !track.isMoving)
    do { try track.take(location(0, 91), atMS: 0) } catch {
      #expect(error.message == "location: latitude 91.0 is not within -90.0...90.0")
    }
  }

  @Test func longitudesAndCoursesAreTurned() throws {
    var track = LocationTrack()
    try track.take(location(371, 0, course: -90), atMS: 0)
    #expect(track.shown?.place.lon == 11 && track.shown?.course == 270)
  }

  @Test func thousandsOfUpdatesStayFinite() throws {
    var track = LocationTrack()
    for step in 0..<10_000 {
      let at = Double(step)
      try track.take(
        location(at.truncatingRemainder(dividingBy: 360), sin(at) * 90, course: at * 3), atMS: at * 16)
      let shown = try #require(track.shown)
      #expect(
        shown.place.lon.isFinite && abs(shown.place.lat) <= 90 && (0.0..<360).contains(shown.course ?? 0))
    }
  }
}

@Suite struct ReducedRingTests {
  @Test func theZoomOfTheLeastRingGoesFrom75To4() {
    #expect(ReducedRing.zoom(accuracy: 1000) == 7.5)
    #expect(ReducedRing.zoom(accuracy: 20_000) == 4)
    #expect(abs(ReducedRing.zoom(accuracy: 10_500) - 5.75) < 1e-12)
    // Past both ends it is that of the end.
    #expect(ReducedRing.zoom(accuracy: 1) == 7.5 && ReducedRing.zoom(accuracy: 1e8) == 4)
    #expect(ReducedRing.zoom(accuracy: .nan) == 7.5)
  }

  @Test func theRingIsNeverSmallerThan11Pixels() {
    for accuracy in [nil, 0, 1000, 5000, 20_000] as [Double?] {
      for latitude in [0.0, 47, -85, 90] {
        for zoom in stride(from: -2.0, through: 22, by: 0.25) {
          let radius = ReducedRing.radius(accuracy: accuracy, latitude: latitude, zoom: zoom)
          #expect(radius >= 11 && radius.isFinite)
        }
      }
    }
    #expect(ReducedRing.radius(accuracy: 20_000, latitude: 0, zoom: 4) == 11)
  }

  @Test func aZoomDeeperTheRingHasItsSize() {
    let radius = ReducedRing.radius(accuracy: 20_000, latitude: 47, zoom: 10)
    #expect(abs(radius - 20_000 / Ground.metresPerPixel(latitude: 47, zoom: 10)) < 1e-9)
    // And it does not jump.
    var before = 11.0
    for zoom in stride(from: 3.0, through: 12, by: 0.01) {
      let next = ReducedRing.radius(accuracy: 20_000, latitude: 47, zoom: zoom)
      #expect(abs(next - before) < max(before * 0.05, 0.5))
      before = next
    }
  }
}
