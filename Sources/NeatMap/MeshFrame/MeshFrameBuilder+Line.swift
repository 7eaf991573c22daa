import NeatBase
import NeatCamera
import NeatLayout
import NeatMesh
import NeatRaster
import NeatStyle

extension MeshFrameBuilder {
  mutating func addLine(_ bucket: LineBucket, _ layer: LayerInFrame, _ tile: TileInFrame) {
    let paints = bucket.paint
    func number(_ paint: NumberPaint) -> Float { paint.shared(evaluator, at: camera, in: layer.style) }
    for paint in [paints.opacity, paints.width] where number(paint) <= 0 && !paint.isDataDriven { return }
    let blocks = bucket.blocks
    let move = layer.translate(.lineTranslate, .lineTranslateAnchor, evaluator, transform, tile.id)
    var line = command(.line, layer, tile, move: move)
    line.vertices = place(blocks.vertices)
    line.indices = place(blocks.indices)
    line.opacity = min(max(number(paints.opacity), 0), 1)
    line.color = paints.color.shared(evaluator, at: camera, in: layer.style)
    line.line.width = number(paints.width)
    line.line.gapWidth = number(paints.gapWidth)
    line.line.offset = number(paints.offset)
    line.line.blur = number(paints.blur)
    // Dashes are as long as the width that the line comes to, also while it changes.
    line.line.floorWidth = paints.width.shared(evaluator, at: base.wholeZoom, in: base.target[layer.index])
    line.line.unitsPerPixel = Float(TileUnits.extent / transform.tileEdge(tile.id.canonical.z))
    let isGradient = layer.style.isSet(.lineGradient)
    line.paint = linePaint(bucket, tile, hasProgress: isGradient)
    if isGradient {
      let gradient = base.gradient(layer.style)
      line.textureUse = .gradient
      line.texture = place(
        resources.small(
          .rgba8, width: gradient.width, texels: gradient.colors.flatMap { color in bytes(color) }))
    }
    let looks = LineLooks(bucket, layer.style, self)
    guard looks.count > 0 else { return append(line, blocks.pieces) }
    let commands = looks.all.map { look in decorated(line, look, layer.style, tile) }
    append(line, blocks.pieces, groups: { looks.group($0) }) { command, group in
      (command.textureUse, command.texture) = (commands[group].textureUse, commands[group].texture)
      (command.pattern, command.line) = (commands[group].pattern, commands[group].line)
    }
  }

  private func bytes(_ color: UInt32) -> [UInt8] {
    [UInt8(color & 255), UInt8(color >> 8 & 255), UInt8(color >> 16 & 255), UInt8(color >> 24)]
  }

  /// The command with dashes and pattern.
  private mutating func decorated(
    _ command: MeshCommand, _ look: LineLook, _ style: StyleLayer, _ tile: TileInFrame
  ) -> MeshCommand {
    var command = command
    let wholeZoom = transform.camera.zoom.rounded(.down)
    let pixelsPerUnit = Float(
      TileUnits.pixels * exp2(wholeZoom - Double(tile.id.canonical.z)) / TileUnits.extent)
    if !look.dash.isEmpty {
      let dash = LineDash(look.dash, isRound: look.isRound)
      let length = max(dash.length, 1e-6)
      let texels = (0..<LineDash.width * (2 * dash.halfRows + 1)).map {
        dash.texels[$0] > 0 ? UInt8(saturating: min(dash.texels[$0], 1) * 255 + 0.5) : 0
      }
      command.line.dash = look.dash
      command.line.dashTexture = place(resources.small(.r8, width: LineDash.width, texels: texels))
      command.line.dashScale = pixelsPerUnit / length
      command.line.dashSoftness = 1 / (length * Float(transform.size.pixelRatio)) / 2
    }
    if let image = base.images[look.pattern], let texture = base.patternTexture(look.pattern) {
      command.textureUse = .pattern
      command.texture = place(texture)
      command.pattern.scale = SIMD2(pixelsPerUnit * Float(image.height) / Float(image.width), 1)
    }
    return command
  }

  private mutating func linePaint(_ bucket: LineBucket, _ tile: TileInFrame, hasProgress: Bool) -> Int32 {
    let paints = bucket.paint
    guard paints.isDataDriven || hasProgress else { return -1 }
    let block = bucket.meshes.paint(slot: 0, zoom: paints.isComposite ? camera.zoom : 0) {
      func numbers(_ paint: NumberPaint) -> ResolvedNumbers {
        paint.varying(evaluator, at: camera, layoutZoom: tile.layoutZoom)
      }
      let (width, gap, offset, blur, opacity) = (
        numbers(paints.width), numbers(paints.gapWidth), numbers(paints.offset), numbers(paints.blur),
        numbers(paints.opacity)
      )
      let color = paints.color.varying(evaluator, at: camera, layoutZoom: tile.layoutZoom)
      let floorWidth = paints.width.varying(evaluator, at: base.wholeZoom, layoutZoom: tile.layoutZoom)
      let blocks = bucket.blocks
      let block = paint(.linePaint, count: blocks.vertices.count, blocks.pieces) { at in
        LinePaintVertex(
          color: packed(color[at]), opacity: min(max(opacity[at], 0), 1), width: width[at], gapWidth: gap[at],
          offset: offset[at],
          blur: blur[at], floorWidth: floorWidth[at], progress: 0)
      }
      if hasProgress { MeshFrameBuilder.setProgress(block, bucket.mesh) }
      return block
    }
    return place(block)
  }

  /// Where along the whole line each vertex is. The block is new: nobody else reads it yet.
  private static func setProgress(_ block: MeshBlock, _ mesh: LineMesh) {
    let out = UnsafeMutableRawPointer(mutating: block.bytes).assumingMemoryBound(to: LinePaintVertex.self)
    for piece in mesh.pieces where piece.totalDistance > 0 {
      let scale = (piece.clipEnd - piece.clipStart) / piece.totalDistance
      for vertex in Int(piece.firstVertex)..<Int(piece.endVertex) {
        out[vertex].progress = piece.clipStart + mesh.vertices[vertex].distance * scale
      }
    }
  }
}

/// Dashes and pattern of a line.
private struct LineLook: Hashable {
  var dash: [Float]
  /// Whether the dashes end round.
  var isRound: Bool
  var pattern: String
}

/// The looks of a bucket's features: those of one look are drawn together where they follow one another.
private struct LineLooks {
  private(set) var all: [LineLook] = []
  /// One a feature; empty where all have the first look. Below 0: not drawn.
  private var groups: [Int] = []

  /// No looks: neither dashes nor patterns.
  var count: Int { all.count }

  init(_ bucket: LineBucket, _ style: StyleLayer, _ builder: MeshFrameBuilder) {
    let hasDash = style.isSet(.lineDasharray), hasPattern = style.isSet(.linePattern)
    guard hasDash || hasPattern else { return }
    let evaluator = builder.evaluator
    let names = bucket.paint.pattern.resolved(evaluator, at: builder.camera)
    func dash(_ feature: Int) -> [Float] {
      guard hasDash else { return [] }
      let dash = bucket.paint.dashes.dashes(feature, evaluator, at: builder.base.wholeZoom)
      return dash.prefix(LineDash.maxValues).map(Float.init)
    }
    var known: [LineLook: Int] = [:]
    let isDriven = hasDash && bucket.paint.dashes.isDataDriven || hasPattern && !names.values.isEmpty
    for feature in 0..<(isDriven ? bucket.features.count : 1) {
      let isRound =
        hasDash && bucket.paint.dashes.isRound(feature, evaluator, at: builder.base.wholeZoom)
      let look = LineLook(dash: dash(feature), isRound: isRound, pattern: hasPattern ? names[feature] : "")
      // Lines without their image are left out, and so are dashes without length.
      let isDrawn =
        (!hasPattern || builder.base.images[look.pattern] != nil)
        && (look.dash.isEmpty || look.dash.contains { $0 > 0 })
      let group = known[look] ?? all.count
      if known[look] == nil {
        known[look] = group
        all.append(look)
      }
      groups.append(isDrawn ? group : -1)
    }
  }

  func group(_ feature: Int) -> Int? {
    let group = groups.count == 1 ? groups[0] : groups[feature]
    return group < 0 ? nil : group
  }
}
