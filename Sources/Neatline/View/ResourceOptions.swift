/// Where resources come from, by the names of version 10 of the mobile SDKs. Maps of equal options share
/// connections and cache.
public struct ResourceOptions: Hashable, Sendable {
  /// The token for `mapbox://` addresses; "": none, and these fail.
  public var accessToken: String
  /// The server that `mapbox://` addresses are asked of; nil: `https://api.mapbox.com`. With NeatlineFoundation it is
  /// a `URL`.
  @_disfavoredOverload
  public var baseURL: String? {
    get { base }
    set { base = newValue }
  }
  /// A folder that is there: `map_data.db` in it keeps what servers answered, for maps without a network too. nil:
  /// nothing is kept.
  public var dataPath: String?
  /// A folder for `asset://` addresses: `asset://icons/pin.png` is `icons/pin.png` in it. nil: these fail.
  public var assetPath: String?
  /// Tile regions that maps use too: what these load by, with the token, addresses and cache that they were made
  /// with, then stands in the place of all above.
  public var tileStore: TileStore?
  /// Whether they do.
  public var tileStoreUsageMode: TileStoreUsageMode

  /// For NeatlineFoundation, whose `baseURL` is a `URL`.
  package var base: String?

  /// No token and no cache, but for what is said.
  public init(
    accessToken: String = "", baseURL: String? = nil, dataPath: String? = nil, assetPath: String? = nil,
    tileStore: TileStore? = nil, tileStoreUsageMode: TileStoreUsageMode = .readOnly
  ) {
    self.accessToken = accessToken
    base = baseURL
    self.dataPath = dataPath
    self.assetPath = assetPath
    self.tileStore = tileStore
    self.tileStoreUsageMode = tileStoreUsageMode
  }

  /// What maps of these options load by: the same for equal options, as long as somebody holds it. Throws
  /// `invalidArgument` for a base address that is no server's, `io` for a folder that is not there, and what
  /// `Resources` throws for the cache.
  public var resources: Resources {
    get throws(NeatlineError) {
      if let tileStore, tileStoreUsageMode != .disabled { return tileStore.resources }
      return try SharedByOptions.resources(self)
    }
  }

  fileprivate var made: Resources {
    get throws(NeatlineError) {
      var options = Resources.Options()
      if !accessToken.isEmpty || base != nil {
        options.providers["mapbox"] = Resources.Provider(base: base, token: accessToken)
      }
      options.cachePath = dataPath.map { $0.hasSuffix("/") ? $0 + "map_data.db" : $0 + "/map_data.db" }
      options.assetPath = assetPath
      return try Resources(options)
    }
  }
}

/// Whether maps use the tile store of `ResourceOptions`.
public enum TileStoreUsageMode: Hashable, Sendable {
  /// They do not.
  case disabled
  /// They use what it has; what it lacks goes to the part of its file that makes room for others.
  case readOnly
  /// As `readOnly`: regions are loaded by `TileStore.loadTileRegion` alone.
  case readAndUpdate
}

/// The options of resources that an application has in common, or some of its parts, by the names of version 10 of
/// the mobile SDKs:
///
///     ResourceOptionsManager.default.resourceOptions.accessToken = "…"
///
/// Any thread.
public final class ResourceOptionsManager: Sendable {
  private static let shared = Guarded<ResourceOptionsManager?>(nil)
  private let options: Guarded<ResourceOptions>

  /// The application's: what `MapInitOptions` and `MapSnapshotOptions` have where nothing is said. Neither a file nor
  /// the environment is looked at for a token.
  public static var `default`: ResourceOptionsManager {
    shared.withLock { shared in
      if let shared { return shared }
      let made = ResourceOptionsManager()
      shared = made
      return made
    }
  }

  /// Forgets the application's: `default` is a new one then.
  public static func destroyDefault() { shared.withLock { $0 = nil } }

  /// Options of one's own.
  public init(resourceOptions: ResourceOptions = ResourceOptions()) { options = Guarded(resourceOptions) }

  /// Options with a token.
  public convenience init(accessToken: String) {
    self.init(resourceOptions: ResourceOptions(accessToken: accessToken))
  }

  /// What maps have that are made from now on.
  public var resourceOptions: ResourceOptions {
    get { options.withLock { $0 } }
    set { options.withLock { $0 = newValue } }
  }

  /// Changes several of them at once.
  public func update(_ change: (inout ResourceOptions) -> Void) { options.withLock { change(&$0) } }
}

/// Resources by the options that they were made of, as long as somebody has them.
private enum SharedByOptions {
  private struct Entry {
    weak var resources: Resources?
  }

  private static let table = Guarded<[ResourceOptions: Entry]>([:])

  static func resources(_ options: ResourceOptions) throws(NeatlineError) -> Resources {
    try table.withLock { table throws(NeatlineError) in
      if let known = table[options]?.resources { return known }
      table = table.filter { $0.value.resources != nil }
      let made = try options.made
      table[options] = Entry(resources: made)
      return made
    }
  }
}

extension OfflineManager {
  /// The packs of what maps of these options load by. Throws as `ResourceOptions.resources`.
  public convenience init(resourceOptions: ResourceOptions) throws(NeatlineError) {
    self.init(resources: try resourceOptions.resources)
  }
}

extension OfflineRegionManager {
  /// The regions of what maps of these options load by. Throws as `ResourceOptions.resources`.
  public convenience init(resourceOptions: ResourceOptions) throws(NeatlineError) {
    self.init(resources: try resourceOptions.resources)
  }
}

extension TileStore: Hashable {
  /// The same object.
  public static func == (a: TileStore, b: TileStore) -> Bool { a === b }

  /// By identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
