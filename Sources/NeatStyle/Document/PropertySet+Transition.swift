extension PropertySet {
  /// The properties that an older set of the same owner gave other values, defaults included.
  package func changes(from old: PropertySet) -> [Property] {
    let changed = entries.filter { old.json($0.property) != $0.json }
    let gone = old.entries.filter { json($0.property) == nil }
    return (changed + gone).map(\.property)
  }

  mutating func show(_ values: [PropertyValue]) {
    for value in values {
      if let slot = owner.slot(of: value.property) { self.values[slot] = value }
    }
  }
}

extension Style {
  /// The style with other values in the place of some: what a frame shows while properties change. The values
  /// do not count as set by the style: JSON and transitions stay as they are.
  package func showing(
    layers shown: [String: [PropertyValue]], light: [PropertyValue], sky: [PropertyValue] = [],
    fog: [PropertyValue] = []
  )
    -> Style
  {
    var style = self
    for (index, layer) in layers.enumerated() {
      guard let values = shown[layer.id] else { continue }
      var properties = layer.properties
      properties.show(values)
      style.layers[index] = layer.with(properties: properties)
    }
    style.light.show(light)
    style.sky?.show(sky)
    style.fog?.show(fog)
    return style
  }
}
