import CNeatline

/// A point of a view in logical pixels, from its top left corner.
public struct ScreenPoint: Hashable, Sendable {
  /// To the right.
  public var x: Double
  /// Down.
  public var y: Double

  /// A point `x` logical pixels right of the top left corner and `y` below it.
  public init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  /// (-1, -1): what `point(for:)` gives for a place that the view does not show.
  public static let outside = ScreenPoint(-1, -1)
}

/// What a map is laid onto: `Map.projection(atZoom:)` and `Renderer.projection(atZoom:)` say which.
public enum CameraProjection: Hashable, Sendable {
  /// The Mercator plane.
  case mercator
  /// The globe, seen from above the camera's centre.
  case globe

  var c: neat_projection { self == .mercator ? NEAT_PROJECTION_MERCATOR : NEAT_PROJECTION_GLOBE }

  init(_ c: neat_projection) { self = c == NEAT_PROJECTION_GLOBE ? .globe : .mercator }
}

/// What is under a point of the screen.
public struct CoordinateInfo: Hashable, Sendable {
  /// The place; nil at the plane's horizon and above. Beside the globe it is the nearest of its edge.
  public var coordinate: Coordinate?
  /// Whether the map is drawn at the point.
  public var isOnSurface: Bool
}

extension Camera {
  /// Where the view shows a place; (-1, -1) where it does not. Throws `invalidArgument` for a camera, size or
  /// place past its range, as all of these functions do.
  public func point(
    for coordinate: Coordinate, in size: PictureSize, projection: CameraProjection = .mercator
  ) throws(NeatlineError) -> ScreenPoint {
    try points(for: [coordinate], in: size, projection: projection)[0]
  }

  /// Where the view shows places, each as `point(for:in:projection:)`.
  public func points(
    for coordinates: [Coordinate], in size: PictureSize, projection: CameraProjection = .mercator
  ) throws(NeatlineError) -> [ScreenPoint] {
    let (points, visible) = try project(coordinates, size, projection)
    return coordinates.indices.map {
      visible[$0] != 0 ? ScreenPoint(points[2 * $0], points[2 * $0 + 1]) : .outside
    }
  }

  /// Where places are on the screen, or would be if that were larger: also those beside the view, and those of
  /// the globe's far side, which are projected through it. Nil behind the eye.
  public func projected(
    _ coordinates: [Coordinate], in size: PictureSize, projection: CameraProjection = .mercator
  ) throws(NeatlineError) -> [ScreenPoint?] {
    let (points, _) = try project(coordinates, size, projection)
    return coordinates.indices.map {
      points[2 * $0].isNaN ? nil : ScreenPoint(points[2 * $0], points[2 * $0 + 1])
    }
  }

  private func project(_ coordinates: [Coordinate], _ size: PictureSize, _ projection: CameraProjection)
    throws(NeatlineError) -> ([Double], [UInt8])
  {
    var (camera, size) = (Camera.c(self), size.c)
    let numbers = coordinates.flatMap { [$0.longitude, $0.latitude] }
    var points = [Double](repeating: 0, count: numbers.count)
    var visible = [UInt8](repeating: 0, count: coordinates.count)
    try check(
      neat_camera_project(&camera, &size, projection.c, numbers, coordinates.count, &points, &visible))
    return (points, visible)
  }

  /// The place under a point, which may be beside the view; nil at the horizon and above. Beside the globe it
  /// is the nearest of its edge. Longitudes of the plane go on past 180.
  public func coordinate(
    for point: ScreenPoint, in size: PictureSize, projection: CameraProjection = .mercator
  ) throws(NeatlineError) -> Coordinate? {
    try coordinateInfo(for: point, in: size, projection: projection).coordinate
  }

  /// The places under points, each as `coordinate(for:in:projection:)`.
  public func coordinates(
    for points: [ScreenPoint], in size: PictureSize, projection: CameraProjection = .mercator
  ) throws(NeatlineError) -> [Coordinate?] {
    try coordinateInfos(for: points, in: size, projection: projection).map(\.coordinate)
  }

  /// The place under a point, and whether the map is drawn there.
  public func coordinateInfo(
    for point: ScreenPoint, in size: PictureSize, projection: CameraProjection = .mercator
  ) throws(NeatlineError) -> CoordinateInfo {
    try coordinateInfos(for: [point], in: size, projection: projection)[0]
  }

  /// The places under points, and whether the map is drawn there.
  public func coordinateInfos(
    for points: [ScreenPoint], in size: PictureSize, projection: CameraProjection = .mercator
  ) throws(NeatlineError) -> [CoordinateInfo] {
    var (camera, size) = (Camera.c(self), size.c)
    let numbers = points.flatMap { [$0.x, $0.y] }
    var places = [Double](repeating: 0, count: numbers.count)
    var onSurface = [UInt8](repeating: 0, count: points.count)
    try check(
      neat_camera_unproject(&camera, &size, projection.c, numbers, points.count, &places, &onSurface))
    return points.indices.map {
      let (longitude, latitude) = (places[2 * $0], places[2 * $0 + 1])
      return CoordinateInfo(
        coordinate: longitude.isNaN ? nil : Coordinate(longitude: longitude, latitude: latitude),
        isOnSurface: onSurface[$0] != 0)
    }
  }

  /// The box of degrees that the view shows, longitudes within ±180: west is greater than east where it crosses
  /// the 180th meridian.
  public func coordinateBounds(in size: PictureSize, projection: CameraProjection = .mercator)
    throws(NeatlineError) -> GeographicBounds
  {
    try bounds(size, projection, wrap: 1)
  }

  /// The box of degrees that the view shows, west less than east: longitudes go on past 180.
  public func coordinateBoundsUnwrapped(in size: PictureSize, projection: CameraProjection = .mercator)
    throws(NeatlineError) -> GeographicBounds
  {
    try bounds(size, projection, wrap: 0)
  }

  private func bounds(_ size: PictureSize, _ projection: CameraProjection, wrap: Int32) throws(NeatlineError)
    -> GeographicBounds
  {
    var (camera, size) = (Camera.c(self), size.c)
    var sides = [Double](repeating: 0, count: 4)
    try check(neat_camera_view_bounds(&camera, &size, projection.c, wrap, &sides))
    return GeographicBounds(west: sides[0], south: sides[1], east: sides[2], north: sides[3])
  }

  /// The box on the screen around those corners of a box of degrees that are in front of the eye, as two
  /// points: top left and bottom right. Nil where all are behind it.
  public func rect(
    for bounds: GeographicBounds, in size: PictureSize, projection: CameraProjection = .mercator
  ) throws(NeatlineError) -> (ScreenPoint, ScreenPoint)? {
    let east = bounds.east < bounds.west ? bounds.east + 360 : bounds.east
    let corners = try projected(
      [(bounds.west, bounds.south), (east, bounds.south), (east, bounds.north), (bounds.west, bounds.north)]
        .map { Coordinate(longitude: $0.0, latitude: $0.1) }, in: size, projection: projection
    ).compactMap { $0 }
    guard let first = corners.first else { return nil }
    return corners.reduce((first, first)) {
      (
        ScreenPoint(min($0.0.x, $1.x), min($0.0.y, $1.y)), ScreenPoint(max($0.1.x, $1.x), max($0.1.y, $1.y))
      )
    }
  }
}
