import NeatBase
import NeatLayout
import NeatMesh
import NeatRaster
import NeatText

extension MeshFrameBuilder {
  mutating func addSymbols(_ layer: LayerInFrame) {
    guard let frame = base.symbolFrame(layer) else { return }
    defer { base.symbolMemory = frame }
    let pixelRatio = Float(transform.size.pixelRatio)
    let quads = atlases.pair.withLock { pair -> SymbolQuads in
      var quads = SymbolQuads(frame, pixelRatio: pixelRatio)
      for range in frame.iconRuns {
        for pass in [GlyphPass.halo, .fill] {
          for icon in frame.icons[range] where isField(icon) {
            quads.addField(icon, pass, .icon, base.images, &pair.fields)
          }
        }
        for icon in frame.icons[range] where !isField(icon) {
          quads.addPicture(icon, .icon, base, &pair.pictures)
        }
      }
      for run in frame.textRuns {
        for pass in [GlyphPass.halo, .fill] {
          for glyph in frame.glyphs[run.glyphs] { quads.addGlyph(glyph, pass, base.glyphs, &pair.fields) }
          for icon in frame.textImages[run.images] where isField(icon) {
            quads.addField(icon, pass, .text, base.images, &pair.fields)
          }
        }
        for icon in frame.textImages[run.images] where !isField(icon) {
          quads.addPicture(icon, .text, base, &pair.pictures)
        }
      }
      return quads
    }
    for (image, error) in quads.refused {
      if let image {
        base.report(error, image: image.name, layer: layer.index)
      } else {
        base.report(error, layer: layer.index)
      }
    }
    guard !quads.vertices.isEmpty else { return }
    let vertices = place(MeshBlock(.symbol, quads.vertices))
    let indices = place(QuadIndices.block)
    let matrix = transform.pixelMatrix
    for run in quads.runs {
      var command = MeshCommand(run.kind, layer: layer.index)
      command.matrix = matrix
      (command.vertices, command.indices) = (vertices, indices)
      (command.vertexOffset, command.vertexCount, command.indexCount) = (
        run.first * 4, run.count * 4, run.count * 6
      )
      command.textureUse = run.isField ? .field : .picture
      command.isNearest = run.isNearest
      append(command, over: run.page)
    }
  }

  /// Whether an icon is painted with its ink's colours.
  private func isField(_ icon: IconInstance) -> Bool {
    icon.isSDF && base.images[number: icon.image]?.isSDF == true
  }
}

/// The quads of a layer's symbols, and the runs of them that one command draws.
private struct SymbolQuads {
  struct Run {
    var kind: MeshCommand.Kind
    var page: AtlasPage
    var isNearest: Bool
    var first: Int
    var count: Int

    var isField: Bool { page.isField }
  }

  let frame: SymbolFrame
  let pixelRatio: Float
  private(set) var vertices: [SymbolVertex] = []
  private(set) var runs: [Run] = []
  /// Images, and nil for glyphs, that there is no memory for.
  private(set) var refused: [(image: StyleImage?, error: NeatError)] = []

  init(_ frame: SymbolFrame, pixelRatio: Float) {
    self.frame = frame
    self.pixelRatio = pixelRatio
    vertices.reserveCapacity((frame.icons.count + frame.textImages.count + 2 * frame.glyphs.count) * 4)
  }

  /// What all corners of a quad share.
  private struct Ink {
    var color: UInt32
    var edge: Float = 0
    var gamma: Float = 0
    var halo: Float = 0
  }

  mutating func addGlyph(
    _ instance: GlyphInstance, _ pass: GlyphPass, _ glyphs: GlyphStore, _ atlas: inout SymbolAtlas
  ) {
    guard let ink = ink(instance.ink, pass, instance.fontScale, instance.gammaScale) else { return }
    let glyph = glyphs.glyph(instance.glyph)
    guard let pixels = glyph.pixels else { return }
    let (width, height) = (Int(glyph.bitmapWidth), Int(glyph.bitmapHeight))
    guard
      let place = place(
        nil,
        { () throws(NeatError) in
          try atlas.place(.glyph(instance.glyph), width: width, height: height, pixels: pixels)
        })
    else { return }
    let texture = SIMD4<Float>(-1, -1, Float(width) + 1, Float(height) + 1)
    add(.text, instance.quad, texture, place, atlas, isField: true, isNearest: false, ink)
  }

  mutating func addField(
    _ instance: IconInstance, _ pass: GlyphPass, _ kind: MeshCommand.Kind, _ images: ImageLibrary,
    _ atlas: inout SymbolAtlas
  ) {
    guard let ink = ink(instance.ink, pass, instance.fontScale, instance.gammaScale) else { return }
    guard let image = images[number: instance.image],
      let place = place(
        image,
        { () throws(NeatError) in
          guard let field = try image.field() else { return nil }
          return try atlas.place(
            .image(instance.image), width: image.width, height: image.height, pixels: field)
        })
    else { return }
    add(kind, instance.quad, instance.texture, place, atlas, isField: true, isNearest: false, ink)
  }

  mutating func addPicture(
    _ instance: IconInstance, _ kind: MeshCommand.Kind, _ base: FrameBuilder, _ atlas: inout SymbolAtlas
  ) {
    let found: AtlasPlace?
    if instance.glyph >= 0 {
      let glyph = base.glyphs.glyph(instance.glyph)
      guard let colors = glyph.colors else { return }
      found = place(nil) { () throws(NeatError) in
        try atlas.place(
          .glyph(instance.glyph), width: Int(glyph.bitmapWidth), height: Int(glyph.bitmapHeight),
          pixels: colors)
      }
    } else {
      guard let image = base.images[number: instance.image] else { return }
      found = place(image) { () throws(NeatError) in
        try atlas.place(
          .image(instance.image), width: image.width, height: image.height, pixels: image.texture().pixels)
      }
    }
    guard let place = found else { return }
    let opacity = min(max(frame.inks[Int(instance.ink)].opacity, 0), 1)
    add(
      kind, instance.quad, instance.texture, place, atlas, isField: false, isNearest: !instance.isSmooth,
      Ink(color: packed(SIMD4(repeating: opacity))))
  }

  /// A place on a page; nil where there is no memory for it, which is noted once.
  private mutating func place(_ image: StyleImage?, _ make: () throws(NeatError) -> AtlasPlace?)
    -> AtlasPlace?
  {
    guard !refused.contains(where: { $0.image === image }) else { return nil }
    do throws(NeatError) { return try make() } catch {
      refused.append((image, error))
      return nil
    }
  }

  /// Nil where the pass shows nothing.
  private func ink(_ number: Int32, _ pass: GlyphPass, _ fontScale: Float, _ gammaScale: Float) -> Ink? {
    let ink = frame.inks[Int(number)]
    if pass == .halo, !ink.hasHalo { return nil }
    let color = Premultiplied(pass == .halo ? ink.halo : ink.fill, opacity: ink.opacity)
    guard !color.isTransparent else { return nil }
    let paint = GlyphPaint(
      fill: color, halo: color, haloWidth: ink.haloWidth, haloBlur: ink.haloBlur, fontScale: fontScale,
      gammaScale: gammaScale)
    let (edge, gamma) = paint.edge(pass, pixelRatio: pixelRatio)
    return Ink(color: color.bits, edge: edge, gamma: max(gamma, 1e-6), halo: pass == .halo ? 1 : 0)
  }

  private mutating func add(
    _ kind: MeshCommand.Kind, _ quad: ScreenQuad, _ texture: SIMD4<Float>, _ place: AtlasPlace,
    _ atlas: SymbolAtlas, isField: Bool,
    isNearest: Bool, _ ink: Ink
  ) {
    let size = atlas.size(place.page)
    let scale = SIMD2(1 / Float(size.width), 1 / Float(size.height))
    let low = SIMD2(Float(place.x) + texture.x, Float(place.y) + texture.y) * scale
    let high = SIMD2(Float(place.x) + texture.z, Float(place.y) + texture.w) * scale
    func vertex(_ p: SIMD2<Float>, _ u: Float, _ v: Float) -> SymbolVertex {
      SymbolVertex(
        x: p.x, y: p.y, u: u, v: v, color: ink.color, edge: ink.edge, gamma: ink.gamma, halo: ink.halo)
    }
    let number = vertices.count / 4
    vertices.append(vertex(quad.topLeft, low.x, low.y))
    vertices.append(vertex(quad.topRight, high.x, low.y))
    vertices.append(vertex(quad.bottomLeft, low.x, high.y))
    vertices.append(vertex(quad.bottomRight, high.x, high.y))
    let page = AtlasPage(isField: isField, number: place.page)
    if let last = runs.last, last.kind == kind, last.page == page, last.isNearest == isNearest,
      last.count < QuadIndices.limit
    {
      runs[runs.count - 1].count += 1
    } else {
      runs.append(Run(kind: kind, page: page, isNearest: isNearest, first: number, count: 1))
    }
  }
}
