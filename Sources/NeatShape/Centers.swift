import NeatBase

/// A box of degrees.
package struct Bounds: Equatable, BitwiseCopyable {
  package var west: Double
  package var south: Double
  package var east: Double
  package var north: Double

  /// The box around places as they stand; nil without any.
  package init?(_ points: UnsafeBufferPointer<LonLat>) {
    guard let first = points.first else { return nil }
    (west, south, east, north) = (first.lon, first.lat, first.lon, first.lat)
    for point in points {
      west = min(west, point.lon)
      south = min(south, point.lat)
      east = max(east, point.lon)
      north = max(north, point.lat)
    }
  }

  init(_ a: LonLat, _ b: LonLat) {
    west = min(a.lon, b.lon)
    south = min(a.lat, b.lat)
    east = max(a.lon, b.lon)
    north = max(a.lat, b.lat)
  }

  /// The middle of the box.
  package var center: LonLat { LonLat((west + east) / 2, (south + north) / 2) }

  @inline(__always) func meets(_ other: Bounds) -> Bool {
    west <= other.east && other.west <= east && south <= other.north && other.south <= north
  }

  mutating func formUnion(_ other: Bounds) {
    west = min(west, other.west)
    south = min(south, other.south)
    east = max(east, other.east)
    north = max(north, other.north)
  }
}

/// Middles of shapes, in degrees; longitudes within -180 ..< 180.
package enum Centers {
  /// The mean of places; nil without any.
  package static func centroid(_ points: UnsafeBufferPointer<LonLat>) -> LonLat? {
    guard !points.isEmpty else { return nil }
    var (lon, lat) = (0.0, 0.0)
    for point in points {
      lon += point.lon
      lat += point.lat
    }
    return normalized(lon / Double(points.count), lat / Double(points.count))
  }

  /// The centre of gravity of a ring's area, on the plane of degrees; its centroid where it has no area.
  package static func ofMass(_ ring: Ring) -> LonLat? {
    let points = ring.open
    guard let middle = centroid(points) else { return nil }
    // Around the middle, so that small rings far out stay exact.
    var previous = (
      lon: points[points.count - 1].lon - middle.lon, lat: points[points.count - 1].lat - middle.lat
    )
    var (doubledArea, lon, lat) = (0.0, 0.0, 0.0)
    for point in points {
      let here = (lon: point.lon - middle.lon, lat: point.lat - middle.lat)
      let cross = previous.lon * here.lat - here.lon * previous.lat
      doubledArea += cross
      lon += (previous.lon + here.lon) * cross
      lat += (previous.lat + here.lat) * cross
      previous = here
    }
    guard doubledArea != 0 else { return middle }
    return normalized(middle.lon + lon / (3 * doubledArea), middle.lat + lat / (3 * doubledArea))
  }

  private static func normalized(_ lon: Double, _ lat: Double) -> LonLat {
    // Wrapping costs digits, which most do not have to pay.
    LonLat(lon >= -180 && lon < 180 ? lon : Angles.wrap(lon, min: -180, max: 180), lat)
  }
}
