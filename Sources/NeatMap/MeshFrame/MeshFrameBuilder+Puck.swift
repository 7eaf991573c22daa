import NeatBase
import NeatCamera
import NeatLayout
import NeatMesh
import NeatRaster

/// The puck, above all layers, as a host's GPU draws it: rings and pulses as fills of one polygon that every frame
/// shares, pictures as rasters. Its commands name the layer after the style's last one.
extension MeshFrameBuilder {
  /// The name of that layer.
  static let puckLayer = "neatline-puck"

  /// Corners of the polygon that stands for a disc.
  private static let corners = 180
  private static let rim = MeshBlock(
    .fill,
    [SIMD2<Float>.zero]
      + (0..<corners).map { corner in
        let angle = 2 * Double.pi * Double(corner) / Double(corners)
        return SIMD2(Float(cos(angle)), Float(sin(angle)))
      })
  /// A fan around the middle.
  private static let fan = MeshBlock(
    .index16, (0..<UInt16(corners)).flatMap { [0, $0 + 1, ($0 + 1) % UInt16(corners) + 1] })
  private static let edge = MeshBlock(
    .index16, (0..<UInt16(corners)).flatMap { [$0 + 1, ($0 + 1) % UInt16(corners) + 1] })

  mutating func addPuck() {
    guard let puck = base.puck else { return }
    let geometry = PuckGeometry(puck, transform, evaluator)
    let layer = base.style.layers.count
    for disc in geometry.discs {
      var fill = MeshCommand(.fill, layer: layer)
      fill.matrix = transform.clipMatrix(disc.map)
      fill.opacity = geometry.opacity
      fill.color = disc.fill.premultiplied
      append(fill, MeshFrameBuilder.fan, MeshFrameBuilder.corners * 3)
      // Fills have hard edges: a line of the same colour smooths one without a border.
      var outline = fill
      outline.kind = .fillOutline
      outline.color = (disc.border ?? disc.fill).premultiplied
      append(outline, MeshFrameBuilder.edge, MeshFrameBuilder.corners * 2)
    }
    if puck.model != nil, !puck.isReduced {
      var command = MeshCommand(.unsupported, layer: layer)
      command.reason = "models of pucks are drawn by the CPU only"
      append(command)
    }
    for picture in geometry.pictures {
      var command = MeshCommand(.raster, layer: layer)
      let scale = SIMD2(Double(picture.texture.width), Double(picture.texture.height)) / TileUnits.extent
      command.matrix = transform.clipMatrix(picture.map).scaled(scale.x, scale.y, 1)
      command.opacity = geometry.opacity
      appendPicture(command, place(picture.texture))
    }
  }

  private mutating func append(_ command: MeshCommand, _ indices: MeshBlock, _ count: Int) {
    var command = command
    command.vertices = place(MeshFrameBuilder.rim)
    command.indices = place(indices)
    (command.vertexCount, command.indexCount) = (MeshFrameBuilder.corners + 1, count)
    append(command)
  }
}
