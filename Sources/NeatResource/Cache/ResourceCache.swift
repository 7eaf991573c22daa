import NeatBase
import NeatLoop
import NeatStore
import Synchronization

/// The resource database, for any number of loaders. It works on the loops' worker threads, one at a time, and
/// never on a loop's own; answers are stored in batches. Any thread.
package final class ResourceCache: Sendable {
  /// Answers on their way to the database.
  private struct Queue {
    private var waiting: [(key: DatabaseKey, response: DatabaseResponse)] = []
    /// Where the last answer of a key stands, of those that are more than times.
    private var places: [DatabaseKey: Int] = [:]
    var waitingBytes = 0
    var isFlushDue = false
    /// Answers that were not stored since too many waited.
    var skipped: UInt64 = 0

    mutating func take() -> [(key: DatabaseKey, response: DatabaseResponse)] {
      defer { (waiting, places, waitingBytes, isFlushDue) = ([], [:], 0, false) }
      return waiting
    }

    mutating func add(_ key: DatabaseKey, _ response: DatabaseResponse) {
      if response.content != .notModified { places[key] = waiting.count }
      waiting.append((key, response))
      if case .data(let bytes) = response.content { waitingBytes += bytes.count }
      // Each has a cost besides its bytes.
      waitingBytes += 512
    }

    func find(_ key: DatabaseKey) -> DatabaseResponse? { places[key].map { waiting[$0].response } }
  }

  /// Held while the database works, which may wait for other processes: never on a loop's thread.
  private let state: Locked<ResourceDatabase?>
  /// Held for moments. Where both are, this one is the inner.
  private let queue = Locked(Queue())
  /// Of bodies, unpacked.
  private let bytesRead = Atomic<UInt64>(0)
  /// Whether nothing is kept without a region: then what waits to be stored is not there either, however slow
  /// the disk is.
  private let keepsNothing: Atomic<Bool>
  private let notices = Locked(CacheNotices())
  /// Told when there is news.
  package let watchers = Watchers()
  private let generation = ProcessGeneration.current
  /// Seconds since 1970.
  let now: @Sendable () -> Int64
  /// Regions that are being downloaded into it.
  let downloads = RegionDownloads()

  /// Bytes of answers that wait to be stored at most; where the disk is slower than servers are, more are not
  /// kept, and counted.
  private static let waitingLimit = 64 << 20

  /// Opens or makes a database. `bytes`: of what is kept without a region. Throws `io`, `archive` for another
  /// application's file, `state` for one of a newer version.
  package init(path: String, bytes: Int64, now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) })
    throws(NeatError)
  {
    var options = DatabaseOptions()
    options.maximumAmbientBytes = bytes
    let database = try Fork.heldBack { () throws(NeatError) in
      try ResourceDatabase(path: path, options: options)
    }
    notices.withLock { $0.add(database.takeNotices()) }
    state = Locked(database)
    keepsNothing = Atomic(bytes <= 0)
    self.now = now
  }

  /// Stores what waits, and closes the file.
  package func close() {
    guard isUsable else { return }
    withDatabase { database in
      try? flush(database)
      database?.close()
      database = nil
    }
  }

  deinit { close() }

  private func withDatabase<R: Sendable, E: Error>(
    _ body: (inout sending ResourceDatabase?) throws(E) -> sending R
  ) throws(E) -> R {
    try state.withLock { database throws(E) in
      Fork.holdBack()
      defer { Fork.letGo() }
      return try body(&database)
    }
  }

  /// A child of a fork may not touch its parent's database.
  private var isUsable: Bool { generation == ProcessGeneration.current }

  /// What the database knows a request by.
  package static func key(_ request: ResourceRequest) -> DatabaseKey {
    if let tile = request.tile, let template = request.template {
      let text = Provider.canonicalTile(template.text) ?? Address.withoutCredentials(template.text)
      return .tile(
        template: text, pixelRatio: template.pixelRatio, z: tile.z, x: tile.x, y: template.row)
    }
    return .resource(DatabaseResourceKind(request.kind), url: Address.withoutCredentials(request.url))
  }

  /// Looks for an answer on a worker of the loop, and gives it on the loop. What cannot be read is not there.
  func find(_ key: DatabaseKey, on loop: RunLoop, then: @escaping (DatabaseResponse?) -> Void) {
    guard isUsable else { return then(nil) }
    let box = ResultBox()
    loop.work({ [self] in
      box.response.withLock { $0 = find(key) }
    }) {
      then(box.response.withLock { $0 })
    }
  }

  private final class ResultBox: Sendable {
    let response = Locked<DatabaseResponse?>(nil)
  }

  /// The same on the calling thread.
  func find(_ key: DatabaseKey) -> DatabaseResponse? {
    guard isUsable else { return nil }
    // What came a moment ago is not in the file yet.
    if !keepsNothing.load(ordering: .relaxed), let waiting = queue.withLock({ $0.find(key) }) {
      return waiting
    }
    defer { tellNews() }
    let entry = withDatabase { database in
      defer { collect(database) }
      return try? database?.packed(key, now: now())
    }
    guard let entry else { return nil }
    // Others read meanwhile.
    do throws(NeatError) {
      let response = try entry.unpacked()
      if case .data(let bytes) = response.content {
        bytesRead.wrappingAdd(UInt64(bytes.count), ordering: .relaxed)
      }
      return response
    } catch {
      guard error.code != .outOfMemory else { return nil }
      withDatabase { database in
        defer { collect(database) }
        try? database?.damaged(entry, error)
      }
      return nil
    }
  }

  /// Stores an answer, soon.
  func put(_ key: DatabaseKey, _ response: DatabaseResponse, on loop: RunLoop) {
    guard isUsable else { return }
    let isDue = queue.withLock { queue -> Bool in
      guard queue.waitingBytes < ResourceCache.waitingLimit else {
        queue.skipped += 1
        return false
      }
      queue.add(key, response)
      defer { queue.isFlushDue = true }
      return !queue.isFlushDue
    }
    // Whoever put it does not wait for it; notices tell what failed.
    if isDue { loop.work({ [self] in try? flush() }) }
  }

  /// Stores what waits. Throws where memory or the disk are refused: what waited is lost then.
  package func flush() throws(NeatError) {
    guard isUsable else { return }
    defer { tellNews() }
    try withDatabase { database throws(NeatError) in
      defer { collect(database) }
      do throws(NeatError) { try flush(database) } catch {
        // The rest is one answer's own fault, and among the notices.
        if error.code == .outOfMemory || error.code == .io { throw error }
      }
    }
  }

  /// Under `state`, so that nobody looks for what is neither waiting nor stored.
  private func flush(_ database: ResourceDatabase?) throws(NeatError) {
    let waiting = queue.withLock { $0.take() }
    if !waiting.isEmpty { _ = try database?.put(waiting, now: now()) }
  }

  // MARK: What went wrong

  private func collect(_ database: ResourceDatabase?) {
    guard let told = database?.takeNotices(), !told.isEmpty else { return }
    notices.withLock { $0.add(told) }
  }

  private func tellNews() { if notices.withLock({ $0.takeNews() }) { watchers.tell() } }

  /// The number of the first notice that no map was told.
  package var firstNewNotice: UInt64 { notices.withLock(\.shownCount) }

  /// What went wrong without failing anybody since the notice of a number, which becomes that of the next one.
  package func notices(since number: inout UInt64) -> [DatabaseNotice] {
    notices.withLock { $0.take(since: &number) }
  }

  // MARK: Keeping it

  /// Runs on the database after what waits was stored. Throws `state` when it is closed.
  func with<Result: Sendable>(_ body: (ResourceDatabase) throws(NeatError) -> Result)
    throws(NeatError) -> Result
  {
    guard isUsable else { throw NeatError(.state, "the cache belongs to the process that opened it") }
    defer { tellNews() }
    return try withDatabase { database throws(NeatError) in
      defer { collect(database) }
      try? flush(database)
      guard let database else { throw NeatError(.state, "the cache is closed") }
      return try body(database)
    }
  }

  /// Forgets all that no region needs.
  package func clear() throws(NeatError) {
    try with { database throws(NeatError) in try database.clearAmbientCache() }
  }

  /// Has all of it asked for again when it is used next.
  package func invalidate() throws(NeatError) {
    try with { database throws(NeatError) in try database.invalidateAmbientCache() }
  }

  /// Gives free pages back to the disk.
  package func pack() throws(NeatError) { try with { database throws(NeatError) in try database.pack() } }

  /// Changes how many bytes are kept without a region.
  package func setLimit(_ bytes: Int64) throws(NeatError) {
    try with { database throws(NeatError) in try database.setMaximumAmbientCacheSize(bytes, now: now()) }
    keepsNothing.store(bytes <= 0, ordering: .relaxed)
  }

  /// What it did since it was opened, and what it holds; and what went wrong without failing anybody, once.
  package func report() throws(NeatError) -> Report {
    var report = try with { database throws(NeatError) in
      Report(
        statistics: database.statistics, bytes: try database.ambientBytes(), notices: [])
    }
    report.statistics.bytesRead += bytesRead.load(ordering: .relaxed)
    report.notices = notices.withLock { $0.takeUnreported() }
    report.skipped = queue.withLock(\.skipped)
    return report
  }

  package struct Report: Sendable {
    package var statistics: DatabaseStatistics
    /// Of what is kept without a region.
    package var bytes: Int64
    package var notices: [DatabaseNotice]
    /// Answers that were not stored since too many waited for that.
    package var skipped: UInt64 = 0
  }
}
