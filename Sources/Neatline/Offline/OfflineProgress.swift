import CNeatline

/// How far a region is.
public struct OfflineProgress: Hashable, Sendable {
  /// What becomes of a region.
  public enum State: UInt32, Hashable, Sendable {
    /// It is not being downloaded, and lacks something or is not known to have all.
    case inactive
    /// It is being downloaded.
    case active
    /// All of it is there.
    case complete
  }

  /// What becomes of it.
  public var state = State.inactive
  /// Resources that it needs, tiles included, as far as is known: the style and its sources tell.
  public var requiredCount: UInt64 = 0
  /// The tiles among them.
  public var requiredTileCount: UInt64 = 0
  /// Resources that are there, tiles included.
  public var completedCount: UInt64 = 0
  /// The tiles among them.
  public var completedTileCount: UInt64 = 0
  /// Bytes of those that are there, as they are stored.
  public var byteCount: UInt64 = 0
  /// Bytes of the tiles among them.
  public var tileByteCount: UInt64 = 0
  /// Resources that are not to be had; each was told as an error.
  public var failedCount: UInt64 = 0
  /// Bytes that servers sent in this download.
  public var receivedByteCount: UInt64 = 0
  /// Whether the required counts are final.
  public var isPrecise = false

  /// Nothing yet.
  public init() {}

  init(_ c: neat_offline_progress) {
    state = State(rawValue: c.state.rawValue) ?? .inactive
    requiredCount = c.required_count
    requiredTileCount = c.required_tile_count
    completedCount = c.completed_count
    completedTileCount = c.completed_tile_count
    byteCount = c.byte_count
    tileByteCount = c.tile_byte_count
    failedCount = c.failed_count
    receivedByteCount = c.received_byte_count
    isPrecise = c.is_precise != 0
  }

  /// What a call fills.
  static func read(_ call: (UnsafeMutablePointer<neat_offline_progress>) -> neat_status)
    throws(NeatlineError) -> OfflineProgress
  {
    var progress = neat_offline_progress()
    progress.struct_size = UInt32(MemoryLayout<neat_offline_progress>.size)
    try check(call(&progress))
    return OfflineProgress(progress)
  }
}

/// What whoever watches a download hears.
public enum OfflineEvent: Hashable, Sendable {
  /// How far it is; the last one is not active.
  case progress(OfflineProgress)
  /// An answer could not be had or kept; `resource` is its address. What may pass is tried again.
  case error(NeatlineError, resource: String, isDiskFull: Bool)
  /// A provider's tiles would be more than are allowed, this many; the download ends.
  case tileLimit(UInt64)

  init?(_ event: neat_offline_event) {
    switch event.type {
    case NEAT_OFFLINE_EVENT_PROGRESS:
      guard let progress = event.progress else { return nil }
      self = .progress(OfflineProgress(progress.pointee))
    case NEAT_OFFLINE_EVENT_ERROR:
      self = .error(
        NeatlineError(event.status, event.message.map { String(cString: $0) } ?? ""),
        resource: event.resource.map { String(cString: $0) } ?? "", isDiskFull: event.is_disk_full != 0)
    case NEAT_OFFLINE_EVENT_TILE_LIMIT: self = .tileLimit(event.tile_limit)
    default: return nil
    }
  }
}
