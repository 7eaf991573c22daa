import NeatBase
import NeatLayout
import NeatRaster
import NeatStyle

// Patterns and dashes of a frame in which those of one whole zoom go over to those of another. As in MapLibre GL JS,
// the pattern that goes is the one that the style has a zoom below or above, drawn as large as it was there. Where the
// style has no image for it, the one that comes goes in its place too.
extension FrameBuilder {
  /// The patterns of a fill's features; nil where none has one.
  mutating func patterns(
    _ images: ResolvedImages, _ bucket: FillBucket, _ tile: TileInFrame, _ opacity: ResolvedNumbers
  ) -> FillPaint? {
    let patterns = (0..<bucket.features.count).map { pattern(images[$0], tile, opacity: opacity[$0]) }
    guard patterns.contains(where: { $0 != nil }) else { return nil }
    guard let crossFade else { return .patterns(patterns) }
    let before = bucket.pattern.resolved(evaluator, at: camera, step: crossFade.step)
    return .mixes(
      patterns.enumerated().map { feature, to in
        guard let to else { return nil }
        let from =
          pattern(before[feature], tile, opacity: opacity[feature], step: crossFade.step)
          ?? pattern(images[feature], tile, opacity: opacity[feature], step: crossFade.step)
        return PatternMix(from ?? to, to, share: crossFade.share)
      })
  }

  /// Its name is that of the whole zoom, as in MapLibre GL JS.
  mutating func addBackgroundPattern(_ layer: LayerInFrame, _ opacity: Float) {
    let property = layer.style[.backgroundPattern]
    let square = transform.rasterProjection(OverscaledTileID(canonical: TileID.world))
    let name = property.image(evaluator, at: wholeZoom)?.name ?? ""
    guard let paint = pattern(name, square, z: 0, opacity: opacity) else { return }
    let (globe, ground) = (transform.globe, groundZoom)
    guard let crossFade else {
      return commands.append(globe.map { .globePattern(paint, $0, zoom: ground) } ?? .pattern(paint))
    }
    let zoomBefore = wholeZoom.at(zoom: wholeZoom.zoom + crossFade.step)
    let before = property.image(evaluator, at: zoomBefore)?.name ?? ""
    let from =
      pattern(before, square, z: 0, opacity: opacity, step: crossFade.step)
      ?? pattern(name, square, z: 0, opacity: opacity, step: crossFade.step)
    let mix = PatternMix(from ?? paint, paint, share: crossFade.share)
    commands.append(globe.map { .globePatternMix(mix, $0, zoom: ground) } ?? .patternMix(mix))
  }

  /// Adds what the dashes and patterns of lines are on their way from.
  mutating func addFade(
    _ style: inout LineStyle, _ crossFade: CrossFade, _ bucket: LineBucket, _ layer: StyleLayer
  ) {
    let (hasDash, hasPattern) = (layer.isSet(.lineDasharray), layer.isSet(.linePattern))
    guard hasDash || hasPattern else { return }
    var fade = LineFade(share: crossFade.share, stretch: Float(exp2(-crossFade.step)))
    if hasDash { fade.dash = dashes(bucket, step: crossFade.step) }
    if hasPattern {
      fade.pattern = linePatterns(
        bucket.paint.pattern.resolved(evaluator, at: camera, step: crossFade.step), bucket)
    }
    style.fade = fade
  }
}

/// Extrusions whose patterns go over to others.
package struct ExtrusionMix: Sendable {
  let from: ExtrusionDraw
  let to: ExtrusionDraw
  /// In 256ths.
  let share: UInt32

  func draw(_ worker: BandWorker) {
    // Both stand in the same places: what is drawn second is as near as what is there, and shows.
    worker.drawMixed(share: share) { worker in
      from.draw(worker.band, worker.depth)
    } _: { worker in
      to.draw(worker.band, worker.depth)
    }
  }
}
