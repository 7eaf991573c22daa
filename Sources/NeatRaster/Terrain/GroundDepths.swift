import NeatBase

/// How far the ground of a frame is at each pixel. One thread at a time adds tiles, with others' help; when
/// all are there, any may look.
package final class GroundDepths: @unchecked Sendable {
  private let layer = DepthLayer()
  private let band: Band
  private let memory: UnsafeMutablePointer<UInt32>
  private let height: Int

  package init(width: Int, height: Int) {
    precondition(width > 0 && height > 0)
    self.height = height
    // No colours are drawn: one row that all rows share is enough for the band.
    memory = .allocate(capacity: width)
    memory.initialize(repeating: 0, count: width)
    band = Band(pixels: memory, stride: width, width: width, y0: 0, y1: height)
    layer.begin(band)
  }

  deinit { memory.deallocate() }

  package func add(_ mesh: GroundMesh) { add([mesh], .inline) }

  /// Rows that one thread takes at a time.
  private static let stripRows = 64

  package func add(_ meshes: [GroundMesh], _ executor: Executor) {
    let rows = executor.width > 1 ? GroundDepths.stripRows : height
    executor.forEach((height + rows - 1) / rows) { number in
      let strip = Band(
        pixels: memory, stride: band.width, width: band.width, y0: number * rows,
        y1: min((number + 1) * rows, height))
      for mesh in meshes { drawGround(mesh, picture: nil, fog: nil, layer: layer, band: strip) }
    }
  }

  /// z / w of the ground at a place of the frame, in pixels; 1 where there is none.
  package func depth(_ x: Double, _ y: Double) -> Float {
    let column = Int(bounded: min(max(x.rounded(.down), 0), Double(band.width - 1)))
    let row = Int(bounded: min(max(y.rounded(.down), 0), Double(height - 1)))
    return layer.depth.base[row * band.width + column]
  }
}
