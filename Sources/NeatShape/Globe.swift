import NeatBase

// The earth as a sphere, by the formulas and with the radii of Turf (turf-swift, Turf.js): what is measured
// here is what programs that come from there expect.

/// Places on the globe: how far, which way, and where one comes to. Longitudes go on past 180 as they are
/// given and as they come out; a number that is not finite gives one that is not either.
package enum Globe {
  /// Metres, for distances.
  package static let radius = 6_373_000.0
  /// Metres, for areas: the semi-major axis of WGS 84.
  package static let equatorialRadius = 6_378_137.0

  /// Metres along the great circle (haversine formula).
  package static func distance(_ a: LonLat, _ b: LonLat) -> Double {
    distance(GlobePoint(a), GlobePoint(b))
  }

  /// The way to take at `a` for `b`, in degrees clockwise from north: -180 to 180. 0 where both are the same.
  package static func direction(_ a: LonLat, _ b: LonLat) -> Double {
    let (a, b) = (GlobePoint(a), GlobePoint(b))
    let turn = b.lon - a.lon
    let east = sin(turn) * b.cosLat
    let north = a.cosLat * sin(b.lat) - sin(a.lat) * b.cosLat * cos(turn)
    return degrees(atan2(east, north))
  }

  /// The place at a distance in metres from another, facing a direction in degrees clockwise from north.
  package static func destination(_ from: LonLat, distance: Double, direction: Double) -> LonLat {
    let from = GlobePoint(from)
    let (way, facing) = (distance / radius, radians(direction))
    let (sinLat, sinWay, cosWay) = (sin(from.lat), sin(way), cos(way))
    let height = sinLat * cosWay + from.cosLat * sinWay * cos(facing)
    // Past 1 by rounding only, at the poles.
    let lat = asin(height > 1 ? 1 : height < -1 ? -1 : height)
    let lon = from.lon + atan2(sin(facing) * sinWay * from.cosLat, cosWay - sinLat * sin(lat))
    return LonLat(degrees(lon), degrees(lat))
  }

  /// The place half way along the great circle.
  package static func midpoint(_ a: LonLat, _ b: LonLat) -> LonLat {
    destination(a, distance: distance(a, b) / 2, direction: direction(a, b))
  }

  static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
  static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }

  static func distance(_ a: GlobePoint, _ b: GlobePoint) -> Double {
    let north = sin((b.lat - a.lat) / 2)
    let east = sin((b.lon - a.lon) / 2)
    let haversine = north * north + east * east * a.cosLat * b.cosLat
    // Past 1 by rounding only, at the antipode.
    return 2 * atan2(haversine.squareRoot(), max(0, 1 - haversine).squareRoot()) * radius
  }
}

/// A place in radians with the cosine that every formula needs, so that lines have it computed once a vertex.
struct GlobePoint {
  var lon: Double
  var lat: Double
  var cosLat: Double

  init(_ place: LonLat) {
    lon = Globe.radians(place.lon)
    lat = Globe.radians(place.lat)
    cosLat = cos(lat)
  }
}
