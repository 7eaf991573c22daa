import CNeatline

/// A region as it is stored.
public struct StoredRegion: Hashable, Sendable {
  /// Its number in the database.
  public var id: Int64
  /// What it is to have, as `neat_offline_create` takes it; nil where that cannot be read.
  public var definition: JSONValue?
  /// Why the definition cannot be read.
  public var fault: String?

  init?(_ json: JSONValue) {
    guard let id = json["id"]?.number.flatMap({ Int64(exactly: $0) }) else { return nil }
    self.id = id
    definition = json["definition"].flatMap { $0.isNull ? nil : $0 }
    fault = json["fault"]?.string
  }

  static func list(_ json: JSONValue) -> [StoredRegion] { (json.array ?? []).compactMap { StoredRegion($0) } }
}

// Maps without a network: what regions need is kept in the cache. All throw `state` where there is none, and wait
// for the disk.
extension Resources {
  /// Makes a region, which is inactive and has nothing yet; its number. `definition`: see
  /// `neat_offline_create`.
  public func createRegion(_ definition: JSONValue, metadata: [UInt8] = []) throws(NeatlineError) -> Int64 {
    var id: Int64 = 0
    let status = definition.text.withText { text, size in
      metadata.withUnsafeBufferPointer {
        neat_offline_create(pointer, text, size, $0.baseAddress, $0.count, &id)
      }
    }
    try check(status)
    return id
  }

  /// All regions, in the order of their numbers.
  public var storedRegions: [StoredRegion] {
    get throws(NeatlineError) { StoredRegion.list(try jsonValue { neat_offline_list(pointer, $0) }) }
  }

  /// How far a region is. Throws `notFound`.
  public func progress(ofRegion id: Int64) throws(NeatlineError) -> OfflineProgress {
    try OfflineProgress.read { neat_offline_status(pointer, id, $0) }
  }

  /// A region's metadata. Throws `notFound`.
  public func metadata(ofRegion id: Int64) throws(NeatlineError) -> [UInt8] {
    try buffer { neat_offline_metadata(pointer, id, $0) }
  }

  /// Replaces a region's metadata. Throws `notFound`, `limitExceeded`.
  public func setMetadata(_ metadata: [UInt8], ofRegion id: Int64) throws(NeatlineError) {
    try check(
      metadata.withUnsafeBufferPointer {
        neat_offline_set_metadata(pointer, id, $0.baseAddress, $0.count)
      })
  }

  /// Has all of a region asked about with its next download. Throws `notFound`.
  public func invalidateRegion(_ id: Int64) throws(NeatlineError) {
    try check(neat_offline_invalidate(pointer, id))
  }

  /// Ends a region's download and deletes it; what other regions need stays. Throws `notFound`.
  public func deleteRegion(_ id: Int64) throws(NeatlineError) {
    try check(neat_offline_delete(pointer, id))
  }

  /// Takes over the regions of another database; those that came, or were here already.
  @discardableResult
  public func mergeRegions(from path: String) throws(NeatlineError) -> [StoredRegion] {
    StoredRegion.list(
      try jsonValue { out in path.withText { neat_offline_merge(pointer, $0, $1, out) } })
  }

  /// Limits the tiles that all regions may have of providers whose tile addresses begin so; holds as long as
  /// these resources.
  public func setTileLimit(_ count: UInt64, templates: [String]) throws(NeatlineError) {
    let text = JSONValue.array(templates.map { .string($0) }).text
    try check(text.withText { neat_offline_set_tile_limit(pointer, count, $0, $1) })
  }

  /// Begins to download a region. `tell` is called on a thread of the engine's own. Throws `notFound`, and
  /// `state` where it is being downloaded already.
  public func downloadRegion(
    _ id: Int64, options: OfflineDownload.Options = .init(),
    tell: @escaping @Sendable (OfflineEvent) -> Void = { _ in }
  ) throws(NeatlineError) -> OfflineDownload {
    try OfflineDownload(self, id, options, tell)
  }
}
