import NeatBase

/// How far a region is.
package struct RegionStatus: Sendable, Equatable {
  package enum State: UInt8, Sendable {
    case inactive, active, complete
  }

  package var state = State.inactive
  /// Resources that the region needs, tiles included, as far as is known: the style and its sources tell.
  package var required: Int64 = 0
  package var requiredTiles: Int64 = 0
  /// Whether more cannot become known.
  package var isPrecise = false
  /// Those that are there, tiles included.
  package var completed: Int64 = 0
  package var completedTiles: Int64 = 0
  /// Their bodies as they are stored.
  package var bytes: Int64 = 0
  package var tileBytes: Int64 = 0
  /// Those that are not to be had; each was told as an error.
  package var failed: Int64 = 0
  /// Bytes that servers sent in this download.
  package var received: Int64 = 0

  package init() {}

  /// As it is told: what is there is needed, also where all that is needed has not been counted yet.
  var told: RegionStatus {
    var told = self
    told.required = max(required, completed)
    told.requiredTiles = max(requiredTiles, completedTiles)
    return told
  }
}

/// What whoever watches a download hears.
package enum RegionEvent: Sendable {
  case status(RegionStatus)
  /// An answer could not be had or kept. It does not end the download, unless a status that is not active
  /// follows.
  case failure(NeatError, isDiskFull: Bool)
  /// The tiles of a provider that allows so many are more; the download has ended.
  case tileLimit(Int64)
}

/// How a region is downloaded.
package struct RegionDownloadOptions: Sendable {
  /// How often each resource is asked for where failures pass; 0: until it is there or the download is ended.
  package var attempts = 0
  /// Whether what has expired is used as it is.
  package var acceptsExpired = false
  /// Whether servers are asked; else only what is there already is taken.
  package var allowsNetwork = true
  /// Bytes a second that are received at most, as a mean; 0: no limit.
  package var averageBytesPerSecond: Int64 = 0
  /// Bytes that the database may use, what is ambient included; 0: no limit.
  package var quotaBytes: Int64 = 0

  package init() {}
}
