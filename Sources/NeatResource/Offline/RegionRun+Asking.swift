import NeatBase
import NeatStore

extension RegionRun {
  func ask(_ item: Item) {
    guard options.allowsNetwork || !RegionPlan.isRemote(item.request.url) else {
      fail(NeatError(.network, "servers may not be asked for this region", resource: item.request.url))
      return skip(item)
    }
    var load = LoadOptions()
    load.priority = .offline
    if RegionPlan.isRemote(item.request.url) { load.usage = .networkOnly }
    load.isPatient = true
    load.isStored = false
    load.copy = item.copy
    nextNumber += 1
    let number = nextNumber
    underWay[number] = loader.load(item.request, on: loop, load) { [weak self] answer in
      self?.take(number, item, answer)
    }
  }

  private func take(_ number: Int, _ item: Item, _ answer: ResourceAnswer) {
    guard !isOver, let handle = underWay[number] else { return }
    guard answer.isFinal else {
      // The loader goes on by itself.
      guard case .failed(let error) = answer.result else { return }
      passing[number, default: 0] += 1
      say(.failure(error, isDiskFull: false))
      guard !isOver, options.attempts > 0, passing[number] ?? 0 >= options.attempts else { return }
      forget(number)
      status.failed += 1
      hasFailedForGood = true
      handle.cancel()
      skip(item)
      return pump()
    }
    forget(number)
    if answer.response?.content != .notModified {
      status.received += Int64(answer.facts.byteCount)
      speed.received(answer.facts.byteCount, now: MonotonicClock.milliseconds)
    }
    takeFinal(item, answer)
    if batch.count >= RegionRun.batchLimit || batchBytes >= RegionRun.largestBatch { store() }
    pump()
  }

  private func forget(_ number: Int) {
    underWay[number] = nil
    passing[number] = nil
  }

  private func takeFinal(_ item: Item, _ answer: ResourceAnswer) {
    if case .failed(let error) = answer.result {
      // What may pass is not the last.
      fail(error)
      return skip(item)
    }
    if let response = answer.response { return takeResponse(item, response) }
    switch answer.result {
    case .missing where item.role == .other && item.request.kind != .geojson:
      // There is none: kept, so that a map without a network knows it too; asked for again with the next load.
      say(.failure(NeatError(.notFound, "not found", resource: item.request.url), isDiskFull: false))
      add(item, DatabaseResponse(.empty, expires: cache.now()))
    case .data(let bytes):
      if item.role == .style || item.role == .tileJSON, !read(item, bytes) { return }
      guard RegionPlan.isRemote(item.request.url), answer.facts.origin == .network else {
        // Of this machine.
        if RegionPlan.isRemote(item.request.url) { settled(item, 0) }
        return
      }
      fail(
        NeatError(.unsupported, "the server does not let it be kept (no-store)", resource: item.request.url))
    default:
      fail(NeatError(.notFound, "not found", resource: item.request.url))
      skip(item)
    }
  }

  private func takeResponse(_ item: Item, _ response: DatabaseResponse) {
    switch (item.role, response.content) {
    case (.style, .data(let bytes)), (.tileJSON, .data(let bytes)):
      guard read(item, bytes) else { return }
    case (.style, .notModified), (.tileJSON, .notModified):
      guard case .data(let body)? = try? cache.regionResource(item.key)?.content,
        read(item, body, isCopy: true)
      else {
        // The copy is gone, or was not what it should be.
        var item = item
        item.copy = nil
        return ready.append(item)
      }
    case (.style, .empty), (.tileJSON, .empty):
      fail(NeatError(.notFound, "not found", resource: item.request.url))
      return skip(item)
    default: break
    }
    add(item, response)
  }

  /// Reads a document that tells what else is needed; false where it is not one.
  func read(_ item: Item, _ body: [UInt8], isCopy: Bool = false) -> Bool {
    do throws(NeatError) {
      if item.role == .style {
        try plan.takeStyle(body)
      } else {
        try plan.takeTileJSON(item.request, body)
      }
    } catch {
      if !isCopy {
        fail(error)
        skip(item)
      }
      return false
    }
    for fault in plan.takeFaults() { fail(fault) }
    recount()
    return !isOver
  }

  /// A document that is not to be had says nothing of its sources.
  private func skip(_ item: Item) {
    if item.role == .tileJSON {
      plan.skipTileJSON(item.request)
      recount()
    }
  }

  /// Counts what is known by now; the tiles on a worker.
  func recount() {
    status.required = plan.resourceCount + status.requiredTiles
    guard plan.isKnown, !count.hasBegun else { return }
    count.begin(plan.tiles, on: loop) { [weak self] tiles, isPrecise in
      guard let self, !isOver else { return }
      status.requiredTiles = tiles
      let (sum, isOver) = plan.resourceCount.addingReportingOverflow(tiles)
      status.required = isOver ? .max : sum
      status.isPrecise = isPrecise
      say(.status(status))
      pump()
    }
  }
}
