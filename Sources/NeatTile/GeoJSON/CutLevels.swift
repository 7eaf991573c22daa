import NeatBase

/// From how much a point matters (the squared distance at which simplification drops it) to the lowest zoom
/// that shows it: one byte a point says as much as the distance itself, since only the tolerances of the
/// whole zooms are ever asked for.
struct CutLevels {
  /// Squared tolerance of each zoom below the deepest, in the unit square.
  private let squares: [Double]
  /// Squared tolerance of the deepest zoom; 0 where nothing is simplified.
  let finest: Double
  /// The level of a point that no zoom drops but by a tolerance as large as the world: ends of lines, and
  /// where a tile's edge cuts.
  let ends: UInt8

  init(_ options: GeoJSONTileOptions) {
    let extent = Double(options.extent)
    let fullTolerance = options.tolerance / (Double(1 << options.maxZoom) * extent)
    finest = fullTolerance * fullTolerance
    squares = (0..<options.maxZoom).map { zoom in
      let tolerance = options.tolerance / (Double(1 << zoom) * extent)
      return tolerance * tolerance
    }
    assert(squares.count <= 64, "a zoom is below 64")
    assert(zip(squares, squares.dropFirst()).allSatisfy(>=), "tolerances fall from zoom to zoom")
    var level = 0
    while level < squares.count, squares[level] >= 1 { level += 1 }
    ends = UInt8(level)
  }

  /// The level of a point that matters nowhere but on the deepest zoom, which keeps all.
  var deepest: UInt8 { finest > 0 ? UInt8(squares.count) : 0 }

  /// The level of a point of an importance.
  func level(_ importance: Double) -> UInt8 {
    var level = squares.count
    while level > 0, importance > squares[level - 1] { level -= 1 }
    assert(level <= Int(UInt8.max), "a level is a byte")
    return UInt8(level)
  }
}
