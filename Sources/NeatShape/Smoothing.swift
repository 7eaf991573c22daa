import NeatBase

/// Chaikin's algorithm: every edge gives way to its middle half, so that corners are cut.
package enum Smoothing {
  /// The most places that come out.
  package static let maxPoints = 1 << 26

  /// The ring with its corners cut that many times, closed; as it is where it has one place or none, or
  /// nothing is to be cut. Every time doubles its places; past `limit` of them, nil.
  package static func smooth(_ ring: Ring, iterations: Int, limit: Int = maxPoints) -> [LonLat]? {
    var edges = ring.open.count
    guard iterations > 0, edges > 1 else { return Array(ring.points) }
    guard iterations < Int.bitWidth - 2, edges <= (limit - 1) >> iterations else { return nil }
    var current = Array(ring.open)
    var next: [LonLat] = []
    for _ in 0..<iterations {
      next.removeAll(keepingCapacity: true)
      next.reserveCapacity(2 * edges + 1)
      for index in 0..<edges {
        let (a, b) = (current[index], current[index + 1 == edges ? 0 : index + 1])
        next.append(LonLat(0.75 * a.lon + 0.25 * b.lon, 0.75 * a.lat + 0.25 * b.lat))
        next.append(LonLat(0.25 * a.lon + 0.75 * b.lon, 0.25 * a.lat + 0.75 * b.lat))
      }
      swap(&current, &next)
      edges *= 2
    }
    current.append(current[0])
    return current
  }
}
