extension Shape {
  /// The box around all coordinates, as they are given: a shape across the 180th meridian, kept within ±180,
  /// covers most of the world. Nil for a shape without any.
  public var coordinateBounds: GeographicBounds? {
    var result: GeographicBounds?
    for geometry in geoJSON.geometries {
      geometry.forEachCoordinate { place in
        guard let bounds = result else {
          result = GeographicBounds(
            west: place.longitude, south: place.latitude, east: place.longitude, north: place.latitude)
          return
        }
        result = GeographicBounds(
          west: min(bounds.west, place.longitude), south: min(bounds.south, place.latitude),
          east: max(bounds.east, place.longitude),
          north: max(bounds.north, place.latitude))
      }
    }
    return result
  }

  /// `coordinateBounds`, under its name in the oldest SDKs.
  public var overlayBounds: GeographicBounds? { coordinateBounds }

  /// Positions of all geometries, those that close rings included.
  public var pointCount: Int {
    var count = 0
    for geometry in geoJSON.geometries { geometry.forEachCoordinate { _ in count += 1 } }
    return count
  }

  /// Whether a point, line or area of the shape has something in common with a box, edges included. Edges of
  /// shapes are straight lines of degrees.
  public func intersects(_ bounds: GeographicBounds) -> Bool {
    let boxes = bounds.unwrapped
    return geoJSON.geometries.contains { geometry in boxes.contains { geometry.meets($0) } }
  }
}

extension Geometry {
  /// Of a collection, its members are asked one by one (`GeoJSON.geometries`).
  func forEachCoordinate(_ body: (Coordinate) -> Void) {
    switch self {
    case .point(let value): body(value.coordinate)
    case .multiPoint(let value): value.coordinates.forEach(body)
    case .lineString(let value): value.coordinates.forEach(body)
    case .multiLineString(let value): for line in value.coordinates { line.forEach(body) }
    case .polygon(let value): for ring in value.rings { ring.coordinates.forEach(body) }
    case .multiPolygon(let value):
      for polygon in value.polygons { for ring in polygon.rings { ring.coordinates.forEach(body) } }
    case .geometryCollection(let value): for geometry in value.geometries { geometry.forEachCoordinate(body) }
    }
  }

  fileprivate func meets(_ box: GeographicBounds) -> Bool {
    switch self {
    case .point(let value): box.contains(value.coordinate)
    case .multiPoint(let value): value.coordinates.contains(where: box.contains)
    case .lineString(let value): box.meets(line: value.coordinates)
    case .multiLineString(let value): value.coordinates.contains { box.meets(line: $0) }
    case .polygon(let value): box.meets(value)
    case .multiPolygon(let value): value.polygons.contains { box.meets($0) }
    case .geometryCollection(let value): value.geometries.contains { $0.meets(box) }
    }
  }
}

extension GeographicBounds {
  /// A box from its south-western and north-eastern corners.
  public init(sw: Coordinate, ne: Coordinate) {
    self.init(west: sw.longitude, south: sw.latitude, east: ne.longitude, north: ne.latitude)
  }

  /// Whether a position lies in the box or on its edge.
  public func contains(_ place: Coordinate) -> Bool {
    guard place.latitude >= south, place.latitude <= north else { return false }
    return west <= east
      ? place.longitude >= west && place.longitude <= east
      : place.longitude >= west || place.longitude <= east
  }

  /// Whether two boxes have something in common, edges included.
  public func intersects(_ other: GeographicBounds) -> Bool {
    unwrapped.contains { a in
      other.unwrapped.contains { b in
        a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north
      }
    }
  }

  /// Boxes of which none crosses the 180th meridian.
  fileprivate var unwrapped: [GeographicBounds] {
    guard west > east else { return [self] }
    var (a, b) = (self, self)
    (a.east, b.west) = (max(180, west), min(-180, east))
    return [a, b]
  }

  fileprivate func meets(line: [Coordinate]) -> Bool {
    if line.count == 1 { return contains(line[0]) }
    return zip(line, line.dropFirst()).contains { meets($0, $1) }
  }

  /// An area meets the box where a ring does, or where the box lies in it whole: then a corner tells.
  fileprivate func meets(_ polygon: Polygon) -> Bool {
    for ring in polygon.rings {
      if meets(line: ring.coordinates) { return true }
      if !ring.isClosed, let first = ring.coordinates.first, let last = ring.coordinates.last,
        meets(last, first)
      {
        return true
      }
    }
    return polygon.contains(Coordinate(longitude: west, latitude: south))
  }

  /// Liang and Barsky: the part of the segment within each of the four half planes; what is left of it is in
  /// the box.
  private func meets(_ a: Coordinate, _ b: Coordinate) -> Bool {
    var (enter, leave) = (0.0, 1.0)
    let (dx, dy) = (b.longitude - a.longitude, b.latitude - a.latitude)
    for (slope, room) in [
      (-dx, a.longitude - west), (dx, east - a.longitude), (-dy, a.latitude - south),
      (dy, north - a.latitude),
    ] {
      if slope == 0 {
        if room < 0 { return false }
      } else if slope < 0 {
        enter = max(enter, room / slope)
      } else {
        leave = min(leave, room / slope)
      }
    }
    return enter <= leave
  }
}
