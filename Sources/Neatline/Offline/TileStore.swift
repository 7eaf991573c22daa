/// Tile regions: tiles of areas, kept in the cache of resources. Any thread. Completions are called once, on a
/// thread of the engine's own.
public final class TileStore: Sendable {
  /// Where the regions are.
  public let resources: Resources
  private let quota = Guarded<Int?>(nil)

  /// The tile regions of a cache.
  public init(resources: Resources) { self.resources = resources }

  /// Bytes that the database may have in use, its ambient part included; a load that would take it past that
  /// ends with `diskFull`. nil: no limit.
  public var diskQuota: Int? {
    get { quota.withLock { $0 } }
    set { quota.withLock { $0 = newValue } }
  }

  /// Loads a tile region, or brings the one of that name up to date: what is there and has not changed is not
  /// sent again. With another area or other descriptors it takes the place of the old one when it is whole.
  /// Cancelling it calls the completion with `canceled`.
  @discardableResult
  public func loadTileRegion(
    forId id: String, loadOptions: TileRegionLoadOptions,
    progress: @escaping @Sendable (TileRegionLoadProgress) -> Void = { _ in },
    completion: @escaping @Sendable (Result<TileRegion, any Error>) -> Void
  ) -> any Cancelable {
    let prepared: (regions: [Int64], old: [Int64])
    do {
      prepared = try prepare(id, loadOptions)
    } catch {
      return EndedLoad {
        completion(.failure((error as? NeatlineError).map { TileRegionError.other($0.message) } ?? error))
      }
    }
    var options = OfflineDownload.Options()
    options.attempts = OfflineManager.attempts
    options.acceptsExpired = loadOptions.acceptExpired
    options.allowsNetwork = loadOptions.networkRestriction != .disallowAll
    options.averageBytesPerSecond = loadOptions.averageBytesPerSecond
    options.quotaBytes = diskQuota
    let load = PackLoad(
      prepared.regions, resources, options, progress: { progress(TileRegionLoadProgress($0)) },
      completion: { [self] result in
        switch result {
        case .failure(let error): completion(.failure(TileRegionError(error.fault)))
        case .success:
          for old in prepared.old { try? resources.deleteRegion(old) }
          completion(Result { try tileRegion(forId: id) })
        }
      })
    load.next()
    return load
  }

  /// One region of the database for each descriptor: those that are there already, and new ones; and those that
  /// they replace.
  private func prepare(_ id: String, _ options: TileRegionLoadOptions) throws -> (
    regions: [Int64], old: [Int64]
  ) {
    let known = try regions(id)
    var wanted: [(definition: JSONValue, notes: JSONValue)]
    if let descriptors = options.descriptors {
      guard let geometry = options.geometry?.json ?? known.last?.definition["geometry"] else {
        throw TileRegionError.other("the tile region \(id) needs a geometry")
      }
      wanted = descriptors.map { ($0.definition(geometry), $0.identity) }
    } else {
      wanted = known.map { ($0.definition, $0.notes) }
      if let geometry = options.geometry?.json {
        wanted = wanted.map { ($0.definition.replacing("geometry", by: geometry), $0.notes) }
      }
    }
    if wanted.isEmpty { throw TileRegionError.other("the tile region \(id) needs descriptors") }
    let metadata = options.metadata ?? known.last?.metadata
    var regions: [Int64] = []
    for (definition, notes) in wanted {
      let bytes = PackRegion.metadata(.tileRegion, id, notes: notes, metadata)
      let same = known.last { $0.notes == notes && $0.definition.isSameRegion(as: definition) }
      if let same, !regions.contains(same.id) {
        try resources.setMetadata(bytes, ofRegion: same.id)
        regions.append(same.id)
      } else {
        regions.append(try resources.createRegion(definition, metadata: bytes))
      }
    }
    return (regions, known.map(\.id).filter { !regions.contains($0) })
  }

  private func regions(_ id: String) throws(NeatlineError) -> [PackRegion] {
    try PackRegion.all(.tileRegion, in: resources).filter { $0.name == id }
  }

  private func found(_ id: String) throws -> [PackRegion] {
    let known = try regions(id)
    if known.isEmpty { throw TileRegionError.doesNotExist("there is no tile region \(id)") }
    return known
  }

  // MARK: What there is

  /// All tile regions.
  public func allTileRegions() throws -> [TileRegion] {
    var names: [String] = []
    for region in try PackRegion.all(.tileRegion, in: resources) where !names.contains(region.name) {
      names.append(region.name)
    }
    return try names.map { try tileRegion(forId: $0) }
  }

  /// A tile region. Throws `TileRegionError`.
  public func tileRegion(forId id: String) throws -> TileRegion {
    var sum = OfflineProgress()
    for region in try found(id) { sum = sum + (try resources.progress(ofRegion: region.id)) }
    return TileRegion(
      id: id, requiredResourceCount: sum.requiredCount, completedResourceCount: sum.completedCount,
      completedResourceSize: sum.byteCount)
  }

  /// What was given as a region's metadata; null where nothing was. Throws `TileRegionError`.
  public func tileRegionMetadata(forId id: String) throws -> JSONValue {
    try found(id).last?.metadata ?? .null
  }

  /// Whether a region has all that the descriptors have of styles. Throws `TileRegionError`.
  public func tileRegionContainsDescriptors(forId id: String, descriptors: [TilesetDescriptor]) throws -> Bool
  {
    let known = try found(id)
    return descriptors.allSatisfy { descriptor in known.contains { $0.notes == descriptor.identity } }
  }

  /// Deletes a region, if it is there, and ends its load. What others need of it stays.
  public func removeTileRegion(forId id: String) throws(NeatlineError) {
    for region in try regions(id) { try resources.deleteRegion(region.id) }
  }

  /// Tells later, on another thread: all tile regions.
  public func allTileRegions(completion: @escaping @Sendable (Result<[TileRegion], any Error>) -> Void) {
    Task.detached { [self] in completion(Result { try allTileRegions() }) }
  }

  /// Tells later, on another thread: a tile region.
  public func tileRegion(
    forId id: String, completion: @escaping @Sendable (Result<TileRegion, any Error>) -> Void
  ) {
    Task.detached { [self] in completion(Result { try tileRegion(forId: id) }) }
  }

  /// Tells later, on another thread: a region's metadata.
  public func tileRegionMetadata(
    forId id: String, completion: @escaping @Sendable (Result<JSONValue, any Error>) -> Void
  ) {
    Task.detached { [self] in completion(Result { try tileRegionMetadata(forId: id) }) }
  }

  /// Tells later, on another thread: whether a region has the descriptors.
  public func tileRegionContainsDescriptors(
    forId id: String, descriptors: [TilesetDescriptor],
    completion: @escaping @Sendable (Result<Bool, any Error>) -> Void
  ) {
    Task.detached { [self] in
      completion(Result { try tileRegionContainsDescriptors(forId: id, descriptors: descriptors) })
    }
  }
}

extension JSONValue {
  /// The object with a member's value replaced.
  fileprivate func replacing(_ key: String, by value: JSONValue) -> JSONValue {
    guard case .object(var members) = self else { return self }
    members = members.map { $0.key == key ? Member(key, value) : $0 }
    return .object(members)
  }

  /// Whether two definitions ask for the same, whatever the order of their members.
  fileprivate func isSameRegion(as other: JSONValue) -> Bool {
    guard let mine = object, let others = other.object else { return self == other }
    func sorted(_ members: [Member]) -> [Member] { members.sorted { $0.key < $1.key } }
    return sorted(mine) == sorted(others)
  }
}
