import NeatBase

/// A straight line of degrees between two places.
package struct Segment {
  package var a: LonLat
  package var b: LonLat

  package init(_ a: LonLat, _ b: LonLat) {
    self.a = a
    self.b = b
  }

  /// Where two segments cross, and how far along this one, 0 to 1. Nil where they only touch, an end of one
  /// being on the other, where they are parallel, and where one lies on the other.
  package func intersection(_ other: Segment) -> (point: LonLat, along: Double)? {
    let (dx, dy) = (b.lon - a.lon, b.lat - a.lat)
    let (ex, ey) = (other.b.lon - other.a.lon, other.b.lat - other.a.lat)
    let denominator = ey * dx - ex * dy
    guard denominator != 0 else { return nil }
    let (startX, startY) = (a.lon - other.a.lon, a.lat - other.a.lat)
    let along = (ex * startY - ey * startX) / denominator
    let alongOther = (dx * startY - dy * startX) / denominator
    guard along > 0, along < 1, alongOther > 0, alongOther < 1 else { return nil }
    return (LonLat(a.lon + along * dx, a.lat + along * dy), along)
  }
}
