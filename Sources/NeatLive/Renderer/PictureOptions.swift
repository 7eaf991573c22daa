import NeatMap

/// What a picture shows besides its map.
package struct PictureOptions: Sendable {
  package var overlay: Overlay?
  package var ornaments = Ornaments()
  /// Logical pixels around the picture whose labels are placed with its own, 0 to `labelMarginLimit`.
  package var labelMargin = 0

  package static let labelMarginLimit = 4096

  package init() {}
}

/// What a map says about itself in its corners.
package struct Ornaments: Sendable {
  package enum Attribution: Sendable {
    case none
    /// Of the sources that the style draws from.
    case sources
    case text(String)
  }

  package enum ScaleBar: Sendable {
    case none, metric, imperial, nautical
  }

  /// Bottom right.
  package var attribution = Attribution.none
  /// Bottom left.
  package var scaleBar = ScaleBar.none

  package init() {}

  package var isEmpty: Bool {
    if case .none = attribution, scaleBar == .none { true } else { false }
  }
}
