import CNeatline
import NeatBase
import NeatMap

extension neat_frame_command {
  /// All but the texts and dashes, whose memory is the frame's.
  init(_ command: MeshCommand) {
    self.init()
    kind = neat_frame_kind(rawValue: command.kind.rawValue)
    layer_index = UInt32(command.layer)
    if let tile = command.tile {
      has_tile = 1
      (tile_z, tile_x, tile_y) = (UInt32(tile.canonical.z), tile.canonical.x, tile.canonical.y)
      tile_wrap = tile.wrap
    }
    put(command.matrix.columns, into: &matrix)
    primitive = command.kind == .fillOutline ? NEAT_FRAME_PRIMITIVE_LINES : NEAT_FRAME_PRIMITIVE_TRIANGLES
    if let square = command.clip {
      has_clip = 1
      clip = (square.x, square.y, square.z, square.w)
    }
    (vertex_buffer, paint_buffer, index_buffer) = (command.vertices, command.paint, command.indices)
    (vertex_offset, vertex_count) = (UInt32(command.vertexOffset), UInt32(command.vertexCount))
    (index_offset, index_count) = (UInt32(command.indexOffset), UInt32(command.indexCount))
    texture_use = neat_frame_texture_use(rawValue: command.textureUse.rawValue)
    texture = command.texture
    is_nearest = command.isNearest ? 1 : 0
    opacity = command.opacity
    layer_opacity = command.layerOpacity
    color = four(command.color)
    pattern_scale = (command.pattern.scale.x, command.pattern.scale.y)
    pattern_offset = (command.pattern.offset.x, command.pattern.offset.y)
    line = neat_frame_line(command.line)
    circle = neat_frame_circle(command.circle)
    extrusion = neat_frame_extrusion(command.extrusion)
    let (r, g, b, o) = command.colorMatrix
    color_matrix = (r.x, r.y, r.z, g.x, g.y, g.z, b.x, b.y, b.z, o.x, o.y, o.z)
    reason = command.reason.map { UnsafeRawPointer($0.utf8Start).assumingMemoryBound(to: CChar.self) }
  }
}

private func four(_ v: SIMD4<Float>) -> (Float, Float, Float, Float) { (v.x, v.y, v.z, v.w) }

private func put<T>(
  _ columns: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>), into matrix: inout T
) {
  withUnsafeMutableBytes(of: &matrix) { bytes in
    for (column, vector) in [columns.0, columns.1, columns.2, columns.3].enumerated() {
      for row in 0..<4 {
        bytes.storeBytes(of: Float(vector[row]), toByteOffset: (column * 4 + row) * 4, as: Float.self)
      }
    }
  }
}

extension neat_frame_line {
  fileprivate init(_ line: MeshCommand.Line) {
    self.init(
      width_px: line.width, gap_width_px: line.gapWidth, offset_px: line.offset, blur_px: line.blur,
      floor_width_px: line.floorWidth,
      units_per_px: line.unitsPerPixel, dash: nil, dash_count: 0, dash_texture: line.dashTexture,
      dash_scale: line.dashScale,
      dash_softness: line.dashSoftness, reserved: 0)
  }
}

extension neat_frame_circle {
  fileprivate init(_ circle: MeshCommand.Circle) {
    self.init(
      radius_px: circle.radius, blur: circle.blur, stroke_width_px: circle.strokeWidth,
      stroke_opacity: circle.strokeOpacity,
      stroke_color: four(circle.strokeColor), squeeze: (circle.squeeze.x, circle.squeeze.y),
      perspective: circle.perspective, reserved: 0)
  }
}

extension neat_frame_extrusion {
  fileprivate init(_ extrusion: MeshCommand.Extrusion) {
    self.init(
      base_m: extrusion.base, height_m: extrusion.height,
      light: (extrusion.light.x, extrusion.light.y, extrusion.light.z),
      light_color: (extrusion.lightColor.x, extrusion.lightColor.y, extrusion.lightColor.z),
      light_intensity: extrusion.intensity,
      has_gradient: extrusion.hasGradient ? 1 : 0)
  }
}
