import NeatBase
import NeatStore

extension RegionRun {
  func add(_ item: Item, _ response: DatabaseResponse) {
    guard !isOver else { return }
    batch.append((item, response))
    if case .data(let bytes) = response.content { batchBytes += bytes.count }
  }

  func store() {
    guard !batch.isEmpty, !isOver else { return }
    let entries = batch
    let bytes = batchBytes
    batch = []
    batchBytes = 0
    do throws(RegionFailure) {
      try checkQuota(bytes)
      try store(entries)
    } catch {
      if error.error.code == .timeout {
        // Others hold the database: a little later.
        batch = entries
        batchBytes = bytes
        say(.failure(error.error, isDiskFull: false))
        return after(1000) { run in
          run.store()
          run.pump()
        }
      }
      return endFailing(error.error, isDiskFull: error.isDiskFull)
    }
    sayStatus()
  }

  private func checkQuota(_ bytes: Int) throws(RegionFailure) {
    guard options.quotaBytes > 0 else { return }
    do throws(NeatError) {
      let used = try cache.usedBytes()
      guard used + Int64(bytes) > options.quotaBytes else { return }
      throw NeatError(
        .limitExceeded,
        "the database would have more than its quota of \(options.quotaBytes) bytes (\(used) are used)")
    } catch {
      throw RegionFailure(error: error, isDiskFull: error.code == .limitExceeded)
    }
  }

  private func store(_ entries: [(item: Item, response: DatabaseResponse)]) throws(RegionFailure) {
    let outcome: RegionOutcome
    do throws(RegionFailure) {
      outcome = try cache.put(entries.map { ($0.item.key, $0.response) }, region: region)
    } catch {
      guard error.error.code == .limitExceeded else { throw error }
      // One of them is too large: the others are kept.
      guard entries.count > 1 else { return fail(error.error) }
      for entry in entries where !isOver { try store([entry]) }
      return
    }
    status.completed += outcome.added.resources
    status.bytes += outcome.added.bytes
    status.completedTiles += outcome.added.tiles
    status.tileBytes += outcome.added.tileBytes
    for entry in entries.prefix(outcome.count) where entry.response.content == .notModified {
      status.bytes += entry.item.copyBytes
      if entry.item.role == .tile { status.tileBytes += entry.item.copyBytes }
    }
    // A copy that went while its server said that it holds.
    let lost = Int64(outcome.count) - outcome.added.resources
    for _ in 0..<max(0, lost) { fail(NeatError(.state, "a copy was taken away meanwhile: load it again")) }
    if outcome.hasReachedTileLimit, !isOver {
      let limit = (try? cache.tileLimit()) ?? 0
      say(.tileLimit(limit))
      end(.inactive)
    }
  }
}
