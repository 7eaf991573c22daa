/// A line.
public struct PolylineAnnotation: LayerAnnotation {
  /// An annotation of this type is drawn by a layer of type `line`.
  public typealias AnnotationLayer = LineLayer
  /// `polyline`.
  public static let kind = AnnotationKind.polyline
  /// What it is known by among those of its manager.
  public let id: String
  /// Its positions.
  public var lineString: LineString
  /// Values of the layer's properties by their names.
  public var properties = AnnotationProperties()
  /// What the application keeps with it.
  public var userInfo: JSONValue?
  /// Whether a pointer may drag it.
  public var isDraggable = false
  /// Whether it is selected.
  public var isSelected = false

  /// A line through places.
  public init(id: String = AnnotationID.next(), lineCoordinates: [Coordinate]) {
    self.init(id: id, lineString: LineString(lineCoordinates))
  }

  /// A line.
  public init(id: String = AnnotationID.next(), lineString: LineString) {
    (self.id, self.lineString) = (id, lineString)
  }

  /// An annotation with a geometry; nil for other geometries than lines.
  public init?(id: String, geometry: Geometry) {
    guard case .lineString(let line) = geometry else { return nil }
    self.init(id: id, lineString: line)
  }

  /// Takes the line of another one.
  public mutating func move(to other: PolylineAnnotation) { lineString = other.lineString }

  /// The line.
  public var geometry: Geometry { .lineString(lineString) }
}

/// An area.
public struct PolygonAnnotation: LayerAnnotation {
  /// An annotation of this type is drawn by a layer of type `fill`.
  public typealias AnnotationLayer = FillLayer
  /// `polygon`.
  public static let kind = AnnotationKind.polygon
  /// What it is known by among those of its manager.
  public let id: String
  /// Its rings.
  public var polygon: Polygon
  /// Values of the layer's properties by their names.
  public var properties = AnnotationProperties()
  /// What the application keeps with it.
  public var userInfo: JSONValue?
  /// Whether a pointer may drag it.
  public var isDraggable = false
  /// Whether it is selected.
  public var isSelected = false

  /// An area.
  public init(id: String = AnnotationID.next(), polygon: Polygon) {
    (self.id, self.polygon) = (id, polygon)
  }

  /// An annotation with a geometry; nil for other geometries than polygons.
  public init?(id: String, geometry: Geometry) {
    guard case .polygon(let polygon) = geometry else { return nil }
    self.init(id: id, polygon: polygon)
  }

  /// Takes the area of another one.
  public mutating func move(to other: PolygonAnnotation) { polygon = other.polygon }

  /// The area.
  public var geometry: Geometry { .polygon(polygon) }
}
