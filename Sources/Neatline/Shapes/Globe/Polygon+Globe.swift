import CNeatline

extension Ring {
  /// Square metres on a sphere of 6,378,137 m, above 0 where the ring runs clockwise, below 0 where it runs
  /// the other way; NaN where a number is not finite.
  public var area: Double {
    var area = 0.0
    return neat_shape_ring_area(coordinates.pairs, coordinates.count, &area) == NEAT_STATUS_OK ? area : .nan
  }

  /// Whether a position lies within the ring; on its edge it does, unless boundaries are ignored.
  public func contains(_ coordinate: Coordinate, ignoreBoundary: Bool = false) -> Bool {
    PolygonList([[self]]).contains([coordinate], ignoreBoundary: ignoreBoundary)[0]
  }
}

extension Polygon {
  /// A ring of positions on a circle around a centre, which approximates it; 64 are enough to look at. Fewer
  /// than 3 vertices are taken as 3, more than 2^24 as so many; a centre or radius that is not finite gives a
  /// polygon without rings.
  public init(center: Coordinate, radius: LocationDistance, vertices: Int) {
    let vertices = UInt32(max(3, min(1 << 24, vertices)))
    let ring = [Coordinate].made {
      neat_shape_circle(center.longitude, center.latitude, radius, vertices, $0)
    }
    self.init(ring.map { [$0] } ?? [])
  }

  /// Square metres on a sphere of 6,378,137 m, without the holes; NaN where a number is not finite.
  public var area: Double { PolygonList([rings]).area }

  /// Whether a position lies in the area and in no hole. On an edge, of a hole's too, it does, unless
  /// boundaries are ignored. Edges are straight lines of degrees.
  public func contains(_ coordinate: Coordinate, ignoreBoundary: Bool = false) -> Bool {
    contains([coordinate], ignoreBoundary: ignoreBoundary)[0]
  }

  /// Of each position whether it lies in the polygon: of many faster than one by one.
  public func contains(_ coordinates: [Coordinate], ignoreBoundary: Bool = false) -> [Bool] {
    PolygonList([rings]).contains(coordinates, ignoreBoundary: ignoreBoundary)
  }

  /// The middle of the box around the outer ring; nil without one.
  public var center: Coordinate? { middle { neat_shape_center($0, $1, $2) } }

  /// The mean of the outer ring's positions; nil without any.
  public var centroid: Coordinate? { middle { neat_shape_centroid($0, $1, 1, $2) } }

  /// The centre of gravity of the outer ring's area on the plane of degrees; the centroid where it has none.
  public var centerOfMass: Coordinate? { middle { neat_shape_center_of_mass($0, $1, $2) } }

  private func middle(
    _ call: (UnsafePointer<Double>, Int, UnsafeMutablePointer<Double>) -> neat_status
  ) -> Coordinate? {
    guard let ring = outerRing else { return nil }
    var place = [0.0, 0]
    guard call(ring.coordinates.pairs, ring.coordinates.count, &place) == NEAT_STATUS_OK else { return nil }
    return Coordinate(longitude: place[0], latitude: place[1])
  }

  /// The polygon with the corners of its rings cut a number of times (Chaikin), each of which doubles their
  /// positions. As it is where there is nothing to cut, and where a ring would have more than 2^26 positions.
  public func smooth(iterations: Int = 3) -> Polygon {
    guard let iterations = UInt32(exactly: iterations) else { return self }
    var copy = self
    for index in rings.indices {
      let ring = rings[index].coordinates
      guard let made = [Coordinate].made({ neat_shape_smooth(ring.pairs, ring.count, iterations, $0) }) else {
        return self
      }
      copy.rings[index].coordinates = made
    }
    return copy
  }

  /// The polygon without positions that matter less than a tolerance in degrees (Douglas and Peucker). Where
  /// the tolerance leaves no triangle of a ring it is lowered until one is left; a ring without area stays as
  /// it is. At the highest quality no position is dropped beforehand for being near to the one before. As it
  /// is where the tolerance is below 0, and where a number is not finite.
  public func simplified(tolerance: Double = 1.0, highestQuality: Bool = false) -> Polygon {
    var copy = self
    copy.simplify(tolerance: tolerance, highestQuality: highestQuality)
    return copy
  }

  /// Simplifies the polygon in place.
  public mutating func simplify(tolerance: Double = 1.0, highestQuality: Bool = false) {
    for index in rings.indices {
      rings[index].coordinates = rings[index].coordinates.simplified(
        tolerance: tolerance, highestQuality: highestQuality, isRing: true)
    }
  }
}

extension MultiPolygon {
  /// Square metres of all polygons; NaN where a number is not finite.
  public var area: Double { PolygonList(polygons.map(\.rings)).area }

  /// Whether a position lies in any of the polygons, as `Polygon.contains` says.
  public func contains(_ coordinate: Coordinate, ignoreBoundary: Bool = false) -> Bool {
    contains([coordinate], ignoreBoundary: ignoreBoundary)[0]
  }

  /// Of each position whether it lies in any of the polygons: of many faster than one by one.
  public func contains(_ coordinates: [Coordinate], ignoreBoundary: Bool = false) -> [Bool] {
    PolygonList(polygons.map(\.rings)).contains(coordinates, ignoreBoundary: ignoreBoundary)
  }

  /// The polygons, each simplified as `Polygon.simplified` does.
  public func simplified(tolerance: Double = 1.0, highestQuality: Bool = false) -> MultiPolygon {
    var copy = self
    copy.polygons = polygons.map { $0.simplified(tolerance: tolerance, highestQuality: highestQuality) }
    return copy
  }
}
