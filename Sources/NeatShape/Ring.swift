import NeatBase

/// A line around an area, in the caller's memory. Whether it says its first place again at its end or not, it
/// is closed.
package struct Ring {
  package let points: UnsafeBufferPointer<LonLat>

  package init(_ points: UnsafeBufferPointer<LonLat>) { self.points = points }

  package var isClosed: Bool { points.count > 1 && points[0] == points[points.count - 1] }

  /// The places without the last where that is the first again.
  package var open: UnsafeBufferPointer<LonLat> {
    isClosed ? UnsafeBufferPointer(rebasing: points.dropLast()) : points
  }

  /// Square metres, above 0 where the ring runs clockwise on a map with north at the top, below 0 where it
  /// runs the other way.
  ///
  /// Chamberlain and Duquette, "Some Algorithms for Polygons on a Sphere" (JPL 07-03, 2007). Longitudes are
  /// taken as they stand: a ring across the 180th meridian must go on past it.
  package var area: Double {
    let points = open
    guard points.count > 2 else { return 0 }
    var (sum, before) = (0.0, Globe.radians(points[points.count - 1].lon))
    var here = points[0]
    for index in 0..<points.count {
      let next = points[index + 1 == points.count ? 0 : index + 1]
      sum += (Globe.radians(next.lon) - before) * sin(Globe.radians(here.lat))
      before = Globe.radians(here.lon)
      here = next
    }
    return sum * Globe.equatorialRadius * Globe.equatorialRadius / 2
  }
}

/// What a place is to a ring or polygon.
package enum Containment {
  case outside, inside, boundary
}

extension Ring {
  /// Ray casting; edges are straight lines of degrees.
  package func containment(of place: LonLat) -> Containment {
    let points = open
    guard var previous = points.last else { return .outside }
    var isInside = false
    for point in points {
      switch Ring.crossing(place, point, previous) {
      case .boundary: return .boundary
      case .inside: isInside.toggle()
      case .outside: break
      }
      previous = point
    }
    return isInside ? .inside : .outside
  }

  /// Whether the place lies on an edge, or the edge on the ray to its east, which is told as `inside`. The
  /// order of operations is Turf's.
  @inline(__always)
  static func crossing(_ place: LonLat, _ a: LonLat, _ b: LonLat) -> Containment {
    let (x, y) = (place.lon, place.lat)
    if (a.lon - x) * (b.lon - x) <= 0, (a.lat - y) * (b.lat - y) <= 0,
      y * (a.lon - b.lon) + a.lat * (b.lon - x) + b.lat * (x - a.lon) == 0
    {
      return .boundary
    }
    guard (a.lat > y) != (b.lat > y) else { return .outside }
    return x < (b.lon - a.lon) * (y - a.lat) / (b.lat - a.lat) + a.lon ? .inside : .outside
  }
}
