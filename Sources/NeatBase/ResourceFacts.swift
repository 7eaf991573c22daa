/// What comes before what where not all can be asked for at once.
package enum RequestPriority: UInt8, Sendable, Comparable, CaseIterable {
  /// In view; around it; for later; for maps without a network.
  case view, margin, prefetch, offline

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// Whom a request may ask.
package enum RequestUsage: UInt8, Sendable {
  case cacheAndNetwork, cacheOnly, networkOnly
}

/// What became of a request, for those who watch. Times are microseconds of the machine's clock since 1970.
package struct ResourceFacts: Sendable, Equatable {
  package enum Origin: UInt8, Sendable {
    /// Nobody answered.
    case none
    case network, cache, file, archive, data
  }

  package var origin = Origin.none
  package var priority = RequestPriority.view
  package var usage = RequestUsage.cacheAndNetwork
  package var beganAt: Int64 = 0
  package var endedAt: Int64 = 0
  /// Of the body, as it was used.
  package var byteCount = 0
  package var etag: String?
  /// Seconds since 1970; nil where the server says nothing.
  package var expires: Int64?
  /// A copy was there, and it still holds.
  package var isNotModified = false

  package init() {}
}
