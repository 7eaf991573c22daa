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

  /// Squares of tiles: each layer draws in the same.
  private var clips: [(tile: Projection, rows: RowClip)] = []
  private static let clipLimit = 64

  init(_ band: Band) { self.band = band }

  /// The rows of a tile's square.
  func clip(_ tile: Projection) -> RowClip {
    for known in clips where known.tile == tile { return known.rows }
    let rows = RowClip.tile(tile, extent: TileUnits.extent, band)
    if clips.count < BandWorker.clipLimit { clips.append((tile, rows)) }
    return rows
  }
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
