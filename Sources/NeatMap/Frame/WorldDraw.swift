import NeatBase
import NeatCamera
import NeatRaster

/// A background where the world's northern or southern edge is in view: as a layer of tiles, it ends there.
package struct WorldDraw: Sendable {
  let color: Premultiplied
  /// The squares of the worlds that stand side by side.
  let worlds: [Projection]

  func draw(_ worker: BandWorker) {
    let band = worker.band
    for world in worlds {
      let clip = worker.clip(world)
      for y in max(clip.minY, band.y0)..<max(clip.minY, band.y0, min(clip.maxY, band.y1)) {
        let (left, right) = clip.bounds(y)
        if left < right { Blend.span(band.row(y) + left, right - left, color) }
      }
    }
  }
}

extension FrameBuilder {
  /// Copies of the world to each side that are drawn.
  private static let copies: ClosedRange<Int32> = -3...3

  /// The worlds of a view that an edge of the world goes through; nil where the ground goes on to all sides of it.
  var worldsInView: [Projection]? {
    let edge = transform.worldSize
    // Half a pixel past the edge shows nothing of what lies behind it.
    let slack = 0.5 / transform.size.pixelRatio
    let isWithin = transform.corners.allSatisfy { corner in
      guard let place = transform.world(screen: corner) else { return true }
      return place.y >= -slack && place.y <= edge + slack
        && place.x >= Double(FrameBuilder.copies.lowerBound) * edge - slack
        && place.x <= Double(FrameBuilder.copies.upperBound + 1) * edge + slack
    }
    if isWithin { return nil }
    return FrameBuilder.copies.map {
      transform.rasterProjection(OverscaledTileID(canonical: TileID.world, wrap: $0))
    }
  }
}
