import NeatBase
import NeatRaster

/// Debug views in frames for a GPU: a picture of the whole view above all layers, drawn by the CPU. Its command names
/// the layer after the style's last one.
extension MeshFrameBuilder {
  mutating func addDebug() {
    var shapes: [ScreenShape] = []
    for (index, layer) in base.style.layers.enumerated() {
      shapes += base.collisionShapes(LayerInFrame(index: index, style: layer))
    }
    shapes += base.debugShapes()
    if base.debug.contains(.overdraw) {
      var command = MeshCommand(.unsupported, layer: base.style.layers.count)
      command.reason = "overdraw is shown in pictures of the CPU only"
      append(command)
    }
    guard !shapes.isEmpty else { return }
    let size = transform.size
    let bitmap: Bitmap
    let hold: MemoryHold
    do throws(NeatError) {
      hold = try base.options.memory.take(
        4 * size.deviceWidth * size.deviceHeight, for: "the picture of debug views")
      bitmap = try Bitmap(width: size.deviceWidth, height: size.deviceHeight)
    } catch {
      return base.report.add(Missing(.style, "debug", error.code, error.message, isFailure: true))
    }
    for shape in shapes { shape.draw(bitmap.band) }
    var command = MeshCommand(.raster, layer: base.style.layers.count)
    command.matrix = transform.pixelMatrix.scaled(
      Double(size.deviceWidth) / TileUnits.extent, Double(size.deviceHeight) / TileUnits.extent, 1)
    command.isNearest = true
    appendPicture(command, place(MeshTexture(bitmap, hold)))
  }
}
