/// Whether a region is to be downloaded.
public enum OfflineRegionDownloadState: Hashable, Sendable {
  /// It is not.
  case inactive
  /// It is, until it is whole or made inactive.
  case active
}

/// How far a region is.
public struct OfflineRegionStatus: Hashable, Sendable {
  /// Whether it is being downloaded.
  public var downloadState: OfflineRegionDownloadState
  /// Resources that are there, tiles included.
  public var completedResourceCount: UInt64
  /// Bytes of those, as they are stored.
  public var completedResourceSize: UInt64
  /// The tiles among them.
  public var completedTileCount: UInt64
  /// Resources that it needs, as far as is known.
  public var requiredResourceCount: UInt64
  /// The tiles among them.
  public var requiredTileCount: UInt64
  /// Bytes of the tiles that are there.
  public var completedTileSize: UInt64
  /// Whether the required counts are final.
  public var requiredResourceCountIsPrecise: Bool
  /// Whether all of it is there.
  public var isComplete: Bool

  init(_ progress: OfflineProgress) {
    downloadState = progress.state == .active ? .active : .inactive
    completedResourceCount = progress.completedCount
    completedResourceSize = progress.byteCount
    completedTileCount = progress.completedTileCount
    requiredResourceCount = progress.requiredCount
    requiredTileCount = progress.requiredTileCount
    completedTileSize = progress.tileByteCount
    requiredResourceCountIsPrecise = progress.isPrecise
    isComplete = progress.state == .complete
  }
}

/// Hears of a region's download, on a thread of the engine's own.
public protocol OfflineRegionObserver: AnyObject, Sendable {
  /// How far it is.
  func statusChanged(for status: OfflineRegionStatus)
  /// An answer could not be had or kept. What may pass is tried again.
  func responseError(for error: NeatlineError)
  /// A provider's tiles would be more than are allowed; the region is inactive now.
  func mapboxTileCountLimitExceeded(forLimit limit: UInt64)
}

/// A region of the database. Any thread.
public final class OfflineRegion: Sendable {
  private struct State: Sendable {
    var observer: (any OfflineRegionObserver)?
    var download: OfflineDownload?
  }

  /// Its number.
  public let identifier: Int64
  /// What it is to have, as it is stored; nil where that cannot be read.
  public let definition: JSONValue?
  private let resources: Resources
  private let state = Guarded(State())

  init(_ resources: Resources, _ region: StoredRegion) {
    self.resources = resources
    identifier = region.id
    definition = region.definition
  }

  /// Who hears of its download; nil: nobody.
  public func setOfflineRegionObserver(_ observer: (any OfflineRegionObserver)?) {
    state.withLock { $0.observer = observer }
  }

  /// Begins or ends its download. An ended one goes on where it was when it is active again. Letting go of the
  /// region ends it too. Throws `state` where somebody else downloads it.
  public func setOfflineRegionDownloadState(_ wanted: OfflineRegionDownloadState) throws(NeatlineError) {
    let last = state.withLock { state in
      defer { if wanted == .inactive { state.download = nil } }
      return state.download
    }
    switch wanted {
    case .inactive: last?.cancel()
    case .active:
      if let last, last.progress.state == .active { return }
      let download = try resources.downloadRegion(identifier) { [weak self] event in self?.tell(event) }
      state.withLock { $0.download = download }
    }
  }

  private func tell(_ event: OfflineEvent) {
    guard let observer = state.withLock({ $0.observer }) else { return }
    switch event {
    case .progress(let progress): observer.statusChanged(for: OfflineRegionStatus(progress))
    case .error(let error, let resource, _):
      let text = resource.isEmpty ? error.message : "\(resource): \(error.message)"
      observer.responseError(for: NeatlineError(error.status, text))
    case .tileLimit(let limit): observer.mapboxTileCountLimitExceeded(forLimit: limit)
    }
  }

  /// How far it is.
  public var status: OfflineRegionStatus {
    get throws(NeatlineError) { OfflineRegionStatus(try resources.progress(ofRegion: identifier)) }
  }

  /// Tells later, on another thread: how far it is.
  public func getStatus(completion: @escaping @Sendable (Result<OfflineRegionStatus, any Error>) -> Void) {
    Task.detached { [self] in completion(Result { try status }) }
  }

  /// The user's bytes.
  public var metadata: [UInt8] {
    get throws(NeatlineError) { try resources.metadata(ofRegion: identifier) }
  }

  /// Replaces the user's bytes.
  public func setMetadata(_ metadata: [UInt8]) throws(NeatlineError) {
    try resources.setMetadata(metadata, ofRegion: identifier)
  }

  /// Has all of it asked about with the next download; it stays meanwhile.
  public func invalidate() throws(NeatlineError) { try resources.invalidateRegion(identifier) }

  /// Ends its download and deletes it. What others need of it stays.
  public func purge() throws(NeatlineError) {
    try resources.deleteRegion(identifier)
  }
}
