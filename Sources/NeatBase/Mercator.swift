/// Longitude in -180...180 and latitude in -90...90, in degrees.
package struct LonLat: Hashable, Sendable, BitwiseCopyable {
  package var lon: Double
  package var lat: Double

  package init(_ lon: Double, _ lat: Double) {
    self.lon = lon
    self.lat = lat
  }
}

/// Web Mercator (EPSG:3857) scaled to the unit square: (0, 0) is the north-west corner, (1, 1) the south-east
/// one.
package enum Mercator {
  /// The latitude at which the unit square ends, in degrees.
  package static let maxLatitude = 85.051128779806604

  /// The nearest latitude of the unit square.
  package static func heldLatitude(_ latitude: Double) -> Double {
    min(max(latitude, -maxLatitude), maxLatitude)
  }
  package static let earthRadius = 6378137.0
  package static let earthCircumference = 2 * Double.pi * earthRadius
  /// Metres: the radius of the sphere that is as large as the Earth on the mean. By it MapLibre takes heights, and
  /// metres on the ground, for pixels.
  package static let meanEarthRadius = 6_371_008.8
  package static let meanCircumference = 2 * Double.pi * meanEarthRadius

  package static func x(lon: Double) -> Double { (180 + lon) / 360 }

  package static func y(lat: Double) -> Double {
    (180 - (180 / .pi * log(tan(.pi / 4 + lat * .pi / 360)))) / 360
  }

  package static func lon(x: Double) -> Double { x * 360 - 180 }

  package static func lat(y: Double) -> Double {
    360 / .pi * atan(exp((180 - y * 360) * .pi / 180)) - 90
  }

  /// Unit-square coordinates of a place.
  package static func project(_ place: LonLat) -> SIMD2<Double> {
    SIMD2(x(lon: place.lon), y(lat: place.lat))
  }

  package static func unproject(_ point: SIMD2<Double>) -> LonLat { LonLat(lon(x: point.x), lat(y: point.y)) }
}
