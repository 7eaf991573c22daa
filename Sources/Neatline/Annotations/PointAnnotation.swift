/// An icon, a text, or both, at a place.
public struct PointAnnotation: LayerAnnotation {
  /// An annotation of this type is drawn by a layer of type `symbol`.
  public typealias AnnotationLayer = SymbolLayer
  /// `point`.
  public static let kind = AnnotationKind.point
  /// What it is known by among those of its manager.
  public let id: String
  /// Where it is.
  public var point: Point
  /// Values of the layer's properties by their names.
  public var properties = AnnotationProperties()
  /// What the application keeps with it.
  public var userInfo: JSONValue?
  /// Whether a pointer may drag it.
  public var isDraggable = false
  /// Whether it is selected.
  public var isSelected = false

  /// An image with the name that styles know it by.
  public struct NamedImage: Hashable, Sendable {
    /// The pixels.
    public var image: Image
    /// The name.
    public var name: String
    /// Pixels per logical pixel.
    public var pixelRatio: Double

    /// An image under a name.
    public init(image: Image, name: String, pixelRatio: Double = 1) {
      (self.image, self.name, self.pixelRatio) = (image, name, pixelRatio)
    }

    /// Whether both have one name and the same image.
    public static func == (a: NamedImage, b: NamedImage) -> Bool {
      a.name == b.name && a.image === b.image && a.pixelRatio == b.pixelRatio
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  /// The icon. The manager adds it to the map, for later styles too, and removes it when none of its annotations has it
  /// any more.
  public var image: NamedImage? {
    didSet { properties["icon-image"] = (image?.name).map { .string($0) } }
  }

  /// An annotation at a place.
  public init(id: String = AnnotationID.next(), coordinate: Coordinate) {
    self.init(id: id, point: Point(coordinate))
  }

  /// An annotation at a point.
  public init(id: String = AnnotationID.next(), point: Point) { (self.id, self.point) = (id, point) }

  /// An annotation with a geometry; nil for other geometries than points.
  public init?(id: String, geometry: Geometry) {
    guard case .point(let point) = geometry else { return nil }
    self.init(id: id, point: point)
  }

  /// Takes the place of another one.
  public mutating func move(to other: PointAnnotation) { point = other.point }

  /// The point.
  public var geometry: Geometry { .point(point) }
}

/// A circle at a place.
public struct CircleAnnotation: LayerAnnotation {
  /// An annotation of this type is drawn by a layer of type `circle`.
  public typealias AnnotationLayer = CircleLayer
  /// `circle`.
  public static let kind = AnnotationKind.circle
  /// What it is known by among those of its manager.
  public let id: String
  /// Where its centre is.
  public var point: Point
  /// Values of the layer's properties by their names.
  public var properties = AnnotationProperties()
  /// What the application keeps with it.
  public var userInfo: JSONValue?
  /// Whether a pointer may drag it.
  public var isDraggable = false
  /// Whether it is selected.
  public var isSelected = false

  /// A circle around a place.
  public init(id: String = AnnotationID.next(), centerCoordinate: Coordinate) {
    self.init(id: id, point: Point(centerCoordinate))
  }

  /// A circle around a point.
  public init(id: String = AnnotationID.next(), point: Point) { (self.id, self.point) = (id, point) }

  /// An annotation with a geometry; nil for other geometries than points.
  public init?(id: String, geometry: Geometry) {
    guard case .point(let point) = geometry else { return nil }
    self.init(id: id, point: point)
  }

  /// Takes the place of another one.
  public mutating func move(to other: CircleAnnotation) { point = other.point }

  /// The centre.
  public var geometry: Geometry { .point(point) }
}
