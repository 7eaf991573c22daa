import NeatBase
import NeatText

extension FirstUse {
  /// What layouts look up.
  package static func meetLayout() {
    meet(keys: [FeatureChoice.self, GlyphRangeKey.self, [String].self, ObjectIdentifier.self])
    CharacterProperties.makeTable()
  }
}
