import NeatBase
import NeatCamera
import NeatLayout
import NeatRaster

/// What a fill has besides its polygons on a globe.
struct FillOnGlobe: Sendable {
  let surface: GlobeSurface
  /// Open lines.
  let outlines: FillFrame?
}

extension FillDraw {
  func draw(_ worker: BandWorker, _ globe: FillOnGlobe) {
    let (band, clip) = (worker.band, worker.fullClip)
    let paint = self.paint.on { worker.ground(globe.surface, zoom: 0) }
    let outline = self.outline?.on { worker.ground(globe.surface, zoom: 0) }
    if let outline, outlineFirst { globe.outlines?.outline(band, clip, outline) }
    frame.fill(band, clip, paint, worker.scratch)
    if let outline, !outlineFirst { globe.outlines?.outline(band, clip, outline) }
  }
}

extension FillPaint {
  /// Patterns over the ground of a band.
  func on(_ ground: () -> GlobeGround) -> FillPaint {
    switch self {
    case .solid, .colors: return self
    case .patterns(let patterns):
      let ground = ground()
      return .patterns(patterns.map { $0?.on(ground) })
    case .mixes(let mixes):
      let ground = ground()
      return .mixes(mixes.map { $0?.on(ground) })
    }
  }
}

extension FrameBuilder {
  mutating func addGlobeFill(
    _ bucket: FillBucket, _ layer: LayerInFrame, _ tile: TileInFrame, _ opacity: ResolvedNumbers
  ) {
    guard let globe = tile.globe, let wanted = tile.wantedGlobe else { return }
    let move = memory.translations.move(
      layer, .fillTranslate, .fillTranslateAnchor, evaluator, transform, tile.id)
    let hasOutline = layer.style[.fillAntialias].bool(evaluator, at: camera)
    let (data, scale) = (bucket.layer, Double(bucket.layer.layoutScale))
    var shapes = GlobeShapes(globe, wanted: wanted)
    var lines = GlobeShapes(globe, wanted: wanted)
    for feature in bucket.features {
      let rings = Int(data.partStarts[Int(feature)])..<Int(data.partStarts[Int(feature) + 1])
      for ring in rings {
        let places = (Int(data.pointStarts[ring])..<Int(data.pointStarts[ring + 1])).map {
          SIMD2<Double>(data.points[$0]) * scale + move
        }
        shapes.addRing(places)
        if hasOutline { lines.addOutline(places) }
      }
      shapes.endFeature()
      lines.endFeature()
    }
    let count = bucket.features.count
    let frame = fillFrame(shapes, count, isOpen: false)
    let outlines = hasOutline ? fillFrame(lines, count, isOpen: true) : nil
    guard frame.featureCount > 0 || outlines.map({ $0.featureCount > 0 }) == true else { return }
    let draw = FillDraw(
      frame: frame, paint: .solid(.transparent), outline: nil, outlineFirst: false, tile: tile.projection,
      globe: FillOnGlobe(surface: globe.surface, outlines: outlines))
    add(draw, bucket, layer, tile, opacity)
  }

  private func fillFrame(_ shapes: GlobeShapes, _ count: Int, isOpen: Bool) -> FillFrame {
    shapes.points.withUnsafeBufferPointer { points in
      shapes.ringStarts.withUnsafeBufferPointer { rings in
        shapes.featureRings.withUnsafeBufferPointer { features in
          // An empty array may have no address; nothing is read then.
          withUnsafeTemporaryAllocation(of: SIMD4<Double>.self, capacity: 1) { none in
            let geometry = FillGeometry(
              points: .homogeneous(points.baseAddress ?? UnsafePointer(none.baseAddress!)),
              ringStarts: rings.baseAddress!, featureRings: features.baseAddress!, featureCount: count)
            return FillFrame(
              geometry, Projection(scale: 1), width: transform.size.deviceWidth,
              height: transform.size.deviceHeight, in: memory.fills, isOpen: isOpen)
          }
        }
      }
    }
  }
}
