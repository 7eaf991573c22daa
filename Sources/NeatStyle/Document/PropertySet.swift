import NeatBase
import NeatJSON

/// How long a changed property takes to reach its new value; both in milliseconds.
package struct StyleTransition: Sendable, Equatable {
  package var duration: Double
  package var delay: Double

  package init(duration: Double = 300, delay: Double = 0) {
    self.duration = duration
    self.delay = delay
  }

  /// Members left out are taken from `base`.
  init(json: JSON, base: StyleTransition = StyleTransition()) {
    duration = json["duration"]?.number.map { max(0, $0) } ?? base.duration
    delay = json["delay"]?.number.map { max(0, $0) } ?? base.delay
  }
}

/// The values of all properties of one owner, dense by slot: what is not set holds its default.
package struct PropertySet: Sendable {
  /// A property that the style sets, as it stood there.
  struct Entry: Sendable {
    var property: Property
    var json: JSON
  }

  package let owner: PropertyOwner
  var values: [PropertyValue]
  private(set) var entries: [Entry] = []
  private(set) var transitions: [Entry] = []

  package init(owner: PropertyOwner) {
    self.owner = owner
    values = DefaultValues.of(owner)
    assert(values.count == owner.slotCount, "a slot for each property")
  }

  /// The property's value. A property that the owner does not have reads as its default.
  package subscript(_ property: Property) -> PropertyValue {
    guard let slot = owner.slot(of: property) else { return PropertyValue.defaultValue(of: property) }
    assert(values[slot].property == property, "slots are those of the owner's properties")
    return values[slot]
  }

  package func isSet(_ property: Property) -> Bool {
    // The value itself is not copied, with all that it refers to.
    guard let slot = owner.slot(of: property) else { return false }
    return values[slot].isSet
  }

  /// Whether a property that the style sets looks at feature states.
  package var isFeatureStateDependent: Bool { entries.contains { self[$0.property].isFeatureStateDependent } }

  /// What the style gives for the property, or nil.
  package func json(_ property: Property) -> JSON? { entries.first { $0.property == property }?.json }

  /// The property's own transition; members that it leaves out are the style's.
  package func transition(_ property: Property, base: StyleTransition = StyleTransition()) -> StyleTransition
  {
    guard let entry = transitions.first(where: { $0.property == property }) else { return base }
    return StyleTransition(json: entry.json, base: base)
  }

  mutating func set(_ property: Property, _ value: PropertyValue, _ json: JSON) {
    guard let slot = owner.slot(of: property) else { return }
    assert(value.property == property, "a property holds its own value")
    values[slot] = value
    entries.removeAll { $0.property == property }
    entries.append(Entry(property: property, json: json))
  }

  mutating func remove(_ property: Property) {
    guard let slot = owner.slot(of: property) else { return }
    values[slot] = PropertyValue.defaultValue(of: property)
    entries.removeAll { $0.property == property }
  }

  mutating func setTransition(_ property: Property, _ json: JSON?) {
    transitions.removeAll { $0.property == property }
    if let json { transitions.append(Entry(property: property, json: json)) }
  }

  /// Reads an object of properties: unknown names and values of a wrong type are reported and keep their
  /// default; null is as if left out.
  mutating func read(_ object: JSON, group: PropertySpec.Group?, key: String, issues: inout IssueLog) {
    guard object.isObject else {
      issues.add(object, key, "object expected, \(object.typeName) found")
      return
    }
    for (name, json) in object.members where !json.isNull {
      guard let property = PropertySpec.find(name, of: owner), group == nil || property.spec.group == group
      else {
        readTransition(name, json, key, &issues)
        continue
      }
      switch PropertyValue.compile(json, for: property, issues.compilation) {
      case .success(let value): set(property, value, json)
      case .failure(let error): issues.add(json, "\(key).\(name)\(error.key)", error.message)
      }
    }
  }

  private mutating func readTransition(_ name: String, _ json: JSON, _ key: String, _ issues: inout IssueLog)
  {
    let suffix = "-transition"
    if name.hasSuffix(suffix),
      let property = PropertySpec.find(String(name.dropLast(suffix.count)), of: owner),
      property.spec.reference.hasTransition
    {
      setTransition(property, json)
    } else {
      issues.add(json, "\(key).\(name)", "unknown property \"\(name)\"")
    }
  }

  /// The object of set properties and transitions of one group (of both, if nil), or nil where it would be
  /// empty.
  func json(group: PropertySpec.Group?) -> JSON? {
    var members: [(String, JSON)] = []
    for entry in entries where group == nil || entry.property.spec.group == group {
      members.append((entry.property.name, entry.json))
    }
    for entry in transitions where group == nil || entry.property.spec.group == group {
      members.append((entry.property.name + "-transition", entry.json))
    }
    return members.isEmpty ? nil : .object(members)
  }
}
