import NeatBase

// Many places against the same polygons: edges lie in bands of latitude, and a place is held against those of
// its own band. The answer is that of a ray through all edges, for parity does not depend on their order, and
// an edge outside the band neither crosses the ray nor has the place on it.

/// Polygons that are asked about many places.
package struct PolygonBands: ~Copyable {
  private let polygons: Polygons
  private let south: Double
  private let scale: Double
  private let bands: Int
  /// Where the edges of each band begin in `edges`, with the end behind; in a band they stand polygon by
  /// polygon and ring by ring.
  private var starts: GrowingBuffer<Int>
  private var edges: GrowingBuffer<Edge>

  // Not private: Swift 6.3.1 cannot compile the memory's end in another target then.
  package struct Edge: BitwiseCopyable {
    var a: LonLat
    var b: LonLat
    var ring: Int32
    var polygon: Int32
  }

  private static let maxBands = 1 << 20
  /// Entries an edge, on the average: with fewer bands edges are in fewer of them.
  private static let share = 4

  /// Bytes that it needs at most.
  package static func byteCount(_ polygons: Polygons) -> Int {
    let points = polygons.points.count
    return (share + 1) * points * MemoryLayout<Edge>.stride + 16 * min(points, maxBands)
  }

  package init(_ polygons: Polygons) {
    self.polygons = polygons
    let bounds = Bounds(polygons.points)
    let (low, high) = (bounds?.south ?? 0, bounds?.north ?? 0)
    south = low
    var (bands, scale) = (max(1, min(polygons.points.count, PolygonBands.maxBands)), 0.0)
    while true {
      scale = high > low ? Double(bands) / (high - low) : 0
      var entries = 0
      polygons.forEachEdge { _, _, a, b in
        let span = PolygonBands.span(a, b, low, scale, bands)
        entries += span.upperBound - span.lowerBound + 1
      }
      if entries <= PolygonBands.share * polygons.points.count || bands == 1 { break }
      bands /= 2
    }
    self.bands = bands
    self.scale = scale
    // Counted, summed up, and filled from behind so that the sums become the starts.
    starts = GrowingBuffer(capacity: bands + 1)
    for _ in 0...bands { starts.appendReserved(0) }
    let counts = starts.base
    polygons.forEachEdge { _, _, a, b in
      for band in PolygonBands.span(a, b, low, scale, bands) { counts[band] += 1 }
    }
    var sum = 0
    for band in 0...bands {
      let count = counts[band]
      counts[band] = sum
      sum += count
    }
    edges = GrowingBuffer(capacity: sum)
    let places = edges.extend(sum)
    polygons.forEachEdge { polygon, ring, a, b in
      let edge = Edge(
        a: a, b: b, ring: Int32(truncatingIfNeeded: ring), polygon: Int32(truncatingIfNeeded: polygon))
      for band in PolygonBands.span(a, b, low, scale, bands) {
        (places + counts[band]).initialize(to: edge)
        counts[band] += 1
      }
    }
    for band in stride(from: bands, to: 0, by: -1) { counts[band] = counts[band - 1] }
    counts[0] = 0
  }

  /// The bands of an edge. Cells grow with latitudes, so that the band of every latitude of the edge is among
  /// them.
  @inline(__always)
  private static func span(_ a: LonLat, _ b: LonLat, _ south: Double, _ scale: Double, _ bands: Int)
    -> ClosedRange<Int>
  {
    let first = Int(cell: (min(a.lat, b.lat) - south) * scale, last: bands - 1)
    return first...max(first, Int(cell: (max(a.lat, b.lat) - south) * scale, last: bands - 1))
  }

  /// What `Polygons.contains` says.
  package func contains(_ place: LonLat, ignoresBoundary: Bool) -> Bool {
    let band = Int(cell: (place.lat - south) * scale, last: bands - 1)
    var index = starts[band]
    let end = starts[band + 1]
    while index < end {
      let polygon = edges[index].polygon
      let outer = Int32(truncatingIfNeeded: polygons.rings(of: Int(polygon)).lowerBound)
      var (isInside, isExcluded) = (false, false)
      while index < end, edges[index].polygon == polygon {
        let ring = edges[index].ring
        var (isOdd, isOnBoundary) = (false, false)
        while index < end, edges[index].ring == ring {
          switch Ring.crossing(place, edges[index].a, edges[index].b) {
          case .boundary: isOnBoundary = true
          case .inside: isOdd.toggle()
          case .outside: break
          }
          index += 1
        }
        if ring == outer {
          isInside = isOnBoundary ? !ignoresBoundary : isOdd
        } else if isOnBoundary ? ignoresBoundary : isOdd {
          isExcluded = true
        }
      }
      if isInside && !isExcluded { return true }
    }
    return false
  }
}

extension Polygons {
  /// Edges with the numbers of their polygon and ring, ring by ring; each ring closed.
  fileprivate func forEachEdge(_ body: (Int, Int, LonLat, LonLat) -> Void) {
    for polygon in 0..<count {
      for index in rings(of: polygon) {
        let points = ring(index).open
        guard var previous = points.last else { continue }
        for point in points {
          body(polygon, index, point, previous)
          previous = point
        }
      }
    }
  }
}
