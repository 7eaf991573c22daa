import NeatBase
import NeatStore

// What regions need of the database. Calls wait for the disk: not on a map's loop.

/// What is known of a resource that a region needs.
enum RegionCopy: Sendable {
  /// There and to be used as it is; it belongs to the region now. Bytes as they are stored.
  case fresh(bytes: Int64)
  /// There, and to be asked about; it belongs to the region now. Without its body.
  case stale(DatabaseResponse, bytes: Int64)
  case missing
}

extension ResourceCache {
  package func createRegion(_ definition: OfflineRegionDefinition, metadata: [UInt8]) throws(NeatError)
    -> OfflineRegionRecord
  {
    try with { database throws(NeatError) in try database.createRegion(definition, metadata: metadata) }
  }

  package func regions() throws(NeatError) -> [OfflineRegionRecord] {
    try with { database throws(NeatError) in try database.regions() }
  }

  package func region(_ id: Int64) throws(NeatError) -> OfflineRegionRecord {
    try with { database throws(NeatError) in try database.region(id) }
  }

  package func setMetadata(_ metadata: [UInt8], ofRegion id: Int64) throws(NeatError) {
    try with { database throws(NeatError) in try database.setMetadata(metadata, ofRegion: id) }
  }

  package func invalidateRegion(_ id: Int64) throws(NeatError) {
    try with { database throws(NeatError) in try database.invalidateRegion(id) }
  }

  package func deleteRegion(_ id: Int64) throws(NeatError) {
    try with { database throws(NeatError) in try database.deleteRegion(id, now: now()) }
  }

  package func merge(_ path: String) throws(NeatError) -> [OfflineRegionRecord] {
    try with { database throws(NeatError) in try database.merge(path) }
  }

  package func counts(ofRegion id: Int64) throws(NeatError) -> OfflineRegionCounts {
    try with { database throws(NeatError) in try database.counts(ofRegion: id) }
  }

  /// Changes how many tiles regions may have of providers whose templates begin so.
  package func setTileLimit(_ count: Int64, templates: [String]) throws(NeatError) {
    try with { database throws(NeatError) in database.setTileLimit(count, templates: templates) }
  }

  package func tileLimit() throws(NeatError) -> Int64 {
    try with { database throws(NeatError) in database.options.limitedTileCount }
  }

  package func usedBytes() throws(NeatError) -> Int64 {
    try with { database throws(NeatError) in try database.usedBytes() }
  }

  /// The body of what a region has; nil where it is not there.
  func regionResource(_ key: DatabaseKey) throws(NeatError) -> DatabaseResponse? {
    try with { database throws(NeatError) in try database.regionResource(key) }
  }

  /// Looks which resources are there, and notes that the region needs those, so that nobody evicts them.
  func take(_ keys: [DatabaseKey], region: Int64, acceptsExpired: Bool) throws(NeatError) -> [RegionCopy] {
    let now = now()
    return try with { database throws(NeatError) in
      var copies: [RegionCopy] = []
      var there: [DatabaseKey] = []
      for key in keys {
        guard let facts = try database.facts(key) else {
          copies.append(.missing)
          continue
        }
        there.append(key)
        let isFresh = facts.expires.map { $0 > now } ?? true
        if isFresh || acceptsExpired {
          copies.append(.fresh(bytes: Int64(facts.bytes)))
        } else {
          copies.append(
            .stale(
              DatabaseResponse(
                .data([]), etag: facts.etag, modified: facts.modified, expires: facts.expires,
                // The loader is not to answer with it.
                mustRevalidate: true), bytes: Int64(facts.bytes)))
        }
      }
      if there.isEmpty { return copies }
      // Gone in between, or one too many of a limited provider's: storing it will tell.
      let refused = Set(try database.markUsed(there, region: region))
      if !refused.isEmpty {
        for (index, key) in keys.enumerated() where refused.contains(key) { copies[index] = .missing }
      }
      return copies
    }
  }

  /// Stores a batch for a region; whether the disk was full is part of the error.
  func put(_ entries: [(key: DatabaseKey, response: DatabaseResponse)], region: Int64) throws(RegionFailure)
    -> RegionOutcome
  {
    var isDiskFull = false
    do throws(NeatError) {
      return try with { database throws(NeatError) in
        do throws(NeatError) {
          return try database.putRegionResources(entries, region: region, now: now())
        } catch {
          isDiskFull = database.lastFailure == .diskFull
          throw error
        }
      }
    } catch {
      throw RegionFailure(error: error, isDiskFull: isDiskFull)
    }
  }
}

/// Why something could not be stored.
struct RegionFailure: Error {
  var error: NeatError
  var isDiskFull = false
}
