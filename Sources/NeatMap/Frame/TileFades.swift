import NeatBase

/// Since when the raster tiles and pictures of a map's frames are seen, in the time of the frames. They come in over
/// `raster-fade-duration` when they were loaded; as long as they are kept they are there at once wherever they are seen
/// again.
struct TileFades: Sendable {
  private struct Coming: Sendable, Equatable {
    /// Minus infinite where nobody saw it come.
    let since: Double
    /// Milliseconds.
    let duration: Double

    func age(_ now: Double) -> Double { now - since }

    /// What is on its way when its duration changes goes on from there, and what has come in does not go again.
    func lasting(_ duration: Double, _ now: Double) -> Coming {
      guard duration != self.duration, since != -.infinity else { return self }
      let age = age(now)
      let isThere = age >= self.duration
      return Coming(since: isThere ? -.infinity : now - age / self.duration * duration, duration: duration)
    }
  }

  /// By the source's number.
  private var sources: [UInt64: [TileID: Coming]] = [:]

  var isEmpty: Bool { sources.isEmpty }

  /// Milliseconds since a tile was first seen, which comes in over a duration: fewer or more where that was another one
  /// meanwhile, so that as much of it has come in. Infinite where nobody saw it come.
  mutating func age(
    of tile: TileID, in source: UInt64, over duration: Double, now: Double, isSeen: Bool
  ) -> Double {
    let known = sources[source]?[tile]
    let coming =
      isSeen
      ? known?.lasting(duration, now) ?? Coming(since: now, duration: duration)
      : Coming(since: -.infinity, duration: duration)
    // What is as it was is not written: the frame before shares it.
    if coming != known { sources[source, default: [:]][tile] = coming }
    return coming.age(now)
  }

  /// The same of a tile that is not noted where it is not known.
  func knownAge(of tile: TileID, in source: UInt64, over duration: Double, now: Double) -> Double {
    sources[source]?[tile]?.lasting(duration, now).age(now) ?? .infinity
  }

  /// Forgets all other sources, and what `isKept` is false of.
  mutating func keep(_ isKept: (_ source: UInt64, TileID) -> Bool) {
    for (source, tiles) in sources {
      for tile in tiles.keys where !isKept(source, tile) { sources[source]?[tile] = nil }
      if sources[source]?.isEmpty == true { sources[source] = nil }
    }
  }
}
