import NeatBase

extension GeoJSONData {
  /// The smallest box of degrees with all points: west above east where it is smaller across the 180th meridian,
  /// which it is for places on both of its sides. Each geometry is taken as its coordinates say (RFC 7946: one
  /// that crosses that meridian is cut there). Nil for a document without points.
  package var extent: (west: Double, south: Double, east: Double, north: Double)? {
    guard let bounds else { return nil }
    var spans: [SIMD2<Double>] = []
    for geometry in 0..<geometryCount {
      // Places of one feature are as far apart as those of several.
      let isPoint = geometryTypes[geometry] <= GeoJSONGeometryType.multiPoint.rawValue
      for part in Int(partStarts[geometry])..<Int(partStarts[geometry + 1]) {
        var span = SIMD2(Double.infinity, -.infinity)
        for index in Int(pointStarts[part])..<Int(pointStarts[part + 1]) {
          let x = points[index].x
          if isPoint { spans.append(SIMD2(x, x)) } else { span = SIMD2(min(span.x, x), max(span.y, x)) }
        }
        if span.x <= span.y { spans.append(span) }
      }
    }
    // What is past the meridian by its coordinates keeps them.
    guard bounds.west >= -180, bounds.east <= 180, bounds.east - bounds.west > 180 else { return bounds }
    spans.sort { $0.x < $1.x }
    // The widest gap between spans, against the one over the meridian.
    var reach = -Double.infinity
    var gap = (width: bounds.west + 360 - bounds.east, from: 0.0, to: 0.0)
    var isInside = false
    for span in spans {
      if reach.isFinite, span.x - reach > gap.width {
        gap = (span.x - reach, reach, span.x)
        isInside = true
      }
      reach = max(reach, span.y)
    }
    return isInside ? (gap.to, bounds.south, gap.from, bounds.north) : bounds
  }
}
