import NeatBase
import NeatCamera
import NeatRaster

/// Has an application draw a layer of its own, by its id, over what is drawn below it.
package typealias CustomPainter = (String, Bitmap) -> Void

extension Frame {
  /// Draws what lies below a layer of the application's in all bands, has that drawn, and goes on with what lies above
  /// it. Layers of the application's at the bottom or on top cost nothing.
  func drawInParts(
    _ commands: ArraySlice<DrawCommand>, _ ground: Premultiplied?, on bitmap: Bitmap, _ rows: Int,
    _ executor: Executor, _ custom: CustomPainter
  ) {
    let count = (height + rows - 1) / rows
    @Sendable func band(_ number: Int) -> Band { bitmap.band(number * rows, (number + 1) * rows) }
    let workers = keptWorkers(commands, count) { band($0) }
    var (rest, isFirst) = (commands, true)
    while isFirst || !rest.isEmpty {
      let place = rest.firstIndex(where: \.isCustom)
      let part = rest[..<(place ?? rest.endIndex)]
      let ground = isFirst ? ground : nil
      if !part.isEmpty || ground != nil {
        executor.forEach(count) { number in
          let band = band(number)
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
      if case .custom(let id) = rest[place] { Trace.span("custom layer", .frame, id) { custom(id, bitmap) } }
      rest = rest[(place + 1)...]
    }
  }

  /// What stands on the ground below such a layer hides what stands behind it above that layer: then each band keeps
  /// its worker, with the depth that it knows. Empty where that cannot matter.
  private func keptWorkers(_ commands: ArraySlice<DrawCommand>, _ count: Int, _ band: (Int) -> Band)
    -> [BandWorker]
  {
    let parts = commands.split(whereSeparator: \.isCustom)
    guard parts.count(where: { $0.contains(where: \.hasDepth) }) > 1 else { return [] }
    return (0..<count).map { number in
      let worker = BandWorker(band(number))
      worker.begin(band(number), hasSmoothEdges: hasSmoothEdges)
      return worker
    }
  }
}

extension DrawCommand {
  fileprivate var isCustom: Bool { if case .custom = self { true } else { false } }

  fileprivate var hasDepth: Bool {
    switch self {
    case .extrusion, .terrain: true
    default: false
    }
  }
}

extension Transform {
  /// Coordinates of the unit square, and heights in its units, to clip space.
  package var mercatorMatrix: Matrix4 { projection.scaled(worldSize, worldSize, worldSize) }
}
