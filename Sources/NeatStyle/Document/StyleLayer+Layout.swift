extension StyleLayer {
  /// Whether tiles that were laid out for another version of the layer can be drawn for this one: it draws
  /// the same features of the same data, laid out alike, and paint that changed is the same for all features,
  /// which frames read from the layer as they show it.
  package func isLaidOut(like old: StyleLayer) -> Bool {
    if self === old { return true }
    guard type == old.type, source == old.source, sourceLayer == old.sourceLayer, minZoom == old.minZoom,
      maxZoom == old.maxZoom, filterJSON == old.filterJSON
    else { return false }
    return properties.changes(from: old.properties).allSatisfy { property in
      property.spec.group == .paint && old[property].canChangeGradually(to: self[property])
    }
  }

  /// Whether what is laid out depends on which images there are, beyond those that it names.
  package var isImageDependent: Bool { properties.contains(where: \.isImageDependent) }

  /// Whether it depends on a member of the global state.
  package func dependsOnGlobalState(_ name: String) -> Bool {
    filter?.globalStateKeys.contains(name) == true
      || properties.contains { $0.globalStateKeys.contains(name) }
  }
}

extension PropertySet {
  /// Whether one of the values that the style sets is as asked for.
  func contains(where test: (PropertyValue) -> Bool) -> Bool { entries.contains { test(self[$0.property]) } }
}
