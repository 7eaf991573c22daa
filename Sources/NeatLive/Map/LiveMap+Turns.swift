import NeatBase
import NeatCamera
import NeatLoop
import NeatMap
import NeatResource

extension LiveMap {
  func scheduleTurn() {
    guard turnTimer == nil, !isDestroyed, core != nil else { return }
    // One after the other.
    guard work == nil, !isTurnOwed else { return isTurnOwed = true }
    turnTimer = loop.timer(afterMS: 0) { [weak self] in
      guard let self else { return }
      self.turnTimer = nil
      // A handler within a turn had this one scheduled, before workers had begun.
      if self.work != nil { self.isTurnOwed = true } else { self.turn() }
    }
  }

  /// Begins a turn now that would come with the loop's next.
  func beginDueTurn() {
    // Not within what a turn tells: that comes to its end first.
    guard let timer = turnTimer, work == nil, !isTellingTurn else { return }
    timer.cancel()
    turnTimer = nil
    turn()
  }

  private func turn() {
    guard let core, !isDestroyed else { return }
    statistics.turnCount += 1
    Trace.span("turn", .map) { turn(core) }
  }

  private func turn(_ core: MapCore) {
    let replaced = environment.loader.replacedArchives(since: &replacedArchiveCount)
    if !replaced.isEmpty { core.dropArchives(replaced) }
    for notice in environment.loader.options.cache?.notices(since: &nextNotice) ?? [] {
      core.report(MapProblem(notice.error, resource: "cache", part: .cache))
    }
    advanceTransitions(core)
    frame = nil
    carryAnnotations(core)
    let transform: Transform
    // Camera and size were checked when they were set: what is refused here is a fault of the map's own.
    do throws(NeatError) {
      transform = try core.transform(camera, size, isMoving: isCameraMoving)
    } catch {
      core.report(MapProblem(error, resource: "camera", part: .style))
      forgetFrames()
      tellProblems()
      return
    }
    let generation = generation
    let left = requests.leave(core, transform, now: SystemClock.microseconds / 1_000_000)
    expiryTimer?.cancel()
    expiryTimer = left.map { seconds in
      let wait = UInt64(min(seconds, LiveMap.longestWait)) * 1000
      return loop.timer(afterMS: wait) { [weak self] in self?.scheduleTurn() }
    }
    // Those that went were told of.
    guard tellHosts(), generation == self.generation else { return }
    let executor = environment.executor
    guard takesFrames || core.hasWork(transform) else {
      return show(core, core.prepareWhatIsThere(transform, executor), began: SystemClock.microseconds)
    }
    // The loop goes on meanwhile.
    let work = TurnWork(
      transform, frameForm, change: changeNumber, step: frameStep(), puck: puckScene(), debug: debugOptions)
    self.work = work
    let began = SystemClock.microseconds
    let isTaken = loop.work({ work.run(core, executor) }) { [weak self] in
      guard let self, self.work === work else { return }
      self.work = nil
      self.show(core, work.outcome.needs.filter(core.stillLacks), work, began: began)
      guard self.isTurnOwed else { return }
      self.isTurnOwed = false
      self.turn()
    }
    if !isTaken { self.work = nil }
  }

  /// Asks for what a view lacks, tells what there is to tell, and has its frame.
  private func show(_ core: MapCore, _ needs: [Need], _ work: TurnWork? = nil, began: Int64) {
    var needs = needs
    addOrnamentNeeds(to: &needs, core)
    // Tiles and glyphs come after the style.
    let isWhole = lifecycle.isStyleLoaded
    // Where the view has moved on, what it has left is not asked for.
    let tiles = isTurnOwed && !needs.isEmpty ? currentView.map(core.tilesOfUse) : nil
    for need in needs
    where !requests.isUnderWay(need) && (isWhole || need.isOfStyle) && tiles?.contains(need) != false {
      request(need, core)
    }
    guard tellHosts() else { return }
    Trace.span("events", .map) { tell(core, needs, work, isWhole: isWhole, began: began) }
  }

  /// Tells what there is to tell, in order.
  private func tell(_ core: MapCore, _ needs: [Need], _ work: TurnWork?, isWhole: Bool, began: Int64) {
    isTellingTurn = true
    defer { isTellingTurn = false }
    guard tellProblems() else { return }
    lifecycle.beginTurn()
    // What came while workers were at it is not laid out yet.
    let isStale = turnTimer != nil || isTurnOwed
    let change = changeNumber
    var facts = facts(core, needs, isStale)
    while let event = lifecycle.next(facts) {
      if event == .styleLoaded { guard completeStyle(nil) else { return } }
      guard send(event, since: self.began(event, frame: began)) else { return }
      if event == .renderFrameStarted {
        makeFrame(core, work, change, isComplete: !facts.awaitsAnything)
        // As the host finds the frame: what a handler has changed is the next one's.
        guard placeViews(in: frame == nil ? currentView : frameView, frame?.outcome?.history) else { return }
      }
      refresh(&facts, needs, isStale)
    }
    if !isWhole, lifecycle.isStyleLoaded, !needs.allSatisfy(\.isOfStyle) { scheduleTurn() }
    // What moves is not the same a moment later.
    if needsFrames || isTurnDue { frame = nil }
    if isFrameDue { noteFrameDue() }
  }

  private func facts(_ core: MapCore, _ needs: [Need], _ isStale: Bool) -> MapLifecycle.Facts {
    var facts = MapLifecycle.Facts()
    facts.hasSprite = !core.style.sprites.isEmpty
    if !lifecycle.isStyleLoaded { facts.inlineSources = core.inlineSources }
    facts.missingImages = core.missingImages(besides: lifecycle.toldMissing)
    if lifecycle.watchesImages { facts.namedImages = core.imagesInView }
    refresh(&facts, needs, isStale)
    return facts
  }

  /// What a handler of an event may have changed.
  private func refresh(_ facts: inout MapLifecycle.Facts, _ needs: [Need], _ isStale: Bool) {
    facts.awaitsSprite = needs.contains(where: \.isSprite) || requests.isUnderWay(where: \.isSprite)
    facts.awaitsMetadata = needs.contains(where: \.isMetadata) || requests.isUnderWay(where: \.isMetadata)
    facts.awaitsAnything = !needs.isEmpty || requests.isUnderWay || isStale || !data.waiting.isEmpty
    facts.isMoving = isMoving
    facts.isHeld = isHeld
    facts.isTurnDue = isTurnDue
    facts.isPlacementChanged = isPlacementChanged
  }

  /// Brings the paint properties to the time of a frame, and sees to it that there is another one where some
  /// have not arrived.
  private func advanceTransitions(_ core: MapCore) {
    isTransitioning =
      clock.isOfHost ? core.isTransitioning : core.advanceTransitions(to: frameTime)
    stopWhereNothingMoves()
    if isTransitioning { startFrames() }
  }

  private func request(_ need: Need, _ core: MapCore) {
    if let source = customSource(of: need) { return request(need, of: source) }
    let generation = generation
    let handle = environment.loader.load(need.request, on: loop, loadOptions) { [weak self] answer in
      guard let self, self.generation == generation, self.tellAnswer(need.request, answer, for: need) else {
        return
      }
      self.take(need, answer, core)
    }
    requests.add(need, handle)
  }

  var loadOptions: LoadOptions {
    var options = LoadOptions()
    options.isPatient = environment.isPatient
    return options
  }

  private func take(_ need: Need, _ answer: ResourceAnswer, _ core: MapCore) {
    let take = requests.take(need, answer)
    guard take != .none else { return }
    self.take(need, answer, take, core)
  }

  /// Takes a tile that an application gives, whether anybody waits for it or not. `done`: it is cut.
  func take(
    _ need: Need, _ answer: ResourceAnswer, _ core: MapCore, isAsked: Bool, done: @escaping () -> Void
  ) {
    let first = requests.take(need, answer)
    // A failure changes nothing of what is there, and is told.
    if case .failed = answer.result, !isAsked {
      lifecycle.wake()
      done()
      return took(need, answer, .first, core.deliver(need, answer.result))
    }
    take(need, answer, first == .first ? .first : .later, core, done: done)
  }

  private func take(
    _ need: Need, _ answer: ResourceAnswer, _ take: NeedRequests.Take, _ core: MapCore,
    done: @escaping () -> Void = {}
  ) {
    var isWork = requests.isDecoding(need)
    if need.isHeavy, case .data = answer.result { isWork = true }
    guard isWork else {
      let isLoaded = LiveMap.deliver(need, answer, take, core)
      done()
      return took(need, answer, take, isLoaded)
    }
    requests.decode(need) { [weak self] in
      let isLoaded = Locked(false)
      self?.loop.work({ isLoaded.withLock { $0 = LiveMap.deliver(need, answer, take, core) } }) {
        done()
        guard let self, self.core === core else { return }
        self.requests.hasDecoded(need)
        self.took(need, answer, take, isLoaded.withLock { $0 } && core.isWanted(need))
      }
    }
  }

  /// Has the core take in an answer; whether it is data. Any thread.
  private static func deliver(
    _ need: Need, _ answer: ResourceAnswer, _ take: NeedRequests.Take, _ core: MapCore
  ) -> Bool {
    take == .later ? core.deliverAgain(need, answer.result) : core.deliver(need, answer.result)
  }

  /// An answer was taken in.
  private func took(_ need: Need, _ answer: ResourceAnswer, _ take: NeedRequests.Take, _ isLoaded: Bool) {
    if take == .later { lifecycle.wake() }
    if need.isOfWords { ornaments.forgetWords() }
    frame = nil
    changeNumber += 1
    scheduleTurn()
    noteFrameDue()
    if isLoaded, let event = need.loadedEvent {
      guard send(event, since: answer.facts.beganAt) else { return }
    }
    tellProblems()
  }

  /// Tells the problems that are new; false where a handler ended what they are told for.
  @discardableResult func tellProblems() -> Bool {
    guard let problems = core?.problems else { return true }
    while toldProblemCount < problems.count {
      let problem = problems[toldProblemCount]
      toldProblemCount += 1
      guard tell(problem) else { return false }
    }
    return true
  }
}

extension Need {
  /// Whether what ornaments say, or how, may differ when it is there.
  fileprivate var isOfWords: Bool {
    if case .glyphs = target { true } else { isMetadata }
  }

  /// What is asked for before `styleLoaded`.
  fileprivate var isOfStyle: Bool { isSprite || isMetadata }

  /// What is told when it has arrived.
  fileprivate var loadedEvent: MapEvent? {
    switch target {
    case .tileJSON(let id), .geojson(let id), .image(let id): .sourceDataLoaded(id, tile: nil)
    case .tile(let id, let tile): .sourceDataLoaded(id, tile: tile)
    case .spriteIndex, .spriteSheet, .glyphs: nil
    }
  }
}
