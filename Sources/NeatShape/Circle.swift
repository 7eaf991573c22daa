import NeatBase

/// Polygons for circles.
package enum Circle {
  package static let vertexRange = 3...1 << 24

  /// A closed ring of places at a distance in metres from a centre, equally far apart, anticlockwise from
  /// north as the outer rings of GeoJSON are.
  package static func ring(center: LonLat, radius: Double, vertices: Int) -> [LonLat] {
    var result: [LonLat] = []
    result.reserveCapacity(vertices + 1)
    for step in 0..<vertices {
      let direction = Double(step) * -360 / Double(vertices)
      result.append(Globe.destination(center, distance: radius, direction: direction))
    }
    if let first = result.first { result.append(first) }
    return result
  }
}
