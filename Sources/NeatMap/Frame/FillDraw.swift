import NeatBase
import NeatCamera
import NeatLayout
import NeatRaster

/// The polygons of one fill layer and tile.
package struct FillDraw: Sendable {
  let frame: FillFrame
  var paint: FillPaint
  /// Nil where the layer is not antialiased.
  var outline: FillPaint?
  /// Whether the outline goes below the fill: its own colour, all opaque, so that it shows outside of the
  /// polygons only.
  var outlineFirst: Bool
  let tile: Projection
  /// On a globe, where shapes end at their tile's edge already: the outlines, which do not run along it.
  var globe: FillOnGlobe?

  /// Draws the outline where it shows outside of the polygons, and nothing else.
  func drawEdge(_ worker: BandWorker) {
    guard globe == nil, let outline, outlineFirst, case .solid(let color) = paint else { return }
    // Another colour that is all opaque: the outline has none such but its own.
    let inside = color.bits ^ 0x0001_0101
    worker.drawApart { worker in
      let (band, clip) = (worker.band, worker.clip(tile))
      guard !clip.isEmpty else { return }
      frame.outline(band, clip, outline, inPerspective: !worker.hasSmoothEdges)
      frame.fill(band, clip, .solid(Premultiplied(bits: inside)), worker.scratch)
    } over: { row, edge, count in
      for x in 0..<count where edge[x] != inside { row[x] = Blend.over(row[x], edge[x]) }
    }
  }

  func draw(_ worker: BandWorker) {
    if let globe { return draw(worker, globe) }
    let (band, clip) = (worker.band, worker.clip(tile))
    guard !clip.isEmpty else { return }
    let isHard = !worker.hasSmoothEdges
    if let outline, outlineFirst { frame.outline(band, clip, outline, inPerspective: isHard) }
    frame.fill(band, clip, paint, worker.scratch)
    if let outline, !outlineFirst { frame.outline(band, clip, outline, inPerspective: isHard) }
  }
}

extension FrameBuilder {
  mutating func addFill(_ bucket: FillBucket, _ layer: LayerInFrame, _ tile: TileInFrame) {
    let opacity = bucket.opacity.resolved(evaluator, at: camera, layoutZoom: tile.layoutZoom, in: layer.style)
    if opacity.isUniform, opacity.uniform <= 0 { return }
    if tile.globe != nil { return addGlobeFill(bucket, layer, tile, opacity) }
    var projection = tile.projection
    let translate = memory.translations.move(
      layer, .fillTranslate, .fillTranslateAnchor, evaluator, transform, tile.id)
    if translate != .zero { projection = projection.movingTile(u: translate.x, v: translate.y) }
    let data = bucket.layer
    let frame = bucket.features.withUnsafeBufferPointer { features in
      bucket.boxes.withUnsafeBufferPointer { boxes in
        let geometry = FillGeometry(
          points: .integer(data.points), ringStarts: data.pointStarts, featureRings: data.partStarts,
          featureCount: features.count,
          selection: features.baseAddress, boxes: boxes.baseAddress)
        return FillFrame(
          geometry, projection.scaled(Double(data.layoutScale)), width: transform.size.deviceWidth,
          height: transform.size.deviceHeight, in: memory.fills)
      }
    }
    guard frame.featureCount > 0 else { return }
    add(
      FillDraw(
        frame: frame, paint: .solid(.transparent), outline: nil, outlineFirst: false, tile: tile.projection),
      bucket, layer, tile, opacity)
  }

  /// Adds what is drawn, with its paint.
  mutating func add(
    _ draw: FillDraw, _ bucket: FillBucket, _ layer: LayerInFrame, _ tile: TileInFrame,
    _ opacity: ResolvedNumbers
  ) {
    var draw = draw
    let images = bucket.pattern.resolved(evaluator, at: camera)
    // Pictures that are draped over terrain have hard edges, as in MapLibre GL JS: they are seen through a filter that
    // smooths them. An outline of a colour of its own is drawn all the same.
    let antialias =
      layer.style[.fillAntialias].bool(evaluator, at: camera) && (terrain == nil || bucket.hasOutlineColor)
    if !images.isEmpty || layer.style.isSet(.fillPattern) {
      guard let paint = patterns(images, bucket, tile, opacity) else { return }
      draw.paint = paint
      draw.outline = antialias ? draw.paint : nil
      commands.append(.fill(draw))
      return
    }
    let colors = bucket.color.resolved(evaluator, at: camera, layoutZoom: tile.layoutZoom, in: layer.style)
    let (paint, isOpaque) = FrameBuilder.paint(colors, opacity, count: bucket.features.count)
    var outline: FillPaint?
    if antialias {
      outline = paint
      if bucket.hasOutlineColor {
        let outlineColors = bucket.outlineColor.resolved(
          evaluator, at: camera, layoutZoom: tile.layoutZoom, in: layer.style)
        outline = FrameBuilder.paint(outlineColors, opacity, count: bucket.features.count).0
      }
    }
    (draw.paint, draw.outline) = (paint, outline)
    draw.outlineFirst = isOpaque && !bucket.hasOutlineColor
    commands.append(.fill(draw))
  }

  /// Colours of features, opacity included, and whether all of them are opaque.
  static func paint(_ colors: ResolvedColors, _ opacity: ResolvedNumbers, count: Int) -> (
    FillPaint, isOpaque: Bool
  ) {
    if colors.isUniform, opacity.isUniform {
      let color = Premultiplied(premultiplied: colors.uniform, opacity: opacity.uniform)
      return (.solid(color), color.isOpaque)
    }
    let all = (0..<count).map { Premultiplied(premultiplied: colors[$0], opacity: opacity[$0]) }
    return (.colors(all), false)
  }
}

extension Premultiplied {
  /// From premultiplied components in 0...1, all times `opacity`.
  init(premultiplied color: SIMD4<Float>, opacity: Float = 1) {
    let scaled = color * min(max(opacity, 0), 1) * 255
    let bytes = SIMD4<UInt32>(
      saturating: (scaled.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))).rounded(
        .toNearestOrEven))
    self.init(bits: bytes.x | bytes.y << 8 | bytes.z << 16 | bytes.w << 24)
  }
}
