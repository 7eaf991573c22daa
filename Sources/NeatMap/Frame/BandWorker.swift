import NeatBase
import NeatRaster

/// What drawing one band needs besides the band. Serves for one band after the other.
final class BandWorker: @unchecked Sendable {  // one thread has it at a time
  private(set) var band: Band
  let scratch = RasterScratch()
  /// Depth of what stands on the ground; made by the first layer that needs it, and kept for the next, so
  /// that layers hide each other.
  var depth: DepthLayer {
    let layer = depthMemory ?? DepthLayer()
    depthMemory = layer
    if !hasDepth { layer.begin(band, isSmooth: hasSmoothEdges) }
    hasDepth = true
    return layer
  }
  private var depthMemory: DepthLayer?
  private var hasDepth = false
  private var hasSmoothEdges = false

  /// Squares of tiles: each layer draws in the same.
  private var clips: [(tile: Projection, rows: RowClip)] = []
  /// Memory of the clips of bands before.
  private var clipMemory: [RowClip.Memory] = []
  private static let clipLimit = 64

  init(_ band: Band) { self.band = band }

  /// Goes to another band.
  /// - Parameter hasSmoothEdges: of what stands on the ground.
  func begin(_ band: Band, hasSmoothEdges: Bool) {
    self.band = band
    self.hasSmoothEdges = hasSmoothEdges
    hasDepth = false
    for clip in clips { clipMemory.append(clip.rows.memory) }
    clips.removeAll(keepingCapacity: true)
  }

  /// The rows of a tile's square.
  func clip(_ tile: Projection) -> RowClip {
    for known in clips where known.tile == tile { return known.rows }
    guard clips.count < BandWorker.clipLimit else {
      return RowClip.tile(tile, extent: TileUnits.extent, band)
    }
    let rows = RowClip.tile(tile, extent: TileUnits.extent, band, reusing: clipMemory.popLast())
    clips.append((tile, rows))
    return rows
  }

  /// Bytes that it holds between bands.
  var byteCount: Int {
    scratch.byteCount + (depthMemory?.byteCount ?? 0) + clipMemory.reduce(0) { $0 + $1.byteCount }
      + clips.reduce(0) { $0 + $1.rows.memory.byteCount }
  }
}

/// The workers of a map, kept from band to band and from frame to frame: as many as draw at the same time.
final class BandWorkers: Sendable {
  /// Workers that are kept, and bytes of each: the edges of a polygon of a quarter of a million points.
  private static let limit = 16
  private static let byteLimit = 8 << 20

  private let idle = Locked<[BandWorker]>([])

  func draw(_ band: Band, hasSmoothEdges: Bool, _ body: (BandWorker) -> Void) {
    let worker = idle.withLock { $0.popLast() } ?? BandWorker(band)
    worker.begin(band, hasSmoothEdges: hasSmoothEdges)
    body(worker)
    guard worker.byteCount <= BandWorkers.byteLimit else { return }
    idle.withLock { if $0.count < BandWorkers.limit { $0.append(worker) } }
  }

  /// Gives the memory back.
  func removeAll() { idle.withLock { $0 = [] } }
}

extension Frame {
  /// The commands with everything done that must be done once before bands are drawn: sums of heatmaps,
  /// shading of reliefs.
  func prepared(_ executor: Executor) -> [DrawCommand] {
    guard commands.contains(where: \.isToBePrepared) else { return commands }
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

extension DrawCommand {
  fileprivate var isToBePrepared: Bool {
    switch self {
    case .heatmap, .hillshade: true
    default: false
    }
  }
}
