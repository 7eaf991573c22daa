/// A GeoJSON object: a geometry, a feature or a collection. Values, to be read from text, written, put into
/// sources and measured against.
///
///     let park = try Feature(parsing: text)
///     try map.style.addSource(GeoJSONSource(shape: park), id: "park")
///     layer.filter = Exp(.within) { park }
///
/// As an argument of expressions and in style JSON a shape has the precision of JavaScript: whole numbers
/// past 2^53 are rounded there.
public protocol Shape: Codable, ExpArgument, FormatArgument, CustomStringConvertible {
  /// Nil for an object of another type.
  init?(geoJSON: GeoJSON)
  /// The shape as a GeoJSON object.
  var geoJSON: GeoJSON { get }
  /// `bbox` and foreign members.
  var extras: ShapeExtras { get set }
}

/// What any GeoJSON object may have beside the members of its type. One pointer, as most have nothing.
public struct ShapeExtras: Hashable, Sendable {
  private final class Storage: Sendable {
    let bbox: BoundingBox?
    let foreignMembers: Attributes

    init(_ bbox: BoundingBox?, _ foreignMembers: Attributes) {
      self.bbox = bbox
      self.foreignMembers = foreignMembers
    }
  }

  private var storage: Storage?

  /// Neither `bbox` nor foreign members.
  public init() {}

  init(bbox: BoundingBox?, foreignMembers: Attributes) {
    if bbox != nil || !foreignMembers.isEmpty { storage = Storage(bbox, foreignMembers) }
  }

  /// The member `bbox`.
  public var bbox: BoundingBox? {
    get { storage?.bbox }
    set { self = ShapeExtras(bbox: newValue, foreignMembers: foreignMembers) }
  }

  /// Members that GeoJSON does not know. Those that it does know have no effect here.
  public var foreignMembers: Attributes {
    get { storage?.foreignMembers ?? Attributes() }
    set { self = ShapeExtras(bbox: bbox, foreignMembers: newValue) }
  }

  /// Whether both hold the same.
  public static func == (a: ShapeExtras, b: ShapeExtras) -> Bool {
    a.storage === b.storage || a.bbox == b.bbox && a.foreignMembers == b.foreignMembers
  }

  /// Hashes both members.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bbox)
    hasher.combine(foreignMembers)
  }
}

extension Shape {
  /// The member `bbox`, as it was read or set; `coordinateBounds` is what the coordinates cover.
  public var bbox: BoundingBox? {
    get { extras.bbox }
    set { extras.bbox = newValue }
  }

  /// Members that GeoJSON does not know.
  public var foreignMembers: Attributes {
    get { extras.foreignMembers }
    set { extras.foreignMembers = newValue }
  }
}

// Text

/// How GeoJSON is written.
public struct GeoJSONWriteOptions: Hashable, Sendable {
  /// A line for each member and feature.
  public var isPretty: Bool
  /// Outer rings anticlockwise, inner rings clockwise, as RFC 7946 wants them; else as they are.
  public var enforcesRightHandRule: Bool

  /// Options: compact and rings as they are, unless said otherwise.
  public init(isPretty: Bool = false, enforcesRightHandRule: Bool = false) {
    self.isPretty = isPretty
    self.enforcesRightHandRule = enforcesRightHandRule
  }
}

extension Shape {
  /// Reads GeoJSON (UTF-8). Throws where it is not GeoJSON, where it is deeper than 256 arrays and objects,
  /// and where the object is of another type.
  public init(parsing bytes: [UInt8]) throws(GeoJSONError) {
    let found = try ShapeReader.document(bytes)
    guard let shape = Self(geoJSON: found) else {
      throw GeoJSONError(
        JSONError(message: "a \(Self.self) is expected, a \(found.typeName) found", offset: 0), in: bytes)
    }
    self = shape
  }

  /// Parses GeoJSON text. Throws as `init(parsing:)` of bytes does.
  public init(parsing text: String) throws(GeoJSONError) { try self.init(parsing: Array(text.utf8)) }

  /// The shape as GeoJSON (RFC 7946). Doubles are written in as few digits as read back the same. Rings that
  /// are not closed are closed; NaN and the infinities become null, which is no coordinate.
  public func geoJSONText(_ options: GeoJSONWriteOptions = .init()) -> String {
    String(decoding: geoJSONBytes(options), as: UTF8.self)
  }

  /// As `geoJSONText`, in UTF-8.
  public func geoJSONBytes(_ options: GeoJSONWriteOptions = .init()) -> [UInt8] {
    var writer = ShapeWriter(options)
    writer.shape(geoJSON)
    return writer.bytes
  }

  /// The members of the shape's GeoJSON object.
  public func geoJSONDictionary() -> [String: AttributeValue] { value.object?.dictionary ?? [:] }

  /// The shape as compact GeoJSON.
  public var description: String { geoJSONText() }

  /// The shape as a tree; null where attributes are nested past what is read.
  private var value: AttributeValue { (try? AttributeValue(parsing: geoJSONBytes())) ?? .null }
}

// Every other form goes by way of the text, so that one reader and one writer know what GeoJSON is.
extension Shape {
  /// Reads GeoJSON, from any decoder.
  public init(from decoder: any Decoder) throws {
    let value = try AttributeValue(from: decoder)
    do {
      try self.init(parsing: Array(value.description.utf8))
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: error.withoutPlace))
    }
  }

  /// Writes GeoJSON, to any encoder.
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

  /// The shape that JSON describes; nil where it is not GeoJSON of this type.
  public init?(json: JSONValue) {
    guard json.object != nil, let shape = try? Self(parsing: json.text) else { return nil }
    self = shape
  }

  /// The shape as JSON, with the precision of JavaScript's numbers.
  public var json: JSONValue { value.json }

  /// The shape as JSON, for placeholders of format strings.
  public var formatArgument: JSONValue { json }
}
