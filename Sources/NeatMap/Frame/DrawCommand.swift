import NeatBase
import NeatRaster

/// One step of drawing a frame. Commands are made once a frame and replayed for every band, on any thread.
package indirect enum DrawCommand: Sendable {
  case background(Premultiplied)
  case sky(SkyPaint)
  case skyDome(SkyDome)
  /// Space, which stars are drawn over, and the air over both.
  case space(FogSky)
  case air(FogSky)
  /// Fog over flat ground that is drawn already.
  case fog(Fog)
  /// What follows is drawn apart, until fog is laid over it and it is put over what was drawn before.
  case fogBegins
  case fogEnds(Fog)
  case terrain(TerrainDraw)
  case world(WorldDraw)
  case pattern(PatternPaint)
  case patternMix(PatternMix)
  /// The same on a globe.
  case globeBackground(Premultiplied, GlobeSurface, zoom: UInt8)
  case globePattern(PatternPaint, GlobeSurface, zoom: UInt8)
  case globePatternMix(PatternMix, GlobeSurface, zoom: UInt8)
  case atmosphere(Atmosphere)
  case fill(FillDraw)
  case line(LineCommand)
  case circles(CircleDraw)
  case raster(RasterDraw)
  case heatmap(HeatmapDraw)
  case hillshade(HillshadeDraw)
  case colorRelief(ColorReliefDraw)
  case extrusion(ExtrusionDraw)
  case extrusionMix(ExtrusionMix)
  case symbols(SymbolDraw)
  case puck(PuckDraw)
  case debug(DebugDraw)
  case overdraw(OverdrawDraw)
  /// A layer that is blended as a whole.
  case apart(ApartDraw)
  /// The outlines of a fill that is drawn already, over what was drawn since.
  case fillEdge(FillDraw)
  /// The place of a layer that the application draws, by its id: between what is drawn below and above it.
  case custom(String)

  /// The rows that it may touch.
  var rows: FrameRows {
    switch self {
    case .fill(let fill): fill.globe == nil ? fill.frame.rows : .all
    case .line(let line): line.frame.rows
    default: .all
    }
  }

  func draw(_ worker: BandWorker) {
    let band = worker.band
    switch self {
    case .background(let color):
      for row in band.y0..<band.y1 {
        let columns = worker.ground?.columns(row, width: band.width) ?? 0..<band.width
        Blend.span(band.row(row) + columns.lowerBound, columns.count, color)
      }
    case .world(let ground): ground.draw(worker)
    case .sky(let sky): sky.draw(band)
    case .skyDome(let dome): dome.draw(band)
    case .space(let sky): sky.drawSpace(band)
    case .air(let sky): sky.drawAir(band)
    case .fog(let fog): fog.draw(band)
    case .fogBegins: worker.beginFog()
    case .fogEnds(let fog): worker.endFog(fog)
    case .terrain(let terrain): terrain.draw(band, worker.depth)
    case .pattern(let paint): paint.fill(band, ground: worker.ground)
    case .patternMix(let mix): mix.fill(band, ground: worker.ground)
    case .globeBackground(let color, let globe, let zoom):
      fillGround(color, ground: worker.ground(globe, zoom: zoom), band: band)
    case .globePattern(let paint, let globe, let zoom):
      paint.fill(band, ground: worker.ground(globe, zoom: zoom))
    case .globePatternMix(let mix, let globe, let zoom):
      mix.fill(band, ground: worker.ground(globe, zoom: zoom))
    case .atmosphere(let atmosphere): atmosphere.draw(band)
    case .fill(let fill): fill.draw(worker)
    case .line(let line): line.draw(worker)
    case .circles(let circles): circles.draw(band)
    case .raster(let raster): raster.draw(worker)
    case .heatmap(let heatmap): heatmap.draw(band)
    case .hillshade(let relief): relief.draw(worker)
    case .colorRelief(let relief): relief.draw(worker)
    case .extrusion(let extrusion): extrusion.draw(band, worker.depth)
    case .extrusionMix(let mix): mix.draw(worker)
    case .symbols(let symbols): symbols.draw(worker)
    case .puck(let puck): puck.draw(band)
    case .debug(let shapes): shapes.draw(band)
    case .overdraw(let counted): counted.draw(worker)
    case .apart(let layer): layer.draw(worker)
    case .fillEdge(let fill): fill.drawEdge(worker)
    case .custom: break
    }
  }
}

/// What a picture consists of: commands in drawing order over a size. `draw` may run for several bands at the
/// same time.
package struct Frame: Sendable {
  /// Bytes that every picture sets aside before it begins, for its commands and bands.
  package static let baseBytes = 4 << 20

  package let width: Int
  package let height: Int
  package var commands: [DrawCommand] { content.commands }
  let content: FrameContent
  /// Of frames that follow each other, two in which the same labels stand have the same; 0 of a frame on its own.
  package let placementNumber: Int
  /// What it leaves to the next one; nil for a frame on its own.
  package var outcome: FrameOutcome?
  /// What the picture has to do without.
  package var report = Report()
  /// Whether layers of the application's are among the commands.
  var hasCustom = false
  /// Where ground is drawn; nil: everywhere.
  var ground: GroundEdge?
  /// Shows how often each pixel is drawn, in the place of the map.
  var showsOverdraw = false
  /// Why it cannot be drawn; nil: it can.
  var failure: NeatError?
  /// Whether what stands on the ground has smooth edges.
  var hasSmoothEdges = true

  /// - Parameter custom: called on this thread for each layer of the application's, with its id and the picture as far
  ///   as it is drawn.
  package func rasterize(_ executor: Executor, custom: CustomPainter? = nil) throws(NeatError) -> Bitmap {
    try Trace.span("draw", .frame, "\(width) x \(height)") { () throws(NeatError) in
      try drawn(executor, custom)
    }
  }

  /// The same without layers of the application's, and with what follows the rows as they are drawn, where there is
  /// such.
  /// - Parameter isLast: nobody draws the frame again. What it was made in may be emptied while the last of what
  ///   follows is done, by a thread that has nothing else to do.
  package func rasterize<Follower: RowFollower>(
    _ executor: Executor, isLast: Bool, followedBy make: (Bitmap) -> Follower?
  ) throws(NeatError) -> (Bitmap, Follower?) {
    var follower: Follower?
    let bitmap = try Trace.span("draw", .frame, "\(width) x \(height)") { () throws(NeatError) in
      try drawn(executor, nil, isLast: isLast) {
        follower = make($0)
        return follower
      }
    }
    return (bitmap, follower)
  }

  private func drawn(
    _ executor: Executor, _ custom: CustomPainter?, isLast: Bool = false,
    followedBy make: (Bitmap) -> (any RowFollower)? = { _ in nil }
  ) throws(NeatError) -> Bitmap {
    if let failure { throw failure }
    try MemoryReserve.hold()
    let hold = try content.hold(threads: executor.width)
    defer { withExtendedLifetime(hold) {} }
    let commands = try DrawnCommands(self, executor)
    // What lies under all else is written and not blended, over memory that nobody cleared before.
    let ground = self.ground == nil ? commands.background : nil
    let first = ground == nil ? 0 : 1
    let bitmap = try Bitmap(width: width, height: height, isCleared: ground == nil)
    if hasCustom, let custom {
      let rows = executor.width == 1 ? height : min(FrameBands.mostRows, max(16, height / executor.width))
      drawInParts(commands.all[first...], ground, on: bitmap, rows, executor, custom)
      return bitmap
    }
    let follower = make(bitmap)
    let starts = FrameBands.starts(
      height: height, threads: executor.width,
      costs: executor.width > 1 ? content.costs(width: width, height: height) : nil,
      isFollowed: follower != nil)
    let rows = commands.all.map(\.rows)
    let shortage = Locked<NeatError?>(nil)
    let draw = { @Sendable (number: Int) in
      // A picture that lacks a band is nobody's: what follows the rows is given up with it.
      do throws(NeatError) { try MemoryReserve.hold() } catch { return shortage.withLock { $0 = error } }
      let band = bitmap.band(starts[number], starts[number + 1])
      if let ground {
        band.pixels.initialize(repeating: ground.bits, count: band.width * (band.y1 - band.y0))
      }
      Trace.span("band", .frame) {
        content.workers.draw(band, hasSmoothEdges: hasSmoothEdges) { worker in
          worker.ground = self.ground
          commands.all.withUnsafeBufferPointer { commands in
            for place in first..<rows.count where !rows[place].misses(band) { commands[place].draw(worker) }
          }
        }
      }
    }
    if let follower {
      let giveBack = { @Sendable [content] in content.giveBack() }
      FollowedBands(starts, follower, atLast: isLast ? giveBack : nil).run(executor, draw)
    } else {
      executor.forEach(starts.count - 1, draw)
    }
    if let error = shortage.withLock({ $0 }) { throw error }
    return bitmap
  }
}

/// What the bands of a frame draw. Commands that need no more than to be drawn stay where the frame has them, and are
/// held no longer than a band is drawn.
private struct DrawnCommands: Sendable {
  private let content: FrameContent
  /// Those that are drawn in their place.
  private let made: [DrawCommand]?

  init(_ frame: Frame, _ executor: Executor) throws(NeatError) {
    content = frame.content
    if frame.showsOverdraw {
      made = frame.counting(try frame.prepared(executor) ?? frame.commands)
    } else {
      made = try frame.prepared(executor)
    }
  }

  var all: [DrawCommand] { made ?? content.commands }

  /// The colour of the background, where that comes first.
  var background: Premultiplied? {
    if case .background(let color)? = all.first { color } else { nil }
  }
}
