import CNeatline

/// What renderers and maps load by together that are given the same one (`Options.resources`): connections,
/// headers, archives that stay open, the cache of what servers answered, and whether servers are asked at all.
/// Any thread.
public final class Resources: Sendable, Hashable {  // the engine locks
  nonisolated(unsafe) let pointer: OpaquePointer

  /// How resources are loaded. nil: the default.
  public struct Options: Hashable, Sendable {
    /// A file for what servers answer; made where it is not there. Several processes may use it at once.
    public var cachePath: String?
    /// Bytes of the cache at most; 50 MiB.
    public var cacheBytes: Int?
    /// Headers of each request.
    public var headers: [String: String] = [:]
    /// The value of User-Agent; `Neatline`.
    public var userAgent: String?
    /// Requests at once to one host; 20.
    public var connectionsPerHost: Int?
    /// Requests at once to all hosts; 64.
    public var connections: Int?
    /// A proxy's address; what the environment says (`https_proxy`, `no_proxy`).
    public var proxy: String?
    /// A file of the certificates that are trusted, PEM; the system's.
    public var caFile: String?
    /// What is sent to some servers alone.
    public var credentials: [Credentials] = []
    /// How addresses of other schemes become those of servers, by scheme.
    public var providers: [String: Provider] = [:]
    /// The token for `mapbox://` addresses, where `providers` has no entry for these.
    public var accessToken: String?
    /// A folder for `asset://` addresses: `asset://icons/pin.png` is `icons/pin.png` in it, and none leads out of
    /// it. Else they fail.
    public var assetPath: String?
    /// Milliseconds that one request may take in all; 30000.
    public var timeoutMilliseconds: Int?
    /// Attempts after a failure that may pass, at most 100; 3.
    public var retryCount: Int?
    /// Bytes that the packed body of one response may unpack to; 256 MiB.
    public var unpackedLimitBytes: Int?

    /// The defaults.
    public init() {}
  }

  /// Headers and members of the query for addresses that begin with `url`. They are in no key of the cache,
  /// event, error or log.
  public struct Credentials: Hashable, Sendable {
    /// What the addresses begin with: a whole host, or folders of it.
    public var url: String
    /// Headers of their requests.
    public var headers: [String: String]
    /// Members of their queries.
    public var query: [String: String]

    /// What is sent for addresses that begin with `url`.
    public init(url: String, headers: [String: String] = [:], query: [String: String] = [:]) {
      self.url = url
      self.headers = headers
      self.query = query
    }
  }

  /// How a provider's own addresses become those of its servers: templates behind `base`, with `{domain}`,
  /// `{path}`, `{directory}`, `{filename}`, `{extension}` of the address. nil: as Mapbox has it, for the scheme
  /// `mapbox` only.
  public struct Provider: Hashable, Sendable {
    /// The address in front of all templates.
    public var base: String?
    /// What the provider knows the asker by.
    public var token: String?
    /// The member of the query that has the token; `key`.
    public var tokenName: String?
    /// The template of TileJSON.
    public var source: String?
    /// The template of styles.
    public var style: String?
    /// The template of sprites.
    public var sprite: String?
    /// The template of ranges of glyphs.
    public var glyphs: String?
    /// The template of tiles.
    public var tile: String?

    /// A provider, as Mapbox has it but for what is said.
    public init(base: String? = nil, token: String? = nil) {
      self.base = base
      self.token = token
    }

    fileprivate var json: JSONValue {
      let texts = [
        ("base", base), ("token", token), ("tokenName", tokenName), ("source", source), ("style", style),
        ("sprite", sprite), ("glyphs", glyphs), ("tile", tile),
      ]
      return .object(texts.compactMap { name, text in text.map { .init(name, .string($0)) } })
    }
  }

  /// Throws `io`, `archive` for another application's database, `state` for one of a newer version.
  /// `transform`: as `setTransform` takes it.
  public init(_ options: Options = .init(), transform: ResourceTransform? = nil) throws(NeatlineError) {
    var members: [JSONValue.Member] = []
    if let path = options.cachePath { members.append(.init("cachePath", .string(path))) }
    for (name, text) in [
      ("userAgent", options.userAgent), ("proxy", options.proxy), ("caFile", options.caFile),
      ("assetPath", options.assetPath),
    ] {
      if let text { members.append(.init(name, .string(text))) }
    }
    for (name, number) in [
      ("cacheBytes", options.cacheBytes), ("connectionsPerHost", options.connectionsPerHost),
      ("connections", options.connections), ("timeoutMs", options.timeoutMilliseconds),
      ("retryCount", options.retryCount),
      ("unpackedLimitBytes", options.unpackedLimitBytes),
    ] {
      if let number { members.append(.init(name, .number(Double(number)))) }
    }
    members.append(.init("headers", texts(options.headers)))
    members.append(
      .init(
        "credentials",
        .array(
          options.credentials.map { entry in
            .object([
              .init("url", .string(entry.url)), .init("headers", texts(entry.headers)),
              .init("query", texts(entry.query)),
            ])
          })))
    var providers = options.providers
    if let token = options.accessToken, providers["mapbox"] == nil {
      providers["mapbox"] = Provider(token: token)
    }
    members.append(
      .init("providers", .object(providers.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) })))
    let text = JSONValue.object(members).text
    pointer = try handle { out in text.withText { neat_resources_create($0, $1, out) } }
    if let transform { try setTransform(transform) }
  }

  deinit { neat_resources_destroy(pointer) }

  /// Says whether servers are asked. Where not, requests that the cache cannot answer fail with `network`, and
  /// no socket is opened.
  public func setOnline(_ isOnline: Bool) throws(NeatlineError) {
    try check(neat_resources_set_online(pointer, isOnline ? 1 : 0))
  }

  /// Forgets all of the cache.
  public func clearCache() throws(NeatlineError) { try keep(NEAT_CACHE_CLEAR) }

  /// Has all of the cache asked about when it is used next.
  public func invalidateCache() throws(NeatlineError) { try keep(NEAT_CACHE_INVALIDATE) }

  /// Gives free room back to the disk.
  public func packCache() throws(NeatlineError) { try keep(NEAT_CACHE_PACK) }

  /// Writes what waits to be written.
  public func flushCache() throws(NeatlineError) { try keep(NEAT_CACHE_FLUSH) }

  private func keep(_ action: neat_cache_action) throws(NeatlineError) {
    try check(neat_resources_keep(pointer, action))
  }

  /// Changes how many bytes the cache has at most; 0: nothing is kept.
  public func setCacheBytes(_ bytes: Int) throws(NeatlineError) {
    try check(neat_resources_set_cache_bytes(pointer, UInt64(clamping: bytes)))
  }

  /// How it goes: see `neat_resources_report`.
  public var report: JSONValue {
    get throws(NeatlineError) { try jsonValue { neat_resources_report(pointer, $0) } }
  }

  /// Loads a resource as maps do: by the transform, from a file, an archive, the cache or a server, with
  /// retries, and waits: `timeoutMilliseconds` at most, 0: as long as the options say. Empty for an empty answer
  /// (204). Throws `notFound` for 404 and 410, and what loading fails with. Any thread.
  public func load(_ kind: ResourceKind, _ url: String, timeoutMilliseconds: Int = 0) throws(NeatlineError)
    -> [UInt8]
  {
    try buffer { out in
      url.withText {
        neat_resources_load(
          pointer, neat_resource_kind(kind.rawValue), $0, $1, UInt32(clamping: timeoutMilliseconds), out)
      }
    }
  }

  /// Has each resource pass through `transform` before it is asked for, in place of the one before; nil: none
  /// does. Called by threads of the engine's, several at once too.
  public func setTransform(_ transform: ResourceTransform?) throws(NeatlineError) {
    guard let transform else { return try check(neat_resources_set_transform(pointer, nil, nil, nil)) }
    let box = Unmanaged.passRetained(TransformBox(transform))
    let status = neat_resources_set_transform(
      pointer,
      { context, kind, url, size, target in
        guard let context, let target else { return }
        Unmanaged<TransformBox>.fromOpaque(context).takeUnretainedValue()
          .apply(kind, copiedText(url, size), to: target)
      }, box.toOpaque(),
      { context in
        guard let context else { return }
        Unmanaged<TransformBox>.fromOpaque(context).release()
      })
    if status != NEAT_STATUS_OK { box.release() }
    try check(status)
  }

  /// The same object.
  public static func == (a: Resources, b: Resources) -> Bool { a === b }

  /// By identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private func texts(_ pairs: [String: String]) -> JSONValue {
  .object(pairs.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
}
