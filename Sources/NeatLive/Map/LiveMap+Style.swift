import NeatBase
import NeatJSON
import NeatMap
import NeatResource
import NeatStyle

extension LiveMap {
  /// Loads a style from its address; the one that is there goes at once.
  package func loadStyle(_ url: String, completion: StyleCompletion? = nil) {
    guard !isDestroyed else {
      completion?(NeatError(.cancelled, "the map was destroyed"))
      return
    }
    defer { tellEndedCompletions() }
    begin(completion)
    let gone = core?.style.sources ?? []
    reset()
    styleURL = url
    let number = styleNumber
    let request = ResourceRequest(kind: .style, url: url)
    styleRequest = environment.loader.load(request, on: loop, loadOptions) { [weak self] answer in
      guard let self, self.styleNumber == number else { return }
      // One that waits for the network goes on, and keeps nobody waiting.
      if !answer.isFinal, self.styleRequest != nil { self.waitingStyle = self.styleRequest }
      if answer.isFinal { self.waitingStyle = nil }
      let isFirst = self.styleRequest != nil
      self.styleRequest = nil
      // One more try that failed is nothing new.
      if !isFirst, !answer.isFinal, case .failed = answer.result { return }
      // A newer text of the style that is shown is for the next time.
      guard self.tellAnswer(request, answer), self.core == nil else { return }
      switch answer.result {
      case .data(let bytes): self.read(bytes, url)
      case .missing, .empty: self.failStyle(NeatError(.notFound, "no such style", resource: url), url)
      case .failed(let error): self.failStyle(error, url)
      }
    }
    tellSources(removed: gone)
  }

  /// Has a worker read a style that came, and takes it.
  private func read(_ bytes: [UInt8], _ url: String) {
    let access = environment.options.fileAccess(base: url)
    read(base: url, url: url) { () throws(NeatError) in try ReadStyle(bytes, base: url, access: access) }
  }

  /// Has a worker make a style, and takes it.
  func read(base: String, url: String?, _ make: @escaping @Sendable () throws(NeatError) -> ReadStyle) {
    let number = styleNumber
    let result = Locked<Result<ReadStyle, NeatError>?>(nil)
    isReadingStyle = loop.work({
      let read = Result { () throws(NeatError) in try make() }
      result.withLock { $0 = read }
    }) { [weak self] in
      guard let self, self.styleNumber == number, !self.isDestroyed else { return }
      self.isReadingStyle = false
      // One that came meanwhile was first.
      guard self.core == nil else { return }
      switch result.withLock({ $0 }) {
      case .success(let read)?: self.take(read, base: base, url: url)
      case .failure(let error)?: self.failStyle(error, url ?? "style")
      case nil: break
      }
    }
  }

  /// A style cannot be had, or is none.
  func failStyle(_ error: NeatError, _ url: String) {
    guard completeStyle(error.naming(url)) else { return }
    let problem = MapProblem(error, resource: url, part: .style)
    Log.write(.error, .style, "\(Log.short(problem.resource)): \(problem.message)")
    tell(problem)
  }

  @discardableResult private func tellSources(removed gone: [SourceSpec]) -> Bool {
    guard tellHosts() else { return false }
    for source in gone { guard send(.sourceRemoved(source.id)) else { return false } }
    return true
  }

  /// Takes a style's text. Throws where it is no style; the map then keeps the one it has, and the completion is
  /// not called.
  package func setStyle(_ bytes: [UInt8], base: String, completion: StyleCompletion? = nil) throws(NeatError)
  {
    guard !isDestroyed else { throw NeatError(.state, "the map was destroyed") }
    let read = try ReadStyle(
      bytes, base: WorkingFolder.absolute(base), access: environment.options.fileAccess(base: base))
    defer { tellEndedCompletions() }
    begin(completion)
    if case .lacking = read {
      // The one that is there goes at once, as for one by its address.
      let gone = core?.style.sources ?? []
      reset()
      styleURL = nil
      guard tellSources(removed: gone) else { return }
    }
    take(read, base: base, url: nil)
  }

  /// A style takes the place of the one that is there or on its way.
  private func begin(_ completion: StyleCompletion?) {
    endStyleCompletion()
    styleCompletion = completion
    styleBegan = SystemClock.microseconds
    styleNumber += 1
  }

  func use(_ style: Style, base: String, url: String?, imports: StyleImports? = nil) {
    let gone = core?.style.sources ?? []
    // That a style is renewed goes on while it is shown.
    let renewal = waitingStyle
    if url != nil { waitingStyle = nil }
    reset()
    if url != nil { waitingStyle = renewal }
    self.imports = MapImports(styles: imports)
    var style = style
    let problems = addOwn(to: &style)
    let ids = style.sources.map(\.id)
    let core = environment.makeCore(
      style, base: WorkingFolder.absolute(base), pixelRatio: size.pixelRatio)
    core.setPrefetchLevels(prefetchLevels)
    core.showTilesBelow()
    core.setTerrainSkirts(hasTerrainSkirts)
    core.setCenterElevation(centerElevation)
    for image in persistent.images { core.addImage(image) }
    for problem in problems { core.report(problem) }
    self.core = core
    styleURL = url
    var isMoved = false
    if !hasCamera {
      var start = core.styleCamera
      start.north = camera.north
      camera = startingAboveSea(constrained(start))
      // As in the reference, the next style finds the camera where this one put it.
      hasCamera = core.hasStyleCamera
    } else {
      var asked = askedCamera ?? camera
      asked.north = camera.north
      let held = constrained(asked)
      isMoved = held != camera
      camera = held
    }
    askedCamera = nil
    leadCompass()
    scheduleTurn()
    guard tellSources(removed: gone) else { return }
    guard send(.styleDataLoaded(.style), since: styleBegan) else { return }
    if isMoved { guard send(.cameraChanged) else { return } }
    tellSources(added: ids, of: core)
  }

  /// Ends what belongs to the style that is there.
  private func reset() {
    endRequests()
    imports = MapImports()
    endCustom(withMap: false)
    lastProjection = limits(at: camera).projection
    core = nil
    data = MapData()
    work = nil
    isTurnOwed = false
    frame = nil
    lifecycle = MapLifecycle()
    isReadingStyle = false
    // What the host has drawn is not this style.
    drawnNumber = nil
    isDueTold = false
    changeNumber += 1
    forgetFrames()
    ornaments.forget()
    isTransitioning = false
    stopWhereNothingMoves()
    toldProblemCount = 0
  }

  /// Changes the style; what the change makes stale is loaded and laid out anew. Paint properties take the
  /// time of their transitions from the next frame on, unless no frame has shown them yet.
  package func edit(_ body: (inout StyleEditor) throws(NeatError) -> Void) throws(NeatError) {
    let core = try loadedCore()
    var editor = StyleEditor(core.style)
    try body(&editor)
    let projection = core.projection(zoom: camera.zoom)
    let change = core.replaceStyle(editor.style, isGradual: hasTransitions && lifecycle.hasShown)
    environment.prepareFonts(for: editor.style)
    endCustom(notIn: core)
    invalidate()
    guard endUnwantedRequests(core), tellHosts() else { return }
    if core.projection(zoom: camera.zoom) != projection { guard holdCamera() else { return } }
    for id in change.removed { guard send(.sourceRemoved(id)) else { return } }
    tellSources(added: change.added, of: core)
  }

  /// Tells sources that came, but for those that a handler has removed by then; then the problems.
  private func tellSources(added ids: [String], of core: MapCore) {
    for id in ids where core.style.source(id) != nil {
      guard send(.sourceAdded(id)) else { return }
    }
    tellProblems()
  }

  /// Cancels requests for what went: sources, sprites, another server's glyphs. False where a handler ended
  /// the style that they were of.
  private func endUnwantedRequests(_ core: MapCore) -> Bool {
    let generation = generation
    requests.cancel { !core.isWanted($0) }
    return generation == self.generation
  }

  /// Something changed: a new frame is due.
  package func invalidate() {
    leadCompass()
    frame = nil
    changeNumber += 1
    lifecycle.wake()
    scheduleTurn()
    noteFrameDue()
  }

  // MARK: Data, images, states

  /// Changes what is loaded, and sees to it that it is shown.
  private func change(_ body: (MapCore) throws(NeatError) -> Void) throws(NeatError) {
    try body(try loadedCore())
    invalidate()
  }

  package func setGeoJSON(source: String, _ bytes: [UInt8]) throws(NeatError) {
    try change { core throws(NeatError) in try core.setGeoJSON(source: source, bytes) }
  }

  package func updateGeoJSON(source: String, _ diff: [UInt8]) throws(NeatError) {
    try change { core throws(NeatError) in try core.updateGeoJSON(source: source, diff) }
  }

  package func setFeatureState(_ target: JSON, _ members: JSON) throws(NeatError) {
    try change { core throws(NeatError) in try core.setFeatureState(target, members) }
  }

  package func removeFeatureState(_ target: JSON, member: String?) throws(NeatError) {
    try change { core throws(NeatError) in try core.removeFeatureState(target, member: member) }
  }

  /// Sets members of the global state, an object; null goes back to the style's defaults.
  package func setGlobalState(_ members: JSON?) throws(NeatError) {
    try change { core throws(NeatError) in
      guard let members else { return }
      for member in members.members { try core.setGlobalState(member.key, member.value) }
    }
  }

  /// Adds an image that layers can name; 0 stands for a pixel ratio of 1. Where it had been told to be
  /// missing, it is watched for being unused.
  package func addImage(_ name: String, _ picture: PixelImage, _ options: StyleImageOptions)
    throws(NeatError)
  {
    var picture = picture
    picture.hold = try environment.memory.take(
      StyleImage.byteCount(picture, isSDF: options.isSDF), for: "the image \"\(name)\"")
    let image = try StyleImage(name: name, picture, options)
    if options.isPersistent { return try addPersistentImage(image) }
    try addImage(image)
  }

  func addImage(_ image: StyleImage) throws(NeatError) {
    try change { core throws(NeatError) in core.addImage(image) }
    lifecycle.supplyImage(image.name)
  }

  /// Gives an image source another picture.
  package func updateImageSource(_ source: String, _ picture: PixelImage) throws(NeatError) {
    try change { core throws(NeatError) in try core.updateImageSource(source, picture) }
  }

  func removeImageOfStyle(_ name: String) throws(NeatError) {
    try change { core throws(NeatError) in try core.removeImage(name) }
  }
}
