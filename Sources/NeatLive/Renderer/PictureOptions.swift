import NeatMap

/// What a picture shows besides its map.
package struct PictureOptions: Sendable {
  package var overlay: Overlay?
  package var ornaments = Ornaments()
  /// Logical pixels around the picture whose labels are placed with its own, 0 to `labelMarginLimit`.
  package var labelMargin = 0
  /// For a picture of tiles their edge in logical pixels.
  var labelGrid: Double?
  /// Whether it may be compressed as it is drawn: it becomes one file, if any.
  var isOneFile = true
  /// What it shows of how it is made.
  package var debug: DebugOptions = []

  package static let labelMarginLimit = 4096

  package init() {}
}
