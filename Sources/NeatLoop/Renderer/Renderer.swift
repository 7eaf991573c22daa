import NeatBase
import NeatJSON
import NeatMap
import NeatRaster
import NeatStyle
import NeatText
import Synchronization

/// Draws pictures of one style, for servers: one style, one set of caches, any number of threads drawing at the same time.
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
  /// One map for each pixel ratio: sprites and everything laid out in pixels depend on it.
  private let cores = Mutex<[Double: MapCore]>([:])
  /// Ratios that are kept at the same time.
  private static let coreLimit = 4

  package init(style: Style, base: String, loader: ResourceLoader, options: Options = Options()) throws(NeatError) {
    self.style = style
    self.base = WorkingFolder.absolute(base)
    self.loader = loader
    self.options = options
    pool = WorkerPool(width: options.threadCount == 0 ? WorkerPool.processorCount : options.threadCount)
    for path in options.fontPaths { try addFont(path) }
    if style.glyphs == nil, options.fontPaths.isEmpty { for path in SystemFonts.paths() { try? addFont(path) } }
  }

  private func addFont(_ path: String) throws(NeatError) {
    let bytes = try FileReader.readAll(path, limit: ResourceLoader.byteLimit(.font))
    try glyphs.addFont(try FontFace(parsing: bytes, resource: path))
  }

  /// Loads a style from its address.
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
      mapOptions.pixelRatio = pixelRatio
      let core = MapCore(style: style, base: base, options: mapOptions, glyphs: glyphs)
      cores[pixelRatio] = core
      return core
    }
  }

  package var styleCamera: Camera { core(pixelRatio: 1).styleCamera }

  package var styleValue: Style { style }

  /// Loads what the view needs, no longer than until the deadline, and draws it.
  package func draw(
    _ camera: Camera, _ size: ViewSize, labelMargin: Int = 0, deadline: Deadline = .never
  ) throws(NeatError) -> Bitmap {
    let size = try size.checked()
    return try core(pixelRatio: size.pixelRatio).render(
      camera: camera, size: size, labelMargin: labelMargin, client: client(deadline), executor: pool.executor)
  }

  /// Loads what the view needs, no longer than until the deadline, and gives it as a GPU draws it.
  package func meshFrame(_ camera: Camera, _ size: ViewSize, deadline: Deadline = .never) throws(NeatError) -> MeshFrame {
    let size = try size.checked()
    return try core(pixelRatio: size.pixelRatio).renderMeshes(
      camera: camera, size: size, client: client(deadline), executor: pool.executor)
  }

  /// Logical pixels around a tile whose labels are placed with its own: neighbours then decide alike on every label that crosses their edge,
  /// unless a chain of labels longer than this hands a difference on.
  package static let tileLabelMargin = 256

  /// Draws one tile of the pyramid.
  package func drawTile(_ tile: TileID, edge: Int, pixelRatio: Double, deadline: Deadline = .never) throws(NeatError) -> Bitmap {
    guard tile.isValid else { throw NeatError(.invalidArgument, "\(tile) is no tile") }
    return try draw(
      Camera.tile(tile, edge: Double(edge)), ViewSize(width: edge, height: edge, pixelRatio: pixelRatio),
      labelMargin: Renderer.tileLabelMargin, deadline: deadline)
  }

  package func client(_ deadline: Deadline) -> ResourceClient {
    ResourceClient(isOver: { deadline.isOver }, load: { [loader] requests in loader.load(requests, deadline: deadline) })
  }

  /// Whom the data is owed to, as far as it is known without loading anything.
  package var attributions: [String] { core(pixelRatio: 1).attributions }

  /// The same, after loading what is not known yet. Throws `timeout`.
  package func loadAttributions(deadline: Deadline) throws(NeatError) -> [String] {
    let core = core(pixelRatio: 1)
    try core.load(client: client(deadline), executor: executor) { core.attributionNeeds }
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
