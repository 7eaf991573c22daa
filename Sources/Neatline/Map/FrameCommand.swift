import CNeatline

extension Frame {
  /// A draw command. Where a property differs from feature to feature it is 0 here and stands in the paint of
  /// the vertices, and the other way round: the value is always the sum. Keeps its frame.
  public struct Command: Sendable {
    /// What a command draws.
    public enum Kind: UInt32, Sendable {
      case background = 1
      case fill, fillOutline, line, circle, icon, text, raster, extrusion, heatmap, hillshade, colorRelief,
        unsupported
      /// The place of a layer of the host's own, without vertices; its triangles follow, with some.
      case custom
      /// Triangles of such a layer that stand in the scene, and need the depth buffer that extrusions need.
      case customSolid
    }

    /// What the indices form: three per triangle, two per line.
    public enum Primitive: UInt32, Sendable { case triangles, lines }

    /// How a command uses its texture; the C header explains each.
    public enum TextureUse: UInt32, Sendable { case none, picture, field, pattern, gradient }

    /// The tile that a command belongs to.
    public struct Tile: Hashable, Sendable {
      /// The tile's zoom.
      public var z: Int
      /// The tile's column, from the west.
      public var x: Int
      /// The tile's row, from the north.
      public var y: Int
      /// The copy of the world: 0 the middle one.
      public var wrap: Int
    }

    let frame: Frame
    /// The structure of the C header. What it points to lives as long as the frame.
    nonisolated(unsafe) public let values: neat_frame_command

    /// What is drawn.
    public var kind: Kind { Kind(rawValue: values.kind.rawValue) ?? .unsupported }
    /// The layer's place in the style, and its identifier.
    public var layerIndex: Int { Int(values.layer_index) }
    /// The layer's id.
    public var layer: String {
      String(decoding: UnsafeRawBufferPointer(start: values.layer, count: values.layer_size), as: UTF8.self)
    }
    /// Nil: it belongs to the whole view.
    public var tile: Tile? {
      guard values.has_tile != 0 else { return nil }
      return Tile(
        z: Int(values.tile_z), x: Int(values.tile_x), y: Int(values.tile_y), wrap: Int(values.tile_wrap))
    }
    /// Vertices to clip space, column by column.
    public var matrix: SIMD16<Float> {
      withUnsafeBytes(of: values.matrix) { $0.loadUnaligned(as: SIMD16<Float>.self) }
    }
    /// What may be drawn on, in units of the vertices: x0, y0, x1, y1. Nil: everything.
    public var clip: SIMD4<Float>? {
      values.has_clip == 0 ? nil : SIMD4(values.clip.0, values.clip.1, values.clip.2, values.clip.3)
    }
    /// What the indices form.
    public var primitive: Primitive { Primitive(rawValue: values.primitive.rawValue) ?? .triangles }

    /// The vertices; nil where there is nothing to draw.
    public var vertices: Buffer? { buffer(values.vertex_buffer) }
    /// The paint of the vertices, one per vertex; nil where all of it is in the command.
    public var paint: Buffer? { buffer(values.paint_buffer) }
    /// The indices; they count from the first vertex of `vertexRange`.
    public var indices: Buffer? { buffer(values.index_buffer) }
    /// Of the vertices and their paint; indices count from the first of them.
    public var vertexRange: Range<Int> {
      Int(values.vertex_offset)..<Int(values.vertex_offset) + Int(values.vertex_count)
    }
    /// Of the indices: three per triangle, two per line.
    public var indexRange: Range<Int> {
      Int(values.index_offset)..<Int(values.index_offset) + Int(values.index_count)
    }

    /// How the texture is used.
    public var textureUse: TextureUse { TextureUse(rawValue: values.texture_use.rawValue) ?? .none }
    /// The texture; nil where there is none.
    public var texture: Texture? { values.texture < 0 ? nil : frame.texture(Int(values.texture)) }
    /// Take the nearest texel rather than mixing four.
    public var isNearest: Bool { values.is_nearest != 0 }
    /// 0 to 1.
    public var opacity: Float { values.opacity }
    /// The layer's opacity as a whole, above 0 to 1: where it is not 1, its commands are drawn into a transparent
    /// picture of their own, which is blended once, times this.
    public var layerOpacity: Float { values.layer_opacity }
    /// Premultiplied by its own alpha.
    public var color: SIMD4<Float> { SIMD4(values.color.0, values.color.1, values.color.2, values.color.3) }
    /// The lengths of dashes and gaps in line widths; empty for solid lines.
    public var dashes: [Float] {
      Array(UnsafeBufferPointer(start: values.line.dash, count: values.line.dash_count))
    }
    /// The dashes as a distance field; nil for solid lines.
    public var dashTexture: Texture? {
      values.line.dash_texture < 0 ? nil : frame.texture(Int(values.line.dash_texture))
    }
    /// What is not drawn, and why, of `unsupported`.
    public var reason: String? { values.reason.map { String(cString: $0) } }

    private func buffer(_ number: Int32) -> Buffer? { number < 0 ? nil : frame.buffer(Int(number)) }
  }
}
