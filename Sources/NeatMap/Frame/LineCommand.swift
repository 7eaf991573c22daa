import NeatBase
import NeatCamera
import NeatLayout
import NeatRaster
import NeatStyle

/// The lines of one layer and tile.
package struct LineCommand: Sendable {
  let frame: LineFrame
  let tile: Projection
  /// Whether they lie on a globe, where they end at their tile's edge already.
  var isGlobe = false

  func draw(_ worker: BandWorker) {
    if isGlobe { return frame.draw(worker.band, worker.fullClip) }
    let clip = worker.clip(tile)
    if !clip.isEmpty { frame.draw(worker.band, clip) }
  }
}

extension FrameBuilder {
  mutating func addLine(_ bucket: LineBucket, _ layer: LayerInFrame, _ tile: TileInFrame) {
    var projection = tile.projection
    let translate = memory.translations.move(
      layer, .lineTranslate, .lineTranslateAnchor, evaluator, transform, tile.id)
    if translate != .zero { projection = projection.movingTile(u: translate.x, v: translate.y) }
    guard let paint = linePaint(bucket, layer, tile) else { return }
    let edge = transform.tileEdge(tile.id.canonical.z)
    let wholeZoom = transform.camera.zoom.rounded(.down)
    var style = LineStyle(
      paint: paint, unitsPerPixel: TileUnits.extent / edge,
      integerPixelsPerUnit: Float(
        TileUnits.pixels * exp2(wholeZoom - Double(tile.id.canonical.z)) / TileUnits.extent))
    style.pixelRatio = Float(transform.size.pixelRatio)
    // On pictures that are draped over the ground, edges are as soft as they would be on the screen.
    if terrain != nil { style.edgeWidth = 1 / Float(options.pixelRatio) }
    addDashes(&style, bucket, layer.style)
    if layer.style.isSet(.lineGradient) { style.gradient = gradient(bucket, layer, tile) }
    if layer.style.isSet(.linePattern) { addPattern(&style, bucket) }
    if let crossFade { addFade(&style, crossFade, bucket, layer.style) }
    var globe: LineGlobe?
    if let drawn = tile.globe, let wanted = tile.wantedGlobe {
      globe = LineGlobe(drawn, wanted: wanted, move: translate)
    }
    let frame = LineFrame(
      bucket.mesh, projection, style, width: transform.size.deviceWidth, height: transform.size.deviceHeight,
      in: memory.lines, globe: globe)
    if !frame.isEmpty {
      commands.append(.line(LineCommand(frame: frame, tile: tile.clip, isGlobe: globe != nil)))
    }
  }

  /// The paint of the bucket's features, or nil where nothing would show.
  private func linePaint(_ bucket: LineBucket, _ layer: LayerInFrame, _ tile: TileInFrame)
    -> PerFeature<LinePaint>?
  {
    func numbers(_ paint: NumberPaint) -> ResolvedNumbers {
      paint.resolved(evaluator, at: camera, layoutZoom: tile.layoutZoom, in: layer.style)
    }
    let paints = bucket.paint
    let (width, gap, offset) = (numbers(paints.width), numbers(paints.gapWidth), numbers(paints.offset))
    let (blur, opacity) = (numbers(paints.blur), numbers(paints.opacity))
    let color = paints.color.resolved(evaluator, at: camera, layoutZoom: tile.layoutZoom, in: layer.style)
    if opacity.isUniform, opacity.uniform <= 0 { return nil }
    if width.isUniform, width.uniform <= 0 { return nil }
    // Dashes are as long as the width that the line comes to, also while it changes.
    let floorWidth = paints.width.resolved(
      evaluator, at: wholeZoom, layoutZoom: tile.layoutZoom, in: target[layer.index])
    func paint(_ index: Int) -> LinePaint {
      LinePaint(
        color: Premultiplied(premultiplied: color[index], opacity: opacity[index]), width: width[index],
        gapWidth: gap[index],
        offset: offset[index], blur: blur[index], floorWidth: floorWidth[index])
    }
    let isUniform =
      width.isUniform && gap.isUniform && offset.isUniform && blur.isUniform && opacity.isUniform
      && color.isUniform && floorWidth.isUniform
    return isUniform ? .same(paint(0)) : .each(bucket.features.indices.map(paint))
  }

  private func addDashes(_ style: inout LineStyle, _ bucket: LineBucket, _ layer: StyleLayer) {
    guard layer.isSet(.lineDasharray) else { return }
    // As the reference draws them at rest: at a whole zoom, dashes of the zoom below count as faded out.
    style.dashFadeScale = camera.zoom > wholeZoom.zoom ? 1 : 0.5
    style.dash = dashes(bucket)
  }

  /// - Parameter step: from the whole zoom below the camera's to the one whose dashes are asked for.
  func dashes(_ bucket: LineBucket, step: Double = 0) -> PerFeature<LineDash?> {
    let dashes = bucket.paint.dashes
    let (evaluator, wholeZoom) = (evaluator, wholeZoom)
    func dash(_ feature: Int) -> LineDash? {
      let array =
        step == 0
        ? dashes.dashes(feature, evaluator, at: wholeZoom)
        : dashes.dashes(feature, evaluator, at: wholeZoom, step: step)
      let isRound = dashes.isRound(feature, evaluator, at: wholeZoom)
      return array.isEmpty ? nil : LineDash(array.map(Float.init), isRound: isRound)
    }
    guard !dashes.isDataDriven else { return .each(bucket.features.indices.map(dash)) }
    let isRound = dashes.isRound(0, evaluator, at: wholeZoom)
    return .same(
      memory.dashes.dash(dashes.property, zoom: wholeZoom.zoom + step, isRound: isRound) { dash(0) })
  }

  private mutating func addPattern(_ style: inout LineStyle, _ bucket: LineBucket) {
    style.pattern = linePatterns(bucket.paint.pattern.resolved(evaluator, at: camera), bucket)
  }

  mutating func linePatterns(_ names: ResolvedImages, _ bucket: LineBucket) -> PerFeature<LinePattern?> {
    .each(
      bucket.features.indices.map { index in
        let name = names[index]
        guard let image = patternImage(name), let source = images[name] else { return nil }
        return LinePattern(image, pixelRatio: Float(source.pixelRatio))
      })
  }
}
