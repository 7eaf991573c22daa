import Glibc
import Neatline

extension Bench {
  /// A walk of a million places, measured, cut and simplified; a ring of as many, asked about.
  func shapes() throws {
    var random = Random(11)
    let count = isQuick ? 20_000 : 1_000_000
    var place = Coordinate(longitude: 0, latitude: 0)
    let walk = LineString(
      (0..<count).map { _ in
        place.longitude += random.next(-1...1) * 1e-3
        place.latitude += random.next(-1...1) * 1e-3
        return place
      })
    let ring = (0..<count).map { step in
      let angle = Double(step) / Double(count) * 2 * .pi
      let radius = 10 * (1 + 0.2 * sin(37 * angle)) + random.next(0...1) * 1e-3
      return Coordinate(longitude: radius * cos(angle), latitude: radius * sin(angle))
    }
    let polygon = Polygon([ring + ring.prefix(1)])
    let points = Double(count)
    try throughput("simplify, with the first pass", amount: points, "points/s") {
      _ = walk.simplified(tolerance: 0.01)
    }
    try throughput("simplify, high quality", amount: points, "points/s") {
      _ = walk.simplified(tolerance: 0.01, highestQuality: true)
    }
    try throughput("length", amount: points, "points/s") { _ = walk.distance() }
    try throughput("closest", amount: points, "points/s") { _ = walk.closestCoordinate(to: ring[0]) }
    try throughput("area", amount: points, "points/s") { _ = polygon.area }
    try throughput("contains, one place", amount: points, "edges/s") {
      _ = polygon.contains(walk.coordinates[0])
    }
    let asked = (0..<100_000).map { _ in
      Coordinate(longitude: random.next(-12...12), latitude: random.next(-12...12))
    }
    try throughput("contains, 100000 places", amount: Double(asked.count), "places/s") {
      _ = polygon.contains(asked)
    }
    let moved = LineString(
      walk.coordinates.map { Coordinate(longitude: $0.longitude + 5e-4, latitude: $0.latitude + 5e-4) })
    try throughput("intersections, two such walks", amount: points, "points/s") {
      _ = walk.intersections(with: moved)
    }
  }
}
