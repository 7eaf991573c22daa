import NeatBase
import NeatStore

/// The regions of a cache: what maps need without a network. Any thread; calls wait for the disk.
package struct OfflineRegions: Sendable {
  let loader: ResourceLoader
  let cache: ResourceCache
  /// Closes the cache when nobody holds it any more: downloads do.
  private let owner: SharedResources?

  package init(_ loader: ResourceLoader, _ cache: ResourceCache, of owner: SharedResources? = nil) {
    self.loader = loader
    self.cache = cache
    self.owner = owner
  }

  /// Makes a region, which is inactive and has nothing yet. Throws `invalidArgument`, `geojson` or
  /// `limitExceeded` for what is wrong with it.
  package func create(_ definition: OfflineRegionDefinition, metadata: [UInt8]) throws(NeatError)
    -> OfflineRegionRecord
  {
    try cache.createRegion(definition, metadata: metadata)
  }

  /// In the order of their numbers, also those whose definition cannot be read.
  package func all() throws(NeatError) -> [OfflineRegionRecord] { try cache.regions() }

  /// Throws `notFound`.
  package func metadata(_ id: Int64) throws(NeatError) -> [UInt8] { try cache.region(id).metadata }

  /// Throws `notFound`, `limitExceeded`.
  package func setMetadata(_ metadata: [UInt8], of id: Int64) throws(NeatError) {
    try cache.setMetadata(metadata, ofRegion: id)
  }

  /// Takes over the regions of another database. See `ResourceDatabase.merge`.
  package func merge(_ path: String) throws(NeatError) -> [OfflineRegionRecord] { try cache.merge(path) }

  /// Limits how many tiles regions may have of providers whose templates begin so.
  package func setTileLimit(_ count: Int64, templates: [String]) throws(NeatError) {
    try cache.setTileLimit(count, templates: templates)
  }

  /// Begins to download a region. `tell` is called on a thread of its own, with a status first and one that is
  /// not active last. Throws `notFound`, `state` where it is being downloaded already, and what is wrong with
  /// the region as it is stored.
  package func download(
    _ id: Int64, _ options: RegionDownloadOptions = .init(), _ tell: @escaping @Sendable (RegionEvent) -> Void
  ) throws(NeatError) -> RegionDownload {
    let plan = try plan(id)
    let (loader, cache, owner) = (loader, cache, owner)
    let download = try cache.downloads.begin(id) { RegionDownload(id, $0, cache.downloads, of: owner) }
    download.start(
      { loop, tell in
        RegionRun(plan, region: id, loader, cache, loop, options, tell: tell)
      }, tell)
    return download
  }

  private func plan(_ id: Int64) throws(NeatError) -> RegionPlan {
    let record = try cache.region(id)
    guard let definition = record.definition else {
      throw record.fault ?? NeatError(.state, "region \(id) has no definition")
    }
    return try RegionPlan(definition)
  }

  /// How far a region is: of one that is not being downloaded, by what the database has of it.
  package func status(_ id: Int64) throws(NeatError) -> RegionStatus {
    if let active = cache.downloads.active(id) { return active.status.told }
    var plan = try plan(id)
    var status = RegionStatus()
    let counts = try cache.counts(ofRegion: id)
    status.completed = counts.resources
    status.completedTiles = counts.tiles
    status.bytes = counts.bytes
    status.tileBytes = counts.tileBytes
    if let bytes = body(of: plan.style) { try? plan.takeStyle(bytes) }
    // One that is read may add others.
    var next = 0
    while next < plan.tileJSON.count {
      let request = plan.tileJSON[next].request
      if let bytes = body(of: request) { try? plan.takeTileJSON(request, bytes) }
      next += 1
    }
    status.required = plan.resourceCount
    status.isPrecise = plan.isKnown
    for source in plan.tiles {
      let (tiles, isPrecise) = source.count()
      status.requiredTiles = status.requiredTiles.addingSaturating(tiles)
      status.isPrecise = status.isPrecise && isPrecise
    }
    status.required = status.required.addingSaturating(status.requiredTiles)
    status.failed = Int64(plan.takeFaults().count)
    let isWhole = status.isPrecise && status.failed == 0 && status.completed >= status.required
    status.state = isWhole ? .complete : .inactive
    return status
  }

  /// A document as the database has it; of this machine, as it is there.
  private func body(of request: ResourceRequest) -> [UInt8]? {
    if RegionPlan.isRemote(request.url) {
      guard case .data(let bytes)? = try? cache.regionResource(ResourceCache.key(request))?.content else {
        return nil
      }
      return bytes
    }
    guard case .data(let bytes) = loader.loadLocal(loader.route(request)) else { return nil }
    return bytes
  }

  /// Has all of a region asked about with its next download; it stays meanwhile. Throws `notFound`.
  package func invalidate(_ id: Int64) throws(NeatError) { try cache.invalidateRegion(id) }

  /// Ends a region's download and deletes it; what other regions need stays. Throws `notFound`.
  package func delete(_ id: Int64) throws(NeatError) {
    cache.downloads.active(id)?.stop()
    try cache.deleteRegion(id)
  }
}

extension Int64 {
  fileprivate func addingSaturating(_ other: Int64) -> Int64 {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}

extension SharedResources {
  /// Regions of its cache. Throws `state` where there is none.
  package var offline: OfflineRegions {
    get throws(NeatError) { OfflineRegions(try loader, try cache, of: self) }
  }
}
