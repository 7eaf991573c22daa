/// What a picture shows of how it is made.
package struct DebugOptions: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The edges of the tiles of one source, with their names and sizes.
  package static let tileBorders = DebugOptions(rawValue: 1)
  /// What became of each of those tiles.
  package static let parseStatus = DebugOptions(rawValue: 2)
  /// When the data of those tiles came, and until when it holds.
  package static let timestamps = DebugOptions(rawValue: 4)
  /// What labels are placed by: boxes and circles.
  package static let collision = DebugOptions(rawValue: 8)
  /// How often each pixel is drawn, in the place of the map.
  package static let overdraw = DebugOptions(rawValue: 16)
  /// The camera's padding, and the middle of what it leaves.
  package static let padding = DebugOptions(rawValue: 32)

  package static let all: DebugOptions = [
    .tileBorders, .parseStatus, .timestamps, .collision, .overdraw, .padding,
  ]
}
