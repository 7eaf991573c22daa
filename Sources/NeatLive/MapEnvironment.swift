import NeatBase
import NeatCamera
import NeatImage
import NeatMap
import NeatResource
import NeatLoop
import NeatStyle
import NeatText

/// What a renderer or a map stands on: how bytes come, who works, which fonts draw, what may be taken.
package final class MapEnvironment: Sendable {
  package struct Options: Sendable {
    /// Pieces of work at once in one picture; 0: as many as there are processors, which the pictures that are
    /// drawn at a time share.
    package var threadCount = 0
    /// Bytes of decoded tiles and layouts kept.
    package var cacheBytes = 64 << 20
    /// What is shared with others; nil: a loader of its own, by the next three.
    package var resources: SharedResources?
    package var timeoutMS: UInt64 = 30_000
    package var retryCount: Int?
    /// Font files for text that no glyph server draws.
    package var fontPaths: [String] = []
    /// Bytes that may be held by pictures under way and all that is kept; 0: three quarters of what the process may
    /// have.
    package var memoryLimitBytes: UInt64 = 0
    /// Bytes that the packed body of one response may unpack to.
    package var unpackedLimitBytes = 256 << 20
    /// What one evaluation of an expression may take.
    package var evaluation = EvaluationBudget()
    /// What the expressions of one image, one query or one source may take together.
    package var work = WorkBudget.standard
    /// Whether the style may read files of this machine; nil: where it came from a file or from text.
    package var allowsLocalFiles: Bool?
    /// Whether the system's fonts draw what `fontPaths` lack.
    package var usesSystemFonts = true
    /// The language that labels are put in; nil: as the style has them.
    package var language: LabelLocalizer?
    /// Which text is drawn from font files.
    package var glyphRasterization = GlyphRasterization.whereNeeded
    /// Whether labels of one source keep clear of those of others.
    package var crossSourceCollisions = true
    /// Whether the edges of extrusions and models are smooth.
    package var smoothEdges = true
    /// Whether letters of labels along lines that a sharp bend lays on each other are moved apart.
    package var spreadLetters = true
    /// Zooms below the view's whose tiles live maps ask for first.
    package var prefetchLevels: UInt8 = 4
    /// Milliseconds, by which failures age.
    package var now: @Sendable () -> UInt64 = { MonotonicClock.milliseconds }

    package init() {}

    /// What a style may read of this machine, by where relative addresses in it start.
    func fileAccess(base: String) -> FileAccess {
      if let allowsLocalFiles { return allowsLocalFiles ? .all : .none }
      return Address.isOfServer(base) ? .none : .unlessNamedByServer
    }
  }

  let options: Options
  let loader: ResourceLoader
  let pool: WorkerPool
  /// The pool's, made once.
  let executor: Executor
  let glyphs: GlyphStore
  /// For those who encode its pictures.
  package let pictureThreads: PictureThreads
  /// What is wrong with the fonts that were given.
  private let fontFaults: [NeatError]
  private let hasSystemFonts = Locked(false)
  /// Of all that its renderer or map holds.
  package let memory: MemoryBudget

  /// Throws for fonts that are none, and for font files that cannot be read.
  package init(_ options: Options = Options()) throws(NeatError) {
    self.options = options
    memory = MemoryBudget(limit: options.memoryLimitBytes)
    // First, so that its threads begin while the rest is made.
    pool = WorkerPool(
      width: options.threadCount == 0 ? WorkerPool.processorCount : options.threadCount,
      whenIdle: FirstUse.begin() ? MapEnvironment.firstSteps : [])
    loader = try options.resources?.loader ?? MapEnvironment.makeLoader(options)
    executor = pool.executor
    pictureThreads = PictureThreads(pool, isShared: options.threadCount == 0, memory: memory)
    glyphs = GlyphStore(rasterization: options.glyphRasterization, memory: memory)
    fontFaults = try glyphs.addFonts(options)
  }

  /// In the order in which a first picture comes to need them; each as short as what a thread does at a time.
  private static let firstSteps = FirstUse.keepingForks([
    FirstUse.meetMemoryLimits, FirstUse.meetMap, FirstUse.meetNumbers, FirstUse.meetLayout,
    FirstUse.encodePictures,
  ])

  private static func makeLoader(_ options: Options) -> ResourceLoader {
    var loading = ResourceLoader.Options()
    loading.timeoutMS = options.timeoutMS
    loading.unpackedLimit = options.unpackedLimitBytes
    if let count = options.retryCount { loading.http.attempts = count + 1 }
    return ResourceLoader(options: loading)
  }

  /// Whether live maps try again what failed for reasons that pass.
  var isPatient: Bool { options.retryCount != 0 }

  /// A map of a style.
  func makeCore(_ style: Style, base: String, pixelRatio: Double) -> MapCore {
    prepareFonts(for: style)
    var mapOptions = MapCore.Options()
    mapOptions.cacheBytes = options.cacheBytes
    mapOptions.evaluation = options.evaluation
    mapOptions.work = options.work
    if options.memoryLimitBytes > 0 {
      mapOptions.work.bytes = min(options.work.bytes, Int(clamping: options.memoryLimitBytes))
    }
    mapOptions.unpackedLimitBytes = options.unpackedLimitBytes
    mapOptions.pixelRatio = pixelRatio
    mapOptions.memory = memory
    mapOptions.crossSourceCollisions = options.crossSourceCollisions
    mapOptions.smoothEdges = options.smoothEdges
    mapOptions.spreadLetters = options.spreadLetters
    mapOptions.now = options.now
    mapOptions.fileAccess = options.fileAccess(base: base)
    // A text that cannot be set again stays as it is.
    let style = (try? style.localized(options.language)) ?? style
    let core = MapCore(style: style, base: base, options: mapOptions, glyphs: glyphs)
    for fault in fontFaults { core.report(MapProblem(fault, resource: "font", part: .glyphs)) }
    return core
  }

  /// With a glyph server, what it serves does not depend on the machine; without one, and for what it is not asked
  /// for, the system's fonts draw what those given lack, unless the host does not want them.
  func prepareFonts(for style: Style) {
    guard options.usesSystemFonts else { return }
    switch options.glyphRasterization {
    case .whereNeeded: guard style.glyphs == nil else { return }
    case .none: return
    case .ideographs, .all: break
    }
    hasSystemFonts.withLock { hasThem in
      guard !hasThem else { return }
      hasThem = true
      glyphs.addSystemFonts()
    }
  }

  /// Does the work of a picture with its memory set aside, and its part of the processors. Throws `outOfMemory`
  /// before the body begins, and `limitExceeded` where the calling thread has too little stack.
  /// - Parameter besides: bytes that the picture is given with: of the images of an overlay.
  func reserving<T>(
    _ needs: PictureMemory.Needs, _ size: ViewSize, besides: Int = 0, hasPixels: Bool = true,
    _ body: (Executor) throws(NeatError) -> T
  ) throws(NeatError) -> T {
    try StackRoom.require(StackRoom.ofDrawing, for: "drawing")
    let bytes = PictureMemory.estimate(needs, size, width: pool.width, hasPixels: hasPixels) + besides
    return try PictureMemory.reserving(bytes, memory, for: "a picture of \(size)") { () throws(NeatError) in
      let pictures = PicturesAtWork.current
      return try pictures.working { () throws(NeatError) in try body(executor(pictures)) }
    }
  }

  /// The same with more memory set aside, where there is as much: the body gets whether.
  func reserving<T>(
    _ needs: PictureMemory.Needs, _ size: ViewSize, besides: Int, spare: Int,
    _ body: (Executor, Bool) throws(NeatError) -> T
  ) throws(NeatError) -> T {
    try reserving(needs, size, besides: besides) { executor throws(NeatError) in
      let drawn = PictureMemory.estimate(needs, size, width: pool.width, hasPixels: true) + besides
      return try PictureMemory.sparing(spare, besides: drawn, memory) { hasSpare throws(NeatError) in
        try body(executor, hasSpare)
      }
    }
  }

  private func executor(_ pictures: PicturesAtWork) -> Executor {
    guard options.threadCount == 0 else { return executor }
    return pool.executor { [threads = pool.width] in pictures.share(of: threads) }
  }
}
