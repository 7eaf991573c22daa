import NeatBase
import NeatCamera
import NeatRaster
import NeatStyle

/// One raster tile, or an image source.
package struct RasterDraw: Sendable {
  let texture: Texture
  /// Texels to device pixels.
  let map: Projection
  let paint: RasterPaint
  /// The tile's square, or nil for the picture's own quad.
  let clip: Projection?
  /// On a globe: the pixels of its tile, or where the picture lies.
  var globe: RasterOnGlobe?

  func draw(_ worker: BandWorker) {
    if let globe { return draw(worker, globe) }
    let band = worker.band
    let rows = worker.onGround(
      clip.map { RowClip.tile($0, extent: TileUnits.extent, band) }
        ?? imageClip(texture, map: map, band: band))
    if !rows.isEmpty { drawImage(texture, map: map, paint: paint, clip: rows, band: band) }
  }
}

extension FrameBuilder {
  mutating func addRaster(_ layer: LayerInFrame) {
    var paint = rasterPaint(layer.style)
    guard paint.opacity > 0, let source = layer.style.source else { return }
    let fading = layer.style.fadeDuration(evaluator, at: camera)
    let found = tiles[source] ?? []
    if found.contains(where: { $0.mixes(over: fading) }) {
      addMixed(found, paint, over: fading)
    } else {
      for tile in found { add(tile, paint, over: fading) }
    }
    guard let image = imageSources[source] else { return }
    let corners = image.corners
    paint.opacity *= image.age.share(of: fading)
    if let globe = transform.globe {
      guard let map = quad(image.texture, corners),
        let picture = PictureOnGlobe(image.texture, corners, globe)
      else { return }
      var draw = RasterDraw(texture: image.texture, map: map, paint: paint, clip: nil)
      draw.globe = .picture(picture, globe)
      return commands.append(.raster(draw))
    }
    // A tile of the ground shows the picture of whichever world it comes from.
    for world in terrain == nil ? worldCopies : [-1, 0, 1] {
      let moved = corners.map { $0 + SIMD2(360 * world, 0) }
      if let map = quad(image.texture, moved) {
        commands.append(.raster(RasterDraw(texture: image.texture, map: map, paint: paint, clip: nil)))
      }
    }
  }

  /// Adds a tile, and below it what it comes in over.
  private mutating func add(_ tile: TileInFrame, _ paint: RasterPaint, over fading: Double) {
    let shares = FadeShares(tile.age.share(of: fading), opacity: paint.opacity)
    if shares.below > 0 {
      for tile in tile.under { add(tile, paint, opacity: shares.below) }
    }
    add(tile, paint, opacity: shares.tile)
  }

  /// Adds tiles of which some come in over others through which the ground is seen: into a picture of their own, where
  /// what goes and what comes add up, and which is as opaque as the layer.
  private mutating func addMixed(_ tiles: [TileInFrame], _ paint: RasterPaint, over fading: Double) {
    let first = commands.count
    for tile in tiles {
      let share = tile.age.share(of: fading)
      for under in share < 1 ? tile.under : [] {
        add(under, paint, opacity: (1 - share) * under.age.share(of: fading), isAdded: true)
      }
      add(tile, paint, opacity: share, isAdded: share < 1)
    }
    let all = Array(commands[first...])
    commands.removeSubrange(first...)
    let opacity = UInt32(saturating: min(paint.opacity, 1) * 255 + 0.5)
    commands.append(.apart(ApartDraw(commands: all, opacity: opacity)))
  }

  private mutating func add(
    _ tile: TileInFrame, _ paint: RasterPaint, opacity: Float, isAdded: Bool = false
  ) {
    guard opacity > 0, let texture = tile.raster?.texture else { return }
    var paint = paint
    (paint.opacity, paint.isAdded) = (opacity, isAdded)
    var map = tile.rasterProjection.scaled(TileUnits.extent / Double(texture.width))
    if texture.width != texture.height {
      let vertical = Double(texture.width) / Double(texture.height)
      (map.xy, map.yy, map.wy) = (map.xy * vertical, map.yy * vertical, map.wy * vertical)
    }
    var draw = RasterDraw(texture: texture, map: map, paint: paint, clip: tile.rasterClip)
    if let globe = tile.globe, let view = tile.globeView {
      draw.globe = .tile(view, globe.surface, zoom: tile.wanted.canonical.z)
    }
    commands.append(.raster(draw))
  }

  func rasterPaint(_ style: StyleLayer) -> RasterPaint {
    var paint = RasterPaint()
    paint.opacity = Float(style[.rasterOpacity].number(evaluator, at: camera))
    paint.hueRotate = Float(style[.rasterHueRotate].number(evaluator, at: camera))
    paint.saturation = Float(style[.rasterSaturation].number(evaluator, at: camera))
    paint.contrast = Float(style[.rasterContrast].number(evaluator, at: camera))
    paint.brightnessMin = Float(style[.rasterBrightnessMin].number(evaluator, at: camera))
    paint.brightnessMax = Float(style[.rasterBrightnessMax].number(evaluator, at: camera))
    paint.isNearest = isNearest(style)
    // As MapLibre GL JS: ground that is hardly tilted stays as sharp as it is.
    paint.isAnisotropic = transform.camera.pitch > 20
    return paint
  }

  /// The copies of the world that may reach into the view, by how many worlds they lie to the east: those that it
  /// shows, and one more to each side for pictures over the edge of a world.
  var worldCopies: [Double] {
    let wraps = TileCover().tiles(transform).map(\.wrap)
    guard let first = wraps.min(), let last = wraps.max() else { return [0] }
    return (first - 1...last + 1).map(Double.init)
  }

  /// Whether a layer of pictures shows their texels where they are enlarged. The property of all such layers goes
  /// before the one of rasters.
  func isNearest(_ style: StyleLayer) -> Bool {
    let property: Property = style.isSet(.resampling) ? .resampling : .rasterResampling
    return style[property].enumValue(evaluator, at: camera) == "nearest"
  }

  /// The map of a picture whose corners lie at four places: to the plane of the world, then to the view, so
  /// that a corner may lie behind the eye.
  func quad(_ texture: Texture, _ corners: [SIMD2<Double>]) -> Projection? {
    guard corners.count == 4 else { return nil }
    let points = corners.map {
      Mercator.project(LonLat($0.x, $0.y)) * transform.worldSize + transform.pixelGridShift - transform.center
    }
    let plane = Projection(
      width: Double(texture.width), height: Double(texture.height), topLeft: points[0], topRight: points[1],
      bottomRight: points[2],
      bottomLeft: points[3])
    return plane.map {
      Projection(transform.toScreen.translated(transform.center.x, transform.center.y, 0), after: $0)
    }
  }
}
