import NeatBase

/// The straight way of a centre on the plane, as `GlobeWay` is on the globe.
enum PlaneWay {
  /// Where a part of the way is done, the shorter way around the world.
  static func center(from start: LonLat, to end: LonLat, at part: Double) -> LonLat {
    let near = LonLat(Angle.near(end.lon, to: start.lon), end.lat)
    let (a, b) = (Mercator.held(start), Mercator.held(near))
    let place = Mercator.unproject(a + (b - a) * part)
    return LonLat(Angle.wrapped(place.lon), place.lat)
  }
}
