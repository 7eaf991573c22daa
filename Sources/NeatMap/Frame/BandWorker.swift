import NeatBase
import NeatRaster

/// What drawing one band needs besides the band. Serves for one band after the other.
final class BandWorker: @unchecked Sendable {  // one thread has it at a time
  private(set) var band: Band
  /// Where ground is drawn; nil: everywhere.
  var ground: GroundEdge?
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
  /// The picture of a layer that is drawn apart; made by the first one.
  private var apart: ApartPicture?
  /// The picture of what has fog before it, and the band that it is put over.
  private var fogged: ApartPicture?
  private var fogTarget: Band?
  /// One of two pictures that are mixed.
  private var other: ApartPicture?

  /// The ground of the band, where the map is a globe.
  /// - Parameter zoom: of the tiles that are drawn on it; the lowest lie on a mesh of few cells.
  func ground(_ surface: GlobeSurface, zoom: UInt8) -> GlobeGround {
    let isMesh = zoom <= 2 && surface.isWhole
    for known in grounds where known.surface === surface && known.isMesh == isMesh { return known }
    let made = GlobeGround(surface, band, isMesh: isMesh)
    grounds.append(made)
    return made
  }
  private var grounds: [GlobeGround] = []
  /// What it keeps between bands, of a budget.
  fileprivate var hold: MemoryHold?

  /// Every pixel of the band.
  var fullClip: RowClip {
    if let fullMemory { return fullMemory }
    let made = RowClip.full(band)
    fullMemory = made
    return made
  }
  private var fullMemory: RowClip?
  private(set) var hasSmoothEdges = false

  /// Squares of tiles: each layer draws in the same.
  @exclusivity(unchecked) private var clips: [(tile: Projection, rows: RowClip)] = []
  /// Memory of the clips of bands before.
  private var clipMemory: [RowClip.Memory] = []
  private static let clipLimit = 64

  init(_ band: Band) { self.band = band }

  /// Goes to another band.
  /// - Parameter hasSmoothEdges: of what stands on the ground, and of polygons on it in a tilted view.
  func begin(_ band: Band, hasSmoothEdges: Bool) {
    self.band = band
    self.hasSmoothEdges = hasSmoothEdges
    hasDepth = false
    end()
    ground = nil
    for clip in clips { clipMemory.append(clip.rows.memory) }
    clips.removeAll(keepingCapacity: true)
  }

  /// Lets go of what serves this band alone.
  func end() {
    grounds.removeAll()
    fullMemory = nil
  }

  /// Draws into a transparent picture of the band, and blends that once with an opacity (0...255).
  func drawApart(opacity: UInt32, _ body: (BandWorker) -> Void) {
    drawApart(body) { Blend.composite($0, $1, $2, opacity: opacity) }
  }

  /// Draws into a transparent picture of the band, and has its rows put over those of the band: both, and how many
  /// pixels they have.
  func drawApart(
    _ body: (BandWorker) -> Void,
    over put: (UnsafeMutablePointer<UInt32>, UnsafePointer<UInt32>, Int) -> Void
  ) {
    let target = band
    let picture = apart ?? ApartPicture()
    apart = picture
    band = picture.begin(target)
    body(self)
    let layer = band
    band = target
    for y in target.y0..<target.y1 {
      put(target.row(y) + target.x0, layer.row(y) + target.x0, target.width - target.x0)
    }
  }

  /// Goes over to a transparent picture of the band, which fog is laid over.
  func beginFog() {
    precondition(fogTarget == nil, "fog over fog")
    let picture = fogged ?? ApartPicture()
    fogged = picture
    fogTarget = band
    band = picture.begin(band)
  }

  /// Lays fog over that picture, and puts it over the band.
  func endFog(_ fog: Fog) {
    guard let target = fogTarget else { return }
    fogTarget = nil
    fog.draw(band)
    let layer = band
    band = target
    for y in target.y0..<target.y1 {
      Blend.composite(
        target.row(y) + target.x0, layer.row(y) + target.x0, target.width - target.x0, opacity: 255)
    }
  }

  /// Draws the same in two ways, each over what is there, and mixes both: `share` 256ths are as `to` draws it.
  func drawMixed(share: UInt32, _ from: (BandWorker) -> Void, _ to: (BandWorker) -> Void) {
    let target = band
    let picture = other ?? ApartPicture()
    other = picture
    band = picture.begin(target)
    let before = band
    for y in target.y0..<target.y1 {
      (before.row(y) + target.x0).update(from: target.row(y) + target.x0, count: target.width - target.x0)
    }
    from(self)
    band = target
    to(self)
    for y in target.y0..<target.y1 {
      let (row, old) = (target.row(y), before.row(y))
      for x in target.x0..<target.width where row[x] != old[x] { row[x] = Texel.mix(old[x], row[x], share) }
    }
  }

  /// The rows of a tile's square.
  func clip(_ tile: Projection) -> RowClip {
    for known in clips where known.tile == tile { return known.rows }
    guard clips.count < BandWorker.clipLimit else {
      return onGround(RowClip.tile(tile, extent: TileUnits.extent, band))
    }
    let rows = onGround(RowClip.tile(tile, extent: TileUnits.extent, band, reusing: clipMemory.popLast()))
    clips.append((tile, rows))
    return rows
  }

  /// The part of a clip that ground is drawn on.
  func onGround(_ rows: RowClip) -> RowClip {
    guard let ground else { return rows }
    return rows.cut(ground, band)
  }

  /// Bytes that it holds between bands.
  var byteCount: Int {
    scratch.byteCount + (depthMemory?.byteCount ?? 0) + (apart?.byteCount ?? 0)
      + (other?.byteCount ?? 0) + (fogged?.byteCount ?? 0)
      + clipMemory.reduce(0) { $0 + $1.byteCount }
      + clips.reduce(0) { $0 + $1.rows.memory.byteCount }
  }
}

/// The memory of a picture beside the band's, which serves for one layer after the other.
private final class ApartPicture {
  private var pixels = GrowingBuffer<UInt32>()

  var byteCount: Int { pixels.heldBytes }

  /// The same rows as a band's, transparent.
  func begin(_ band: Band) -> Band {
    let count = band.width * (band.y1 - band.y0)
    // Spans are read four pixels at a time.
    let memory = pixels.overwrite(count + 4)
    memory.update(repeating: 0, count: count + 4)
    return Band(pixels: memory, stride: band.width, width: band.width, y0: band.y0, y1: band.y1)
  }
}

/// The workers of a map, kept from band to band and from frame to frame: as many as draw at the same time.
final class BandWorkers: Sendable {
  /// Workers that are kept, and bytes of each: the edges of a polygon of a quarter of a million points.
  private static let limit = 16
  private static let byteLimit = 8 << 20

  private let idle = Locked<[BandWorker]>([])
  private let memory: MemoryBudget

  init(_ memory: MemoryBudget) { self.memory = memory }

  func draw(_ band: Band, hasSmoothEdges: Bool, _ body: (BandWorker) -> Void) {
    let worker = idle.withLock { $0.popLast() } ?? BandWorker(band)
    worker.begin(band, hasSmoothEdges: hasSmoothEdges)
    body(worker)
    worker.end()
    let bytes = worker.byteCount
    guard bytes <= BandWorkers.byteLimit else { return }
    // Most have what they had after the band before.
    if bytes > worker.hold?.count ?? 0 {
      worker.hold = nil
      guard let hold = memory.takeSpare(bytes) else { return }
      worker.hold = hold
    }
    idle.withLock { if $0.count < BandWorkers.limit { $0.append(worker) } }
  }

  /// Gives the memory back.
  func removeAll() { idle.withLock { $0 = [] } }
}

extension Frame {
  /// The commands with everything done that must be done once before bands are drawn: sums of heatmaps,
  /// shading of reliefs. Nil where there is no such thing.
  /// Throws `outOfMemory`.
  func prepared(_ executor: Executor) throws(NeatError) -> [DrawCommand]? {
    guard commands.contains(where: \.isToBePrepared) else { return nil }
    var ready = commands
    var reliefs: [(place: Int, draw: HillshadeDraw)] = []
    var isGroundThere: [Bool] = []
    for (place, command) in commands.enumerated() {
      switch command {
      case .heatmap(let heat): ready[place] = .heatmap(heat.summed(width: width, height: height, executor))
      case .hillshade(let draw): reliefs.append((place, draw))
      case .terrain(let draw):
        var draped = try draw.draped(executor)
        draped.isGroundThere = isGroundThere
        isGroundThere = draped.groundThere
        ready[place] = .terrain(draped)
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
    case .heatmap, .hillshade, .terrain: true
    default: false
    }
  }
}
