/// Why a load ended without all that it was for.
enum PackFault: Sendable {
  case canceled
  case diskFull(String)
  case tileCountExceeded(String)
  case other(String)
}

/// Downloads regions one after the other, which together are a style pack or a tile region. What ends early is
/// continued by the next load of the same.
final class PackLoad: Cancelable, Sendable {
  private struct State: Sendable {
    var download: OfflineDownload?
    var left: [Int64]
    /// Of the regions that are done.
    var past = OfflineProgress()
    var fault: PackFault?
    var isCanceled = false
    var isOver = false
  }

  private let state: Guarded<State>
  private let resources: Resources
  private let options: OfflineDownload.Options
  private let progress: @Sendable (OfflineProgress) -> Void
  private let completion: @Sendable (Result<OfflineProgress, PackLoadError>) -> Void

  struct PackLoadError: Error, Sendable {
    let fault: PackFault
  }

  init(
    _ regions: [Int64], _ resources: Resources, _ options: OfflineDownload.Options,
    progress: @escaping @Sendable (OfflineProgress) -> Void,
    completion: @escaping @Sendable (Result<OfflineProgress, PackLoadError>) -> Void
  ) {
    state = Guarded(State(left: regions))
    self.resources = resources
    self.options = options
    self.progress = progress
    self.completion = completion
  }

  /// Begins with the next region, or ends. The load is kept alive by its download.
  func next() {
    let (region, sum, isCanceled, last) = state.withLock { state in
      defer { state.download = nil }
      let region = state.isCanceled || state.left.isEmpty ? nil : state.left.removeFirst()
      return (region, state.past, state.isCanceled, state.download)
    }
    _ = consume last
    guard let region else {
      return end(isCanceled ? .failure(PackLoadError(fault: .canceled)) : .success(sum))
    }
    do throws(NeatlineError) {
      let download = try resources.downloadRegion(region, options: options) { [self] in take($0) }
      let isLate = state.withLock { state in
        // It may have ended before it is noted.
        if !state.isOver { state.download = download }
        return state.isCanceled
      }
      if isLate { cancel() }
    } catch {
      end(.failure(.init(fault: .other(error.message))))
    }
  }

  private func take(_ event: OfflineEvent) {
    switch event {
    case .error(let error, let resource, let isDiskFull):
      let text = resource.isEmpty ? error.message : "\(resource): \(error.message)"
      state.withLock { $0.fault = isDiskFull ? .diskFull(text) : .other(text) }
    case .tileLimit(let limit):
      state.withLock { $0.fault = .tileCountExceeded("more than \(limit) tiles of a provider") }
    case .progress(let one):
      let (sum, fault, isCanceled) = state.withLock { ($0.past + one, $0.fault, $0.isCanceled) }
      progress(sum)
      switch one.state {
      case .active: break
      case .complete:
        state.withLock { $0.past = sum }
        next()
      case .inactive:
        end(.failure(.init(fault: isCanceled ? .canceled : fault ?? .other("the load has ended early"))))
      }
    }
  }

  private func end(_ result: Result<OfflineProgress, PackLoadError>) {
    let (isFirst, last) = state.withLock { state in
      defer {
        state.isOver = true
        state.download = nil
      }
      return (!state.isOver, state.download)
    }
    // Let go of outside the lock: it waits for what it tells.
    _ = consume last
    if isFirst { completion(result) }
  }

  func cancel() {
    let download = state.withLock { state in
      state.isCanceled = true
      return state.isOver ? nil : state.download
    }
    download?.cancel()
    // From within what it tells, the download says nothing more.
    end(.failure(.init(fault: .canceled)))
  }
}

extension OfflineProgress {
  static func + (a: OfflineProgress, b: OfflineProgress) -> OfflineProgress {
    var sum = b
    sum.requiredCount = a.requiredCount &+ b.requiredCount
    sum.requiredTileCount = a.requiredTileCount &+ b.requiredTileCount
    sum.completedCount = a.completedCount &+ b.completedCount
    sum.completedTileCount = a.completedTileCount &+ b.completedTileCount
    sum.byteCount = a.byteCount &+ b.byteCount
    sum.tileByteCount = a.tileByteCount &+ b.tileByteCount
    sum.failedCount = a.failedCount &+ b.failedCount
    sum.receivedByteCount = a.receivedByteCount &+ b.receivedByteCount
    return sum
  }
}
