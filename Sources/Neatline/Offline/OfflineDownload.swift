import CNeatline

/// A region's download. Any thread. Letting go of it ends it.
public final class OfflineDownload: Sendable, Cancelable {
  /// How a region is downloaded.
  public struct Options: Hashable, Sendable {
    /// Tries of each resource where failures may pass; 0: until it is there.
    public var attempts = 0
    /// Whether what has expired is taken as it is.
    public var acceptsExpired = false
    /// Whether servers are asked; else only what is there already is taken.
    public var allowsNetwork = true
    /// A mean that requests are held back for; nil: none.
    public var averageBytesPerSecond: Int?
    /// Bytes of the database at most, with its ambient part; nil: no limit.
    public var quotaBytes: Int?

    /// The defaults.
    public init() {}

    var json: JSONValue {
      var members: [JSONValue.Member] = [
        .init("attempts", .number(Double(attempts))), .init("acceptExpired", .bool(acceptsExpired)),
        .init("allowsNetwork", .bool(allowsNetwork)),
      ]
      if let bytes = averageBytesPerSecond {
        members.append(.init("averageBytesPerSecond", .number(Double(bytes))))
      }
      if let bytes = quotaBytes { members.append(.init("quotaBytes", .number(Double(bytes)))) }
      return .object(members)
    }
  }

  nonisolated(unsafe) private let pointer: OpaquePointer
  private let listener: Listener
  /// The region.
  public let region: Int64

  /// Whom the engine tells.
  private final class Listener: Sendable {
    let tell: @Sendable (OfflineEvent) -> Void
    init(_ tell: @escaping @Sendable (OfflineEvent) -> Void) { self.tell = tell }
  }

  init(
    _ resources: Resources, _ region: Int64, _ options: Options,
    _ tell: @escaping @Sendable (OfflineEvent) -> Void
  ) throws(NeatlineError) {
    let listener = Listener(tell)
    self.listener = listener
    self.region = region
    let context = Unmanaged.passUnretained(listener).toOpaque()
    pointer = try handle { out in
      options.json.text.withText { text, size in
        neat_offline_download_create(
          resources.pointer, region, text, size,
          { context, event in
            guard let context, let event, let known = OfflineEvent(event.pointee) else { return }
            Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue().tell(known)
          }, context, out)
      }
    }
  }

  /// After this nothing is told, and the listener may go.
  deinit { neat_offline_download_destroy(pointer) }

  /// Waits until it has ended, no longer than a time (nil: without limit); whether it has ended. Not from within
  /// what it tells.
  @discardableResult public func wait(milliseconds: UInt32? = nil) -> Bool {
    neat_offline_download_wait(pointer, milliseconds.map { max($0, 1) } ?? 0) != 0
  }

  /// How far it is, or was at its end.
  public var progress: OfflineProgress {
    (try? OfflineProgress.read { neat_offline_download_progress(pointer, $0) }) ?? OfflineProgress()
  }

  /// Ends it: what came is kept, and nothing is told after this returns.
  public func cancel() { neat_offline_download_stop(pointer) }
}
