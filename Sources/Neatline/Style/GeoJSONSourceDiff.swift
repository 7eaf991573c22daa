/// A change of a GeoJSON source by the identifiers of its features. Its parts are applied in the order
/// `removeAll`, `remove`, `add`, `update`.
public struct GeoJSONSourceDiff: Hashable, Sendable {
  /// What becomes of a feature's geometry.
  public enum GeometryChange: Hashable, Sendable {
    /// The geometry stays.
    case kept
    /// Another one; nil: none.
    case replaced(Geometry?)
  }

  /// What becomes of one feature; of one that is not there, nothing.
  public struct Update: Hashable, Sendable {
    /// The feature's identifier, or its value of the source's `promoteId`.
    public var identifier: FeatureIdentifier
    /// What becomes of the geometry.
    public var geometry: GeometryChange
    /// Whether all attributes are removed first.
    public var removesAllAttributes: Bool
    /// The names of attributes to remove.
    public var removedAttributes: [String]
    /// Set after others were removed.
    public var attributes: Attributes

    /// A change of the feature with that identifier.
    public init(
      _ identifier: FeatureIdentifier, geometry: GeometryChange = .kept, removesAllAttributes: Bool = false,
      removedAttributes: [String] = [],
      attributes: Attributes = [:]
    ) {
      self.identifier = identifier
      self.geometry = geometry
      self.removesAllAttributes = removesAllAttributes
      self.removedAttributes = removedAttributes
      self.attributes = attributes
    }
  }

  /// Whether all features are removed first.
  public var removeAll: Bool
  /// Identifiers, or values of the source's `promoteId`.
  public var remove: [FeatureIdentifier]
  /// Features, which take the place of those of the same identifier.
  public var add: [Feature]
  /// Changes of features, after the others were removed and added.
  public var update: [Update]

  /// A change from its parts.
  public init(
    removeAll: Bool = false, remove: [FeatureIdentifier] = [], add: [Feature] = [], update: [Update] = []
  ) {
    self.removeAll = removeAll
    self.remove = remove
    self.add = add
    self.update = update
  }

  /// The change as MapLibre GL JS writes it, in JSON; whole numbers keep all their digits.
  public var text: String {
    var writer = ShapeWriter()
    writer.members { writer in
      if removeAll { writer.member("removeAll", .bool(true)) }
      if !remove.isEmpty { writer.member("remove", .array(remove.map(\.value))) }
      if !add.isEmpty {
        writer.key("add")
        writer.list(add) { $0.shape(.feature($1)) }
      }
      if !update.isEmpty {
        writer.key("update")
        writer.list(update) { $0.update($1) }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension ShapeWriter {
  fileprivate mutating func update(_ update: GeoJSONSourceDiff.Update) {
    members { writer in
      writer.member("id", update.identifier.value)
      if case .replaced(let geometry) = update.geometry {
        if let geometry {
          writer.key("newGeometry")
          writer.shape(.geometry(geometry))
        } else {
          writer.member("newGeometry", .null)
        }
      }
      if update.removesAllAttributes { writer.member("removeAllProperties", .bool(true)) }
      if !update.removedAttributes.isEmpty {
        writer.member("removeProperties", .array(update.removedAttributes.map { .string($0) }))
      }
      if !update.attributes.isEmpty {
        writer.member(
          "addOrUpdateProperties",
          .array(update.attributes.map { .object(["key": .string($0.key), "value": $0.value]) }))
      }
    }
  }

  fileprivate mutating func member(_ name: String, _ value: AttributeValue) {
    key(name)
    self.value(value)
  }
}
