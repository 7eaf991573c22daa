import NeatBase

extension LineFrame {
  /// Draws the lines in their order, cut to the clip.
  package func draw(_ band: Band, _ clip: RowClip) {
    guard !clip.isEmpty, !isEmpty else { return }
    let rows = band.y1 - band.y0
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: LineSpans.count(rows: rows)) { memory in
      draw(LineTarget(band: band, clip: clip, spans: LineSpans(memory.baseAddress!, rows: rows)), mesh, style)
    }
  }

  private func draw(_ target: LineTarget, _ mesh: LineMesh, _ style: LineStyle) {
    if let gradient = style.gradient {
      gradient.colors.withUnsafeBufferPointer { decorated(target, mesh, style, $0.baseAddress) }
    } else if style.isDecorated {
      decorated(target, mesh, style, nil)
    } else {
      each(target.clip) { chunk in plain(target, mesh, chunk, shapes.contents.shades[Int(chunk.shade)]) }
    }
  }

  @inline(__always)
  private func plain(_ target: LineTarget, _ mesh: LineMesh, _ chunk: LineChunk, _ shade: LineShade) {
    if shade.color >> 24 == 255 {
      draw(target, mesh, chunk, shade, OpaqueLineShader(shade.color))
    } else {
      draw(target, mesh, chunk, shade, BlendLineShader(shade.color))
    }
  }

  private func decorated(
    _ target: LineTarget, _ mesh: LineMesh, _ style: LineStyle, _ ramps: UnsafePointer<UInt32>?
  ) {
    each(target.clip) { chunk in
      let shade = shapes.contents.shades[Int(chunk.shade)]
      if let shader = FadingLineShader(shade, style, ramps: ramps) {
        draw(target, mesh, chunk, shade, shader)
      } else if style.isPlain(shade) {
        plain(target, mesh, chunk, shade)
      } else if let shader = DashLineShader(shade, style) {
        draw(target, mesh, chunk, shade, shader)
      } else {
        draw(target, mesh, chunk, shade, DecoratedLineShader(shade, style, ramps: ramps))
      }
    }
  }

  @inline(__always)
  private func each(_ clip: RowClip, _ body: (LineChunk) -> Void) {
    let (minX, minY) = (Float(clip.minX), Float(clip.minY))
    let (maxX, maxY) = (Float(clip.maxX), Float(clip.maxY))
    let chunks = shapes.contents.chunks.base
    for index in self.chunks {
      let chunk = chunks[index]
      if chunk.maxY < minY || chunk.minY > maxY || chunk.maxX < minX || chunk.minX > maxX { continue }
      body(chunk)
    }
  }

  /// Pairs triangles to trapezoids where it can.
  private func draw<Shader: LineShader>(
    _ target: LineTarget, _ mesh: LineMesh, _ chunk: LineChunk, _ shade: LineShade, _ shader: Shader
  ) {
    if chunk.base == LineChunk.soup {
      let soup = shapes.contents.soup.base
      assert(
        (chunk.end - chunk.first) % 3 == 0 && Int(chunk.end) <= shapes.contents.soup.count, "half a triangle")
      for first in stride(from: Int(chunk.first), to: Int(chunk.end), by: 3) {
        LineRaster.triangle(
          target, soup[first], soup[first + 1], soup[first + 2], shade, shader, isFlat: false)
      }
      return
    }
    let points = UnsafePointer(shapes.contents.points.base) + Int(chunk.base)
    let indices = UnsafePointer(mesh.indices)
    let view = LineBounds(target.clip)
    let end = Int(chunk.end)
    var index = Int(chunk.first)
    while index < end {
      assert(index + 3 <= mesh.indexCount, "half a triangle")
      let (i0, i1, i2) = (indices[index], indices[index + 1], indices[index + 2])
      let (a, b, c) = (points[Int(i0)], points[Int(i1)], points[Int(i2)])
      if !Shader.needsAcross && index + 3 < end && indices[index + 3] == i2 && indices[index + 4] == i1 {
        let d = points[Int(indices[index + 5])]
        if view.misses(a, b, c, d) || LineRaster.quad(target, a, b, c, d, shade, shader) {
          index += 6
          continue
        }
      }
      if !view.misses(a, b, c, c) {
        LineFrame.triangle(target, a, b, c, shade, shader)
      }
      index += 3
    }
  }

  @inline(never)
  private static func triangle<Shader: LineShader>(
    _ target: LineTarget, _ a: LinePoint, _ b: LinePoint, _ c: LinePoint, _ shade: LineShade, _ shader: Shader
  ) {
    LineRaster.triangle(target, SoupVertex(a), SoupVertex(b), SoupVertex(c), shade, shader, isFlat: true)
  }
}

/// What of a band may be touched, to leave out shapes that lie beside it.
private struct LineBounds {
  private let minX, minY, maxX, maxY: Float

  init(_ clip: RowClip) {
    (minX, minY) = (Float(clip.minX), Float(clip.minY))
    (maxX, maxY) = (Float(clip.maxX), Float(clip.maxY))
  }

  /// Whether all corners lie to one side.
  @inline(__always)
  func misses(_ a: LinePoint, _ b: LinePoint, _ c: LinePoint, _ d: LinePoint) -> Bool {
    let left = lesser(lesser(a.x, b.x), lesser(c.x, d.x))
    let right = greater(greater(a.x, b.x), greater(c.x, d.x))
    let top = lesser(lesser(a.y, b.y), lesser(c.y, d.y))
    let bottom = greater(greater(a.y, b.y), greater(c.y, d.y))
    return top > maxY || bottom < minY || left > maxX || right < minX
  }
}

extension SoupVertex {
  @inline(__always) init(_ point: LinePoint) {
    self.init(x: point.x, y: point.y, iw: 1, nx: point.nx, ny: point.ny, distance: point.distance, gamma: 1)
  }
}

extension LineStyle {
  /// Whether pixels need more than a colour.
  var isDecorated: Bool {
    if gradient != nil || pattern != nil || fade != nil { return true }
    if case .same(nil) = dash { return false }
    return true
  }

  /// Whether a shade's pixels need no more than a colour all the same: where its dashes leave no gap, and their
  /// ends are not so soft that no place is wholly within one.
  func isPlain(_ shade: LineShade) -> Bool {
    guard gradient == nil, pattern == nil else { return false }
    guard let dash = dash[Int(shade.feature)] else { return true }
    return dash.isSolid && dashMeasures(length: dash.length, shade).gamma <= 0.5
  }
}
