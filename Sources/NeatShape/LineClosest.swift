import NeatBase

extension Line {
  /// The place of the line that is closest to another as the crow flies; nil for a line without points. Of
  /// places equally close, the first.
  ///
  /// As Turf does it: a segment is a straight line of degrees, on which the foot of the perpendicular, drawn
  /// to both sides as far as the segment's farther end, is looked for. On segments of hundreds of kilometres
  /// that is not the great circle's.
  package func closest(to place: LonLat) -> LinePlace? {
    guard let first = points.first else { return nil }
    let target = GlobePoint(place)
    var best = LinePlace(
      point: first, index: 0, along: 0, distance: Globe.distance(target, GlobePoint(first)))
    var before = best.distance
    for index in 1..<max(1, count) {
      let (a, b) = (points[index - 1], points[index])
      // All of the segment lies at least as far as its latitudes do, and the next one measures its own start.
      if Line.latitudesBetween(place.lat, a.lat, b.lat) > best.distance {
        before = .nan
        continue
      }
      if before.isNaN { before = Globe.distance(target, GlobePoint(a)) }
      let after = Globe.distance(target, GlobePoint(b))
      let (start, end) = (before, after)
      before = after
      if start < best.distance { best = LinePlace(point: a, index: index - 1, along: 0, distance: start) }
      if end < best.distance { best = LinePlace(point: b, index: index, along: 0, distance: end) }
      guard let foot = Line.foot(of: place, on: a, b, reach: max(start, end)) else { continue }
      let distance = Globe.distance(target, GlobePoint(foot))
      if distance < best.distance {
        best = LinePlace(point: foot, index: index - 1, along: 0, distance: distance)
      }
    }
    best.along = length(through: best.index) + Globe.distance(points[best.index], best.point)
    return best
  }

  /// Metres that a place lies north or south of all of a segment, a little less for rounding; 0 where its
  /// latitude is among the segment's.
  private static func latitudesBetween(_ lat: Double, _ a: Double, _ b: Double) -> Double {
    let gap = max(min(a, b) - lat, lat - max(a, b))
    // A great circle's way from one latitude to another is no shorter, while both are latitudes.
    guard gap > 0, abs(a) <= 90, abs(b) <= 90, abs(lat) <= 90 else { return 0 }
    return Globe.radians(gap) * Globe.radius * (1 - 1e-9)
  }

  private static func foot(of place: LonLat, on a: LonLat, _ b: LonLat, reach: Double) -> LonLat? {
    let direction = Globe.direction(a, b)
    let right = Globe.destination(place, distance: reach, direction: direction + 90)
    let left = Globe.destination(place, distance: reach, direction: direction - 90)
    return Segment(right, left).intersection(Segment(a, b))?.point
  }
}
