import NeatBase
import NeatCamera
import NeatRaster

/// Has an application draw a layer of its own, by its id, over what is drawn below it and among what stands there.
package typealias CustomPainter = (String, Bitmap, CustomScene) -> Void

extension Frame {
  /// Draws what lies below a layer of the application's in all bands, has that drawn, and goes on with what lies above
  /// it. Layers of the application's at the bottom or on top cost nothing.
  func drawInParts(
    _ commands: ArraySlice<DrawCommand>, _ ground: Premultiplied?, on bitmap: Bitmap, _ rows: Int,
    _ executor: Executor, _ custom: CustomPainter
  ) {
    let scene = CustomScene(bitmap, rows: rows, hasSmoothEdges: hasSmoothEdges)
    // What stands on the ground below such a layer hides what stands behind it in that layer and above: then each band
    // keeps its worker, with the depth that it knows.
    if let last = commands.lastIndex(where: \.isCustom), commands[..<last].contains(where: \.hasDepth) {
      scene.keep()
    }
    var (rest, isFirst) = (commands, true)
    while isFirst || !rest.isEmpty {
      let place = rest.firstIndex(where: \.isCustom)
      let part = rest[..<(place ?? rest.endIndex)]
      let ground = isFirst ? ground : nil
      if !part.isEmpty || ground != nil {
        let workers = scene.workers
        let bands = (0..<scene.bandCount).map(scene.band)
        executor.forEach(bands.count) { number in
          let band = bands[number]
          if let ground {
            band.pixels.initialize(repeating: ground.bits, count: band.width * (band.y1 - band.y0))
          }
          func draw(_ worker: BandWorker) {
            worker.ground = self.ground
            for command in part { command.draw(worker) }
          }
          Trace.span("band", .frame) {
            if workers.isEmpty {
              content.workers.draw(band, hasSmoothEdges: hasSmoothEdges, draw)
            } else {
              draw(workers[number])
            }
          }
        }
      }
      isFirst = false
      guard let place else { return }
      if case .custom(let id) = rest[place] {
        Trace.span("custom layer", .frame, id) { custom(id, bitmap, scene) }
      }
      rest = rest[(place + 1)...]
    }
  }
}

extension DrawCommand {
  fileprivate var isCustom: Bool { if case .custom = self { true } else { false } }

  fileprivate var hasDepth: Bool {
    switch self {
    case .extrusion, .extrusionMix, .terrain: true
    default: false
    }
  }
}

extension Transform {
  /// Coordinates of the unit square, and heights in its units, to clip space.
  package var mercatorMatrix: Matrix4 { projection.scaled(worldSize, worldSize, worldSize) }
}
