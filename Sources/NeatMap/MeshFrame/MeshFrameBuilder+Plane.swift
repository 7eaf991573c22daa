import NeatBase
import NeatCamera
import NeatLayout
import NeatMesh
import NeatRaster
import NeatStyle

/// Backgrounds and fills.
extension MeshFrameBuilder {
  /// The whole of clip space, as vertices of layout `fill`.
  private static let screen = MeshBlock(
    .fill, [SIMD2<Float>(-1, 1), SIMD2(1, 1), SIMD2(-1, -1), SIMD2(1, -1)])
  /// A tile's square.
  private static let square = MeshBlock(
    .fill, [SIMD2<Float>(0, 0), SIMD2(1, 0), SIMD2(0, 1), SIMD2(1, 1)].map { $0 * Float(TileUnits.extent) })

  mutating func addBackground(_ layer: LayerInFrame) {
    let style = layer.style
    let opacity = Float(style[.backgroundOpacity].number(evaluator, at: camera))
    guard opacity > 0 else { return }
    if style.isSet(.backgroundPattern) {
      let image = style[.backgroundPattern].image(evaluator, at: base.wholeZoom)
      addBackgroundPattern(layer, image?.name ?? "", opacity)
      return
    }
    var command = MeshCommand(.background, layer: layer.index)
    command.opacity = min(opacity, 1)
    command.color = style[.backgroundColor].color(evaluator, at: camera).premultiplied
    guard command.color.w > 0 else { return }
    appendQuad(command, MeshFrameBuilder.screen)
  }

  /// Patterns hang on the world: they are drawn tile by tile, where single precision is fine enough.
  private mutating func addBackgroundPattern(_ layer: LayerInFrame, _ name: String, _ opacity: Float) {
    guard let image = base.images[name], let texture = base.patternTexture(name) else { return }
    for id in TileCover().tiles(transform) {
      var command = MeshCommand(.background, layer: layer.index)
      command.tile = id
      command.matrix = transform.clipMatrix(for: id)
      command.clip = SIMD4(0, 0, 1, 1) * Float(TileUnits.extent)
      command.opacity = min(opacity, 1)
      setPattern(&command, image, texture, id)
      appendQuad(command, MeshFrameBuilder.square)
    }
  }

  private mutating func appendQuad(_ command: MeshCommand, _ vertices: MeshBlock) {
    var command = command
    command.vertices = place(vertices)
    command.indices = place(QuadIndices.block)
    (command.vertexCount, command.indexCount) = (4, 6)
    append(command)
  }

  /// The pattern's place on a tile: see `FrameBuilder.pattern`.
  mutating func setPattern(
    _ command: inout MeshCommand, _ image: StyleImage, _ texture: Texture, _ id: OverscaledTileID,
    move: SIMD2<Double> = .zero
  ) {
    let zoom = transform.camera.zoom.rounded(.down)
    let edge = TileUnits.pixels * exp2(zoom - Double(id.canonical.z)) * image.pixelRatio
    let scale = edge / TileUnits.extent
    let size = SIMD2(Double(image.width), Double(image.height))
    let x = (id.column * edge).truncatingRemainder(dividingBy: size.x)
    let y = (Double(id.canonical.y) * edge).truncatingRemainder(dividingBy: size.y)
    command.textureUse = .pattern
    command.texture = place(texture)
    command.pattern.scale = SIMD2<Float>(scale / size)
    command.pattern.offset = SIMD2<Float>((SIMD2(x, y) + move * scale) / size)
  }

  mutating func addFill(_ bucket: FillBucket, _ layer: LayerInFrame, _ tile: TileInFrame) {
    let style = layer.style
    let opacity = bucket.opacity.shared(evaluator, at: camera, in: layer.style)
    guard opacity > 0 || bucket.opacity.isDataDriven else { return }
    let mesh = bucket.mesh
    let move = layer.translate(.fillTranslate, .fillTranslateAnchor, evaluator, transform, tile.id)
    var fill = command(.fill, layer, tile, move: move)
    fill.vertices = place(mesh.vertices)
    fill.indices = place(mesh.triangles)
    fill.opacity = min(opacity, 1)
    let isPattern = style.isSet(.fillPattern)
    if !isPattern { fill.color = bucket.color.shared(evaluator, at: camera, in: layer.style) }
    fill.paint = fillPaint(bucket, bucket.color, tile, slot: 0)
    guard style[.fillAntialias].bool(evaluator, at: camera) else {
      appendFill(fill, mesh.trianglePieces, bucket, tile, isPattern, move)
      return
    }
    var outline = command(.fillOutline, layer, tile, move: move)
    (outline.vertices, outline.indices) = (fill.vertices, place(mesh.edges))
    (outline.opacity, outline.color, outline.paint) = (fill.opacity, fill.color, fill.paint)
    if bucket.hasOutlineColor, !isPattern {
      outline.color = bucket.outlineColor.shared(evaluator, at: camera, in: layer.style)
      outline.paint = fillPaint(bucket, bucket.outlineColor, tile, slot: 1)
    }
    // Below the fill where that hides it: it then shows outside of the polygons only.
    let isBelow =
      !isPattern && !bucket.hasOutlineColor && fill.paint < 0 && fill.color.w >= 1 && fill.opacity >= 1
    if isBelow { appendFill(outline, mesh.edgePieces, bucket, tile, isPattern, move) }
    appendFill(fill, mesh.trianglePieces, bucket, tile, isPattern, move)
    if !isBelow { appendFill(outline, mesh.edgePieces, bucket, tile, isPattern, move) }
  }

  private mutating func appendFill(
    _ command: MeshCommand, _ pieces: [MeshPiece], _ bucket: FillBucket, _ tile: TileInFrame,
    _ isPattern: Bool, _ move: SIMD2<Double>
  ) {
    guard isPattern else { return append(command, pieces) }
    let names = bucket.pattern.resolved(evaluator, at: camera)
    var images: [MeshCommand] = []
    var groups: [String: Int] = [:]
    for feature in bucket.features.indices where groups[names[feature]] == nil {
      guard let image = base.images[names[feature]], let texture = base.patternTexture(names[feature]) else {
        continue
      }
      groups[names[feature]] = images.count
      var copy = command
      setPattern(&copy, image, texture, tile.id, move: move)
      images.append(copy)
    }
    append(command, pieces, groups: { groups[names[$0]] }) { command, group in
      (command.textureUse, command.texture, command.pattern) = (
        .pattern, images[group].texture, images[group].pattern
      )
    }
  }

  private mutating func fillPaint(_ bucket: FillBucket, _ color: ColorPaint, _ tile: TileInFrame, slot: Int)
    -> Int32
  {
    guard color.isDataDriven || bucket.opacity.isDataDriven else { return -1 }
    let isComposite = color.isComposite || bucket.opacity.isComposite
    let mesh = bucket.mesh
    let block = bucket.meshes.paint(slot: slot, zoom: isComposite ? camera.zoom : 0) {
      let colors = color.varying(evaluator, at: camera, layoutZoom: tile.layoutZoom)
      let opacity = bucket.opacity.varying(evaluator, at: camera, layoutZoom: tile.layoutZoom)
      return paint(.fillPaint, count: mesh.vertices.count, mesh.trianglePieces) { feature in
        FillPaintVertex(color: packed(colors[feature]), opacity: min(max(opacity[feature], 0), 1))
      }
    }
    return place(block)
  }
}
