import NeatBase
import NeatJSON

/// A style: an immutable value, all of it read and compiled. `StyleEditor` makes changed copies.
package struct Style: Sendable {
  package static let version = 8

  package struct Terrain: Sendable, Equatable {
    package var source: String
    package var exaggeration: Double

    package init(source: String, exaggeration: Double = 1) {
      self.source = source
      self.exaggeration = exaggeration
    }
  }

  /// A sheet of images; the default sheet's images carry no prefix.
  package struct Sprite: Sendable, Equatable {
    package var id: String
    package var url: String
    /// What the names of its images begin with.
    package var prefix: String

    /// - Parameter prefix: nil: the id and a colon, nothing for the default sheet.
    package init(id: String, url: String, prefix: String? = nil) {
      self.id = id
      self.url = url
      self.prefix = prefix ?? Sprite.prefix(id)
    }

    static func prefix(_ id: String) -> String { id == "default" ? "" : id + ":" }
  }

  package struct FontFace: Sendable, Equatable {
    package var family: String
    package var url: String
    /// Inclusive ranges of code points; empty: all.
    package var ranges: [ClosedRange<UInt32>]
  }

  package internal(set) var name: String?
  package internal(set) var metadata: JSON?
  package internal(set) var center: LonLat?
  /// Metres.
  package internal(set) var centerAltitude: Double?
  package internal(set) var zoom: Double?
  /// Degrees, as pitch and roll.
  package internal(set) var bearing: Double?
  package internal(set) var pitch: Double?
  package internal(set) var roll: Double?
  package internal(set) var light = PropertySet(owner: .light)
  /// Nil where the style has none: the background shows above the horizon.
  package internal(set) var sky: PropertySet?
  /// Nil where the style has none.
  package internal(set) var fog: PropertySet?
  package internal(set) var projection = PropertySet(owner: .projection)
  package internal(set) var terrain: Terrain?
  package internal(set) var transition = StyleTransition()
  package internal(set) var sprites: [Sprite] = []
  /// Address template with `{fontstack}` and `{range}`.
  package internal(set) var glyphs: String?
  package internal(set) var fontFaces: [FontFace] = []
  /// Global state: name to default value.
  package internal(set) var state: [(name: String, value: JSON)] = []
  package internal(set) var sources: [SourceSpec] = []
  package internal(set) var layers: [StyleLayer] = []
  package internal(set) var issues: [StyleIssue] = []
  /// Where layers of a slot go: below a layer, or on top; of styles that took in others.
  package internal(set) var slots: [(name: String, before: String?)] = []
  /// What the style was read from; editing does not change it.
  package let original: JSON

  package func source(_ id: String) -> SourceSpec? { sources.first { $0.id == id } }
  package func layer(_ id: String) -> StyleLayer? { layers.first { $0.id == id } }
  package func layerIndex(_ id: String) -> Int? { layers.firstIndex { $0.id == id } }
}
