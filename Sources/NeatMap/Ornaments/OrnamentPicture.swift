import NeatBase
import NeatCamera
import NeatMesh
import NeatRaster

/// An ornament at its place in a picture of the map: what the CPU lays over its pixels, and a GPU draws as a
/// quad.
package struct OrnamentPicture: Sendable {
  package let kind: OrnamentKind
  /// Device pixels from the picture's top left corner, whole ones.
  let x: Int
  let y: Int
  let width: Int
  let height: Int
  let texture: Texture
  /// Degrees clockwise about its middle; nil: it stands upright, and a texel is a pixel.
  var turn: Double?
  package var opacity = 1.0

  /// Left, top, right and bottom in logical pixels.
  package func rectangle(pixelRatio: Double) -> SIMD4<Double> {
    SIMD4(Double(x), Double(y), Double(x + width), Double(y + height)) / pixelRatio
  }

  package func contains(_ place: SIMD2<Double>, pixelRatio: Double) -> Bool {
    let box = rectangle(pixelRatio: pixelRatio)
    return place.x >= box.x && place.x < box.z && place.y >= box.y && place.y < box.w
  }

  /// Texels to device pixels.
  private var map: Projection {
    let scale = SIMD2(Double(width) / Double(texture.width), Double(height) / Double(texture.height))
    guard let turn else {
      return Projection(xx: scale.x, xy: 0, x0: Double(x), yx: 0, yy: scale.y, y0: Double(y))
    }
    let angle = turn * .pi / 180
    let (s, c) = (sin(angle), cos(angle))
    let middle = SIMD2(Double(x) + Double(width) / 2, Double(y) + Double(height) / 2)
    let half = SIMD2(Double(width), Double(height)) / 2
    return Projection(
      xx: c * scale.x, xy: -s * scale.y, x0: middle.x - c * half.x + s * half.y,
      yx: s * scale.x, yy: c * scale.y, y0: middle.y - s * half.x - c * half.y)
  }

  func draw(on bitmap: Bitmap) {
    guard turn == nil else {
      let quad = IconQuad(
        pixels: texture.pixels, width: texture.width, height: texture.height, map: map,
        opacity: Float(opacity))
      return withUnsafePointer(to: quad) {
        drawIcons(UnsafeBufferPointer(start: $0, count: 1), band: bitmap.band)
      }
    }
    let share = UInt32(saturating: min(max(opacity, 0), 1) * 255 + 0.5)
    let columns = max(0, x)..<max(0, x, min(bitmap.width, x + width))
    guard share > 0, !columns.isEmpty else { return }
    for row in max(0, y)..<max(0, y, min(bitmap.height, y + height)) {
      Blend.composite(
        bitmap.pixels + row * bitmap.width + columns.lowerBound,
        texture.pixels + (row - y) * texture.width + (columns.lowerBound - x), columns.count, opacity: share)
    }
  }
}

extension Picture {
  /// Draws ornaments over it.
  package func draw(_ ornaments: [OrnamentPicture]) {
    for ornament in ornaments { ornament.draw(on: bitmap) }
  }
}

extension MeshFrame {
  /// The same frame with ornaments above all else, as commands of a layer that no style has.
  package func adding(_ ornaments: [OrnamentPicture], _ size: ViewSize) -> MeshFrame {
    guard !ornaments.isEmpty else { return self }
    var (commands, buffers, textures) = (commands, buffers, textures)
    func place(_ block: MeshBlock) -> Int32 {
      if let known = buffers.firstIndex(where: { $0.id == block.id }) { return Int32(known) }
      buffers.append(block)
      return Int32(buffers.count - 1)
    }
    let quad = (vertices: place(MeshFrameBuilder.quad), indices: place(QuadIndices.block))
    for ornament in ornaments {
      commands.append(
        ornament.command(size, layer: layers.count, quad, texture: Int32(textures.count)))
      textures.append(MeshTexture(ornament.texture))
    }
    return with(
      commands: commands, buffers: buffers, textures: textures, layers: layers + [MeshFrame.ornamentLayer])
  }

  /// What the layer of ornaments is called.
  package static let ornamentLayer = "neatline-ornaments"
}

extension OrnamentPicture {
  fileprivate func command(
    _ size: ViewSize, layer: Int, _ quad: (vertices: Int32, indices: Int32), texture place: Int32
  ) -> MeshCommand {
    var command = MeshCommand(.raster, layer: layer)
    let map = map
    let scale = SIMD2(Double(texture.width), Double(texture.height)) / TileUnits.extent
    command.matrix = size.clipMatrix(map).scaled(scale.x, scale.y, 1)
    command.isNearest = turn == nil
    command.opacity = Float(opacity)
    (command.vertices, command.indices) = quad
    (command.vertexCount, command.indexCount) = (4, 6)
    command.textureUse = .picture
    command.texture = place
    return command
  }
}
