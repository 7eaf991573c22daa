import NeatBase
import NeatCamera
import NeatLoop
import NeatMap
import NeatResource

extension LiveMap {
  func scheduleTurn() {
    guard turnTimer == nil, !isDestroyed, core != nil else { return }
    turnTimer = loop.timer(afterMS: 0) { [weak self] in
      self?.turnTimer = nil
      self?.turn()
    }
  }

  private func turn() {
    guard let core, !isDestroyed else { return }
    let replaced = environment.loader.takeReplacedArchives()
    if !replaced.isEmpty { core.dropArchives(replaced) }
    advanceTransitions(core)
    let transform: Transform
    // Camera and size were checked when they were set: what is refused here is a fault of the map's own.
    do throws(NeatError) {
      transform = try Transform(camera: camera, size: size)
    } catch {
      core.report(MapProblem(error, resource: "camera"))
      tellProblems()
      return
    }
    requests.leave(core, transform, now: SystemClock.microseconds / 1_000_000)
    let needs = core.prepare(transform, environment.pool.executor)
    for need in needs where !requests.isUnderWay(need) { guard request(need, core) else { return } }
    guard tellProblems() else { return }
    lifecycle.beginTurn()
    var facts = facts(core, needs)
    while let event = lifecycle.next(facts) {
      guard send(event) else { return }
      refresh(&facts, needs)
    }
  }

  private func facts(_ core: MapCore, _ needs: [Need]) -> MapLifecycle.Facts {
    var facts = MapLifecycle.Facts()
    facts.hasSprite = !core.style.sprites.isEmpty
    if !lifecycle.isStyleLoaded { facts.inlineSources = core.inlineSources }
    (facts.missingImages, facts.namedImages) = core.imagesInView
    refresh(&facts, needs)
    return facts
  }

  /// What a handler of an event may have changed.
  private func refresh(_ facts: inout MapLifecycle.Facts, _ needs: [Need]) {
    let waiting = requests.underWay
    facts.awaitsSprite = needs.contains(where: \.isSprite) || waiting.contains(where: \.isSprite)
    facts.awaitsMetadata = needs.contains(where: \.isMetadata) || waiting.contains(where: \.isMetadata)
    facts.awaitsAnything = !needs.isEmpty || !waiting.isEmpty
    facts.isMoving = isMoving
    facts.isTurnDue = turnTimer != nil
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

  /// False where a handler ended what the request is for.
  private func request(_ need: Need, _ core: MapCore) -> Bool {
    let generation = generation
    guard send(.resourceRequest(need.request.url, tile: need.isTileOfArchive ? need.tile : nil)) else {
      return false
    }
    let handle = environment.loader.load(need.request, on: loop, loadOptions) { [weak self] answer in
      guard let self, self.generation == generation else { return }
      self.take(need, answer, core)
    }
    requests.add(need, handle)
    return true
  }

  var loadOptions: LoadOptions {
    var options = LoadOptions()
    options.isPatient = environment.isPatient
    return options
  }

  private func take(_ need: Need, _ answer: ResourceAnswer, _ core: MapCore) {
    let isLoaded: Bool
    switch requests.take(need, answer) {
    case .none: return
    case .first: isLoaded = core.deliver(need, answer.result)
    case .later:
      isLoaded = core.deliverAgain(need, answer.result)
      lifecycle.wake()
    }
    scheduleTurn()
    if isLoaded, let event = need.loadedEvent {
      guard send(event) else { return }
    }
    tellProblems()
  }

  /// Tells the problems that are new; false where a handler ended what they are told for.
  @discardableResult func tellProblems() -> Bool {
    guard let problems = core?.problems else { return true }
    while toldProblemCount < problems.count {
      let problem = problems[toldProblemCount]
      toldProblemCount += 1
      let error = NeatError(problem.code, problem.message, resource: problem.resource)
      guard send(.mapLoadingError(error, resource: problem.resource)) else { return false }
    }
    return true
  }
}

extension Need {
  /// What is told when it has arrived.
  fileprivate var loadedEvent: MapEvent? {
    switch target {
    case .tileJSON(let id), .geojson(let id), .image(let id): .sourceDataLoaded(id, tile: nil)
    case .tile(let id, let tile): .sourceDataLoaded(id, tile: tile)
    case .spriteIndex, .spriteSheet, .glyphs: nil
    }
  }
}
