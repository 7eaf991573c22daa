import NeatBase
import NeatCamera
import NeatJSON
import NeatLoop
import NeatMap
import NeatRaster
import NeatResource
import NeatStyle
import NeatText
import Synchronization

/// Draws pictures of one style, for servers: one style, one set of caches, any number of threads drawing at
/// the same time.
package final class Renderer: Sendable {
  package struct Options: Sendable {
    /// Pieces of work at once in one picture; 0: as many as there are processors.
    package var threadCount = 0
    /// Bytes of decoded tiles and layouts kept.
    package var cacheBytes = 64 << 20
    package var timeoutMS: UInt64 = 30_000
    package var retryCount: Int?
    /// Font files for text that no glyph server draws.
    package var fontPaths: [String] = []
    /// Bytes that pictures under way may take together; 0: three quarters of what the process may have.
    package var memoryLimitBytes: UInt64 = 0
    /// Bytes that the packed body of one response may unpack to.
    package var unpackedLimitBytes = 256 << 20
    /// Whether the style may read files of this machine; nil: where it came from a file or from text.
    package var allowsLocalFiles: Bool?
    /// Whether the system's fonts draw what `fontPaths` lack.
    package var usesSystemFonts = true

    package init() {}
  }

  private let loader: ResourceLoader
  private let pool: WorkerPool
  private let options: Options
  private let style: Style
  private let base: String
  private let glyphs = GlyphStore()
  /// What is wrong with the fonts that were given.
  private let fontFaults: [NeatError]
  /// One map for each pixel ratio: sprites and everything laid out in pixels depend on it.
  private let cores = Mutex<[Double: MapCore]>([:])
  /// Ratios that are kept at the same time.
  private static let coreLimit = 4
  private let memory = PictureMemory.Ledger()

  package init(style: Style, base: String, loader: ResourceLoader, options: Options = Options())
    throws(NeatError)
  {
    self.style = style
    self.base = WorkingFolder.absolute(base)
    self.loader = loader
    self.options = options
    pool = WorkerPool(width: options.threadCount == 0 ? WorkerPool.processorCount : options.threadCount)
    fontFaults = try glyphs.addFonts(options, hasGlyphServer: style.glyphs != nil)
  }

  /// The same in the child of a fork: nothing is taken over but what never changes.
  package func remade() throws(NeatError) -> Renderer {
    try Renderer(style: style, base: base, loader: ResourceLoader(options: loader.options), options: options)
  }

  /// Loads a style from its address, in no more than the time that one request may take.
  package static func load(_ url: String, options: Options = Options()) throws(NeatError) -> Renderer {
    let loader = makeLoader(options)
    switch loader.load(ResourceRequest(kind: .style, url: url)) {
    case .data(let bytes):
      let style: Style
      do throws(NeatError) { style = try Style(parsing: bytes) } catch { throw error.naming(url) }
      return try Renderer(style: style, base: url, loader: loader, options: options)
    case .missing, .empty: throw NeatError(.notFound, "no such style", resource: url)
    case .failed(let error): throw error.naming(url)
    }
  }

  package static func makeLoader(_ options: Options) -> ResourceLoader {
    var loading = ResourceLoader.Options()
    loading.timeoutMS = options.timeoutMS
    loading.unpackedLimit = options.unpackedLimitBytes
    if let count = options.retryCount { loading.http.attempts = count + 1 }
    return ResourceLoader(options: loading)
  }

  /// The map that draws at a pixel ratio.
  package func core(pixelRatio: Double) -> MapCore {
    cores.withLock { cores in
      if let core = cores[pixelRatio] { return core }
      if cores.count >= Renderer.coreLimit { cores.removeAll() }
      var mapOptions = MapCore.Options()
      mapOptions.cacheBytes = options.cacheBytes
      mapOptions.unpackedLimitBytes = options.unpackedLimitBytes
      mapOptions.pixelRatio = pixelRatio
      mapOptions.fileAccess = options.fileAccess(base: base)
      let core = MapCore(style: style, base: base, options: mapOptions, glyphs: glyphs)
      for fault in fontFaults { core.report(MapProblem(fault, resource: "font")) }
      cores[pixelRatio] = core
      return core
    }
  }

  package var styleCamera: Camera { core(pixelRatio: 1).styleCamera }

  package var styleValue: Style { style }

  /// Loads what the view needs, no longer than until the deadline, and draws it. Throws `outOfMemory` before
  /// it begins where it will not fit.
  package func draw(
    _ camera: Camera, _ size: ViewSize, labelMargin: Int = 0, deadline: Deadline = .never
  ) throws(NeatError) -> Picture {
    let size = try size.checked()
    return try reserving(size, labelMargin: labelMargin) { () throws(NeatError) in
      refresh()
      return try core(pixelRatio: size.pixelRatio).draw(
        camera: camera, size: size, labelMargin: labelMargin, client: client(deadline),
        executor: pool.executor)
    }
  }

  /// Does the work of a picture with its memory set aside.
  private func reserving<T>(
    _ size: ViewSize, labelMargin: Int = 0, hasPixels: Bool = true, _ body: () throws(NeatError) -> T
  ) throws(NeatError) -> T {
    let bytes = PictureMemory.estimate(
      style, size, labelMargin: labelMargin, width: pool.executor.width, hasPixels: hasPixels)
    return try PictureMemory.reserving(
      bytes, memory, limit: options.memoryLimitBytes, for: "a picture of \(size)", body)
  }

  /// Loads what the view needs, no longer than until the deadline, and gives it as a GPU draws it.
  package func meshFrame(_ camera: Camera, _ size: ViewSize, deadline: Deadline = .never) throws(NeatError)
    -> MeshFrame
  {
    let size = try size.checked()
    return try reserving(size, hasPixels: false) { () throws(NeatError) in
      refresh()
      return try core(pixelRatio: size.pixelRatio).renderMeshes(
        camera: camera, size: size, client: client(deadline), executor: pool.executor)
    }
  }

  /// Loads what the view needs, and gives the features drawn in an area of it.
  package func query(_ camera: Camera, _ size: ViewSize, _ area: QueryArea, options: QueryOptions)
    throws(NeatError) -> [UInt8]
  {
    let size = try size.checked()
    let transform = try Transform(camera: camera, size: size)
    return try reserving(size, hasPixels: false) { () throws(NeatError) in
      refresh()
      let core = core(pixelRatio: size.pixelRatio)
      return try core.keepingView { () throws(NeatError) in
        try core.load(transform, client: client(.never), executor: executor)
        return core.query(transform, area, options: options)
      }
    }
  }

  /// Logical pixels around a tile whose labels are placed with its own: neighbours then decide alike on every
  /// label that crosses their edge, unless a chain of labels longer than this hands a difference on.
  package static let tileLabelMargin = 256

  /// Draws one tile of the pyramid.
  package func drawTile(_ tile: TileID, edge: Int, pixelRatio: Double, deadline: Deadline = .never)
    throws(NeatError) -> Picture
  {
    guard tile.isValid else { throw NeatError(.invalidArgument, "\(tile) is no tile") }
    return try draw(
      Camera.tile(tile, edge: Double(edge)), ViewSize(width: edge, height: edge, pixelRatio: pixelRatio),
      labelMargin: Renderer.tileLabelMargin, deadline: deadline)
  }

  /// Milliseconds after which what a server did not give, for reasons that pass, is asked for again.
  package static let askAgainAfterMS: UInt64 = 10_000
  private let nextAsking = Mutex<Deadline>(.after(ms: Renderer.askAgainAfterMS))

  /// Before a picture: archives that were replaced are opened anew, and what failed a while ago is asked for
  /// again.
  private func refresh() {
    let replaced = loader.takeReplacedArchives()
    if !replaced.isEmpty { for core in cores.withLock({ Array($0.values) }) { core.dropArchives(replaced) } }
    let isDue = nextAsking.withLock { next in
      guard next.isOver else { return false }
      next = .after(ms: Renderer.askAgainAfterMS)
      return true
    }
    guard isDue else { return }
    let glyphsToo = glyphs.forgetFaults { $0.code == .network || $0.code == .timeout }
    for core in cores.withLock({ Array($0.values) }) { core.forgetPassingFaults(glyphsToo: glyphsToo) }
  }

  package func client(_ deadline: Deadline) -> ResourceClient {
    ResourceClient(
      isOver: { deadline.isOver }, load: { [loader] requests in loader.load(requests, deadline: deadline) })
  }

  /// Whom the data is owed to, as far as it is known without loading anything.
  package var attributions: [String] { core(pixelRatio: 1).attributions }

  /// The same, after loading what is not known yet, as far as it comes in time.
  package func loadAttributions(deadline: Deadline) throws(NeatError) -> [String] {
    let core = core(pixelRatio: 1)
    _ = try core.load(client: client(deadline), executor: executor) { core.attributionNeeds }
    return core.attributions
  }

  package var executor: Executor { pool.executor }

  /// What went wrong so far without failing a picture.
  package var problems: [MapProblem] {
    if cores.withLock(\.isEmpty) { _ = core(pixelRatio: 1) }
    var seen: Set<MapProblem> = []
    return cores.withLock { $0.values.flatMap(\.problems) }.filter { seen.insert($0).inserted }
  }
}
