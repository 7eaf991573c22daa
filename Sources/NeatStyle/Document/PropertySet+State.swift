extension PropertySet {
  /// Whether a property that the style sets looks at feature states.
  package var isFeatureStateDependent: Bool { entries.contains { self[$0.property].isFeatureStateDependent } }
}
