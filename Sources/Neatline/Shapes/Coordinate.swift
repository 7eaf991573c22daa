/// A position on the globe.
public struct Coordinate: Hashable, Sendable {
  /// Degrees. Kept as given, beyond 180 too: a line across the 180th meridian may go on to 190.
  public var longitude: Double
  /// Degrees.
  public var latitude: Double
  /// Metres above the ellipsoid.
  public var altitude: Double?

  /// A position in degrees, and metres above the ellipsoid.
  public init(longitude: Double, latitude: Double, altitude: Double? = nil) {
    self.longitude = longitude
    self.latitude = latitude
    self.altitude = altitude
  }

  /// A position in degrees, and metres above the ellipsoid.
  public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
    self.init(longitude: longitude, latitude: latitude, altitude: altitude)
  }
}

/// The member `bbox` of a GeoJSON object: what its author says that it covers. Nothing checks or updates it.
public struct BoundingBox: Hashable, Sendable {
  /// The box in degrees.
  public var bounds: GeographicBounds
  /// Metres, the lowest and the highest.
  public var altitudes: SIMD2<Double>?

  /// A box in degrees, and the lowest and highest altitude in metres.
  public init(_ bounds: GeographicBounds, altitudes: SIMD2<Double>? = nil) {
    self.bounds = bounds
    self.altitudes = altitudes
  }

  /// Four numbers, or six with altitudes, in the order of GeoJSON.
  init?(numbers: [Double]) {
    let half = numbers.count / 2
    guard numbers.count == 4 || numbers.count == 6 else { return nil }
    bounds = GeographicBounds(
      west: numbers[0], south: numbers[1], east: numbers[half], north: numbers[half + 1])
    altitudes = half == 3 ? SIMD2(numbers[2], numbers[5]) : nil
  }

  var numbers: [Double] {
    guard let altitudes else { return [bounds.west, bounds.south, bounds.east, bounds.north] }
    return [bounds.west, bounds.south, altitudes.x, bounds.east, bounds.north, altitudes.y]
  }
}
