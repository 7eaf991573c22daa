import CNeatline

/// What pictures show of how they are made.
public enum MapDebugOptions: UInt32, CaseIterable, Hashable, Sendable {
  /// The edges of tiles, in red: of one source that layers draw from, vector sources before others, deep ones
  /// before less deep ones.
  case tileBorders = 1
  /// In the corner of each of these tiles its name, `z/x/y`, where it is laid out for a deeper zoom that too, and
  /// how many kB it came in.
  case parseStatus = 2
  /// When the data of these tiles came, in UTC.
  case timestamps = 4
  /// What labels are placed by, boxes and circles: blue where they stand, red where they had no room, faint where
  /// another version of the label counts.
  case collision = 8
  /// In the place of the map, on black: an eighth of white for each step of drawing that touches a pixel.
  case overdraw = 16
  /// The camera's padding: lines at the top (red), bottom (green), left (blue) and right (magenta), and a cross in
  /// the middle of what it leaves.
  case padding = 32
}

extension Sequence<MapDebugOptions> {
  /// As the C header has them.
  var bits: UInt32 { reduce(0) { $0 | $1.rawValue } }
}

extension Map {
  /// What the map's pictures show of how they are made; empty before it is said. Frames for a GPU have it as a
  /// picture above all else, but for overdraw.
  public var debugOptions: [MapDebugOptions] {
    get {
      let bits = neat_map_debug_options(pointer)
      return MapDebugOptions.allCases.filter { bits & $0.rawValue != 0 }
    }
    set {
      // Fails for bits that are none of the cases' only.
      _ = neat_map_set_debug_options(pointer, newValue.bits)
    }
  }
}
