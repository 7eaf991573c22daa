import NeatBase
import NeatCamera
import NeatMesh
import NeatRaster
import NeatStyle

/// What is drawn as a picture on a quad: raster tiles and image sources, and what the CPU makes: reliefs and
/// heatmaps.
extension MeshFrameBuilder {
  /// A square of layout units with the whole of a texture on it.
  static let quad: MeshBlock = {
    let edge = Float(TileUnits.extent)
    return MeshBlock(
      .picture,
      [
        PictureVertex(x: 0, y: 0, u: 0, v: 0), PictureVertex(x: edge, y: 0, u: 1, v: 0),
        PictureVertex(x: 0, y: edge, u: 0, v: 1), PictureVertex(x: edge, y: edge, u: 1, v: 1),
      ])
  }()

  mutating func addRaster(_ layer: LayerInFrame) {
    let paint = base.rasterPaint(layer.style)
    guard paint.opacity > 0, let source = layer.style.source else { return }
    let color = ColorTransform(paint)
    let fading = layer.style.fadeDuration(evaluator, at: camera)
    func painted(_ command: MeshCommand, opacity: Float) -> MeshCommand {
      var command = command
      command.opacity = opacity
      command.isNearest = paint.isNearest
      command.colorMatrix = (color.red, color.green, color.blue, color.offset)
      return command
    }
    for tile in base.tiles[source] ?? [] {
      let share = tile.age.share(of: fading)
      let shares =
        tile.mixes(over: fading)
        ? FadeShares(thin: share, opacity: paint.opacity) : FadeShares(share, opacity: paint.opacity)
      let under = tile.under.map { ($0, shares.below * $0.age.share(of: fading)) }
      for (tile, opacity) in under + [(tile, shares.tile)] where opacity > 0 {
        guard let raster = tile.raster else { continue }
        appendPicture(painted(picture(.raster, layer, tile), opacity: opacity), place(raster.texture))
      }
    }
    guard let image = base.imageSources[source] else { return }
    let opacity = min(paint.opacity, 1) * image.age.share(of: fading)
    guard opacity > 0 else { return }
    for copy in base.worldCopies {
      let moved = image.corners.map { SIMD2($0.x + 360 * copy, $0.y) }
      guard let map = base.quad(image.texture, moved) else { continue }
      var command = MeshCommand(.raster, layer: layer.index)
      let scale = SIMD2(Double(image.texture.width), Double(image.texture.height)) / TileUnits.extent
      command.matrix = transform.clipMatrix(map).scaled(scale.x, scale.y, 1)
      appendPicture(painted(command, opacity: opacity), place(image.texture))
    }
  }

  mutating func addHillshade(_ layer: LayerInFrame) {
    guard let source = layer.style.source else { return }
    let paint = base.hillshadePaint(layer.style)
    let isNearest = layer.style.isSet(.resampling) && base.isNearest(layer.style)
    let all = (base.tiles[source] ?? []).compactMap { tile in
      tile.dem.map { (tile, $0, ReliefKey(paint: paint, mask: $0.neighbours.mask)) }
    }
    let tiles = all.filter { base.admit($1, relief: $2, layer, $0.id.canonical) }
    let jobs = tiles.map { tile, dem, key in
      HillshadeDraw(
        dem: dem, id: tile.id.canonical, key: key,
        projection: tile.rasterProjection,
        clip: tile.rasterClip)
    }
    // Each tile keeps its relief: what one worker makes is found again below.
    executor.forEach(jobs.count) { _ = jobs[$0].shaded() }
    for ((tile, _, _), job) in zip(tiles, jobs) {
      guard let texture = job.shaded().texture else { continue }
      var command = picture(.hillshade, layer, tile)
      command.isNearest = isNearest
      appendPicture(command, place(texture))
    }
  }

  mutating func addColorRelief(_ layer: LayerInFrame) {
    let opacity = Float(layer.style[.colorReliefOpacity].number(evaluator, at: camera))
    guard opacity > 0, let source = layer.style.source, let ramp = base.reliefRamp(layer.style) else {
      return
    }
    for tile in base.tiles[source] ?? [] {
      guard let dem = tile.dem else { continue }
      let elevation = dem.tile.bordered(dem.neighbours)
      let bitmap: Bitmap
      let hold: MemoryHold
      do throws(NeatError) {
        hold = try base.options.memory.take(
          4 * elevation.size * elevation.size, for: "the colours of an elevation tile")
        bitmap = try Bitmap(width: elevation.size, height: elevation.size)
      } catch {
        base.report(error, layer: layer.index, tile: tile.id.canonical)
        continue
      }
      let band = bitmap.band
      drawColorRelief(
        elevation, map: Projection(scale: 1), ramp: ramp, opacity: 1, clip: .full(band), band: band)
      var command = picture(.colorRelief, layer, tile)
      command.opacity = min(opacity, 1)
      command.isNearest = layer.style.isSet(.resampling) && base.isNearest(layer.style)
      appendPicture(command, place(MeshTexture(bitmap, hold)))
    }
  }

  /// Heatmaps are summed and coloured on the CPU; the picture covers the frame.
  mutating func addHeatmap(_ layer: LayerInFrame) {
    let before = base.commands.count
    base.addHeatmap(layer)
    guard base.commands.count > before, case .heatmap(let heat) = base.commands.removeLast() else { return }
    let size = transform.size
    let bitmap: Bitmap
    let hold: MemoryHold
    do throws(NeatError) {
      hold = try base.options.memory.take(
        4 * size.deviceWidth * size.deviceHeight, for: "the picture of a heatmap")
      bitmap = try Bitmap(width: size.deviceWidth, height: size.deviceHeight)
    } catch {
      return base.report(error, layer: layer.index)
    }
    heat.summed(width: size.deviceWidth, height: size.deviceHeight, executor).draw(bitmap.band)
    var command = MeshCommand(.heatmap, layer: layer.index)
    command.matrix = transform.pixelMatrix.scaled(
      Double(size.deviceWidth) / TileUnits.extent, Double(size.deviceHeight) / TileUnits.extent, 1)
    command.isNearest = true
    appendPicture(command, place(MeshTexture(bitmap, hold)))
  }

  /// A tile of texels, on the grid of pixels.
  private func picture(_ kind: MeshCommand.Kind, _ layer: LayerInFrame, _ tile: TileInFrame) -> MeshCommand {
    var command = command(kind, layer, tile)
    let shift = transform.pixelGridShift * (TileUnits.extent / transform.tileEdge(tile.id.canonical.z))
    command.matrix = command.matrix.translated(shift.x, shift.y, 0)
    return command
  }

  mutating func appendPicture(_ command: MeshCommand, _ texture: Int32) {
    var command = command
    command.vertices = place(MeshFrameBuilder.quad)
    command.indices = place(QuadIndices.block)
    (command.vertexCount, command.indexCount) = (4, 6)
    command.textureUse = .picture
    command.texture = texture
    append(command)
  }
}
