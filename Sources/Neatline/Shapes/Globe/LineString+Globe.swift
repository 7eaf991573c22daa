import CNeatline

extension LineString {
  /// A line along a ring.
  public init(_ ring: Ring) { self.init(ring.coordinates) }

  /// A position on a line.
  public struct IndexedCoordinate: Hashable, Sendable {
    /// The position.
    public let coordinate: Coordinate
    /// The vertex that it is, or that its segment begins with.
    public let index: Int
    /// Metres from the start of the line, along it.
    public let distance: LocationDistance
  }

  // MARK: Places

  /// The position at a distance along the line in metres: its start for distances below 0, its end for those
  /// past it. Nil for a line without positions, and where a number is not one.
  public func coordinateFromStart(distance: LocationDistance) -> Coordinate? {
    indexedCoordinateFromStart(distance: distance)?.coordinate
  }

  /// As `coordinateFromStart(distance:)`, with the vertex before.
  public func indexedCoordinateFromStart(distance: LocationDistance) -> IndexedCoordinate? {
    place { neat_shape_along($0, $1, [distance], 1, $2) }
  }

  /// The position of the line that is closest to another as the crow flies. Nil for a line without positions,
  /// and where a number is not finite.
  public func closestCoordinate(to coordinate: Coordinate) -> IndexedCoordinate? {
    place { neat_shape_closest($0, $1, [coordinate.longitude, coordinate.latitude], 1, $2) }
  }

  private func place(
    _ call: (UnsafePointer<Double>, Int, UnsafeMutablePointer<neat_shape_place>) -> neat_status
  ) -> IndexedCoordinate? {
    var place = neat_shape_place()
    guard call(coordinates.pairs, coordinates.count, &place) == NEAT_STATUS_OK else { return nil }
    let index = Int(clamping: place.index)
    let vertex = coordinates[index]
    let isVertex = vertex.longitude == place.lon_deg && vertex.latitude == place.lat_deg
    return IndexedCoordinate(
      coordinate: isVertex ? vertex : Coordinate(longitude: place.lon_deg, latitude: place.lat_deg),
      index: index, distance: place.along_m)
  }

  // MARK: Parts

  /// Metres along the line between the positions on it that are closest to two others; without one of those,
  /// from its start or to its end. Nil where `sliced(from:to:)` is.
  public func distance(from start: Coordinate? = nil, to end: Coordinate? = nil) -> LocationDistance? {
    guard let part = start == nil && end == nil ? self : sliced(from: start, to: end) else { return nil }
    var length = 0.0
    let status = neat_shape_length(part.coordinates.pairs, part.coordinates.count, &length)
    return part.coordinates.isEmpty || status != NEAT_STATUS_OK ? nil : length
  }

  /// The part of the line between the positions on it that are closest to two others; without one of those,
  /// from its start or to its end. Where the two lie on different segments the part runs as the line does,
  /// whichever comes first. Nil for a line without positions, and where a number is not finite.
  public func sliced(from start: Coordinate? = nil, to end: Coordinate? = nil) -> LineString? {
    let from: [Double]? = start.map { [$0.longitude, $0.latitude] }
    let to: [Double]? = end.map { [$0.longitude, $0.latitude] }
    return part { neat_shape_slice($0, $1, from, to, $2) }
  }

  /// The part of the line between two distances from its start, in metres; it ends where the line does. Nil
  /// where the distances are below 0 or the wrong way round, and where the line ends before the first.
  public func trimmed(from startDistance: LocationDistance, to stopDistance: LocationDistance) -> LineString?
  {
    part { neat_shape_trim($0, $1, startDistance, stopDistance, $2) }
  }

  /// The part of the line that begins at the position on it closest to another and goes on for a distance in
  /// metres, or back where that is below 0; it ends where the line does. Nil for a distance of 0, and for a
  /// line without positions.
  public func trimmed(from coordinate: Coordinate, distance: LocationDistance) -> LineString? {
    let made = [Coordinate].made {
      neat_shape_trim_from(
        coordinates.pairs, coordinates.count, coordinate.longitude, coordinate.latitude, distance, $0)
    }
    guard let made else { return nil }
    return LineString(
      distance > 0 ? made.withAltitudes(of: coordinates) : made.withAltitudes(of: coordinates.reversed()))
  }

  private func part(_ call: (UnsafePointer<Double>, Int, OutPointer) -> neat_status) -> LineString? {
    [Coordinate].made { call(coordinates.pairs, coordinates.count, $0) }.map {
      LineString($0.withAltitudes(of: coordinates))
    }
  }

  // MARK: Other lines

  /// Where the line crosses another, each position once, in the order of this line. Where an end of a segment
  /// only touches the other line, and where lines run on each other, they do not cross. None where a number
  /// is not finite. Of lines that lie across each other everywhere there are as many as the product of their
  /// lengths.
  public func intersections(with line: LineString) -> [Coordinate] {
    [Coordinate].made {
      neat_shape_intersections(
        coordinates.pairs, coordinates.count, line.coordinates.pairs, line.coordinates.count, .max, $0)
    } ?? []
  }

  /// A smooth curve through the line's positions, of `resolution / 20` positions. Nil for a line of fewer than
  /// two, a resolution that is not within 1 to 100,000,000, and where a number is not finite.
  public func bezier(resolution: Int = 10000, sharpness: Double = 0.85) -> LineString? {
    guard let resolution = UInt32(exactly: resolution) else { return nil }
    return [Coordinate].made {
      neat_shape_bezier(coordinates.pairs, coordinates.count, resolution, sharpness, $0)
    }.map { LineString($0) }
  }

  /// The line without positions that matter less than a tolerance in degrees (Douglas and Peucker). At the
  /// highest quality none is dropped beforehand for being near to the one before. As it is where the
  /// tolerance is below 0, and where a number is not finite.
  public func simplified(tolerance: Double = 1.0, highestQuality: Bool = false) -> LineString {
    var copy = self
    copy.simplify(tolerance: tolerance, highestQuality: highestQuality)
    return copy
  }

  /// Simplifies the line in place.
  public mutating func simplify(tolerance: Double = 1.0, highestQuality: Bool = false) {
    coordinates = coordinates.simplified(tolerance: tolerance, highestQuality: highestQuality, isRing: false)
  }
}

extension MultiLineString {
  /// The lines, each simplified as `LineString.simplified` does.
  public func simplified(tolerance: Double = 1.0, highestQuality: Bool = false) -> MultiLineString {
    var copy = self
    copy.coordinates = coordinates.map {
      $0.simplified(tolerance: tolerance, highestQuality: highestQuality, isRing: false)
    }
    return copy
  }
}
