import NeatBase
import NeatCamera
import NeatImage
import NeatPlacement
import NeatRaster

/// A picture, and what it had to do without.
package struct Picture: Sendable {
  package let bitmap: Bitmap
  package let report: Report
  /// Its PNG, as far as it was made while it was drawn.
  package let draft: PNGDraft?

  package init(bitmap: Bitmap, report: Report, draft: PNGDraft? = nil) {
    (self.bitmap, self.report, self.draft) = (bitmap, report, draft)
  }
}

/// How a renderer comes by bytes: all requests of a round at once. May block; any thread.
package struct ResourceClient: Sendable {
  /// Calls `take` once for each request with its place and answer, on any of the executor's threads, and
  /// returns when all calls have returned. Meanwhile the executor does what is to be done besides.
  package typealias Load =
    @Sendable (
      _ requests: [ResourceRequest], _ executor: Executor, _ besides: [@Sendable () -> Void],
      _ take: @escaping @Sendable (Int, ResourceResult) -> Void
    ) -> Void

  package let load: Load
  /// Whether the time for the whole picture is over, and not just that of one request.
  package let isOver: @Sendable () -> Bool

  package init(isOver: @escaping @Sendable () -> Bool = { false }, taking load: @escaping Load) {
    self.isOver = isOver
    self.load = load
  }

  /// One that answers in the order of the requests.
  package init(
    isOver: @escaping @Sendable () -> Bool = { false },
    load: @escaping @Sendable ([ResourceRequest]) -> [ResourceResult]
  ) {
    self.init(isOver: isOver) { requests, executor, besides, take in
      let results = requests.isEmpty ? [] : load(requests)
      executor.forEach(besides.count + requests.count) { piece in
        let index = piece - besides.count
        if index < 0 {
          besides[piece]()
        } else {
          take(index, index < results.count ? results[index] : .missing)
        }
      }
    }
  }
}

extension MapCore {
  /// Logical pixels around a picture of tiles whose labels must be known.
  package static func labelMargin(tileEdge: Double) -> Int { TileGrid.margin(tileEdge: tileEdge) }

  /// Rounds of loading for one picture at most: style parts, tiles, glyphs, and a few for what turns out to
  /// be missing.
  private static let roundLimit = 64

  /// Loads what a view needs and draws it. What cannot be had is left out and becomes a problem.
  package func render(
    camera: Camera, size: ViewSize, labelMargin: Int = 0, labelGrid: Double? = nil, client: ResourceClient,
    executor: Executor
  ) throws(NeatError) -> Bitmap {
    try draw(
      camera: camera, size: size, labelMargin: labelMargin, labelGrid: labelGrid, client: client,
      executor: executor
    ).bitmap
  }

  /// The same, with the report of what the picture lacks.
  /// - Parameter drafting: makes the draft of a PNG that follows the rows as they are drawn, where there is to be one.
  package func draw(
    camera: Camera, size: ViewSize, labelMargin: Int = 0, labelGrid: Double? = nil, debug: DebugOptions = [],
    client: ResourceClient, executor: Executor, drafting: (Bitmap) -> PNGDraft? = { _ in nil }
  ) throws(NeatError) -> Picture {
    let transform = try self.transform(camera, size, labelMargin: labelMargin, labelGrid: labelGrid)
    executor.expectWork()
    let executor = executor.working(for: imageWork(isOver: client.isOver))
    let view = try keepingView { () throws(NeatError) in
      try load(transform, extent: .view, client: client, executor: executor)
      state.withLock { $0.layouts.hasPicture = true }
      try MemoryReserve.hold()
      return self.frame(transform, debug: debug, executor: executor)
    }
    let (bitmap, draft) = try view.rasterize(executor, isLast: true, followedBy: drafting)
    return Picture(bitmap: bitmap, report: view.report, draft: draft)
  }

  /// Loads and lays out what a view needs. What has not come when the client's time is over is left out; the
  /// next view asks for it again.
  /// - Parameter extent: what of its tiles is laid out.
  package func load(
    _ transform: Transform, extent: LayoutExtent = .tiles, client: ResourceClient, executor: Executor
  ) throws(NeatError) {
    let drafts = LayoutDrafts()
    let executor =
      executor.work == nil ? executor.working(for: imageWork(isOver: client.isOver)) : executor
    if let late = try load(
      client: client, executor: executor,
      { prepare(transform, executor, extent: extent, drafts: drafts) })
    {
      settleView(transform, extent, late, executor, drafts)
    }
  }

  /// Loads what is asked for until there is nothing more to ask for; returns what was still asked for when
  /// the client's time was over.
  package func load(client: ResourceClient, executor: Executor, _ ask: () -> [Need]) throws(NeatError)
    -> [Need]?
  {
    var held: [(need: Need, result: ResourceResult)] = []
    for _ in 0..<MapCore.roundLimit {
      try MemoryReserve.hold()
      let asked = ask()
      guard !asked.isEmpty else { return nil }
      let isOver = client.isOver()
      if isOver, held.isEmpty { return asked }
      let known = Set(held.map(\.need))
      let needs = isOver ? [] : asked.filter { !known.contains($0) }
      held = try takeRound(needs, besides: held, client, executor)
    }
    for (need, result) in held { deliver(need, result) }
    report(
      MapProblem(
        resource: "map", message: "gave up after \(MapCore.roundLimit) rounds of loading",
        code: .limitExceeded))
    return []
  }

  /// Loads and takes in what a round asks for, and what an earlier one held back. Where something is to say
  /// which tiles there are, the rest is held back until these can be decoded beside it: what is returned.
  private func takeRound(
    _ needs: [Need], besides held: [(need: Need, result: ResourceResult)], _ client: ResourceClient,
    _ executor: Executor
  ) throws(NeatError) -> [(need: Need, result: ResourceResult)] {
    let leads = needs.contains(where: \.leadsToTiles)
    // Of several that were cancelled the first one is told, whichever thread comes to it.
    typealias Cancelled = (index: Int, error: NeatError)
    let outcome = Locked<(held: [Int: ResourceResult], cancelled: Cancelled?)>(([:], nil))
    let besides = held.map { need, result in { @Sendable () -> Void in self.deliver(need, result) } }
    client.load(needs.map(\.request), executor, besides) { [self] index, result in
      let need = needs[index]
      if case .failed(let error) = result {
        if error.code == .cancelled {
          return outcome.withLock { known in
            if index < known.cancelled?.index ?? .max { known.cancelled = (index, error) }
          }
        }
        if error.code == .timeout, client.isOver() { return }
      }
      if leads, !need.leadsToTiles { return outcome.withLock { $0.held[index] = result } }
      deliver(need, result)
    }
    let (results, cancelled) = outcome.withLock { $0 }
    if let cancelled { throw cancelled.error }
    return results.sorted { $0.key < $1.key }.map { (needs[$0.key], $0.value) }
  }

  /// Lays out what is there of a view that there is no more time for.
  private func settleView(
    _ transform: Transform, _ extent: LayoutExtent, _ late: [Need], _ executor: Executor,
    _ drafts: LayoutDrafts
  ) {
    for need in late {
      report(
        MapProblem(resource: need.request.url, message: "not loaded in time", code: .timeout).of(need))
    }
    while !cutTiles(transform, executor)
      || layOut(transform, executor, extent, isLast: true, drafts: drafts) == nil
    {
    }
  }

  /// Lets what a server did not give, since a time or longer, for reasons that pass (no connection, no answer
  /// in time) be asked for again.
  /// - Parameters:
  ///   - time: by the clock of the map's options.
  ///   - glyphsToo: glyph ranges are among it: texts are laid out anew.
  ///   - isSuch: which codes are meant.
  package func forgetPassingFaults(
    since time: UInt64, glyphsToo: Bool, where isSuch: (ErrorCode) -> Bool = { _ in true }
  ) {
    state.withLock { state in
      for index in state.style.sprites.indices
      where state.style.sprites[index].fault?.isOver(by: time, where: isSuch) == true {
        state.style.changeSprite(index) { sprite in
          sprite.fault = nil
          sprite.isSettled = false
        }
      }
      // Before each picture, and most have none: to change a source has its price.
      for (id, source) in state.sources where source.hasPassingFaults(since: time) {
        state.sources[id]?.forgetPassingFaults(since: time, where: isSuch)
      }
      if glyphsToo { state.staleLayouts { $0.gaps != nil || !$0.awaited.isEmpty } }
    }
  }
}
