import NeatBase

/// What fills a layer's polygons. Arrays are indexed by the feature of the `FillGeometry`, and must be as
/// long as it has features.
package enum FillPaint: Sendable {
  case solid(Premultiplied)
  case colors([Premultiplied])
  /// Nil leaves a feature out.
  case patterns([PatternPaint?])
  /// The same on their way to others.
  case mixes([PatternMix?])
}

extension FillFrame {
  /// Fills the polygons in their order, hard at pixel centres, nonzero winding, cut to the clip.
  package func fill(_ band: Band, _ clip: RowClip, _ paint: FillPaint, _ scratch: RasterScratch) {
    // One for all shapes: what it refers to is counted with each.
    let target = FillTarget(band: band, clip: clip, scratch: scratch)
    switch paint {
    case .solid(let color):
      if color.isTransparent { return }
      each(clip) { item, y0, y1 in fill(target, item, y0, y1, color) }
    case .colors(let colors):
      colors.withUnsafeBufferPointer { colors in
        each(clip) { item, y0, y1 in fill(target, item, y0, y1, colors[Int(item.feature)]) }
      }
    case .patterns(let patterns):
      each(clip) { item, y0, y1 in
        if let pattern = patterns[Int(item.feature)] {
          fill(target, item, y0, y1, pattern, opacity: pattern.opacity)
        }
      }
    case .mixes(let mixes):
      each(clip) { item, y0, y1 in
        if let mix = mixes[Int(item.feature)] { fill(target, item, y0, y1, mix, opacity: mix.opacity) }
      }
    }
  }

  /// Draws the polygons' outlines as hairlines of one pixel that fade with the distance from the edge.
  ///
  /// MapLibre's antialiasing is this call with the fill's own colours: before `fill` where the layer is
  /// opaque (constant colour of alpha 1, opacity 1, no pattern: its depth test keeps outlines off every fill
  /// of the layer), else after it. An explicit outline colour is always drawn after `fill`.
  /// - Parameter inPerspective: whether long edges in a tilted view are smoothed at their ends only, as the
  ///   reference does it (`SkewedEdge`).
  package func outline(_ band: Band, _ clip: RowClip, _ paint: FillPaint, inPerspective: Bool = false) {
    let depth = inPerspective ? depth : nil
    let coverages = FillOutline.coverages
    switch paint {
    case .solid(let color):
      if color.isTransparent { return }
      each(clip) { item, y0, y1 in outline(band, clip, item, y0, y1, depth, color, coverages) }
    case .colors(let colors):
      each(clip) { item, y0, y1 in
        let color = colors[Int(item.feature)]
        if !color.isTransparent { outline(band, clip, item, y0, y1, depth, color, coverages) }
      }
    case .patterns(let patterns):
      each(clip) { item, y0, y1 in
        guard let pattern = patterns[Int(item.feature)] else { return }
        outline(band, clip, item, y0, y1, depth, opacity: pattern.opacity, coverages) { x, y in
          pattern.texel(pattern.place(x, y))
        }
      }
    case .mixes(let mixes):
      each(clip) { item, y0, y1 in
        guard let mix = mixes[Int(item.feature)] else { return }
        outline(band, clip, item, y0, y1, depth, opacity: mix.opacity, coverages) { x, y in mix.color(x, y) }
      }
    }
  }

  /// Calls `body` for each feature that may touch the clip, with the rows of the band to look at (a row more
  /// on each side than its bounds).
  @inline(__always)
  private func each(_ clip: RowClip, _ body: (FillItem, Int, Int) -> Void) {
    if clip.isEmpty { return }
    let top = Int32(truncatingIfNeeded: (clip.minY &- 1) &<< 8)
    let bottom = Int32(truncatingIfNeeded: (clip.maxY &+ 1) &<< 8)
    let left = Int32(truncatingIfNeeded: (clip.minX &- 1) &<< 8)
    let right = Int32(truncatingIfNeeded: (clip.maxX &+ 1) &<< 8)
    let items = shapes.contents.items.base
    for index in self.items {
      let item = items[index]
      if item.maxY < top || item.minY > bottom || item.maxX < left || item.minX > right { continue }
      let y0 = max(Int(item.minY) >> 8 &- 1, clip.minY)
      let y1 = min(Int(item.maxY) >> 8 &+ 2, clip.maxY)
      assert(
        item.firstRing < item.endRing && Int(item.endRing) < shapes.contents.ringStarts.count,
        "rings of no feature")
      if y0 < y1 { body(item, y0, y1) }
    }
  }

  @inline(__always)
  private func fill(
    _ target: FillTarget, _ item: FillItem, _ y0: Int, _ y1: Int, _ color: Premultiplied
  ) {
    let from = max(y0, firstRow(item.minY))
    let to = min(y1, firstRow(item.maxY))
    if from >= to { return }
    if color.isOpaque {
      scan(target, item, from, to, OpaquePainter(bits: color.bits))
    } else if !color.isTransparent {
      scan(target, item, from, to, BlendPainter(bits: color.bits))
    }
  }

  private func fill<Pattern: SpanPainter>(
    _ target: FillTarget, _ item: FillItem, _ y0: Int, _ y1: Int, _ pattern: Pattern, opacity: UInt32
  ) {
    let from = max(y0, firstRow(item.minY))
    let to = min(y1, firstRow(item.maxY))
    if from >= to || opacity == 0 { return }
    scan(target, item, from, to, pattern)
  }

  @inline(__always)
  private func scan<Painter: SpanPainter>(
    _ target: FillTarget, _ item: FillItem, _ y0: Int, _ y1: Int, _ painter: Painter
  ) {
    let rings = rings(item)
    if let x0 = SmallFill.firstColumn(item, rings, target.clip) {
      SmallFill.fill(target, rings, x0: x0, y0: y0, y1: y1, painter)
    } else {
      FillScan.fill(target, rings, y0: y0, y1: y1, painter)
    }
  }

  @inline(__always) private func rings(_ item: FillItem) -> FillRings {
    FillRings(
      points: UnsafePointer(shapes.contents.points.base),
      starts: UnsafePointer(shapes.contents.ringStarts.base), rings: item.rings,
      runs: UnsafeBufferPointer(
        start: shapes.contents.runs.base + Int(item.firstRun), count: Int(item.endRun &- item.firstRun)),
      isOpen: isOpen)
  }

  @inline(__always)
  private func outline(
    _ band: Band, _ clip: RowClip, _ item: FillItem, _ y0: Int, _ y1: Int, _ depth: ScreenDepth?,
    _ color: Premultiplied, _ coverages: FillOutline.Coverages
  ) {
    FillOutline.draw(
      band, clip, rings(item), y0: y0, y1: y1, depth, isWhole: item.isWhole(clip), color.bits, coverages)
  }

  /// A pattern's outline takes the picture's colour under each pixel.
  @inline(__always)
  private func outline(
    _ band: Band, _ clip: RowClip, _ item: FillItem, _ y0: Int, _ y1: Int, _ depth: ScreenDepth?,
    opacity: UInt32, _ coverages: FillOutline.Coverages, _ color: (Int, Int) -> UInt32
  ) {
    FillOutline.draw(
      band, clip, rings(item), y0: y0, y1: y1, depth, isWhole: item.isWhole(clip), coverages
    ) { x, y, old, coverage in
      let color = color(x, y)
      return PixelInk(opacity == 255 ? color : Blend.scale(color, opacity)).over(old, coverage)
    }
  }
}

extension FillItem {
  /// Whether all pixels that its outlines touch are the clip's. (They are at most one off its bounds.)
  @inline(__always)
  func isWhole(_ clip: RowClip) -> Bool {
    func fixed(_ pixel: Int) -> Int32 { Int32(truncatingIfNeeded: pixel &<< 8) }
    return clip.isBox && minX >= fixed(clip.minX &+ 1) && maxX <= fixed(clip.maxX &- 1)
      && minY >= fixed(clip.minY &+ 1) && maxY <= fixed(clip.maxY &- 1)
  }

  @inline(__always) var rings: Range<Int> { Int(firstRing)..<Int(endRing) }
}
