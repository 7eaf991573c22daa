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
    /// Connections to one host; 8.
    public var connectionsPerHost: Int?
    /// Milliseconds that one request may take in all; 30000.
    public var timeoutMilliseconds: Int?
    /// Attempts after a failure that may pass, at most 100; 3.
    public var retryCount: Int?
    /// Bytes that the packed body of one response may unpack to; 256 MiB.
    public var unpackedLimitBytes: Int?

    /// The defaults.
    public init() {}
  }

  /// Throws `io`, `archive` for another application's database, `state` for one of a newer version.
  /// `transform`: as `setTransform` takes it.
  public init(_ options: Options = .init(), transform: ResourceTransform? = nil) throws(NeatlineError) {
    var members: [JSONValue.Member] = []
    if let path = options.cachePath { members.append(.init("cachePath", .string(path))) }
    if let agent = options.userAgent { members.append(.init("userAgent", .string(agent))) }
    for (name, number) in [
      ("cacheBytes", options.cacheBytes), ("connectionsPerHost", options.connectionsPerHost),
      ("timeoutMs", options.timeoutMilliseconds), ("retryCount", options.retryCount),
      ("unpackedLimitBytes", options.unpackedLimitBytes),
    ] {
      if let number { members.append(.init(name, .number(Double(number)))) }
    }
    let headers = options.headers.sorted { $0.key < $1.key }
    members.append(.init("headers", .object(headers.map { .init($0.key, .string($0.value)) })))
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
