import NeatBase
import NeatCamera
import NeatJSON
import NeatRaster
import NeatStyle

/// An elevation tile in a frame, with the neighbours that give its border.
struct DEMInFrame: Sendable {
  let tile: DEMTile
  let neighbours: DEMNeighbours
}

/// Shaded relief of one tile. The texture is made before bands are drawn.
package struct HillshadeDraw: Sendable {
  let dem: DEMInFrame
  let id: TileID
  let key: ReliefKey
  let projection: Projection
  let clip: Projection
  var globe: (view: GlobeTileView, surface: GlobeSurface, zoom: UInt8)?
  var isNearest = false
  var texture: Texture?

  func shaded() -> HillshadeDraw {
    var copy = self
    copy.texture = dem.tile.relief(key, id, dem.neighbours)
    return copy
  }

  func draw(_ worker: BandWorker) {
    guard let texture else { return }
    let band = worker.band
    var paint = RasterPaint()
    paint.isNearest = isNearest
    if let globe {
      let size = Double(texture.width)
      return drawGlobeImage(
        texture, globe.view, texels: SIMD2(size, size), paint: paint,
        ground: worker.ground(globe.surface, zoom: globe.zoom), band: band)
    }
    let rows = worker.onGround(RowClip.tile(clip, extent: TileUnits.extent, band))
    guard !rows.isEmpty else { return }
    drawImage(
      texture, map: projection.scaled(TileUnits.extent / Double(texture.width)), paint: paint, clip: rows,
      band: band)
  }
}

/// Elevations of one tile as colours.
package struct ColorReliefDraw: Sendable {
  let dem: DEMInFrame
  let ramp: ReliefRamp
  let opacity: Float
  let projection: Projection
  let clip: Projection
  var globe: (view: GlobeTileView, surface: GlobeSurface, zoom: UInt8)?
  let isNearest: Bool

  func draw(_ worker: BandWorker) {
    let band = worker.band
    let tile = dem.tile.bordered(dem.neighbours)
    if let globe {
      return drawGlobeRelief(
        tile, globe.view, ramp: ramp, opacity: opacity, isNearest: isNearest,
        ground: worker.ground(globe.surface, zoom: globe.zoom), band: band)
    }
    let rows = worker.onGround(RowClip.tile(clip, extent: TileUnits.extent, band))
    guard !rows.isEmpty else { return }
    let map = projection.scaled(TileUnits.extent / Double(tile.size))
    drawColorRelief(
      tile, map: map, ramp: ramp, opacity: opacity, isNearest: isNearest, clip: rows, band: band)
  }
}

extension FrameBuilder {
  mutating func addHillshade(_ layer: LayerInFrame) {
    guard let source = layer.style.source else { return }
    let paint = hillshadePaint(layer.style)
    let isNearest = layer.style.isSet(.resampling) && isNearest(layer.style)
    for tile in tiles[source] ?? [] {
      guard let dem = tile.dem else { continue }
      let key = ReliefKey(paint: paint, mask: dem.neighbours.mask)
      guard admit(dem, relief: key, layer, tile.id.canonical) else { continue }
      commands.append(
        .hillshade(
          HillshadeDraw(
            dem: dem, id: tile.id.canonical, key: key, projection: tile.rasterProjection,
            clip: tile.rasterClip, globe: onGlobe(tile), isNearest: isNearest)))
    }
  }

  /// Whether there is memory for a tile's relief; a lack is reported.
  mutating func admit(_ dem: DEMInFrame, relief key: ReliefKey, _ layer: LayerInFrame, _ tile: TileID) -> Bool
  {
    do throws(NeatError) {
      try dem.tile.admit(key)
      return true
    } catch {
      report(error, layer: layer.index, tile: tile)
      return false
    }
  }

  private func onGlobe(_ tile: TileInFrame) -> (view: GlobeTileView, surface: GlobeSurface, zoom: UInt8)? {
    guard let globe = tile.globe, let view = tile.globeView else { return nil }
    return (view, globe.surface, tile.wanted.canonical.z)
  }

  mutating func addColorRelief(_ layer: LayerInFrame) {
    let opacity = Float(layer.style[.colorReliefOpacity].number(evaluator, at: camera))
    guard opacity > 0, let source = layer.style.source, let ramp = reliefRamp(layer.style) else { return }
    let isNearest = layer.style.isSet(.resampling) && isNearest(layer.style)
    for tile in tiles[source] ?? [] {
      guard let dem = tile.dem else { continue }
      commands.append(
        .colorRelief(
          ColorReliefDraw(
            dem: dem, ramp: ramp, opacity: opacity, projection: tile.rasterProjection, clip: tile.rasterClip,
            globe: onGlobe(tile), isNearest: isNearest)))
    }
  }

  func hillshadePaint(_ style: StyleLayer) -> HillshadePaint {
    let turn =
      style[.hillshadeIlluminationAnchor].enumValue(evaluator, at: camera) == "viewport"
      ? transform.camera.heading : 0
    let directions = style[.hillshadeIlluminationDirection].numbers(evaluator, at: camera)
    let altitudes = style[.hillshadeIlluminationAltitude].numbers(evaluator, at: camera)
    let shadows = style[.hillshadeShadowColor].colors(evaluator, at: camera)
    let highlights = style[.hillshadeHighlightColor].colors(evaluator, at: camera)
    let count = max(1, directions.count, altitudes.count, shadows.count, highlights.count)
    // The last entry of a list that is shorter than the longest one serves for the rest.
    func entry<T>(_ list: [T], _ index: Int, _ otherwise: T) -> T {
      list.isEmpty ? otherwise : list[min(index, list.count - 1)]
    }
    let lights = (0..<count).map { index in
      HillshadeLight(
        azimuth: Float((entry(directions, index, 335) + turn) * .pi / 180),
        altitude: Float(entry(altitudes, index, 45) * .pi / 180),
        shadow: entry(shadows, index, .black), highlight: entry(highlights, index, .white))
    }
    let method: HillshadeMethod =
      switch style[.hillshadeMethod].enumValue(evaluator, at: camera) {
      case "basic": .basic
      case "combined": .combined
      case "igor": .igor
      case "multidirectional": .multidirectional
      default: .standard
      }
    return HillshadePaint(
      method: method, exaggeration: Float(style[.hillshadeExaggeration].number(evaluator, at: camera)),
      accent: style[.hillshadeAccentColor].color(evaluator, at: camera), lights: lights)
  }

  /// The stops of `["interpolate", …, ["elevation"], stop, colour, …]`; as in MapLibre, other expressions
  /// have none.
  func reliefRamp(_ style: StyleLayer) -> ReliefRamp? {
    guard let json = style.properties.json(.colorReliefColor),
      json[0]?.string?.hasPrefix("interpolate") == true
    else { return nil }
    var stops: [(elevation: Float, color: Color)] = []
    for index in stride(from: 3, to: json.count, by: 2) {
      guard let elevation = json[index]?.number else { return nil }
      let place = EvaluationPoint.ramp(RampInputs(elevation: elevation), zoom: camera.zoom)
      stops.append((Float(elevation), style[.colorReliefColor].color(evaluator, at: place)))
    }
    return stops.isEmpty ? nil : ReliefRamp(stops)
  }
}
