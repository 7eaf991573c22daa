import NeatBase

/// What the style specification says of one property. An object: it is asked at each property of each layer,
/// and a copy of all that it holds would cost more than the answer.
package final class PropertySpec: Sendable {
  package enum Group: UInt8, Sendable { case layout, paint }

  /// When a property has an effect.
  package enum Requirement: Sendable, Equatable {
    case set(String)
    case unset(String)
    case equal(String, [String])
    /// The source is GeoJSON with `lineMetrics`.
    case lineMetrics
  }

  package let property: Property
  package let owner: PropertyOwner
  /// The name in style JSON.
  package let name: String
  package let group: Group
  package let reference: ReferenceSpec
  package let requirements: [Requirement]

  init(
    _ property: Property, _ owner: PropertyOwner, _ name: String, _ group: Group, _ reference: ReferenceSpec,
    requires requirements: [Requirement] = []
  ) {
    self.property = property
    self.owner = owner
    self.name = name
    self.group = group
    self.reference = reference
    self.requirements = requirements
  }

  /// Name to property, by owner.
  private static let names: [[String: Property]] = PropertyOwner.allCases.map { owner in
    var table = [String: Property](minimumCapacity: owner.slotCount)
    for property in owner.properties { table[property.name] = property }
    return table
  }

  /// The owner's property of that name, or nil.
  package static func find(_ name: String, of owner: PropertyOwner) -> Property? {
    names[Int(owner.rawValue)][name]
  }
}

extension Property {
  /// Properties that several layer types have; they come first.
  static let sharedCount: UInt16 = 2

  package var spec: PropertySpec {
    let spec = PropertySpec.all[Int(rawValue)]
    assert(spec.property == self, "the table is in the order of the properties")
    return spec
  }

  /// The name in style JSON.
  package var name: String { spec.name }

  /// Whether layers of that type have the property.
  package func belongs(to owner: PropertyOwner) -> Bool {
    switch self {
    case .visibility: LayerType(rawValue: owner.rawValue) != nil
    case .resampling: owner == .raster || owner == .hillshade || owner == .colorRelief
    default: owner.range.contains(rawValue)
    }
  }
}

extension PropertyOwner {
  /// The owner's properties, shared ones first.
  package var properties: [Property] { Property.allCases.filter { $0.belongs(to: self) } }

  /// Places in the dense table of the owner's values.
  var slotCount: Int { Int(Property.sharedCount) + range.count }

  /// The property's place in that table, or nil where the owner does not have it.
  @inline(__always)
  func slot(of property: Property) -> Int? {
    if property.rawValue < Property.sharedCount { return Int(property.rawValue) }
    let range = range
    return range.contains(property.rawValue)
      ? Int(property.rawValue - range.lowerBound + Property.sharedCount) : nil
  }

  func property(atSlot slot: Int) -> Property {
    assert(slot >= 0 && slot < slotCount, "slots count from 0")
    let shared = Int(Property.sharedCount)
    return Property(rawValue: UInt16(slot < shared ? slot : slot - shared + Int(range.lowerBound)))!
  }
}

extension LayerType {
  /// Whether layers of the type show a source's data.
  package var hasSource: Bool { self != .background && self != .sky && self != .custom }

  package var owner: PropertyOwner { PropertyOwner(rawValue: rawValue)! }
}
