import NeatBase

/// How a document is cut into tiles; defaults are those of geojson-vt.
package struct GeoJSONTileOptions: Sendable {
  /// The deepest zoom that has tiles, 0...24; tiles of that zoom keep every point.
  package var maxZoom = 14
  /// How deep, and down to how many points a tile, `GeoJSONIndex.indexedTiles` lists tiles. Tiles are cut on
  /// demand, whatever these say.
  package var indexMaxZoom = 5
  package var indexMaxPoints = 100_000
  /// Douglas-Peucker tolerance in tile units; 0 keeps every point.
  package var tolerance = 3.0
  /// Tile units along an edge, 1...65536.
  package var extent = 4096
  /// Tile units that geometry reaches past the edges of its tile, 0 or more.
  package var buffer = 64.0
  /// Gives each piece of a line the properties `mapbox_clip_start` and `mapbox_clip_end`, in 0...1 of the
  /// whole line.
  package var lineMetrics = false
  /// The property whose value is the id of a feature.
  package var promoteId: String?
  /// Gives each feature its number in the document as its id.
  package var generateId = false
  /// Whether what lies past the antimeridian is brought back into the world.
  package var wraps = true

  package init() {}

  /// The options a MapLibre source stands for: `TileUnits.extent` on tiles of 512 pixels; `buffer` and
  /// `tolerance` in pixels (16 tile units each).
  package static func source(maxZoom: Int = 18, buffer: Double = 128, tolerance: Double = 0.375)
    -> GeoJSONTileOptions
  {
    var options = GeoJSONTileOptions()
    options.maxZoom = maxZoom
    options.extent = Int(bounded: TileUnits.extent)
    options.buffer = buffer * TileUnits.perPixel
    options.tolerance = tolerance * TileUnits.perPixel
    return options
  }

  /// Throws `invalidArgument` naming the option that is out of range.
  func check() throws(NeatError) {
    guard (0...StyleZoom.maximum).contains(maxZoom) else {
      throw NeatError(.invalidArgument, "maxZoom must be 0 to \(StyleZoom.maximum), not \(maxZoom)")
    }
    guard (1...65536).contains(extent) else {
      throw NeatError(.invalidArgument, "extent must be 1 to 65536, not \(extent)")
    }
    guard buffer >= 0, buffer <= Double(extent) * 4 else {
      throw NeatError(.invalidArgument, "buffer must be 0 to 4 extents, not \(buffer)")
    }
    guard tolerance >= 0, tolerance.isFinite else {
      throw NeatError(.invalidArgument, "tolerance must be 0 or more, not \(tolerance)")
    }
    guard (0...StyleZoom.maximum).contains(indexMaxZoom), indexMaxPoints >= 0 else {
      throw NeatError(
        .invalidArgument, "indexMaxZoom must be 0 to \(StyleZoom.maximum) and indexMaxPoints not negative")
    }
  }
}
