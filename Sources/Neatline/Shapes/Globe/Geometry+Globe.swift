extension Geometry {
  /// The geometry with its lines and polygons simplified as `LineString.simplified` and
  /// `Polygon.simplified` do; points are left as they are.
  public func simplified(tolerance: Double = 1.0, highestQuality: Bool = false) -> Geometry {
    switch self {
    case .point, .multiPoint: self
    case .lineString(let value):
      .lineString(value.simplified(tolerance: tolerance, highestQuality: highestQuality))
    case .multiLineString(let value):
      .multiLineString(value.simplified(tolerance: tolerance, highestQuality: highestQuality))
    case .polygon(let value):
      .polygon(value.simplified(tolerance: tolerance, highestQuality: highestQuality))
    case .multiPolygon(let value):
      .multiPolygon(value.simplified(tolerance: tolerance, highestQuality: highestQuality))
    case .geometryCollection(let value):
      .geometryCollection(value.simplified(tolerance: tolerance, highestQuality: highestQuality))
    }
  }
}

extension GeometryCollection {
  /// The collection with its geometries simplified, each as `Geometry.simplified` does.
  public func simplified(tolerance: Double = 1.0, highestQuality: Bool = false) -> GeometryCollection {
    var copy = self
    copy.geometries = geometries.map { $0.simplified(tolerance: tolerance, highestQuality: highestQuality) }
    return copy
  }
}
