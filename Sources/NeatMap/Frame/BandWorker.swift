import NeatBase
import NeatRaster

/// What drawing one band needs besides the band.
final class BandWorker {
  let band: Band
  let scratch = RasterScratch()
  /// Depth of what stands on the ground; made by the first layer that needs it, and kept for the next, so
  /// that layers hide each other.
  private(set) lazy var depth: DepthLayer = {
    let layer = DepthLayer()
    layer.begin(band)
    return layer
  }()

  init(_ band: Band) { self.band = band }
}

extension Frame {
  /// The commands with everything done that must be done once before bands are drawn: sums of heatmaps,
  /// shading of reliefs.
  func prepared(_ executor: Executor) -> [DrawCommand] {
    var ready = commands
    var reliefs: [(place: Int, draw: HillshadeDraw)] = []
    for (place, command) in commands.enumerated() {
      switch command {
      case .heatmap(let heat): ready[place] = .heatmap(heat.summed(width: width, height: height, executor))
      case .hillshade(let draw): reliefs.append((place, draw))
      default: break
      }
    }
    guard !reliefs.isEmpty else { return ready }
    let draws = reliefs.map(\.draw)
    // Each tile keeps its relief: what one worker makes is found again below.
    executor.forEach(draws.count) { index in _ = draws[index].shaded() }
    for relief in reliefs { ready[relief.place] = .hillshade(relief.draw.shaded()) }
    return ready
  }
}
