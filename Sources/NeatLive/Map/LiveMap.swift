import NeatBase
import NeatCamera
import NeatJSON
import NeatLoop
import NeatMap
import NeatRaster
import NeatResource
import NeatStyle
import NeatText

/// What happens in the life of a map, in the order of the lifecycle.
package enum MapEvent: Sendable {
  package enum StyleData: String, Sendable { case style, sprite, sources }

  case styleDataLoaded(StyleData)
  case styleLoaded
  /// Metadata, or a tile.
  case sourceDataLoaded(String, tile: TileID?)
  case sourceAdded(String)
  case sourceRemoved(String)
  case styleImageMissing(String)
  case styleImageRemoveUnused(String)
  case renderFrameStarted
  case renderFrameFinished(isComplete: Bool)
  case cameraChanged
  case mapLoaded
  case mapIdle
  case mapLoadingError(NeatError, resource: String)
  case resourceRequest(String, tile: TileID?)
}

/// A map that loads, changes and animates over time. Belongs to the thread of its loop; every function is
/// called there, and so are the events.
///
/// Each turn asks the core what the view lacks and requests it; each answer brings another turn. When nothing
/// is lacking, a frame is built, and with the first complete one the map is loaded; with nothing under way,
/// no animation and no transition it is idle.
package final class LiveMap {
  package let loop: RunLoop
  private let loader: ResourceLoader
  private let options: Renderer.Options
  private let pool: WorkerPool
  private let onEvent: (MapEvent) -> Void
  private let glyphs = GlyphStore()
  /// What is wrong with the fonts that were given.
  private let fontFaults: [NeatError]
  private var hasSystemFonts = false

  package private(set) var core: MapCore?
  /// Where the style came from; nil for one that was handed in as text.
  package private(set) var styleURL: String?
  package private(set) var size: ViewSize
  package private(set) var camera = Camera()
  private var hasCamera = false
  private var inFlight: [Need: CancelHandle] = [:]
  private var styleRequest: CancelHandle?
  private var turnTimer: LoopTimer?
  private var animation: CameraAnimation?
  /// Whether paint properties were on their way at the last turn.
  private var isTransitioning = false
  /// Asks for frames while something moves.
  private var frameTimer: LoopTimer?
  /// Whether the style was seen: what changes before changes at once.
  private var didShow = false
  private var didLoad = false
  private var isIdle = false
  /// Which parts of the style were reported.
  private var reportedSprite = false
  private var reportedSources = false
  private var missingImages: Set<String> = []
  /// Images that the application added after they were told to be missing.
  private var suppliedImages: Set<String> = []
  private var isDestroyed = false
  private var knownProblems = 0
  private let memory = PictureMemory.Ledger()
  package var lastError = ""
  /// Whether paint properties take the time of their transitions. Where that is switched off, those on their
  /// way are there at once.
  package var hasTransitions = true {
    didSet {
      guard !hasTransitions, let core else { return }
      core.endTransitions()
      invalidate()
    }
  }

  package init(
    loop: RunLoop, size: ViewSize, options: Renderer.Options, onEvent: @escaping (MapEvent) -> Void
  ) throws(NeatError) {
    self.loop = loop
    self.size = try size.checked()
    self.options = options
    self.onEvent = onEvent
    loader = Renderer.makeLoader(options)
    pool = WorkerPool(width: options.threadCount == 0 ? WorkerPool.processorCount : options.threadCount)
    fontFaults = try glyphs.addFonts(options, hasGlyphServer: true)
  }

  /// Ends what is under way; no event comes after.
  package func destroy() {
    isDestroyed = true
    styleRequest?.cancel()
    for handle in inFlight.values { handle.cancel() }
    inFlight.removeAll()
    turnTimer?.cancel()
    frameTimer?.cancel()
  }

  private func send(_ event: MapEvent) {
    if !isDestroyed { onEvent(event) }
  }

  /// Whether anything is under way: requests, a turn that is due, an animation, transitions.
  package var isBusy: Bool { styleRequest != nil || !inFlight.isEmpty || turnTimer != nil || isMoving }

  private var isMoving: Bool { animation != nil || isTransitioning }

  /// Whether the style is there with its sprite and what is known of its sources (`styleLoaded` was sent).
  package var isStyleLoaded: Bool { core != nil && reportedSources }

  /// Whether the view is complete.
  package var isLoaded: Bool {
    core != nil && didLoad && inFlight.isEmpty && styleRequest == nil && turnTimer == nil
  }

  // MARK: Style

  package func loadStyle(_ url: String) {
    reset()
    styleURL = url
    send(.resourceRequest(url, tile: nil))
    styleRequest = loader.load(ResourceRequest(kind: .style, url: url), on: loop) { [weak self] result in
      guard let self, !self.isDestroyed else { return }
      self.styleRequest = nil
      switch result {
      case .data(let bytes):
        do throws(NeatError) { try self.takeStyle(bytes, base: url) } catch {
          self.send(.mapLoadingError(error, resource: url))
        }
      case .missing, .empty:
        self.send(.mapLoadingError(NeatError(.notFound, "no such style", resource: url), resource: url))
      case .failed(let error): self.send(.mapLoadingError(error, resource: url))
      }
    }
  }

  /// Takes a style's text. Throws where it is no style; the map then keeps the one it has.
  package func setStyle(_ bytes: [UInt8], base: String) throws(NeatError) {
    try takeStyle(bytes, base: base)
    styleURL = nil
  }

  private func takeStyle(_ bytes: [UInt8], base: String) throws(NeatError) {
    let style = try Style(parsing: bytes)
    let old = core?.style
    reset()
    for source in old?.sources ?? [] { send(.sourceRemoved(source.id)) }
    var mapOptions = MapCore.Options()
    mapOptions.cacheBytes = options.cacheBytes
    mapOptions.unpackedLimitBytes = options.unpackedLimitBytes
    mapOptions.pixelRatio = size.pixelRatio
    if style.glyphs == nil, !hasSystemFonts {
      hasSystemFonts = true
      glyphs.addSystemFonts(options)
    }
    let start = WorkingFolder.absolute(base)
    mapOptions.fileAccess = options.fileAccess(base: start)
    let core = MapCore(style: style, base: start, options: mapOptions, glyphs: glyphs)
    for fault in fontFaults { core.report(MapProblem(fault, resource: "font")) }
    self.core = core
    if !hasCamera { camera = core.styleCamera }
    send(.styleDataLoaded(.style))
    for source in style.sources { send(.sourceAdded(source.id)) }
    reportProblems()
    scheduleTurn()
  }

  private func reset() {
    styleRequest?.cancel()
    styleRequest = nil
    for handle in inFlight.values { handle.cancel() }
    inFlight.removeAll()
    core = nil
    isTransitioning = false
    stopWhereNothingMoves()
    didShow = false
    didLoad = false
    isIdle = false
    reportedSprite = false
    reportedSources = false
    missingImages = []
    suppliedImages = []
    knownProblems = 0
  }

  /// Changes the style; what the change makes stale is loaded and laid out anew. Paint properties take the
  /// time of their transitions from the next frame on, unless no frame has shown them yet.
  package func edit(_ body: (inout StyleEditor) throws(NeatError) -> Void) throws(NeatError) {
    let core = try loadedCore()
    var editor = StyleEditor(core.style)
    try body(&editor)
    let change = core.replaceStyle(editor.style, isGradual: hasTransitions && didShow)
    for id in change.removed { send(.sourceRemoved(id)) }
    for id in change.added { send(.sourceAdded(id)) }
    invalidate()
  }

  package func loadedCore() throws(NeatError) -> MapCore {
    guard let core else { throw NeatError(.state, "the map has no style yet") }
    return core
  }

  /// Something changed: a new frame is due.
  package func invalidate() {
    isIdle = false
    scheduleTurn()
  }

  // MARK: View

  package func setSize(_ size: ViewSize) throws(NeatError) {
    let size = try size.checked()
    guard size.pixelRatio == self.size.pixelRatio || core == nil else {
      throw NeatError(.state, "the pixel ratio cannot change once a style is set")
    }
    self.size = size
    invalidate()
  }

  package func setCamera(_ camera: Camera) throws(NeatError) {
    let camera = try camera.checked()
    animation = nil
    stopWhereNothingMoves()
    move(to: camera)
  }

  private func move(to camera: Camera) {
    hasCamera = true
    self.camera = camera
    send(.cameraChanged)
    invalidate()
  }

  /// Moves the camera along the shortest way within a time; frames follow the loop's clock.
  package func ease(to target: Camera, durationMS: UInt64) throws(NeatError) {
    guard durationMS > 0 else { return try setCamera(target) }
    let target = try target.checked()
    animation = CameraAnimation(from: camera, to: target, startMS: loop.nowMS, durationMS: durationMS)
    frameTimer?.cancel()
    frameTimer = loop.timer(afterMS: 0, repeatMS: LiveMap.frameMS) { [weak self] in self?.animate() }
  }

  private func animate() {
    guard let animation else { return invalidate() }
    let (camera, isOver) = animation.camera(atMS: loop.nowMS)
    if isOver {
      self.animation = nil
      stopWhereNothingMoves()
    }
    // The shortest turn may lead past the range on its way.
    move(to: camera.held())
  }

  /// Between frames of what moves.
  private static let frameMS: UInt64 = 16

  private func stopWhereNothingMoves() {
    guard !isMoving else { return }
    frameTimer?.cancel()
    frameTimer = nil
  }

  /// Brings the paint properties to the time of a frame, and sees to it that there is another one where some
  /// have not arrived.
  private func advanceTransitions(_ core: MapCore) {
    isTransitioning = core.advanceTransitions(to: Double(loop.nowMS))
    stopWhereNothingMoves()
    guard isTransitioning, frameTimer == nil else { return }
    frameTimer = loop.timer(afterMS: LiveMap.frameMS, repeatMS: LiveMap.frameMS) { [weak self] in
      self?.animate()
    }
  }

  // MARK: Turns

  private func scheduleTurn() {
    guard turnTimer == nil, !isDestroyed, core != nil else { return }
    turnTimer = loop.timer(afterMS: 0) { [weak self] in
      self?.turnTimer = nil
      self?.turn()
    }
  }

  private func turn() {
    guard let core, !isDestroyed else { return }
    let replaced = loader.takeReplacedArchives()
    if !replaced.isEmpty { core.dropArchives(replaced) }
    advanceTransitions(core)
    // Camera and size were checked when they were set.
    guard let transform = try? Transform(camera: camera, size: size) else { return }
    let needs = core.prepare(transform, pool.executor)
    for need in needs where inFlight[need] == nil { request(need, core) }
    reportProblems()
    reportStyle(core, needs)
    reportImages(core)
    guard reportedSources, !isIdle else { return }
    let isComplete = needs.isEmpty && inFlight.isEmpty
    didShow = true
    send(.renderFrameStarted)
    send(.renderFrameFinished(isComplete: isComplete))
    guard isComplete else { return }
    if !didLoad {
      didLoad = true
      send(.mapLoaded)
    }
    if !isMoving, turnTimer == nil {
      isIdle = true
      send(.mapIdle)
    }
  }

  /// Tells the parts of the style that are there, or given up, since the last turn.
  private func reportStyle(_ core: MapCore, _ needs: [Need]) {
    if !reportedSprite, !needs.contains(where: \.isSprite), !inFlight.keys.contains(where: \.isSprite) {
      reportedSprite = true
      if !core.style.sprites.isEmpty { send(.styleDataLoaded(.sprite)) }
    }
    if reportedSprite, !reportedSources, !needs.contains(where: \.isMetadata),
      !inFlight.keys.contains(where: \.isMetadata)
    {
      reportedSources = true
      for id in core.inlineSources { send(.sourceDataLoaded(id, tile: nil)) }
      send(.styleDataLoaded(.sources))
      send(.styleLoaded)
    }
  }

  /// Tells images that layers name and nobody has, once each, and those supplied for them that no layer in
  /// view names any more.
  private func reportImages(_ core: MapCore) {
    let (missing, named) = core.imagesInView
    for name in missing.sorted() where missingImages.insert(name).inserted { send(.styleImageMissing(name)) }
    guard isLoaded else { return }
    for name in suppliedImages.sorted() where !named.contains(name) {
      suppliedImages.remove(name)
      send(.styleImageRemoveUnused(name))
    }
  }

  /// An image was added: where it had been told to be missing, it is watched for being unused.
  package func noteImage(_ name: String) {
    if missingImages.remove(name) != nil { suppliedImages.insert(name) }
  }

  private func request(_ need: Need, _ core: MapCore) {
    send(.resourceRequest(need.request.url, tile: need.isTileOfArchive ? need.tile : nil))
    inFlight[need] = loader.load(need.request, on: loop) { [weak self] result in
      guard let self, !self.isDestroyed, self.core === core else { return }
      self.inFlight[need] = nil
      let before = core.problems.count
      core.deliver(need, result)
      if case .data = result, core.problems.count == before {
        switch need.target {
        case .tileJSON(let id), .geojson(let id), .image(let id): self.send(.sourceDataLoaded(id, tile: nil))
        case .tile(let id, let tile): self.send(.sourceDataLoaded(id, tile: tile))
        default: break
        }
      }
      self.reportProblems()
      self.scheduleTurn()
    }
  }

  private func reportProblems() {
    guard let core else { return }
    let problems = core.problems
    for problem in problems.dropFirst(knownProblems) {
      send(
        .mapLoadingError(
          NeatError(problem.code, problem.message, resource: problem.resource), resource: problem.resource))
    }
    knownProblems = problems.count
  }

  // MARK: Drawing

  /// The view as it stands now, from what is there.
  package func draw() throws(NeatError) -> Picture {
    let core = try loadedCore()
    _ = core.advanceTransitions(to: Double(loop.updateNowMS()))
    let bytes = PictureMemory.estimate(
      core.style, size, labelMargin: 0, width: pool.executor.width, hasPixels: true)
    return try PictureMemory.reserving(
      bytes, memory, limit: options.memoryLimitBytes, for: "a picture of \(size)"
    ) {
      () throws(NeatError) in
      didShow = true
      let transform = try Transform(camera: camera, size: size, isMoving: animation != nil)
      _ = core.prepare(transform, pool.executor)
      let frame = core.frame(transform)
      return Picture(bitmap: try frame.rasterize(pool.executor), report: frame.report)
    }
  }

  /// The view as it stands now, from what is there, as a GPU draws it.
  package func meshFrame() throws(NeatError) -> MeshFrame {
    let core = try loadedCore()
    _ = core.advanceTransitions(to: Double(loop.updateNowMS()))
    didShow = true
    let transform = try Transform(camera: camera, size: size, isMoving: animation != nil)
    let needs = core.prepare(transform, pool.executor)
    var frame = core.meshFrame(transform, pool.executor)
    frame.isComplete = needs.isEmpty && inFlight.isEmpty
    return frame
  }
}
