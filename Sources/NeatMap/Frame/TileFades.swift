import NeatBase

/// Since when the raster tiles and pictures of a map's frames are seen, in the time of the frames. They come in over
/// `raster-fade-duration` when they were loaded; as long as they are kept they are there at once wherever they are seen
/// again.
struct TileFades: Sendable {
  /// By the source's number.
  private var sources: [UInt64: [TileID: Double]] = [:]

  var isEmpty: Bool { sources.isEmpty }

  /// Milliseconds since a tile was first seen. Infinite where nobody saw it come.
  mutating func age(of tile: TileID, in source: UInt64, now: Double, isSeen: Bool) -> Double {
    let known = sources[source]?[tile]
    let since = isSeen ? known ?? now : -.infinity
    // What is as it was is not written: the frame before shares it.
    if since != known { sources[source, default: [:]][tile] = since }
    return now - since
  }

  /// The same of a tile that is not noted where it is not known.
  func knownAge(of tile: TileID, in source: UInt64, now: Double) -> Double {
    now - (sources[source]?[tile] ?? -.infinity)
  }

  /// Forgets all other sources, and what `isKept` is false of.
  mutating func keep(_ isKept: (_ source: UInt64, TileID) -> Bool) {
    for (source, tiles) in sources {
      for tile in tiles.keys where !isKept(source, tile) { sources[source]?[tile] = nil }
      if sources[source]?.isEmpty == true { sources[source] = nil }
    }
  }
}
