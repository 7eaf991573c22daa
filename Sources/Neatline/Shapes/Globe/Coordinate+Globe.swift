import CNeatline

/// A position, under its name in turf-swift.
public typealias LocationCoordinate2D = Coordinate
/// Metres.
public typealias LocationDistance = Double
/// Degrees clockwise from north.
public typealias LocationDirection = Double
/// Degrees.
public typealias LocationDegrees = Double

extension Coordinate {
  /// Metres to another position along the great circle, on a sphere of 6,373,000 m.
  public func distance(to coordinate: Coordinate) -> LocationDistance {
    neat_shape_distance(longitude, latitude, coordinate.longitude, coordinate.latitude)
  }

  /// The way to take for another position, in degrees clockwise from north: -180 to 180.
  public func direction(to coordinate: Coordinate) -> LocationDirection {
    neat_shape_direction(longitude, latitude, coordinate.longitude, coordinate.latitude)
  }

  /// The position at a distance in metres, facing a direction in degrees clockwise from north. Its longitude
  /// may be past 180.
  public func coordinate(at distance: LocationDistance, facing direction: LocationDirection) -> Coordinate {
    made { neat_shape_destinations([longitude, latitude], 1, [distance], 1, [direction], 1, $0) }
  }

  /// The position half way to another along the great circle.
  public func midpoint(to coordinate: Coordinate) -> Coordinate {
    made {
      neat_shape_midpoints([longitude, latitude], 1, [coordinate.longitude, coordinate.latitude], 1, $0)
    }
  }

  private func made(_ call: (UnsafeMutablePointer<Double>) -> neat_status) -> Coordinate {
    var place = [Double.nan, .nan]
    _ = call(&place)
    return Coordinate(longitude: place[0], latitude: place[1])
  }
}

extension Double {
  /// The angle from a minimum to below a maximum that differs from this one by whole turns of that range; NaN
  /// where the two are equal.
  public func wrap(min minimumValue: Double, max maximumValue: Double) -> Double {
    neat_shape_wrap(self, minimumValue, maximumValue)
  }

  /// Degrees between two directions the shorter way round: 0 to 180.
  public func difference(from beta: Double) -> Double { neat_shape_difference(self, beta) }
}

/// A straight line of degrees between two positions.
public typealias LineSegment = (Coordinate, Coordinate)

/// Where two segments cross; nil where they only touch, and where they are parallel.
public func intersection(_ line1: LineSegment, _ line2: LineSegment) -> Coordinate? {
  LineString([line1.0, line1.1]).intersections(with: LineString([line2.0, line2.1])).first
}

extension BoundingBox {
  /// The smallest box around positions; nil without any, and where a number is not finite.
  public init?(from coordinates: [Coordinate]?) {
    guard let coordinates else { return nil }
    var box = [0.0, 0, 0, 0]
    guard neat_shape_bounds(coordinates.pairs, coordinates.count, &box) == NEAT_STATUS_OK else { return nil }
    self.init(GeographicBounds(west: box[0], south: box[1], east: box[2], north: box[3]))
  }

  /// A box from its corners.
  public init(southWest: Coordinate, northEast: Coordinate) {
    self.init(GeographicBounds(sw: southWest, ne: northEast))
  }

  /// The south-western corner.
  public var southWest: Coordinate {
    get { Coordinate(longitude: bounds.west, latitude: bounds.south) }
    set { (bounds.west, bounds.south) = (newValue.longitude, newValue.latitude) }
  }

  /// The north-eastern corner.
  public var northEast: Coordinate {
    get { Coordinate(longitude: bounds.east, latitude: bounds.north) }
    set { (bounds.east, bounds.north) = (newValue.longitude, newValue.latitude) }
  }

  /// Whether a position lies in the box; on its edge it does where boundaries are not ignored.
  public func contains(_ coordinate: Coordinate, ignoreBoundary: Bool = true) -> Bool {
    guard ignoreBoundary else { return bounds.contains(coordinate) }
    return bounds.contains(coordinate) && coordinate.latitude != bounds.south
      && coordinate.latitude != bounds.north && coordinate.longitude != bounds.west
      && coordinate.longitude != bounds.east
  }
}
