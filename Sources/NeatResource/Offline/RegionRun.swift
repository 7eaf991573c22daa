// What a region needs is looked up in the database 64 resources at a time: what is there and fresh is taken
// note of, the rest is asked for, what has expired with what tells the server which copy it is. Answers are
// stored in batches. Requests under way and answers that wait to be stored are 64 at most together: as many are
// asked for again by whoever goes on after a killed process.
import NeatBase
import NeatLoop
import NeatStore

/// A download as it runs. Only for its loop's thread.
final class RegionRun {
  struct Item {
    enum Role {
      case style, tileJSON, other, tile
    }

    var request: ResourceRequest
    var role: Role
    var key: DatabaseKey { ResourceCache.key(request) }
    /// What is there and has expired.
    var copy: DatabaseResponse?
    var copyBytes: Int64 = 0
  }

  /// Requests under way, those that wait for their next try among them.
  static let requestLimit = 32
  /// Answers of a batch.
  static let batchLimit = 32
  /// Bytes of a batch.
  static let largestBatch = 8 << 20
  /// What is looked up at once.
  static let lookLimit = 64

  let region: Int64
  let loader: ResourceLoader
  let cache: ResourceCache
  let loop: RunLoop
  let options: RegionDownloadOptions
  private let tell: (RegionEvent) -> Void

  var plan: RegionPlan
  var status = RegionStatus()
  /// Nothing happens any more.
  var isOver = false
  var hasFailedForGood = false
  var speed: SpeedLimit
  /// Asked for next, last first.
  var ready: [Item] = []
  var underWay: [Int: CancelHandle] = [:]
  /// Failures that the loader told while it goes on.
  var passing: [Int: Int] = [:]
  var nextNumber = 0
  private var timers: [Int: LoopTimer] = [:]
  var batch: [(item: Item, response: DatabaseResponse)] = []
  var batchBytes = 0
  /// Of each list of the plan, what comes next.
  private var nextPlaces = (tileJSON: 0, other: 0, glyph: 0, source: 0)
  private var hasBegunStyle = false
  private var tileRequests: RegionTileRequests?
  let count = RegionCount()
  private var isPumpDue = false
  private var toldAt: UInt64 = 0

  init(
    _ plan: RegionPlan, region: Int64, _ loader: ResourceLoader, _ cache: ResourceCache, _ loop: RunLoop,
    _ options: RegionDownloadOptions, tell: @escaping (RegionEvent) -> Void
  ) {
    self.plan = plan
    self.region = region
    self.loader = loader
    self.cache = cache
    self.loop = loop
    self.options = options
    self.tell = tell
    speed = SpeedLimit(bytesPerSecond: options.averageBytesPerSecond)
    status.state = .active
  }

  func begin() {
    recount()
    say(.status(status))
    if !RegionPlan.isRemote(plan.style.url) {
      // Of this machine: read, and not stored.
      hasBegunStyle = true
      ask(Item(request: plan.style, role: .style))
    }
    pump()
  }

  /// Keeps what came, and ends.
  func stop() {
    guard !isOver else { return }
    store()
    end(.inactive)
  }

  /// Ends with a last status.
  func end(_ state: RegionStatus.State) {
    guard !isOver else { return }
    isOver = true
    count.stop()
    for timer in timers.values { timer.cancel() }
    timers = [:]
    let handles = underWay.values
    underWay = [:]
    for handle in handles { handle.cancel() }
    status.state = state
    tell(.status(status))
  }

  // MARK: Telling

  func say(_ event: RegionEvent) {
    guard !isOver else { return }
    if case .status(let status) = event {
      toldAt = MonotonicClock.milliseconds
      return tell(.status(status.told))
    }
    tell(event)
  }

  /// Tells how far it is, ten times a second at most.
  func sayStatus() {
    if MonotonicClock.milliseconds >= toldAt + 100 { say(.status(status)) }
  }

  /// A resource is not to be had.
  func fail(_ error: NeatError) {
    guard !isOver else { return }
    status.failed += 1
    hasFailedForGood = true
    say(.failure(error, isDiskFull: false))
  }

  // MARK: What comes next

  private func next() -> Item? {
    if !hasBegunStyle {
      hasBegunStyle = true
      return Item(request: plan.style, role: .style)
    }
    if nextPlaces.tileJSON < plan.tileJSON.count {
      nextPlaces.tileJSON += 1
      return Item(request: plan.tileJSON[nextPlaces.tileJSON - 1].request, role: .tileJSON)
    }
    if nextPlaces.other < plan.others.count {
      nextPlaces.other += 1
      return Item(request: plan.others[nextPlaces.other - 1], role: .other)
    }
    if let request = plan.glyphRequest(nextPlaces.glyph) {
      nextPlaces.glyph += 1
      return Item(request: request, role: .other)
    }
    // Tiles come when all sources are known: two of them may be one.
    guard plan.isKnown else { return nil }
    while true {
      if let request = tileRequests?.next() { return Item(request: request, role: .tile) }
      guard nextPlaces.source < plan.tiles.count else { return nil }
      tileRequests = RegionTileRequests(plan.tiles[nextPlaces.source])
      nextPlaces.source += 1
    }
  }

  func pumpSoon() {
    guard !isPumpDue, !isOver else { return }
    isPumpDue = true
    after(0) { run in
      run.isPumpDue = false
      run.pump()
    }
  }

  func after(_ ms: UInt64, _ body: @escaping (RegionRun) -> Void) {
    nextNumber += 1
    let number = nextNumber
    timers[number] = loop.timer(afterMS: ms) { [weak self] in
      guard let self, !isOver else { return }
      timers[number] = nil
      body(self)
    }
  }

  func pump() {
    var hasLooked = false
    while !isOver, underWay.count < RegionRun.requestLimit {
      if ready.isEmpty {
        // One look a turn, so that others' events come between.
        if hasLooked { return pumpSoon() }
        hasLooked = true
        guard look() else { break }
        continue
      }
      let wait = speed.delay(now: MonotonicClock.milliseconds)
      if wait > 0 {
        if underWay.isEmpty { after(min(wait, 1000)) { $0.pump() } }
        break
      }
      ask(ready.removeLast())
    }
    finishIfDone()
  }

  /// Looks up what comes next; false where there is nothing.
  private func look() -> Bool {
    var items: [Item] = []
    while items.count < RegionRun.lookLimit, let item = next() { items.append(item) }
    if items.isEmpty { return false }
    do throws(NeatError) {
      let copies = try cache.take(
        items.map(\.key), region: region, acceptsExpired: options.acceptsExpired)
      for (var item, copy) in zip(items, copies).reversed() {
        switch copy {
        case .fresh(let bytes): try takeFresh(item, bytes)
        case .stale(let response, let bytes):
          item.copy = response
          item.copyBytes = bytes
          ready.append(item)
        case .missing: ready.append(item)
        }
        if isOver { return true }
      }
    } catch {
      endFailing(error, isDiskFull: false)
      return true
    }
    sayStatus()
    return true
  }

  private func takeFresh(_ item: Item, _ bytes: Int64) throws(NeatError) {
    if item.role == .style || item.role == .tileJSON {
      guard case .data(let body)? = try cache.regionResource(item.key)?.content,
        read(item, body, isCopy: true)
      else {
        // Not what it should be: asked for anew.
        ready.append(item)
        return
      }
    }
    settled(item, bytes)
  }

  func settled(_ item: Item, _ bytes: Int64) {
    status.completed += 1
    status.bytes += bytes
    if item.role == .tile {
      status.completedTiles += 1
      status.tileBytes += bytes
    }
  }

  func endFailing(_ error: NeatError, isDiskFull: Bool) {
    say(.failure(error, isDiskFull: isDiskFull))
    end(.inactive)
  }

  private func finishIfDone() {
    guard !isOver, underWay.isEmpty, ready.isEmpty, !isPumpDue else { return }
    store()
    guard !isOver, batch.isEmpty, underWay.isEmpty, ready.isEmpty else { return }
    // A style that is not there has no more to come.
    guard plan.isKnown else { return end(.inactive) }
    guard !count.isUnderWay else { return }
    if !status.isPrecise, !hasFailedForGood {
      // It could not be counted beforehand, and is now.
      status.required = status.completed
      status.requiredTiles = status.completedTiles
      status.isPrecise = true
    }
    end(hasFailedForGood ? .inactive : .complete)
  }
}
