import NeatRaster

/// How opaque a tile that comes in is drawn, and what it comes in over: so that both together, where nothing is seen
/// through them, are as opaque as the layer.
struct FadeShares {
  let tile: Float
  let below: Float

  /// - Parameter share: how far the tile has come in, 0...1.
  init(_ share: Float, opacity: Float) {
    // Over what is drawn at b, a tile at t leaves b (1 - t) of that and (1 - b) (1 - t) of the ground: as much as the
    // layer leaves of it.
    tile = min(opacity, 1) * share
    below = share < 1 ? min(opacity, 1) * (1 - share) / (1 - tile) : 0
  }

  /// Of tiles through which the ground is seen, where they cannot be added up: a little more of it is seen meanwhile.
  init(thin share: Float, opacity: Float) {
    tile = min(opacity, 1) * share
    below = min(opacity, 1) * (1 - share)
  }
}

extension Double {
  /// How much of a fading has passed at an age: in steps of a pixel's, so that what comes and what goes are one.
  func share(of duration: Double) -> Float {
    self < duration ? Float((self / duration * 255).rounded() / 255) : 1
  }
}

extension TileInFrame {
  /// Whether it comes in over others, and the ground is seen through one of them: "over" alone would draw them too
  /// dense or too thin.
  func mixes(over duration: Double) -> Bool {
    guard age < duration, !under.isEmpty else { return false }
    return raster?.texture.isOpaque == false
      || under.contains { $0.age < duration || $0.raster?.texture.isOpaque == false }
  }
}
